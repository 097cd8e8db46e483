//! Games of thought: the thinking seat's ghosts against what it takes the enemy's for, with perfect information
//! on both sides, so that any search can play them.
//!
//! The thinking side is always [`OWN`], sits at the bottom and leaves at squares 0 and 5, whatever its seat
//! in the real game. Whoever is to move and has a runner on an exit has won: it leaves. There is no ply limit.

mod evaluate;
mod ghosts;

pub use evaluate::{LeafEvaluation, PurpleEvaluation, WIN};
pub use ghosts::{Coloured, Ghosts, Judged, Loss, Purple};

use crate::action::Action;
use crate::square::{BOARD, Bits, Square, east, exits, north, south, squares, turned, west};
use crate::view::View;
use ranka_core::{Actor, Keyed, Outcome, Position, Seat};

/// The side that thinks.
pub const OWN: Seat = Seat::FIRST;
/// The other side.
pub const ENEMY: Seat = Seat::SECOND;

/// A step, in squares as the thinking side sees them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hop {
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
}

impl Hop {
    /// The same step on the board of the real game.
    pub fn on_board(self, thinker: Seat) -> Action {
        if thinker == OWN {
            Action::Step { from: self.from, to: self.to }
        } else {
            Action::Step { from: self.from.turned(), to: self.to.turned() }
        }
    }
}

/// Who is to move, or who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Own,
    Enemy,
    OwnWon,
    EnemyWon,
}

/// A position of thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel<E> {
    own: Coloured,
    enemy: E,
    /// Blue ghosts, own minus enemy's as far as these are known; only differences mean something.
    blues: i16,
    /// The steps from all own ghosts to their nearer exit, minus the enemy's.
    distance: i16,
    turn: Turn,
}

/// Steps to the nearer own exit, reds too.
const OWN_WAY: [i8; 64] = {
    let mut way = [0; 64];
    let mut i = 0;
    while i < 36 {
        let (row, column) = (i as i8 / 6, i as i8 % 6);
        way[i] = row + if column < 3 { column } else { 5 - column };
        i += 1;
    }
    way
};

/// Steps from a square to the nearer own exit.
pub fn way_out(square: Square) -> u32 {
    OWN_WAY[square.index()] as u32
}

fn way(ghosts: Bits) -> i16 {
    squares(ghosts).map(|square| i16::from(OWN_WAY[square.index()])).sum()
}

impl<E: Ghosts> Duel<E> {
    /// The position with these ghosts and this many known blue ones of the enemy, `mover` to move.
    pub fn new(own: Coloured, enemy: E, enemy_blues: u32, mover: Seat) -> Duel<E> {
        let turn = if mover == OWN { Turn::Own } else { Turn::Enemy };
        let mut duel = Duel {
            own,
            enemy,
            blues: own.blues.count_ones() as i16 - enemy_blues as i16,
            distance: way(own.all()) - way(turned(enemy.all())),
            turn,
        };
        duel.turn = duel.exit_or(turn);
        duel
    }

    /// The own ghosts.
    pub fn own(&self) -> &Coloured {
        &self.own
    }

    /// The enemy's ghosts.
    pub fn enemy(&self) -> &E {
        &self.enemy
    }

    /// How many steps nearer to the mover's exits a hop leads: 1 or -1.
    #[inline]
    fn gain(&self, hop: Hop) -> i32 {
        let (from, to) = match self.turn {
            Turn::Own => (hop.from, hop.to),
            _ => (hop.from.turned(), hop.to.turned()),
        };
        i32::from(OWN_WAY[from.index() & 63] - OWN_WAY[to.index() & 63])
    }

    /// Whoever is to move and can leave has won.
    #[inline]
    fn exit_or(&self, turn: Turn) -> Turn {
        match turn {
            Turn::Own if self.own.runners() & exits(OWN) != 0 => Turn::OwnWon,
            Turn::Enemy if self.enemy.runners() & exits(ENEMY) != 0 => Turn::EnemyWon,
            turn => turn,
        }
    }

    #[inline]
    fn hop_own(&mut self, hop: Hop) {
        let (from, to) = (hop.from.bit(), hop.to.bit());
        self.own.step(from, to);
        self.distance += i16::from(OWN_WAY[hop.to.index() & 63] - OWN_WAY[hop.from.index() & 63]);
        if self.enemy.all() & to != 0 {
            self.distance += i16::from(OWN_WAY[hop.to.turned().index() & 63]);
            match self.enemy.lose(to) {
                Loss::Red => {}
                Loss::Blue => self.blues += 1,
                Loss::LastRed => return self.turn = Turn::EnemyWon,
                Loss::LastBlue => return self.turn = Turn::OwnWon,
            }
        }
        self.turn = self.exit_or(Turn::Enemy);
    }

