//! A set-up: which four of the ghosts A to H are red.

use std::fmt;

/// The four red ghosts of a seat, by letter. The bit of A is the highest, so that `A B C D` is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetUp(u8);

impl SetUp {
    /// All 70, in alphabetical order.
    pub fn all() -> impl Iterator<Item = SetUp> {
        (0..=u8::MAX).rev().filter(|reds| reds.count_ones() == 4).map(SetUp)
    }

    /// The set-up in which four different letters of A to H are red; their order does not matter.
    pub fn of(letters: &str) -> Result<SetUp, String> {
        let mut reds = 0;
        for letter in letters.chars() {
            if !('A'..='H').contains(&letter) {
                return Err(format!("{letter:?} is no ghost: they are A to H"));
            }
            let bit = SetUp::bit(letter as usize - 'A' as usize);
            if reds & bit != 0 {
                return Err(format!("{letter} is named twice"));
            }
            reds |= bit;
        }
        if letters.len() == 4 {
            Ok(SetUp(reds))
        } else {
            Err(format!("{} red ghosts are named, not 4", letters.len()))
        }
    }

    /// Its place among all of them.
    pub(crate) fn number(self) -> usize {
        static NUMBERS: [u8; 256] = {
            let mut numbers = [0; 256];
            let (mut reds, mut number) = (256, 0);
            while reds > 0 {
                reds -= 1;
                numbers[reds] = number;
                number += (reds.count_ones() == 4) as u8;
            }
            numbers
        };
        usize::from(NUMBERS[usize::from(self.0)])
    }

    /// Whether a ghost (A is 0) is red.
    #[inline]
    pub const fn is_red(self, ghost: usize) -> bool {
        self.0 & SetUp::bit(ghost) != 0
    }

    /// The red ghosts, ascending.
    pub fn reds(self) -> impl Iterator<Item = usize> {
        (0..8).filter(move |&ghost| self.is_red(ghost))
    }

    /// The same with left and right exchanged.
    pub(crate) fn mirrored(self) -> SetUp {
        let mirrored = |ghost| ghost / 4 * 4 + 3 - ghost % 4;
        SetUp(self.reds().fold(0, |reds, ghost| reds | SetUp::bit(mirrored(ghost))))
    }

    const fn bit(ghost: usize) -> u8 {
        0x80 >> ghost
    }
}

/// The letter of a ghost.
pub(crate) fn letter(ghost: usize) -> char {
    char::from(b'A' + ghost as u8)
}

impl fmt::Display for SetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reds().try_for_each(|ghost| write!(f, "{}", letter(ghost)))
    }
}

impl fmt::Debug for SetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_seventy_in_alphabetical_order() {
        let all: Vec<String> = SetUp::all().map(|set_up| set_up.to_string()).collect();
        assert_eq!((all.len(), all[0].as_str(), all[69].as_str()), (70, "ABCD", "EFGH"));
        assert!(all.is_sorted());
        assert!(all.iter().all(|text| SetUp::of(text).is_ok_and(|read| read.to_string() == *text)));
    }

    #[test]
    fn four_different_letters_are_asked_for() {
        assert_eq!(SetUp::of("DCBA"), SetUp::of("ABCD"));
        for (bad, why) in [
            ("ABC", "3 red ghosts are named, not 4"),
            ("ABCDE", "5 red ghosts are named, not 4"),
            ("AABC", "A is named twice"),
            ("ABCI", "'I' is no ghost: they are A to H"),
            ("ABcd", "'c' is no ghost: they are A to H"),
        ] {
            assert_eq!(SetUp::of(bad), Err(why.to_owned()));
        }
    }
}
