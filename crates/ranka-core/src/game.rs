//! A game: its options, how it starts, and what each seat may see.

use crate::{
    Actor, Encoding, Error, Lessons, Measured, Motion, Notation, Param, Params, Picture, Position, Puzzles,
    Rng, Roster, Seat, Speed,
};
use std::fmt::Debug;
use std::hash::Hash;

/// What people are told of a game before they choose it.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name on the command line, in lower case.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The name in Japanese.
    pub japanese: &'static str,
    /// What makes the game hard, in one sentence.
    pub summary: &'static str,
    /// How it is played, in a few sentences.
    pub how: &'static str,
    /// The fewest and the most players.
    pub seats: (usize, usize),
    /// About how long people play, in minutes.
    pub minutes: u32,
    /// The agent that plays against people, and analyses for them, when they name none.
    pub sparring: &'static str,
    /// An agent that adapts to whoever plays it, and the rules under which it can.
    pub adaptive: Option<(&'static str, &'static str)>,
    /// Raised whenever the rules behave differently for the same input.
    pub version: u32,
}

/// A game with its options chosen.
///
/// The [`State`](Game::State) is the whole truth and carries whatever of the options its rules need,
/// so that search needs nothing but the state. A [`View`](Game::View) is what one seat may know; in a game
/// of perfect information it is the state itself.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// One atomic action.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// The whole truth.
    type State: Position<Action = Self::Action> + Eq + Hash + Debug + Send + Sync + 'static;
    /// What one seat may know of it.
    type View: View<State = Self::State> + Send + Sync + 'static;

    /// What this game is.
    const INFO: GameInfo;

    /// The options that `--rules` takes.
    fn options() -> Vec<Param>;

    /// The game with these options, which [`Params`] has checked against [`options`](Game::options) one by
    /// one; what remains to be refused here is a combination that makes no sense.
    fn new(options: &Params) -> Result<Self, Error>;

    /// How many play under these options.
    fn seats(&self) -> usize;

    /// The position before the first action. All that is dealt beforehand comes from `deal`; what is drawn
    /// during the game is an action of chance.
    fn start(&self, deal: &mut Rng) -> Self::State;

    /// What `seat` may know of `state`.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// The options that a position shows by itself (the number of houses, say), as `options` would give them. They go
    /// before what `--rules` says.
    fn shown(&self, _state: &Self::State) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The position as `seat` may see it once the game is over: with everything revealed.
    fn unveiled(&self, state: &Self::State, seat: Seat) -> Self::View {
        self.view(state, seat)
    }

    /// What somebody without a seat may know of `state`: nothing that any seat does not know, and no choices. Drawn from
    /// the first seat's side. A game of perfect information needs none, and a game without one shows onlookers nothing.
    fn onlooker(&self, _state: &Self::State) -> Option<Self::View> {
        None
    }

    /// Whether taking `action` shows anybody what was hidden before, so that it cannot be taken back as if it
    /// had not been.
    fn reveals(&self, state: &Self::State, _action: Self::Action) -> bool {
        state.actor() == Actor::Chance
    }

    /// How `seat` sees `action`, about to be taken in `state`; nothing if the action itself is hidden
    /// (the other's set-up in Geister). That it happened, and what it changed, the view tells.
    fn seen(&self, _state: &Self::State, action: Self::Action, _seat: Seat) -> Option<Self::Action> {
        Some(action)
    }
}

/// What one seat may know, and what follows from it. Searches tell positions apart by its hash.
pub trait View: Clone + Eq + Hash + Debug {
    /// The whole truth behind it.
    type State: Position;

    /// Who acts next.
    fn turn(&self) -> Actor;

    /// Appends the legal actions of the viewing seat, if it is to act, in canonical order.
    fn choices(&self, out: &mut Vec<<Self::State as Position>::Action>);

    /// One of the [`choices`](View::choices), all equally likely.
    fn random_choice(&self, rng: &mut Rng) -> <Self::State as Position>::Action {
        let mut choices = Vec::new();
        self.choices(&mut choices);
        rng.pick(&choices)
    }

    /// A state that looks like this to the viewing seat, drawn uniformly from all of them. What the seat knows from the
    /// past and no longer sees, its [`Observer`](crate::Observer::allows) tells.
    fn sample(&self, rng: &mut Rng) -> Self::State;

    /// All states that look like this, equally likely before any guess at the others' intentions;
    /// nothing where they are too many to list.
    fn worlds(&self) -> Option<Vec<Self::State>>;
}

/// In a game of perfect information the view is the state itself.
impl<S: Position + Eq + Hash + Debug> View for S {
    type State = S;

    fn turn(&self) -> Actor {
        self.actor()
    }

    fn choices(&self, out: &mut Vec<S::Action>) {
        self.actions(out);
    }

    fn random_choice(&self, rng: &mut Rng) -> S::Action {
        self.random_action(rng, &mut Vec::new())
    }

    fn sample(&self, _rng: &mut Rng) -> S {
        self.clone()
    }

    fn worlds(&self) -> Option<Vec<S>> {
        Some(vec![self.clone()])
    }
}

/// A game with all its rooms: rules, notation, pictures, motion, lessons, puzzles, arrays, agents, measures and speed. This is what the catalogue
/// takes.
pub trait Complete:
    Game + Notation + Picture + Motion + Lessons + Puzzles + Encoding + Roster + Measured + Speed
{
}

impl<G: Game + Notation + Picture + Motion + Lessons + Puzzles + Encoding + Roster + Measured + Speed>
    Complete for G
{
}
