//! Books and drafts of them as bytes.

use super::walk::{Scope, walk};
use super::{Book, Page, Pages};
use crate::board::{Board, Row as _};
use crate::rules::Kalah;
use flate2::{Compression, Crc, read::DeflateDecoder, write::DeflateEncoder};
use ranka_core::Error;
use std::io::{Read as _, Write as _};

/// What files begin with: the format and its version.
const BOOK: &[u8; 8] = b"kalahbk2";
const DRAFT: &[u8; 8] = b"kalahbd1";

/// Bytes of a position in a draft: the rows of up to six houses, the value and the best houses.
const ENTRY: usize = 14;

/// The most positions of a book: a damaged head must not ask for all memory.
const MOST_POSITIONS: usize = 1 << 24;

/// What a book that is being made knows so far. Books of any scope can go on from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    game: Kalah,
    pub(super) pages: Pages,
}

impl Book {
    /// The book as the bytes of a file: what is known of the positions in the order in which they come up, compressed.
    pub fn bytes(&self) -> Vec<u8> {
        let (mut values, mut bests) = (Vec::new(), Vec::new());
        let walked = walk::<std::convert::Infallible>(&self.game, self.scope, |boards| {
            let pages: Vec<Page> = boards.iter().map(|board| self.positions[board]).collect();
            values.extend(pages.iter().map(|page| page.value as u8));
            bests.extend(pages.iter().map(|page| page.best));
            Ok(pages)
        });
        debug_assert_eq!(walked.map(|pages| pages.len()), Ok(values.len()));
        let mut bytes = BOOK.to_vec();
        let Scope { plies, seeds } = self.scope;
        bytes.extend([self.game.houses as u8, self.game.seeds as u8, plies as u8, seeds as u8]);
        bytes.extend((values.len() as u32).to_le_bytes());
        values.append(&mut bests);
        let mut packed = DeflateEncoder::new(bytes, Compression::best());
        packed.write_all(&values).expect("memory takes what is written");
        checked(packed.finish().expect("memory takes what is written"))
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Book, Error> {
        let refuse = |why: &str| Error::input(format!("opening book: {why}"));
        let rest = unchecked(bytes, BOOK).map_err(refuse)?;
        let (head, packed) = rest.split_first_chunk::<8>().ok_or_else(|| refuse("it ends too soon"))?;
        let [houses, seeds, plies, deep, count @ ..] = *head;
        let count = u32::from_le_bytes(count) as usize;
        if !(1..=6).contains(&houses) || !(1..=20).contains(&seeds) {
            return Err(refuse("it is of no board that has books"));
        }
        if count > MOST_POSITIONS {
            return Err(refuse("its head speaks of more positions than a book can hold"));
        }
        let mut data = Vec::new();
        let whole = DeflateDecoder::new(packed).take(2 * count as u64 + 1).read_to_end(&mut data);
        if whole.is_err() || data.len() != 2 * count {
            return Err(refuse("its head and its length do not agree"));
        }
        let game = Kalah::standard(houses.into(), seeds.into());
        let scope = Scope { plies: plies.into(), seeds: deep.into() };
        let (values, bests) = data.split_at(count);
        let mut pages = values.iter().zip(bests).map(|(&value, &best)| Page { value: value as i8, best });
        let positions = walk(&game, scope, |boards| {
            let some: Vec<Page> = pages.by_ref().take(boards.len()).collect();
            if some.len() == boards.len() { Ok(some) } else { Err(refuse("it ends too soon")) }
        })?;
        if positions.len() != count {
            return Err(refuse("it goes on after its end"));
        }
        Ok(Book { game, scope, positions })
    }
}

impl Draft {
    /// Nothing is known yet.
    pub fn new(game: &Kalah) -> Draft {
        Draft { game: *game, pages: Pages::default() }
    }

    /// What a book knows already, for a larger one.
    pub fn of(book: &Book) -> Draft {
        Draft { game: book.game, pages: book.positions.clone() }
    }

    /// How many positions are solved.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The draft as the bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut entries: Vec<[u8; ENTRY]> = self.pages.iter().map(entry).collect();
        entries.sort_unstable();
        let mut bytes = DRAFT.to_vec();
        bytes.push(self.game.houses as u8);
        bytes.extend(entries.iter().flatten());
        checked(bytes)
    }

