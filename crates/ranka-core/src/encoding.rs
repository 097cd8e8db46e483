//! Views and actions as arrays of numbers: what networks, Python and exports read.
//!
//! An observation is made from a seat's [`View`](crate::View) and from what an [`Observer`] kept of what that seat was
//! told, so nothing hidden can enter it. Actions are numbered from the same seat's side of the board.

use crate::{Game, Position, Seat, Told};
use std::any::Any;
use std::borrow::Cow;

/// The shapes of a game's arrays under its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Raised whenever the same view gives other numbers or an action another index.
    pub version: u32,
    /// The name of each plane of an observation. What is one number for the whole board fills its plane.
    pub planes: Vec<String>,
    /// Rows of a plane.
    pub height: usize,
    /// Columns of a plane.
    pub width: usize,
    /// Planes of actions that belong to a cell: the index of the action of plane `p` at row `y` and column `x` is
    /// `(p · height + y) · width + x`, as a convolution writes them.
    pub action_planes: usize,
    /// Actions beyond these, which belong to no cell; they come last.
    pub loose_actions: usize,
}

impl Layout {
    /// How many numbers an observation has.
    pub fn observation_len(&self) -> usize {
        self.planes.len() * self.height * self.width
    }

    /// How many actions there are, legal or not.
    pub fn actions(&self) -> usize {
        self.action_planes * self.height * self.width + self.loose_actions
    }

    /// The plane with this name.
    pub fn plane(&self, name: &str) -> Option<usize> {
        self.planes.iter().position(|plane| plane == name)
    }
}

/// A symmetry of the board, as what it does to the arrays: entry `i` of the transformed array is entry `from[i]` of the
/// array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// For observations.
    pub observation: Vec<u32>,
    /// For anything with a number for each action.
    pub actions: Vec<u32>,
}

/// What a seat keeps of what it was told, for its observations: a fold over the same events that agents hear, rebuilt
/// by telling them again.
pub trait Observer<G: Game>: Clone + Send + Sync + 'static {
    /// Whether it keeps anything at all. Where it does not, nobody needs to tell it.
    const REMEMBERS: bool = true;

    /// An observer at the start of a game.
    fn new(game: &G, seat: Seat) -> Self;

    /// Hears of an action of anybody, its own included.
    fn told(&mut self, event: &Told<'_, G>);

    /// Whether `world`, which looks like the present to the seat, can be the truth after all that was told: whoever
    /// stood on a treasure and did not find it is after another. Only what is certain counts; the truth is always
    /// allowed.
    fn allows(&self, _world: &G::State) -> bool {
        true
    }
}

/// The observer of a game whose views tell everything.
impl<G: Game> Observer<G> for () {
    const REMEMBERS: bool = false;

    fn new(_game: &G, _seat: Seat) {}

    fn told(&mut self, _event: &Told<'_, G>) {}
}

/// A game whose views and actions can be written as arrays.
pub trait Encoding: Game {
    /// What observations need of the past; `()` where the view tells everything.
    type Observer: Observer<Self>;

    /// The shapes of the arrays.
    fn layout(&self) -> Layout;

    /// Writes what `seat` observes, from its own side of the board. `out` has the layout's length; what it held before
    /// does not matter.
    fn observe(&self, view: &Self::View, seat: Seat, past: &Self::Observer, out: &mut [f32]);

    /// The number of an action of `seat`, as it sees the board; nothing for an action that has none.
    fn action_index(&self, view: &Self::View, seat: Seat, action: Self::Action) -> Option<usize>;

    /// The action with this number; nothing where the number means nothing. Whether the action is legal is another
    /// question.
    fn indexed_action(&self, view: &Self::View, seat: Seat, index: usize) -> Option<Self::Action>;

    /// The symmetries beside standing still.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }
}

/// What `seat` sees, without copying where that is the whole state.
#[inline]
pub fn seen_by<'a, G: Game>(game: &G, state: &'a G::State, seat: Seat) -> Cow<'a, G::View> {
    let all: &dyn Any = state;
    all.downcast_ref::<G::View>().map_or_else(|| Cow::Owned(game.view(state, seat)), Cow::Borrowed)
}

/// One seat's running record of a game, for whoever observes beside the game instead of sitting in it.
#[derive(Clone, Debug)]
pub struct SeatObserver<G: Encoding> {
    seat: Seat,
    observer: G::Observer,
}

impl<G: Encoding> SeatObserver<G> {
    /// An observer from the start of a game.
    pub fn new(game: &G, seat: Seat) -> SeatObserver<G> {
        SeatObserver { seat, observer: G::Observer::new(game, seat) }
    }

    /// The seat whose side this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Hears of `action`, which leads from `before` to `after`.
    #[inline]
    pub fn follow(&mut self, game: &G, before: &G::State, action: G::Action, after: &G::State) {
        if G::Observer::REMEMBERS {
            let told = Told {
                by: before.actor().seat(),
                action: game.seen(before, action, self.seat),
                before: &*seen_by(game, before, self.seat),
                after: &*seen_by(game, after, self.seat),
            };
            self.told(&told);
        }
    }

    /// Hears of something as its seat is told it.
    pub fn told(&mut self, event: &Told<'_, G>) {
        self.observer.told(event);
    }

    /// Whether `world`, which looks like the present, can be the truth after all that was told.
    pub fn allows(&self, world: &G::State) -> bool {
        self.observer.allows(world)
    }

    /// Writes what its seat observes in `state`.
    #[inline]
    pub fn observe(&self, game: &G, state: &G::State, out: &mut [f32]) {
        self.observe_view(game, &seen_by(game, state, self.seat), out);
    }

    /// The same of what its seat sees.
    #[inline]
    pub fn observe_view(&self, game: &G, view: &G::View, out: &mut [f32]) {
        game.observe(view, self.seat, &self.observer, out);
    }
}
