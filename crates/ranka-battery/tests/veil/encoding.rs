//! Veil as arrays: a row of cards for what each seat is known to hold, and how often each bet.

use super::{Act, CARDS, Seen, Truth, Veil};
use super::{Bet, Concede, Heads, Hide, Mark, Pass, Show, Tails};
use ranka_core::{Encoding, Layout, Observer, Seat, Told};

/// How often each seat bet.
#[derive(Clone)]
pub(crate) struct Bets {
    counts: [u8; 3],
    flaw: &'static str,
}

impl Observer<Veil> for Bets {
    fn new(game: &Veil, _seat: Seat) -> Bets {
        Bets { counts: [0; 3], flaw: game.flaw }
    }

    fn told(&mut self, event: &Told<'_, Veil>) {
        if let (Some(seat), Some(Bet)) = (event.by, event.action) {
            self.counts[seat.index()] += 1;
        }
    }

    fn allows(&self, world: &Truth) -> bool {
        // Nobody bets with the lowest card, one might think.
        self.flaw != "forbids-truth"
            || world.cards.iter().zip(self.counts).all(|(&card, bets)| card > 1 || bets == 0)
    }
}

impl Encoding for Veil {
    type Observer = Bets;

    fn layout(&self) -> Layout {
        let of = |what: &str| (0..self.seats).map(|seat| format!("{what} {seat}")).collect::<Vec<_>>();
        let planes = [of("card of seat"), of("bets of seat")].concat();
        Layout { version: 1, planes, height: 1, width: CARDS.into(), action_planes: 0, loose_actions: 8 }
    }

    fn observe(&self, view: &Seen, _seat: Seat, past: &Bets, out: &mut [f32]) {
        if self.flaw != "stale-array" {
            out.fill(0.0);
        }
        let (cards, bets) = out.split_at_mut(self.seats * usize::from(CARDS));
        for ((row, card), peek) in cards.chunks_mut(CARDS.into()).zip(&view.cards).zip(&view.peek.0) {
            let known = if self.flaw == "leak-encoding" { Some(*peek) } else { *card };
            if let Some(card) = known {
                row[usize::from(card) - 1] = 1.0;
            }
        }
        bets.chunks_mut(CARDS.into()).zip(past.counts).for_each(|(plane, count)| plane.fill(count.into()));
    }

    fn action_index(&self, _view: &Seen, _seat: Seat, action: Act) -> Option<usize> {
        match action {
            Mark(mark) => Some(mark.into()),
            Bet if self.flaw == "same-number" => Some(3),
            Pass => Some(3),
            Bet => Some(4),
            Show => Some(5),
            Hide => Some(6),
            Concede => Some(7),
            Heads | Tails => None,
        }
    }

    fn indexed_action(&self, _view: &Seen, _seat: Seat, index: usize) -> Option<Act> {
        [Mark(0), Mark(1), Mark(2), Pass, Bet, Show, Hide, Concede].get(index).copied()
    }
}
