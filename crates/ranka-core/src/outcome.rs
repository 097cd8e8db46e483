//! What a finished game is worth to each seat.

use crate::{MAX_SEATS, Seat};

/// A score in `0..=1` for each seat; the scores of a game add up to one.
///
/// A win is 1, a draw ½, a loss 0; with more than two seats a shared win is split among those who
/// share it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    scores: [f64; MAX_SEATS],
    seats: u8,
}

impl Outcome {
    /// `winner` takes all.
    #[inline]
    pub fn win(winner: Seat, seats: usize) -> Outcome {
        Outcome::shared(seats, |seat| seat == winner)
    }

    /// Everybody gets the same.
    #[inline]
    pub fn draw(seats: usize) -> Outcome {
        Outcome::shared(seats, |_| true)
    }

    /// `loser` gets nothing (say, for an illegal action), the others share the point.
    #[inline]
    pub fn loss(loser: Seat, seats: usize) -> Outcome {
        Outcome::shared(seats, |seat| seat != loser)
    }

    /// The highest points win; equal highest points share the win.
    #[inline]
    pub fn by_points(points: &[i32]) -> Outcome {
        let best = points.iter().copied().max().unwrap_or(0);
        Outcome::shared(points.len(), |seat| points[seat.index()] == best)
    }

    #[inline]
    fn shared(seats: usize, wins: impl Fn(Seat) -> bool) -> Outcome {
        let winners = Seat::all(seats).filter(|&s| wins(s)).count();
        let mut scores = [0.0; MAX_SEATS];
        for seat in Seat::all(seats).filter(|&s| wins(s)) {
            scores[seat.index()] = 1.0 / winners as f64;
        }
        Outcome { scores, seats: seats as u8 }
    }

    /// The score of one seat.
    #[inline]
    pub fn score(&self, seat: Seat) -> f64 {
        self.scores[seat.index()]
    }

    /// The scores of all seats in order.
    #[inline]
    pub fn scores(&self) -> &[f64] {
        &self.scores[..self.seats as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_shared_among_the_winners() {
        assert_eq!(Outcome::win(Seat::SECOND, 2).scores(), [0.0, 1.0]);
        assert_eq!(Outcome::draw(2).scores(), [0.5, 0.5]);
        assert_eq!(Outcome::by_points(&[3, 7, 7, 1]).scores(), [0.0, 0.5, 0.5, 0.0]);
        assert_eq!(Outcome::loss(Seat::new(2), 3).scores(), [0.5, 0.5, 0.0]);
    }
}
