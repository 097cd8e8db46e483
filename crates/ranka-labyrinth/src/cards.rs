//! The players' piles of treasure cards.

use crate::tile::{TREASURES, Treasure};
use ranka_core::{MAX_SEATS, Seat};

/// A card, or its back where one may not know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(u8);

impl Card {
    /// A card that lies face down.
    pub const UNKNOWN: Card = Card(u8::MAX);

    /// The card that shows a treasure.
    #[inline]
    pub const fn of(treasure: Treasure) -> Card {
        Card(treasure.index() as u8)
    }

    /// What it shows.
    #[inline]
    pub const fn treasure(self) -> Option<Treasure> {
        if self.0 < TREASURES as u8 { Some(Treasure::new(self.0 as usize)) } else { None }
    }
}

/// Everybody's cards. Each seat has a stretch of the deck in the order in which it will find them: the first ones
/// it has found, which all may see, the next is its current one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cards {
    deck: [Card; TREASURES],
    /// Where each seat's stretch ends; it begins where the last one's ends.
    ends: [u8; MAX_SEATS],
    found: [u8; MAX_SEATS],
}

impl Cards {
    /// Cards dealt to the seats in order: for each what it has found, then its pile, top first.
    ///
    /// # Panics
    /// If there are more than 24.
    pub fn new<'a>(hands: impl Iterator<Item = (&'a [Card], &'a [Card])>) -> Cards {
        let mut cards =
            Cards { deck: [Card::UNKNOWN; TREASURES], ends: [0; MAX_SEATS], found: [0; MAX_SEATS] };
        let mut end = 0;
        for (seat, (found, pile)) in hands.enumerate() {
            for &card in found.iter().chain(pile) {
                cards.deck[end] = card;
                end += 1;
            }
            cards.ends[seat..].fill(end as u8);
            cards.found[seat] = found.len() as u8;
        }
        cards
    }

    #[inline]
    fn span(&self, seat: Seat) -> (usize, usize, usize) {
        let start = if seat.index() == 0 { 0 } else { self.ends[seat.index() - 1] as usize };
        (start, start + self.found[seat.index()] as usize, self.ends[seat.index()] as usize)
    }

    /// What a seat has found, in order.
    pub fn found(&self, seat: Seat) -> &[Card] {
        let (start, top, _) = self.span(seat);
        &self.deck[start..top]
    }

    /// What a seat has still to find, the current card first.
    #[inline]
    pub fn pile(&self, seat: Seat) -> &[Card] {
        let (_, top, end) = self.span(seat);
        &self.deck[top..end]
    }

    /// The card that a seat is after; nothing when it has found them all.
    #[inline]
    pub fn current(&self, seat: Seat) -> Option<Card> {
        self.pile(seat).first().copied()
    }

    /// Turns a seat's current card face up.
    #[inline]
    pub(crate) fn collect(&mut self, seat: Seat) {
        self.found[seat.index()] += 1;
    }

    /// All cards that are dealt, in the order of the seats.
    pub(crate) fn all(&self) -> &[Card] {
        &self.deck[..self.ends[MAX_SEATS - 1] as usize]
    }

    /// The same as `seat`, or somebody without one, sees them: its later cards and all unfound cards of others from
    /// their backs.
    pub(crate) fn seen_by(mut self, seat: Option<Seat>) -> Cards {
        for other in Seat::all(MAX_SEATS) {
            let (_, top, end) = self.span(other);
            let known = if Some(other) == seat && top < end { top + 1 } else { top };
            self.deck[known..end].fill(Card::UNKNOWN);
        }
        self
    }

    /// The same with the cards face up that lie open later in the game.
    pub(crate) fn turned(mut self, later: &Cards) -> Cards {
        for (card, &later) in self.deck.iter_mut().zip(&later.deck) {
            if *card == Card::UNKNOWN {
                *card = later;
            }
        }
        self
    }

    /// The cards that are seen nowhere: those that lie face down and those that are out of the game.
    pub fn unseen(&self) -> Vec<Treasure> {
        let mut unseen: Vec<Treasure> = Treasure::all().collect();
        unseen.retain(|&treasure| !self.all().contains(&Card::of(treasure)));
        unseen
    }

    /// How many cards lie face down.
    pub(crate) fn face_down(&self) -> usize {
        self.all().iter().filter(|&&card| card == Card::UNKNOWN).count()
    }

    /// The same with the cards that lie face down named, in order.
    pub(crate) fn named(mut self, mut names: impl Iterator<Item = Treasure>) -> Cards {
        let dealt = self.ends[MAX_SEATS - 1] as usize;
        for card in self.deck[..dealt].iter_mut().filter(|card| **card == Card::UNKNOWN) {
            *card = Card::of(names.next().expect("as many names as cards that lie face down"));
        }
        self
    }
}
