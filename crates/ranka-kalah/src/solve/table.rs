//! The table of bounds: what earlier windows have taught about boards.
//!
//! An entry is one word, so that threads share the table without locks: whoever reads a word reads all of an entry
//! or none of it. Eight of them make a cache line, and looking a board up costs one trip to memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A value lies in `lower..=upper`; `best` is the house that showed it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
}

/// No house is known to be best.
pub(super) const NONE: u8 = 15;

impl Bounds {
    pub(super) const fn exactly(value: i32) -> Bounds {
        Bounds { lower: value, upper: value, best: NONE }
    }

    /// Nobody can gain more than all the seeds in the houses.
    pub(super) const fn within(seeds: i32) -> Bounds {
        Bounds { lower: -seeds, upper: seeds, best: NONE }
    }
}

/// The most seeds of boards that are kept. Values have the seeds' parity, so seven bits hold a bound.
const MOST_SEEDS: i32 = 127;

/// The bits of an entry below its key: lower 7, upper 7, best 4, work 6. Work is how many bits it takes to write
/// down the nodes searched for it; 0 in an entry that is not used.
const DATA: u32 = 24;

/// One cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([AtomicU64; 8]);

/// Where a bucket is full, the bounds that were the least work give way.
///
/// A key has 60 bits. 40 are kept in the entry, and with 2^23 entries or more the other 20 choose the bucket, so
/// that boards with different keys are never taken for each other.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    mask: usize,
}

impl Table {
    /// Room for 2^`bits` boards, eight bytes each.
    pub(super) fn new(bits: u32) -> Table {
        let count = 1usize << bits.saturating_sub(3);
        let mut buckets = Vec::new();
        buckets.resize_with(count, Bucket::default);
        Table { buckets, mask: count - 1 }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64; 8] {
        &self.buckets[key as usize & self.mask].0
    }

    /// Has the cache line of a board on its way from memory while there is other work to do.
    #[inline]
    pub(super) fn touch(&self, key: u64) {
        std::hint::black_box(self.bucket(key)[0].load(Relaxed));
    }

    /// What is known of the board with this key and so many seeds.
    #[inline]
    pub(super) fn get(&self, key: u64, seeds: i32) -> Option<Bounds> {
        let check = key >> (60 - 40);
        let mut entries = self.bucket(key).iter().map(|entry| entry.load(Relaxed));
        let entry = entries.find(|&entry| entry >> DATA == check && entry & 63 != 0)?;
        let bound = |shift: u32| 2 * (entry >> shift & 127) as i32 - seeds;
        Some(Bounds { lower: bound(17), upper: bound(10), best: (entry >> 6 & 15) as u8 })
    }

    /// Keeps the bounds of a board that took so many nodes.
    #[inline]
    pub(super) fn put(&self, key: u64, seeds: i32, nodes: u64, bounds: Bounds) {
        if seeds > MOST_SEEDS {
            return;
        }
        let check = key >> (60 - 40);
        let bucket = self.bucket(key);
        let mut work = u64::from(u64::BITS - nodes.leading_zeros()).min(63);
        let (mut place, mut least) = (0, u64::MAX);
        for (i, entry) in bucket.iter().enumerate() {
            let entry = entry.load(Relaxed);
            if entry >> DATA == check && entry & 63 != 0 {
                // What one window found out soon may have cost another much.
                work = work.max(entry & 63);
                place = i;
                break;
            }
            if entry & 63 < least {
                (least, place) = (entry & 63, i);
            }
        }
        // Where leftovers count for nobody a value may have either parity; its bounds then go to the next even step.
        let (lower, upper) = ((bounds.lower + seeds) as u64 / 2, (bounds.upper + seeds + 1) as u64 / 2);
        let data = lower << 17 | upper << 10 | u64::from(bounds.best) << 6 | work;
        bucket[place].store(check << DATA | data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found() {
        let table = Table::new(10);
        for seeds in [1, 40, 126, 127] {
            let bounds = Bounds { lower: -seeds, upper: seeds, best: 11 };
            let key = 0x0123_4567_89ab_cde0 + seeds as u64;
            table.put(key, seeds, 5, bounds);
            assert_eq!(table.get(key, seeds), Some(bounds));
            assert_eq!(table.get(key ^ 1 << 59, seeds), None);
        }
        table.put(3, 128, 5, Bounds::within(128));
        assert_eq!(table.get(3, 128), None);
    }

    #[test]
    fn the_least_work_gives_way() {
        let table = Table::new(3);
        for key in 0..9u64 {
            table.put(key << 40, 10, if key == 4 { 1 } else { 1000 }, Bounds::within(10));
        }
        let kept: Vec<u64> = (0..9).filter(|key| table.get(key << 40, 10).is_some()).collect();
        assert_eq!(kept, [0, 1, 2, 3, 5, 6, 7, 8]);
    }
}
