//! Board G of the specification, and ways to say things briefly.
#![allow(dead_code, unreachable_pub)] // each test file uses a part of it

use ranka_core::{Game, Notation, Params, Seat};
use ranka_labyrinth::{Action, Board, Cell, Labyrinth, Push, State, View, cells};

/// Rows of board G, whose extra tile is `L1:Lizard`.
pub const G: &str = "L1,I1,T1:KnightHelmet,L2,T1:Candles,T3:Mermaid,L2/\
    I0,L2:Bomb,I0,L3,T0:Pony,I1,L0/\
    T0:Dagger,T1:Cannon,T0:Diamond,L0,T1:Treasure,L0:Owl,T2:Ring/\
    I0,L1,T2:Ghost,I1,L1:Mouse,I1,L2/\
    T0:HolyGrail,L2:Bug,T3:Keys,I0,T2:Crown,L3,T2:Potion/\
    T0:Dinosaur,I1,L3:Cat,I1,L0,T1:Bat,I0/\
    L0,L1,T3:Coins,I0,T3:Book,L1,L3";

/// The game under these rules.
pub fn game(rules: &str) -> Labyrinth {
    Labyrinth::new(&Params::parse(rules, Labyrinth::options()).expect("known options"))
        .expect("options that fit")
}

/// Board G with two pawns, and with `rest` from the cards on.
pub fn position_g(pawns: &str, rest: &str) -> State {
    let text = format!("tiles={G} extra=L1:Lizard pawns={pawns} homes=0,0;6,6 {rest}");
    game("").read_state(&text).expect("a position")
}

/// Board G alone.
pub fn board_g() -> Board {
    *position_g("0,0;6,6", "cards=Mouse;Book found=-;- last=- mover=0 phase=push").board()
}

/// What the seat to move sees.
pub fn view(state: &State) -> View {
    game("").view(state, state.mover())
}

/// A push by the cell of its entry.
pub fn push(x: usize, y: usize, rotation: u8) -> Push {
    let entry = ranka_labyrinth::Entry::all().find(|entry| entry.cell() == Cell::at(x, y));
    Push { entry: entry.expect("an entry cell"), rotation }
}

/// An action in words.
pub fn action(text: &str) -> Action {
    game("").read_action(text).expect("an action")
}

/// The numbers of the cells in a set.
pub fn numbers(set: u64) -> Vec<usize> {
    cells(set).map(Cell::index).collect()
}

/// The first two seats.
pub const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];
