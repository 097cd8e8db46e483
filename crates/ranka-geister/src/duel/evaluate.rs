//! What a position of thought is worth: wins by how soon, the exit rule, and blues with distances at the horizon.

use super::{Duel, ENEMY, Ghosts, Hop, OWN, Turn};
use crate::square::{exits, neighbours};
use ranka_core::Seat;
use ranka_search::{Evaluate, Goal};

/// The value of a win, minus the plies it takes to be recognised.
pub const WIN: i32 = 1_000_000;

/// What counts at the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafEvaluation {
    /// A thousand for each blue ghost more.
    Blues,
    /// That, and one for each step by which the own ghosts, red ones too, are nearer to their exits.
    BluesAndDistance,
}

/// The evaluation of the Purple Piece paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PurpleEvaluation {
    /// What counts at the horizon.
    pub leaf: LeafEvaluation,
    /// Whether a runner on an exit that nobody can reach in time wins at once, one ply before it could leave.
    pub static_exit: bool,
}

impl PurpleEvaluation {
    /// The value for the thinking side where no search is needed.
    #[inline(always)]
    fn settled<E: Ghosts>(&self, duel: &Duel<E>, ply: u32) -> Option<i32> {
        match duel.turn {
            Turn::OwnWon => Some(WIN - ply as i32),
            Turn::EnemyWon => Some(ply as i32 - WIN),
            _ if !self.static_exit => None,
            Turn::Enemy => {
                let waiting = duel.own.runners() & exits(OWN);
                (waiting != 0 && unreached(waiting, duel.enemy.all())).then_some(WIN - ply as i32 - 1)
            }
            Turn::Own => {
                let waiting = duel.enemy.runners() & exits(ENEMY);
                (waiting != 0 && unreached(waiting, duel.own.all())).then_some(ply as i32 + 1 - WIN)
            }
        }
    }
}

/// Whether one of these squares (at most two, far apart) has none of the `hunters` beside it.
fn unreached(waiting: u64, hunters: u64) -> bool {
    let first = waiting & waiting.wrapping_neg();
    let other = waiting ^ first;
    neighbours(first) & hunters == 0 || (other != 0 && neighbours(other) & hunters == 0)
}

#[inline]
fn told_for(seat: Seat, own: i32) -> i32 {
    if seat == OWN { own } else { -own }
}

impl<E: Ghosts> Evaluate<Duel<E>> for PurpleEvaluation {
    const COUNTS_PLIES: bool = true;

    #[inline]
    fn leaf(&self, duel: &Duel<E>, seat: Seat) -> i32 {
        let blues = 1000 * i32::from(duel.blues);
        let own = match self.leaf {
            LeafEvaluation::Blues => blues,
            LeafEvaluation::BluesAndDistance => blues - i32::from(duel.distance),
        };
        told_for(seat, own)
    }

    fn terminal(&self, duel: &Duel<E>, seat: Seat, ply: u32) -> i32 {
        let own = if duel.turn == Turn::OwnWon { WIN - ply as i32 } else { ply as i32 - WIN };
        told_for(seat, own)
    }

    #[inline(always)] // asked at every position: a call would be a tenth of the time
    fn settled(&self, duel: &Duel<E>, seat: Seat, ply: u32) -> Option<i32> {
        self.settled(duel, ply).map(|own| told_for(seat, own))
    }

    /// Steps towards the own exits first.
    #[inline]
    fn order(&self, duel: &Duel<E>, hop: Hop) -> i32 {
        duel.gain(hop)
    }
}

/// What is forced is a win.
impl<E: Ghosts> Goal<Duel<E>> for PurpleEvaluation {
    #[inline]
    fn decided(&self, duel: &Duel<E>, attacker: Seat) -> Option<bool> {
        self.settled(duel, 0).map(|own| told_for(attacker, own) > 0)
    }
}
