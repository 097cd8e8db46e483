//! The rules in six pictures, and a first lesson.

use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Lesson, Lessons, Position, RuleStep};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
const CAPTURE: &str = "<6,8,9,2,1,0,3,0,4,1,2,3,6,4,5> S";

impl Lessons for Kalah {
    fn rule_steps() -> Vec<RuleStep> {
        vec![
            RuleStep::shown(
                "The six houses in the lower row are yours, and the store to their right. Whoever has more seeds in the store at the end wins.",
                START,
                &[("house-s1", "1"), ("house-s6", "6"), ("store-s", "★")],
            ),
            RuleStep::shown(
                "Take all seeds of one of your houses and sow them to the right, one into each house.",
                START,
                &[],
            )
            .foreseeing("1"),
            RuleStep::shown(
                "Your own store is sown into as well. If the last seed falls there, you move again.",
                START,
                &[],
            )
            .foreseeing("3"),
            RuleStep::shown(
                "Sowing goes on through the other's houses and back to your own. Only the other's store is left out.",
                "<6,9,8,0,2,1,0,3,9,2,1,4,3,0,6> S",
                &[],
            )
            .foreseeing("6"),
            RuleStep::shown(
                "If the last seed falls into a house of yours that was empty, it captures: it and all seeds in the house opposite go into your store. With nothing opposite, it just stays.",
                CAPTURE,
                &[],
            )
            .foreseeing("1"),
            RuleStep::shown(
                "When a row is empty after a move, the game is over. What is left in the other row goes into the store of its owner.",
                "<6,20,18,0,0,0,0,0,1,0,3,2,0,4,0> S",
                &[],
            )
            .foreseeing("6"),
        ]
    }

    fn lessons() -> Vec<Lesson<Kalah>> {
        vec![
            Lesson {
                task: "Move again: let the last seed fall into your store.",
                praise: "Right: four seeds from house 3 reach just as far as the store.",
                advice: "Count from the house to the store: with exactly as many seeds, the last one falls in.",
                rules: "",
                position: START,
                within: 1,
                is_done: |before, after| after.actor() == before.actor(),
            },
            Lesson {
                task: "Capture: end in an empty house of yours with many seeds opposite.",
                praise: "Six seeds and your own: that decides games.",
                advice: "House 3 is empty, and six seeds lie opposite. Which house ends there?",
                rules: "",
                position: CAPTURE,
                within: 1,
                is_done: |before, after| gain(before, after) >= 7,
            },
            Lesson {
                task: "First move again, then capture six seeds.",
                praise: "An extra move first costs nothing. Look for them in every position.",
                advice: "One seed in house 6 falls into the store; then the capture is still there.",
                rules: "",
                position: "<6,8,9,2,0,0,4,0,1,1,2,3,6,4,8> S",
                within: 2,
                is_done: |before, after| gain(before, after) >= 8,
            },
            Lesson {
                task: "North threatens to capture your seven seeds in house 2. Bring them to safety.",
                praise: "Nothing is lost now. Before every move, look at what the other could capture.",
                advice: "An empty house of North lies opposite house 2, and North can end there. Move house 2 itself.",
                rules: "",
                position: "<6,11,12,1,7,0,2,0,3,1,2,2,1,0,6> S",
                within: 1,
                is_done: |before, after| after.actor() != before.actor() && threat(after) <= 3,
            },
        ]
    }
}

/// The most seeds that whoever is to act can bring into the own store with one move.
fn threat(state: &State) -> u32 {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    let after = |action| {
        let mut next = *state;
        next.apply(action);
        gain(state, &next)
    };
    actions.into_iter().map(after).max().unwrap_or(0)
}

fn gain(before: &State, after: &State) -> u32 {
    after.store(before.mover) - before.store(before.mover)
}
