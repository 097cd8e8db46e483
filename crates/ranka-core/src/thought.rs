//! What an agent answers: its choice, and as far as it has them the reasons.

use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// An agent's answer. The analysis overlay, the logs, the adaptive player and `ranka analyse` all read it. At the edge,
/// where actions are spoken of in notation, it is a `Thought<String>`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought<A> {
    /// The action chosen.
    pub choice: A,
    /// What was considered, in the game's canonical order; empty for an agent that does not compare.
    pub candidates: Vec<Candidate<A>>,
    /// What the candidates' values mean.
    pub scale: Scale,
    /// What a sure win is worth on the agent's own scale, less the actions until it if it counts them; a sure loss is
    /// worth as much below zero. On the scale of scores a sure win is worth 1, a sure loss 0, and whatever lies between
    /// is a chance. Nothing for an agent that is never sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<f64>,
    /// Figures worth showing beside the choice, by name: what the agent believes of its opponent, say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Positions or playouts looked at.
    pub nodes: u64,
    /// How far the search looked, in actions; 0 without search.
    pub depth: u32,
}

/// A figure with its name.
pub type Note = (Cow<'static, str>, f64);

/// One action that was considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Its value for the seat that thinks, more is better, on the thought's [`Scale`].
    pub value: f64,
    /// Whether the value is only known to be at most that, which is enough where another action is better.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
    /// What is proven of the final margin, where anything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// How often it was tried, for agents that sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// The expected continuation, starting with the action itself; may be empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<A>,
}

/// What is proven of a final margin for the seat that thinks, in the game's points. The margin itself is known where both
/// say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Proven {
    /// It is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<i32>,
    /// And at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<i32>,
}

/// The share of a sure win's worth from which on a value is no mere estimate: a win is worth less for each action until it.
const SURE: f64 = 0.5;

/// What a value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The expected score, 0 to 1.
    Score,
    /// The expected final margin in the game's points.
    Margin,
    /// The agent's own evaluation, comparable only with itself.
    Own,
}

impl Scale {
    /// As `--json` names it.
    pub const fn name(self) -> &'static str {
        match self {
            Scale::Score => "score",
            Scale::Margin => "margin",
            Scale::Own => "own",
        }
    }
}

impl Serialize for Scale {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<A> Thought<A> {
    /// A choice without reasons.
    pub const fn plain(choice: A) -> Thought<A> {
        Thought {
            choice,
            candidates: Vec::new(),
            scale: Scale::Own,
            win: None,
            notes: Vec::new(),
            nodes: 0,
            depth: 0,
        }
    }

    /// The expected score, from 0 to 1, that a value of this thought says; nothing where only its agent knows.
    pub fn expected_score(&self, value: f64) -> Option<f64> {
        match self.scale {
            Scale::Score => Some(value),
            Scale::Margin | Scale::Own => {
                self.win.filter(|win| value.abs() > SURE * win).map(|_| if value > 0.0 { 1.0 } else { 0.0 })
            }
        }
    }

    /// The same thought of other actions: in notation, say.
    pub fn map<B>(&self, mut action: impl FnMut(&A) -> B) -> Thought<B> {
        let candidates = self.candidates.iter().map(|candidate| Candidate {
            action: action(&candidate.action),
            value: candidate.value,
            at_most: candidate.at_most,
            proven: candidate.proven,
            visits: candidate.visits,
            pv: candidate.pv.iter().map(&mut action).collect(),
        });
        let candidates = candidates.collect();
        self.about(action(&self.choice), candidates)
    }

    /// The same figures with another choice and other candidates.
    pub(crate) fn about<B>(&self, choice: B, candidates: Vec<Candidate<B>>) -> Thought<B> {
        let Thought { scale, win, ref notes, nodes, depth, .. } = *self;
        Thought { choice, candidates, scale, win, notes: notes.clone(), nodes, depth }
    }
}

impl<A> Candidate<A> {
    /// A candidate of which only the value is known.
    pub const fn valued(action: A, value: f64) -> Candidate<A> {
        Candidate { action, value, at_most: false, proven: None, visits: None, pv: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_says_a_chance_where_it_is_one_or_sure() {
        let of = |scale, win| Thought { scale, win, ..Thought::plain(()) };
        assert_eq!(of(Scale::Score, Some(1.0)).expected_score(0.7), Some(0.7));
        let counted = of(Scale::Own, Some(1000.0));
        assert_eq!(
            [995.0, -995.0, 30.0].map(|value| counted.expected_score(value)),
            [Some(1.0), Some(0.0), None]
        );
        assert_eq!(of(Scale::Margin, None).expected_score(995.0), None);
    }
}
