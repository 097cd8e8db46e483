//! What a bot says of its thinking, gathered until it answers.

use super::line::Info;
use ranka_core::{Candidate, Scale, Thought};
use std::collections::BTreeMap;

/// The `info` lines of one turn.
#[derive(Default)]
pub(super) struct Notes {
    candidates: BTreeMap<String, Candidate<String>>,
    scale: Option<Scale>,
    nodes: u64,
    depth: u32,
    value: Option<f64>,
    pv: Vec<String>,
}

impl Notes {
    /// Takes a line down; what a later line says goes before.
    pub(super) fn add(&mut self, info: &Info<'_>) {
        self.scale = info.scale.or(self.scale);
        self.nodes = info.nodes.unwrap_or(self.nodes);
        self.depth = info.depth.unwrap_or(self.depth);
        let pv: Vec<String> = info.pv.iter().map(|&action| action.to_owned()).collect();
        match (info.action, info.value) {
            (Some(action), Some(value)) => {
                let action = action.to_owned();
                let candidate =
                    Candidate { visits: info.visits, pv, ..Candidate::valued(action.clone(), value) };
                self.candidates.insert(action, candidate);
            }
            (_, value) => {
                self.value = value.or(self.value);
                if !pv.is_empty() {
                    self.pv = pv;
                }
            }
        }
    }

    /// What the bot seems to prefer at present.
    pub(super) fn leaning(&self) -> Option<&str> {
        let best = self.candidates.values().max_by(|a, b| a.value.total_cmp(&b.value));
        self.pv.first().map(String::as_str).or(best.map(|candidate| candidate.action.as_str()))
    }

    /// The thought with this choice.
    pub(super) fn thought(&self, choice: &str) -> Thought<String> {
        let mut candidates = self.candidates.clone();
        let pv =
            if self.pv.first().is_some_and(|first| first == choice) { self.pv.clone() } else { Vec::new() };
        if let Some(chosen) = candidates.get_mut(choice) {
            if chosen.pv.is_empty() {
                chosen.pv = pv;
            }
        } else if let Some(value) = self.value {
            let choice = choice.to_owned();
            candidates.insert(choice.clone(), Candidate { pv, ..Candidate::valued(choice, value) });
        }
        Thought {
            candidates: candidates.into_values().collect(),
            scale: self.scale.unwrap_or(Scale::Own),
            nodes: self.nodes,
            depth: self.depth,
            ..Thought::plain(choice.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Line;
    use super::*;

    fn notes(lines: &[&str]) -> Notes {
        let mut notes = Notes::default();
        for line in lines {
            let Ok(Line::Info(info)) = Line::read(line.as_bytes()) else { panic!("{line}") };
            notes.add(&info);
        }
        notes
    }

    #[test]
    fn a_value_of_the_choice_is_a_candidate() {
        let notes = notes(&["info value 1 pv 2 3", "info nodes 7 depth 2 value 0.5 scale score"]);
        assert_eq!(notes.leaning(), Some("2"));
        let thought = notes.thought("2");
        assert_eq!((thought.nodes, thought.depth, thought.scale), (7, 2, Scale::Score));
        assert_eq!(thought.candidates[0].value, 0.5);
        assert_eq!(thought.candidates[0].pv, ["2", "3"]);
        assert!(notes.thought("1").candidates[0].pv.is_empty());
    }

    #[test]
    fn candidates_are_told_one_by_one() {
        let notes =
            notes(&["info action 1 value 3", "info action 2 value 4 visits 9", "info action 1 value 5"]);
        assert_eq!(notes.leaning(), Some("1"));
        let thought = notes.thought("2");
        assert_eq!(thought.candidates.iter().map(|c| c.value).collect::<Vec<_>>(), [5.0, 4.0]);
        assert_eq!(thought.candidates[1].visits, Some(9));
    }
}
