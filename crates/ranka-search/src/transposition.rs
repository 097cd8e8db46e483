//! A table of positions already searched, of fixed size.

/// What an entry's value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranspositionEntry {
    /// The value for the seat to act.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// The depth to which it was searched.
    pub depth: u8,
    /// The place of the best action in the canonical order.
    pub best: u16,
    /// Whether the value rests on an evaluation at the horizon, and not on ends of the game alone.
    pub horizon: bool,
}

/// An entry in sixteen bytes. `tag`: two bits for the bound (0: empty), one for the horizon, five for the
/// generation.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    value: i32,
    best: u16,
    depth: u8,
    tag: u8,
}

const GENERATIONS: u8 = 32;

/// A transposition table: two slots for each place, one that prefers depth and one that takes everything.
/// It never grows, and a key is always compared in full.
///
/// ```
/// use ranka_search::{Bound, TranspositionEntry, Transpositions};
///
/// let mut table = Transpositions::with_mib(1);
/// let entry = TranspositionEntry { value: 7, bound: Bound::Lower, depth: 3, best: 0, horizon: true };
/// table.store(42, entry);
/// assert_eq!(table.probe(42), Some(entry));
/// assert_eq!(table.probe(43), None);
/// ```
#[derive(Clone)]
pub struct Transpositions {
    slots: Box<[Slot]>,
    generation: u8,
}

impl Transpositions {
    /// A table for this many positions, rounded up to a power of two; at least two.
    pub fn with_entries(entries: usize) -> Transpositions {
        let size = entries.max(2).next_power_of_two();
        Transpositions { slots: vec![Slot::default(); size].into_boxed_slice(), generation: 0 }
    }

    /// The largest table that takes no more than this many mebibytes (but at least one).
    pub fn with_mib(mib: usize) -> Transpositions {
        let fitting = (mib.max(1) << 20) / size_of::<Slot>();
        Transpositions::with_entries(1 << fitting.ilog2())
    }

    /// How many positions it holds at most.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    /// Tells the table that a new search begins: what older ones left stays until its room is needed.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1) & !1
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TranspositionEntry> {
        let place = self.place(key);
        self.slots[place..place + 2].iter().find_map(|slot| slot.read(key))
    }

    /// Remembers a position. A shallower, older or equally deep entry gives way; a deeper one of the same
    /// search stays, and the new one goes beside it.
    #[inline]
    pub fn store(&mut self, key: u64, entry: TranspositionEntry) {
        let place = self.place(key);
        let deep = &self.slots[place];
        let gives_way = deep.tag & 3 == 0
            || deep.key == key
            || deep.tag >> 3 != self.generation
            || deep.depth <= entry.depth;
        let slot = Slot::new(key, entry, self.generation);
        if gives_way {
            // The same position may not stay in both slots, or the older entry could hide the newer.
            if deep.key != key && self.slots[place + 1].key == key {
                self.slots[place + 1] = Slot::default();
            }
            self.slots[place] = slot;
        } else {
            self.slots[place + 1] = slot;
        }
    }
}

impl Slot {
    fn new(key: u64, entry: TranspositionEntry, generation: u8) -> Slot {
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let tag = bound | u8::from(entry.horizon) << 2 | generation << 3;
        Slot { key, value: entry.value, best: entry.best, depth: entry.depth, tag }
    }

    #[inline]
    fn read(&self, key: u64) -> Option<TranspositionEntry> {
        if self.key != key {
            return None;
        }
        let bound = match self.tag & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let horizon = self.tag & 4 != 0;
        Some(TranspositionEntry { value: self.value, bound, depth: self.depth, best: self.best, horizon })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> TranspositionEntry {
        TranspositionEntry { value: -i32::from(depth), bound: Bound::Upper, depth, best: 300, horizon: false }
    }

    #[test]
    fn the_size_is_what_was_asked_for() {
        assert_eq!(size_of::<Slot>(), 16);
        assert_eq!(Transpositions::with_mib(1).capacity(), 1 << 16);
        assert_eq!(Transpositions::with_mib(3).capacity(), 1 << 17);
        assert_eq!(Transpositions::with_entries(0).capacity(), 2);
        assert_eq!(Transpositions::with_entries(9).capacity(), 16);
    }

    #[test]
    fn deep_entries_stay_for_a_search_and_give_way_to_the_next() {
        let mut table = Transpositions::with_entries(2);
        assert_eq!(table.probe(0), None, "key 0 is no sign of an entry");
        table.store(10, entry(9));
        table.store(20, entry(1));
        table.store(30, entry(2));
        assert_eq!([10, 20, 30].map(|key| table.probe(key)), [Some(entry(9)), None, Some(entry(2))]);
        table.age();
        table.store(40, entry(0));
        assert_eq!([10, 30, 40].map(|key| table.probe(key)), [None, Some(entry(2)), Some(entry(0))]);
        table.store(30, entry(5));
        assert_eq!(table.probe(30), Some(entry(5)));
        table.clear();
        assert_eq!([10, 30, 40].map(|key| table.probe(key)), [None; 3]);
    }
}
