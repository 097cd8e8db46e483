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
    /// How many bits it takes to write down the nodes searched for it; 0 in an entry that is not used.
    work: u8,
    best: u8,
}

/// One cache line, so that looking a board up costs one trip to memory.
#[repr(align(64))]
#[derive(Clone, Copy, Default)]
struct Bucket([Entry; 4]);

/// Where a bucket is full, the bounds that were the least work give way.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    mask: usize,
}

impl Table {
    /// Room for 2^`bits` boards.
    pub(super) fn new(bits: u32) -> Table {
        let buckets = 1usize << bits.saturating_sub(2);
        Table { buckets: vec![Bucket::default(); buckets], mask: buckets - 1 }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let Bucket(bucket) = &self.buckets[key as usize & self.mask];
        let entry = bucket.iter().find(|entry| entry.key == key && entry.work > 0)?;
        Some(Bounds { lower: i32::from(entry.lower), upper: i32::from(entry.upper), best: entry.best })
    }

    /// Keeps the bounds of a board that took so many nodes.
    #[inline]
    pub(super) fn put(&mut self, key: u64, nodes: u64, bounds: Bounds) {
        let Bucket(bucket) = &mut self.buckets[key as usize & self.mask];
        let mut entry = Entry {
            key,
            lower: bounds.lower as i16,
            upper: bounds.upper as i16,
            work: (u64::BITS - nodes.leading_zeros()) as u8,
            best: bounds.best,
        };
        let mut place = 0;
        for (i, old) in bucket.iter().enumerate() {
            if old.key == key {
                // What one window found out soon may have cost another much.
                entry.work = entry.work.max(old.work);
                place = i;
                break;
            }
            if old.work < bucket[place].work {
                place = i;
            }
        }
        bucket[place] = entry;
    }
}
