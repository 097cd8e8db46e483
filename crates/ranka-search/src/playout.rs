//! The hooks of all searches by playouts.

use ranka_core::{MAX_SEATS, Position, Rng, Seat};

/// A value for each seat, more is better; those beyond the game's seats are not looked at.
pub type Values = [f64; MAX_SEATS];

/// What a game or an agent decides about a search by playouts. Every hook has a body: together they make
/// the textbook's search, whose name is [`Uniform`].
///
/// In every iteration the tree is left at some position. From there comes one
/// [`playout`](UctPolicy::playout), its end has a [`value`](UctPolicy::value), and both, with the way through the
/// tree, can be [learnt](UctPolicy::learn) from.
pub trait UctPolicy<P: Position> {
    /// Plays on to where the value is taken. Called once in every iteration with the position at which the tree
    /// was left, even if the game is over there; a policy that judges that position, or learns from what it
    /// plays here, keeps what it needs. `scratch` is room to work in.
    fn playout(&mut self, position: &mut P, rng: &mut Rng, scratch: &mut Vec<P::Action>) {
        position.playout(rng, scratch);
    }

    /// The value of where a playout ended, for each seat.
    fn value(&mut self, end: &P) -> Values {
        let mut values = [0.0; MAX_SEATS];
        let outcome = end.outcome();
        values[..outcome.scores().len()].copy_from_slice(outcome.scores());
        values
    }

    /// What an action counts for while it was never tried, instead of its upper confidence bound. Asked once,
    /// when the action enters the tree. Nothing means that it comes before all that were tried.
    fn prior(&self, _position: &P, _action: P::Action) -> Option<f64> {
        None
    }

    /// How good an action looks, for pruning.
    fn merit(&self, _position: &P, _action: P::Action) -> f64 {
        1.0
    }

    /// Hears after every iteration which actions the tree chose and what came of it.
    fn learn(&mut self, _path: &[(Seat, P::Action)], _values: &[f64]) {}
}

/// The textbook's policy: uniformly random playouts to the end, whose outcome counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<P: Position> UctPolicy<P> for Uniform {}
