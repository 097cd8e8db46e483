//! Puzzles: positions of which it is proved what is right.

use crate::{Game, Message};

/// What is proved of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<A> {
    /// The actions that reach what is asked for, in canonical order. All others are proved to miss it.
    pub right: Vec<A>,
    /// One way to it, as far as it is known: it begins with the first of these.
    pub line: Vec<A>,
    /// What was proved.
    pub says: Message,
    /// Positions looked at.
    pub nodes: u64,
}

impl<A> Proof<A> {
    /// The same of other actions: in notation, say.
    pub fn map<B>(&self, mut action: impl FnMut(&A) -> B) -> Proof<B> {
        Proof {
            right: self.right.iter().map(&mut action).collect(),
            line: self.line.iter().map(&mut action).collect(),
            says: self.says.clone(),
            nodes: self.nodes,
        }
    }
}

/// A game with puzzles.
pub trait Puzzles: Game {
    /// What every puzzle of the game asks for.
    const TASK: &'static str;

    /// The puzzles that come with the game, as `ranka puzzles` writes them; empty if there are none.
    const PUZZLES: &'static str;

    /// Which actions are right, where something is asked for, some action misses it, and looking at so many positions is enough to prove that. What is hidden
    /// from the seat to act takes no part in it.
    fn prove(&self, state: &Self::State, nodes: u64) -> Option<Proof<Self::Action>>;
}
