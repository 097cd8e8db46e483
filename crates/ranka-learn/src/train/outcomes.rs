//! Probabilities of outcomes, and whose they are.

use crate::file::NetworkShape;
use ranka_core::{MAX_SEATS, Seat};

/// Probabilities of outcomes: win, draw, loss with two seats, who wins with more. The rest is 0.
pub(crate) type Outcomes = [f32; MAX_SEATS];

/// The outcome of a finished game in seat order.
pub(crate) fn of_scores(shape: &NetworkShape, scores: &[f32]) -> Outcomes {
    let mut outcomes = [0.0; MAX_SEATS];
    if shape.seats == 2 {
        let kind = if scores[0] > scores[1] { 0 } else { 1 + usize::from(scores[0] < scores[1]) };
        outcomes[kind] = 1.0;
    } else {
        outcomes[..shape.seats].copy_from_slice(scores);
    }
    outcomes
}

/// What is seen from a seat, in seat order; and the other way round with `back` false.
pub(crate) fn turned(shape: &NetworkShape, outcomes: &Outcomes, seat: Seat, back: bool) -> Outcomes {
    let mut turned = *outcomes;
    if shape.seats == 2 {
        if seat == Seat::SECOND {
            turned.swap(0, 2);
        }
        return turned;
    }
    for (place, turned) in turned[..shape.seats].iter_mut().enumerate() {
        let from = if back { place + shape.seats - seat.index() } else { place + seat.index() };
        *turned = outcomes[from % shape.seats];
    }
    turned
}

/// The score that a seat can expect of outcomes as it sees them.
pub(crate) fn score(shape: &NetworkShape, seen: &Outcomes) -> f32 {
    if shape.seats == 2 { seen[0] + seen[1] / 2.0 } else { seen[0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(seats: usize) -> NetworkShape {
        NetworkShape {
            planes: 1,
            height: 1,
            width: 1,
            action_planes: 1,
            loose_actions: 0,
            seats,
            channels: 16,
            blocks: 0,
            beliefs: 0,
        }
    }

    #[test]
    fn seen_from_a_seat_and_back_is_the_same() {
        let outcomes = [0.5, 0.125, 0.25, 0.125];
        for seats in 2..=4 {
            for seat in Seat::all(seats) {
                let seen = turned(&shape(seats), &outcomes, seat, false);
                assert_eq!(turned(&shape(seats), &seen, seat, true), outcomes);
                if seats > 2 {
                    assert_eq!(seen[0].to_bits(), outcomes[seat.index()].to_bits());
                }
            }
        }
        assert_eq!(of_scores(&shape(2), &[0.0, 1.0]), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(of_scores(&shape(2), &[0.5, 0.5]), [0.0, 1.0, 0.0, 0.0]);
    }
}
