//! The table of bounds: what earlier windows have taught about boards.

/// A value lies in `lower..=upper`; `best` is the house that showed it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
}

/// No house is known to be best.
const NONE: u8 = u8::MAX;

impl Bounds {
    pub(super) const fn exactly(value: i32) -> Bounds {
        Bounds { lower: value, upper: value, best: NONE }
    }

    /// Nobody can gain more than all the seeds in the houses.
    pub(super) const fn within(seeds: i32) -> Bounds {
        Bounds { lower: -seeds, upper: seeds, best: NONE }
    }
}

/// Sixteen bytes: four to a cache line.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    lower: i16,
    upper: i16,
    /// Never 0 in an entry that is used.
    seeds: u16,
    best: u8,
}

/// Buckets of two: the first keeps the board with more seeds, whose subtree cost more, the second the latest.
pub(super) struct Table {
    buckets: Vec<[Entry; 2]>,
    mask: usize,
}

impl Table {
    /// Room for 2^`bits` boards.
    pub(super) fn new(bits: u32) -> Table {
        let buckets = 1usize << bits.saturating_sub(1);
        Table { buckets: vec![[Entry::default(); 2]; buckets], mask: buckets - 1 }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let bucket = &self.buckets[key as usize & self.mask];
        let entry = bucket.iter().find(|entry| entry.key == key && entry.seeds > 0)?;
        Some(Bounds { lower: i32::from(entry.lower), upper: i32::from(entry.upper), best: entry.best })
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, seeds: i32, bounds: Bounds) {
        let [deep, recent] = &mut self.buckets[key as usize & self.mask];
        let entry = Entry {
            key,
            lower: bounds.lower as i16,
            upper: bounds.upper as i16,
            seeds: seeds as u16,
            best: bounds.best,
        };
        if deep.key == key || deep.seeds <= entry.seeds {
            if deep.key != key {
                *recent = *deep;
            }
            *deep = entry;
        } else {
            *recent = entry;
        }
    }
}