    #[inline]
    fn hop_enemy(&mut self, hop: Hop) {
        let (from, to) = (hop.from.bit(), hop.to.bit());
        self.enemy.step(from, to);
        self.distance -=
            i16::from(OWN_WAY[hop.to.turned().index() & 63] - OWN_WAY[hop.from.turned().index() & 63]);
        if self.own.all() & to != 0 {
            self.distance -= i16::from(OWN_WAY[hop.to.index() & 63]);
            match self.own.lose(to) {
                Loss::Red => {}
                Loss::Blue => self.blues -= 1,
                Loss::LastRed => return self.turn = Turn::OwnWon,
                Loss::LastBlue => return self.turn = Turn::EnemyWon,
            }
        }
        self.turn = self.exit_or(Turn::Own);
    }
}

impl Duel<Purple> {
    /// The worst case of what a seat sees, with that seat to move.
    pub fn purple(view: &View) -> Duel<Purple> {
        let (own, enemy) = sides(view);
        let purple = Purple { all: enemy, reds: view.left(view.seat.other()).0 };
        Duel::new(own, purple, 0, OWN)
    }
}

impl Duel<Coloured> {
    /// What a seat sees, if the enemy's red ghosts are these squares of its own view; with that seat to move.
    pub fn coloured(view: &View, reds: Bits) -> Duel<Coloured> {
        let (own, enemy) = sides(view);
        let blues = enemy & !reds;
        Duel::new(own, Coloured { reds: enemy & reds, blues }, blues.count_ones(), OWN)
    }
}

impl Duel<Judged> {
    /// What a seat sees, if some of the enemy's ghosts are believed to be red or blue; with that seat to move.
    /// The sets are squares of its own view.
    pub fn judged(view: &View, reds: Bits, blues: Bits) -> Duel<Judged> {
        let (own, enemy) = sides(view);
        let (reds, blues) = (enemy & reds, enemy & blues);
        let reds_left = view.left(view.seat.other()).0;
        let judged = Judged { reds, blues, purple: enemy & !reds & !blues, reds_left };
        Duel::new(own, judged, blues.count_ones(), OWN)
    }
}

/// The board as the viewer sees it from its side: its ghosts, and the squares of the enemy's.
fn sides(view: &View) -> (Coloured, Bits) {
    let own = view.open.ghosts[view.seat.index()];
    let reds = view.own_reds();
    let side = |set| from_side(set, view.seat);
    let own = Coloured { reds: side(own & reds), blues: side(own & !reds) };
    (own, side(view.open.ghosts[view.seat.other().index()]))
}

/// A set of squares as `seat` sees it.
#[inline]
pub fn from_side(set: Bits, seat: Seat) -> Bits {
    if seat == OWN { set } else { turned(set) }
}

impl<E: Ghosts> Position for Duel<E> {
    type Action = Hop;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn actor(&self) -> Actor {
        match self.turn {
            Turn::Own => Actor::Seat(OWN),
            Turn::Enemy => Actor::Seat(ENEMY),
            Turn::OwnWon | Turn::EnemyWon => Actor::Over,
        }
    }

    /// By square from the own far left, then north, east, south, west, for both sides.
    #[inline]
    fn actions(&self, out: &mut Vec<Hop>) {
        let movers = match self.turn {
            Turn::Own => self.own.all(),
            Turn::Enemy => self.enemy.all(),
            Turn::OwnWon | Turn::EnemyWon => return,
        };
        let free = BOARD & !movers;
        // From where a step to the north, east, south, west is possible, and what it adds to the index.
        let movable = [
            (south(free), 6u8.wrapping_neg()),
            (west(free), 1),
            (north(free), 6),
            (east(free), 1u8.wrapping_neg()),
        ];
        // Every step is written down and only the possible ones are kept: no branch has to be guessed. Eight ghosts
        // have 32 steps at most, so there is always room for the next.
        let start = out.len();
        out.resize(start + 32, Hop { from: Square::at(0), to: Square::at(0) });
        let hops = &mut out[start..start + 32];
        let mut count = 0;
        let mut rest = movers;
        while rest != 0 {
            let from = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            for (movable, step) in movable {
                hops[count & 31] = Hop { from: Square(from), to: Square(from.wrapping_add(step)) };
                count += (movable >> from & 1) as usize;
            }
        }
        out.truncate(start + count);
    }

    #[inline]
    fn apply(&mut self, hop: Hop) {
        if self.turn == Turn::Own { self.hop_own(hop) } else { self.hop_enemy(hop) }
    }

    fn outcome(&self) -> Outcome {
        match self.turn {
            Turn::OwnWon => Outcome::win(OWN, 2),
            Turn::EnemyWon => Outcome::win(ENEMY, 2),
            Turn::Own | Turn::Enemy => panic!("the game is not over"),
        }
    }
}

impl<E: Ghosts> Keyed for Duel<E> {
    #[inline]
    fn key(&self) -> u64 {
        self.enemy.mix(self.own.mix(self.turn as u64))
    }
}
