//! A clock for people: each has so much time for the whole game, and who has none left loses.

use crate::opening::{Opening, Sitter};
use crate::play::Play;
use ranka_core::{End, EndReason, Seat};
use std::time::{Duration, Instant};

/// Whose clock runs, and since when. It stands still while the server does.
pub(crate) type Running = Option<(Seat, Instant)>;

/// What the page offers, in minutes for each person.
pub(crate) const MINUTES: [u32; 5] = [1, 3, 5, 10, 30];

/// What a clock may be set to, in seconds.
pub(crate) const SECONDS: std::ops::RangeInclusive<u32> = 5..=36_000;

impl Play {
    /// The person whose time it is: nobody before all have sat down, and nobody while somebody has to judge.
    fn on_the_clock(&self, opening: &Opening) -> Option<Seat> {
        opening.clock?;
        let empty = |(seat, sitter): (usize, &Sitter)| {
            matches!(sitter, Sitter::Invited(_)) && !self.aside.taken.contains_key(&seat)
        };
        if self.table.result().is_some() || opening.seats.iter().enumerate().any(empty) {
            return None;
        }
        let seat = self.table.actor().seat()?;
        let is_person = !matches!(opening.seats[seat.index()], Sitter::Agent(_));
        (is_person && self.aside.to_judge.is_none()).then_some(seat)
    }

    /// How much time a person has left, and whether it runs now; nothing without a clock and of agents.
    pub(crate) fn time_left(&self, opening: &Opening, seat: Seat) -> Option<(Duration, bool)> {
        let seconds = opening.clock?;
        if matches!(opening.seats[seat.index()], Sitter::Agent(_)) {
            return None;
        }
        let spent = self.aside.spent.get(&seat.index()).copied().unwrap_or(0);
        let running = self.running.filter(|(of, _)| *of == seat).map(|(_, since)| since.elapsed());
        let all = Duration::from_secs(u64::from(seconds));
        let left =
            all.saturating_sub(Duration::from_millis(spent)).saturating_sub(running.unwrap_or_default());
        Some((left, running.is_some()))
    }

    /// Ends the game if somebody's time is over.
    pub(crate) fn look_at_the_clock(&mut self, opening: &Opening) {
        let Some((seat, _)) = self.running else { return };
        let over = self.time_left(opening, seat).is_some_and(|(left, _)| left.is_zero());
        if over && self.table.result().is_none() {
            self.end(End { reason: EndReason::Timeout, seat: Some(seat), answer: None, detail: None });
        }
    }

    /// Stops the clock that ran, and starts that of whoever is to act now.
    pub(crate) fn press_the_clock(&mut self, opening: &Opening) {
        let next = self.on_the_clock(opening);
        if self.running.map(|(seat, _)| seat) == next {
            return;
        }
        if let Some((seat, since)) = self.running {
            *self.aside.spent.entry(seat.index()).or_insert(0) += since.elapsed().as_millis() as u64;
        }
        self.running = next.map(|seat| (seat, Instant::now()));
    }

    /// When the time of whoever is to act is over.
    pub(crate) fn deadline(&self, opening: &Opening) -> Option<Instant> {
        let (seat, _) = self.running?;
        self.time_left(opening, seat).map(|(left, _)| Instant::now() + left)
    }
}
