//! Agents of every game: searches that know nothing of a game but the contract. Written once; a game names them in its
//! roster by [`with_generic`].
//!
//! Where something is hidden they search worlds that look like the view, all that the past allows equally likely
//! ([`draw_world`]): `flat-mc` a new one for every playout, `uct` a tree for each of a few, and
//! `ismcts`, which plays only such games, one tree through all.

mod flat_mc;
mod ismcts;
mod uct;

use crate::draw_world;
use ranka_core::{AgentKind, Budget, Encoding, Game, Observer as _, Param, Params, Rng, Seat, Told, is_open};

/// The game's own agents and the generic ones, which come after a `random` of the game's own. A generic agent is called like its search; where the game has its own
/// version of that search, as its paper needs it, the generic one is called `plain-` and that.
pub fn with_generic<G: Encoding>(own: Vec<AgentKind<G>>) -> Vec<AgentKind<G>> {
    let mut kinds = vec![(flat_mc::kind::<G>(), "plain-flat-mc"), (uct::kind(), "plain-uct")];
    if !is_open::<G>() {
        kinds.push((ismcts::kind(), "plain-ismcts"));
    }
    let taken = |name: &str| own.iter().any(|kind| kind.name == name);
    let generic = kinds
        .into_iter()
        .map(|(kind, plain)| if taken(kind.name) { AgentKind { name: plain, ..kind } } else { kind });
    let generic: Vec<AgentKind<G>> = generic.collect();
    let first = usize::from(own.first().is_some_and(|kind| kind.name == "random"));
    let mut all = own;
    all.splice(first..first, generic);
    all
}

/// How much each decision may take, unless the match says.
const EFFORT: [Param; 2] = [
    Param::int("playouts", 1, 100_000_000, "1000", "playouts for each decision"),
    Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
];

/// Exploration of upper confidence bounds.
const EXPLORATION: Param = Param::real("c", 0.0, 10.0, "0.7", "exploration in mean + c·√(ln N / n)");

/// What the parameters `playouts` and `ms` say: so many playouts, or milliseconds where they are given.
pub fn effort(params: &Params) -> Budget {
    match params.int("ms") {
        0 => Budget::Playouts(params.int("playouts") as u64),
        ms => Budget::Millis(ms as u64),
    }
}

/// What a seat keeps of what it was told.
struct Past<G: Encoding>(G::Observer);

impl<G: Encoding> Past<G> {
    fn new(game: &G, seat: Seat) -> Past<G> {
        Past(G::Observer::new(game, seat))
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.0.told(event);
    }

    /// A world that may be the truth.
    fn world(&self, view: &G::View, rng: &mut Rng) -> <G as Game>::State {
        draw_world(view, |world| self.0.allows(world), rng)
    }
}
