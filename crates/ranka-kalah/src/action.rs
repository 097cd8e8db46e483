//! An action: a house, or the swap.

/// An action: a house to sow, or the swap of the pie rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct House(u8);

impl House {
    /// The pie rule's swap; last in canonical order.
    pub const SWAP: House = House(u8::MAX);

    /// The house with this number, counted from 0 in sowing order.
    #[inline]
    pub const fn new(index: usize) -> House {
        House(index as u8)
    }

    /// Its number, counted from 0; nothing for the swap.
    #[inline]
    pub const fn index(self) -> Option<usize> {
        if self.0 == House::SWAP.0 { None } else { Some(self.0 as usize) }
    }
}
