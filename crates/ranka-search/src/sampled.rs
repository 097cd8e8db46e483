//! What a search by playouts finds at its root.

use crate::Stop;
use ranka_core::{Candidate, Scale, Thought};

/// Which of the tried actions is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalChoice {
    /// The one with the highest mean; equal ones: the first.
    Mean,
    /// The most tried one; equal ones: the first.
    Visits,
    /// The most tried one; equal ones: the highest mean, then the first.
    VisitsThenMean,
}

impl FinalChoice {
    /// The place of the chosen one among those with these visits and means; nothing if none was ever tried.
    pub(crate) fn choose(self, tried: impl Iterator<Item = (u64, f64)>) -> Option<usize> {
        let rank = |(visits, mean): (u64, f64)| match self {
            FinalChoice::Mean => (mean, 0.0),
            FinalChoice::Visits => (visits as f64, 0.0),
            FinalChoice::VisitsThenMean => (visits as f64, mean),
        };
        let mut best = None;
        for (place, (visits, mean)) in tried.enumerate().filter(|(_, (visits, _))| *visits > 0) {
            let rank = rank((visits, mean));
            if best.is_none_or(|(_, highest)| rank > highest) {
                best = Some((place, rank));
            }
        }
        best.map(|(place, _)| place)
    }
}

/// An action at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried<A> {
    /// The action.
    pub action: A,
    /// How often it was tried.
    pub visits: u64,
    /// The mean value for the seat to act; 0 if it was never tried.
    pub mean: f64,
    /// The expected continuation, the action itself first, up to the next action of chance.
    pub line: Vec<A>,
}

/// What a search by playouts found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled<A> {
    /// The actions that were considered, in canonical order.
    pub actions: Vec<Tried<A>>,
    /// The place of the chosen one among them.
    pub choice: usize,
    /// How many playouts there were. None at all if there was nothing to choose.
    pub playouts: u64,
    /// How many decisions the search chose itself before a playout, at most.
    pub depth: u32,
    /// Nodes of the tree.
    pub nodes: usize,
    /// What ended the search; nothing if there was nothing to choose.
    pub stopped: Option<Stop>,
}

impl<A: Copy> Sampled<A> {
    /// The answer where there is nothing to choose.
    pub(crate) fn forced(only: A) -> Sampled<A> {
        let tried = Tried { action: only, visits: 0, mean: 0.0, line: vec![only] };
        Sampled { actions: vec![tried], choice: 0, playouts: 0, depth: 0, nodes: 1, stopped: None }
    }

    /// Adds what was found in another world that looks the same, so that the same actions were considered: an action is
    /// worth its mean over all playouts. Lines are those of the world in which the action was tried more often.
    ///
    /// # Panics
    /// If other actions were considered.
    pub fn add(&mut self, other: Sampled<A>, choice: FinalChoice)
    where
        A: PartialEq,
    {
        assert_eq!(self.actions.len(), other.actions.len(), "both worlds have the same actions");
        for (mine, theirs) in self.actions.iter_mut().zip(other.actions) {
            assert!(mine.action == theirs.action, "both worlds have the same actions");
            let visits = mine.visits + theirs.visits;
            if visits > 0 {
                let sum = mine.mean * mine.visits as f64 + theirs.mean * theirs.visits as f64;
                mine.mean = sum / visits as f64;
            }
            if theirs.visits > mine.visits {
                mine.line = theirs.line;
            }
            mine.visits = visits;
        }
        self.playouts += other.playouts;
        self.depth = self.depth.max(other.depth);
        self.nodes += other.nodes;
        self.stopped = other.stopped;
        let tried = self.actions.iter().map(|tried| (tried.visits, tried.mean));
        self.choice = choice.choose(tried).unwrap_or(0);
    }

    /// The chosen action.
    pub fn best(&self) -> &Tried<A> {
        &self.actions[self.choice]
    }

    /// The answer of an agent that plays [`best`](Sampled::best). Its candidates are the actions that were
    /// tried.
    pub fn thought(&self, scale: Scale) -> Thought<A> {
        let tried = self.actions.iter().filter(|tried| tried.visits > 0);
        let candidates = tried.map(|tried| Candidate {
            visits: Some(tried.visits),
            pv: tried.line.clone(),
            ..Candidate::valued(tried.action, tried.mean)
        });
        Thought {
            candidates: candidates.collect(),
            scale,
            nodes: self.playouts,
            depth: self.depth,
            ..Thought::plain(self.best().action)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_as_promised() {
        let tried = [(0, 9.0), (5, 0.5), (7, 0.25), (7, 0.5), (7, 0.5)];
        let choose = |rule: FinalChoice| rule.choose(tried.into_iter());
        assert_eq!(choose(FinalChoice::Mean), Some(1));
        assert_eq!(choose(FinalChoice::Visits), Some(2));
        assert_eq!(choose(FinalChoice::VisitsThenMean), Some(3));
        assert_eq!(FinalChoice::Mean.choose([(0, 1.0)].into_iter()), None);
    }
}
