//! Every action that a seat may take has the form of one that the help at the terminal tells.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, Rng, Seed};
use std::collections::BTreeSet;

/// An action without its numbers and squares: `b5b4` and `a2a3` are of one shape.
fn shape(action: &str) -> String {
    let mut shape = String::new();
    let chars: Vec<char> = action.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        let digit_at = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
        match c {
            '-' => {}
            _ if c.is_ascii_digit() => {
                if !shape.ends_with('0') {
                    shape.push('0');
                }
            }
            _ if c.is_ascii_lowercase() && digit_at(i + 1) => shape.push('x'),
            _ if c.is_ascii_uppercase() => shape.push('A'),
            other => shape.push(other),
        }
    }
    shape
}

#[test]
fn every_action_has_a_form_that_is_told() {
    for entry in ranka_games::catalogue() {
        let name = entry.info().name;
        let rules = if name == "kalah" { "pie=on" } else { "" };
        let game = entry.open(rules).unwrap();
        let people = vec![None; game.seats()];
        let mut told: BTreeSet<String> = BTreeSet::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for seed in 0..12 {
            let mut table = game.table(None, &people, Seed::new(seed)).unwrap();
            told.extend(table.action_forms().iter().map(|(form, _)| shape(form)));
            let mut rng = Rng::new(Seed::new(seed));
            for _ in 0..400 {
                match table.actor() {
                    Actor::Chance => table.draw(),
                    Actor::Seat(seat) => {
                        let choices = table.choices(seat);
                        seen.extend(choices.iter().map(|choice| shape(choice)));
                        table.act(&choices[rng.index(choices.len())]).unwrap();
                    }
                    Actor::Over => break,
                }
            }
        }
        assert!(
            !seen.is_empty() && seen.is_subset(&told),
            "{name}: {seen:?} can be typed, {told:?} are told"
        );
        let mut table = game.table(None, &people, Seed::new(0)).unwrap();
        for &(form, _) in table.action_forms() {
            let answer = table.act(form).err().map(|e| e.to_string()).unwrap_or_default();
            assert!(answer.is_empty() || answer.contains("is not legal"), "{name}: {form} is read: {answer}");
        }
    }
}
