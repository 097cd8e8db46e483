//! What one side's ghosts are taken for. The thinking side knows its own; of the enemy's it may assume colours,
//! the worst, or something in between.

use crate::square::Bits;

/// The ghosts of one side in a game of thought.
pub trait Ghosts: Copy + Eq + std::fmt::Debug {
    /// All of them.
    fn all(&self) -> Bits;

    /// Those that may leave by an exit.
    fn runners(&self) -> Bits;

    /// One of them goes from one square to another; both are single bits.
    fn step(&mut self, from: Bits, to: Bits);

    /// One of them is captured: whether that costs a blue, and whether it ends the game.
    fn lose(&mut self, at: Bits) -> Loss;

    /// Everything that matters, mixed into a key.
    fn mix(&self, key: u64) -> u64;
}

/// What a capture means for the side that loses a ghost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// A red ghost went, others are left.
    Red,
    /// A blue ghost went, others are left.
    Blue,
    /// The last red ghost: who loses it wins.
    LastRed,
    /// The last blue ghost: who loses it loses.
    LastBlue,
}

/// One round of a multiplicative hash.
#[inline]
pub(super) fn mixed(key: u64, word: u64) -> u64 {
    let product = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 32)
}

/// Moves the bit at `from`, if it is in the set.
#[inline]
fn moved(set: Bits, from: Bits, to: Bits) -> Bits {
    if set & from != 0 { set ^ from ^ to } else { set }
}

/// Every colour is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coloured {
    /// The red ones.
    pub reds: Bits,
    /// The blue ones.
    pub blues: Bits,
}

impl Ghosts for Coloured {
    #[inline]
    fn all(&self) -> Bits {
        self.reds | self.blues
    }

    #[inline]
    fn runners(&self) -> Bits {
        self.blues
    }

    #[inline]
    fn step(&mut self, from: Bits, to: Bits) {
        // Either set changes; which one is hard to guess, so nothing branches.
        let both = from ^ to;
        let red = u64::from(self.reds & from != 0).wrapping_neg();
        self.reds ^= both & red;
        self.blues ^= both & !red;
    }

    #[inline]
    fn lose(&mut self, at: Bits) -> Loss {
        if self.reds & at != 0 {
            self.reds ^= at;
            if self.reds == 0 { Loss::LastRed } else { Loss::Red }
        } else {
            self.blues ^= at;
            if self.blues == 0 { Loss::LastBlue } else { Loss::Blue }
        }
    }

    #[inline]
    fn mix(&self, key: u64) -> u64 {
        mixed(mixed(key, self.reds), self.blues)
    }
}

/// No colour is known, and the worst is assumed: whatever is captured was red, and whatever wants to leave is
/// blue. A ghost may be red in one line of thought and blue in another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Purple {
    /// All of them.
    pub all: Bits,
    /// How many red ones there really are: with so many captures all of them are gone.
    pub reds: u32,
}

impl Ghosts for Purple {
    #[inline]
    fn all(&self) -> Bits {
        self.all
    }

    #[inline]
    fn runners(&self) -> Bits {
        self.all
    }

    #[inline]
    fn step(&mut self, from: Bits, to: Bits) {
        self.all ^= from ^ to;
    }

    #[inline]
    fn lose(&mut self, at: Bits) -> Loss {
        self.all ^= at;
        self.reds -= 1;
        if self.reds == 0 { Loss::LastRed } else { Loss::Red }
    }

    #[inline]
    fn mix(&self, key: u64) -> u64 {
        mixed(key, self.all | u64::from(self.reds) << 40)
    }
}

/// Some ghosts are believed to be red or blue, the rest stays purple. Now all blue ones may be captured: that
/// is so when neither blue nor purple ones are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Believed to be red.
    pub reds: Bits,
    /// Believed to be blue.
    pub blues: Bits,
    /// Red when captured, blue when leaving.
    pub purple: Bits,
    /// How many red ones there really are.
    pub reds_left: u32,
}

impl Ghosts for Judged {
    #[inline]
    fn all(&self) -> Bits {
        self.reds | self.blues | self.purple
    }

    #[inline]
    fn runners(&self) -> Bits {
        self.blues | self.purple
    }

    #[inline]
    fn step(&mut self, from: Bits, to: Bits) {
        self.reds = moved(self.reds, from, to);
        self.blues = moved(self.blues, from, to);
        self.purple = moved(self.purple, from, to);
    }

    #[inline]
    fn lose(&mut self, at: Bits) -> Loss {
        if self.blues & at != 0 {
            self.blues ^= at;
            if self.runners() == 0 { Loss::LastBlue } else { Loss::Blue }
        } else {
            self.reds &= !at;
            self.purple &= !at;
            self.reds_left -= 1;
            if self.reds_left == 0 {
                Loss::LastRed
            } else if self.runners() == 0 {
                Loss::LastBlue
            } else {
                Loss::Red
            }
        }
    }

    #[inline]
    fn mix(&self, key: u64) -> u64 {
        let left = u64::from(self.reds_left) << 40;
        mixed(mixed(mixed(key, self.reds), self.blues), self.purple | left)
    }
}