    /// Reads the bytes of a file that was written for a game of as many houses.
    pub fn read(bytes: &[u8], game: &Kalah) -> Result<Draft, Error> {
        let refuse = |why: &str| Error::input(format!("draft of an opening book: {why}"));
        let begin_anew = |why: &str| refuse(&format!("{why}; without this file the book is begun anew"));
        let rest = unchecked(bytes, DRAFT).map_err(begin_anew)?;
        let (&houses, entries) = rest.split_first().ok_or_else(|| begin_anew("it ends too soon"))?;
        if !entries.len().is_multiple_of(ENTRY) {
            return Err(begin_anew("it ends within a position"));
        }
        if usize::from(houses) != game.houses {
            return Err(refuse(&format!("it is of {houses} houses, the game of {}", game.houses)));
        }
        let row = |seeds: &[u8]| u64::packed(&seeds.iter().map(|&n| n.into()).collect::<Vec<_>>());
        let pages = entries.chunks_exact(ENTRY).map(|entry| {
            let board = Board { own: row(&entry[..6]), other: row(&entry[6..12]) };
            (board, Page { value: entry[12] as i8, best: entry[13] })
        });
        Ok(Draft { game: *game, pages: pages.collect() })
    }
}

fn entry((board, page): (&Board<u64>, &Page)) -> [u8; ENTRY] {
    std::array::from_fn(|i| match i {
        0..6 => board.own.seeds(i) as u8,
        6..12 => board.other.seeds(i - 6) as u8,
        12 => page.value as u8,
        _ => page.best,
    })
}

/// The bytes with their checksum behind them.
fn checked(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(&bytes);
    bytes.extend(crc.sum().to_le_bytes());
    bytes
}

/// What lies between a file's first bytes and its checksum.
fn unchecked<'a>(bytes: &'a [u8], magic: &[u8; 8]) -> Result<&'a [u8], &'static str> {
    let rest = bytes.strip_prefix(magic).ok_or("this is none, or of another version")?;
    let (rest, sum) = rest.split_last_chunk::<4>().ok_or("it ends too soon")?;
    let mut crc = Crc::new();
    crc.update(&bytes[..bytes.len() - 4]);
    if u32::from_le_bytes(*sum) == crc.sum() { Ok(rest) } else { Err("it is damaged: its checksum is wrong") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_book_is_refused() {
        let game = Kalah::standard(4, 3);
        let refusal = |bytes: &[u8]| Book::read(bytes).unwrap_err().to_string();
        let scope = Scope { plies: 0, seeds: 25 };
        let first = super::super::narrow(&game.first());
        let positions = Pages::from_iter([(first, Page { value: 6, best: 2 })]);
        let good = Book { game, scope, positions }.bytes();
        assert_eq!(Book::read(&good).unwrap().len(), 1);
        let mut spoilt = good.clone();
        spoilt[12] ^= 1;
        assert!(refusal(&spoilt).contains("checksum"));
        assert!(refusal(b"anything").contains("this is none"));
        assert!(refusal(&good[..10]).contains("ends too soon"));
        // Whoever writes a right checksum behind a wrong head is found out as well.
        let again = |at: usize, value: u8| {
            let mut bytes = good[..good.len() - 4].to_vec();
            bytes[at] = value;
            refusal(&checked(bytes))
        };
        assert!(again(8, 9).contains("no board"));
        assert!(again(12, 2).contains("do not agree"));
        assert!(again(15, 2).contains("more positions than"));
        assert!(again(10, 1).contains("ends too soon"));
        let draft = Draft::new(&game);
        assert_eq!(Draft::read(&draft.bytes(), &game), Ok(draft.clone()));
        let refusal = |bytes: &[u8]| Draft::read(bytes, &game).unwrap_err().to_string();
        let whole = draft.bytes();
        for cut in 0..whole.len() {
            assert!(
                refusal(&whole[..cut]).ends_with("; without this file the book is begun anew"),
                "{cut} bytes"
            );
        }
        let ragged = checked([&whole[..whole.len() - 4], b"ragged"].concat());
        assert!(refusal(&ragged).contains("it ends within a position"));
        let foreign = Draft::read(&draft.bytes(), &Kalah::standard(5, 3)).unwrap_err().to_string();
        assert!(foreign.contains("4 houses"), "{foreign}");
    }
}
