//! Positions of the specification, and random games.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // each test file uses a part of it

use ranka_core::{Actor, Game, Notation, Position, Rng, Seed};
use ranka_tantrix::{Action, Colour, State, Tantrix, Tile, TileSet};

/// The game for two.
pub const GAME: Tantrix = Tantrix {
    players: 2,
    colours: [Colour::Red, Colour::Blue, Colour::Green, Colour::Yellow],
    exactly3: false,
};

/// The specification's position A.
pub const A: &str = "4@0,0/0 17@1,0/1 28@2,0/0 36@3,0/0 2@-1,1/0";

/// Tiles by their numbers.
pub fn tiles(text: &str) -> TileSet {
    text.split(',').map(|number| Tile::new(number.parse().unwrap())).collect()
}

/// A position with this board and hand, restrictions on (some other tile is in the bag) or off.
pub fn position(board: &str, hand: &str, restricted: bool) -> State {
    let placed = board.split_whitespace().collect::<Vec<_>>().join(";");
    let used: TileSet =
        placed.split(';').map(|p| tiles(p.split('@').next().unwrap())).fold(tiles(hand), TileSet::or);
    let spare = TileSet::ALL.minus(used).nth(0);
    let bag = if restricted { spare.to_string() } else { "-".to_owned() };
    let read = |phase: &str| {
        GAME.read_state(&format!(
            "board={placed} hands={hand};- bag={bag} colours=R,B mover=0 freed=0 phase={phase}"
        ))
    };
    read("forced").or_else(|_| read("free")).unwrap()
}

/// The legal actions, written.
pub fn legal(state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    actions.iter().map(Action::to_string).collect()
}

/// The legal actions.
pub fn listed<P: Position>(position: &P) -> Vec<P::Action> {
    let mut out = Vec::new();
    position.actions(&mut out);
    out
}

/// Plays a random game and shows every position and the action taken in it.
pub fn random_game(game: &Tantrix, seed: u64, mut each: impl FnMut(&State, Option<Action>)) -> State {
    let mut rng = Rng::new(Seed::new(seed));
    let mut state = game.start(&mut rng);
    loop {
        let action = match state.actor() {
            Actor::Over => {
                each(&state, None);
                return state;
            }
            Actor::Chance => state.draw(&mut rng),
            Actor::Seat(_) => state.random_action(&mut rng, &mut Vec::new()),
        };
        each(&state, Some(action));
        state.apply(action);
    }
}
