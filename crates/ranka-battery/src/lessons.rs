//! Lessons: rules that can be read and seen, and positions that can be solved as they say.

use crate::svg;
use ranka_core::{CatalogueEntry, Complete, GameEntry, Locale, MOST_STEPS};
use std::collections::HashSet;

/// The rules have a few steps, whose pictures are drawn with all their marks in place. The first lesson has three to six
/// positions; each is solved by some actions within the number that it gives, and not every one by whatever is done.
pub fn lessons_teach<G: Complete>() {
    let entry = CatalogueEntry::<G>::with(&[]);
    let steps = entry.rule_steps();
    assert!((3..=MOST_STEPS).contains(&steps.len()), "the rules have {} steps", steps.len());
    for step in &steps {
        assert!(!step.text.is_empty());
        let width = step.table.first().map_or(0, Vec::len);
        assert!(step.table.iter().all(|row| row.len() == width), "the table of {:?} has a gap", step.text);
        let Some(drawn) = entry.rule_picture(step, Locale::ENGLISH) else { continue };
        let (picture, marks) = drawn.unwrap_or_else(|error| panic!("{:?}: {error}", step.text));
        let ids: HashSet<&str> = svg::ids(&picture).expect("a well-formed picture").into_iter().collect();
        for (id, mark) in marks {
            assert!(
                ids.contains(id.as_str()),
                "{:?} writes {mark:?} at {id:?}, which is not drawn",
                step.text
            );
        }
        let foretold = step.board.as_ref().is_none_or(|board| {
            board.action.is_none_or(|action| {
                let game = entry.open(board.rules).expect("rules of a step");
                game.moves(board.position, None).expect("a position").actions.contains(&action.to_owned())
            })
        });
        assert!(foretold, "{:?} foresees what is not legal", step.text);
    }
    let lessons = entry.lessons();
    assert!((3..=6).contains(&lessons.len()), "the first lesson has {} positions", lessons.len());
    let mut missable = 0;
    for (number, [task, praise, advice]) in lessons.iter().enumerate() {
        assert!([task, praise, advice].iter().all(|text| !text.is_empty()), "lesson {number} says nothing");
        let (solved, missed) = outcomes(entry.as_ref(), number, &mut Vec::new());
        assert!(solved, "{task:?} cannot be done");
        missable += usize::from(missed);
    }
    assert!(missable > 1, "whatever is done is right in all but {missable} lessons");
}

/// Whether some actions solve a lesson from here, and whether some miss it.
fn outcomes(entry: &dyn GameEntry, number: usize, actions: &mut Vec<String>) -> (bool, bool) {
    let taught = entry.teach(number, actions, Locale::ENGLISH).expect("legal actions");
    if let Some(done) = taught.done {
        return (done, !done);
    }
    assert!(!taught.offers.is_empty(), "lesson {number} goes on, but nothing can be done");
    let (mut solved, mut missed) = (false, false);
    for offer in taught.offers {
        actions.push(offer.action);
        let (one, other) = outcomes(entry, number, actions);
        (solved, missed) = (solved || one, missed || other);
        actions.pop();
        if solved && missed {
            break;
        }
    }
    (solved, missed)
}
