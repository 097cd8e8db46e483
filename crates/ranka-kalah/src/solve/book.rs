//! Opening books: solved positions that would take long to solve while somebody waits.
//!
//! A book holds what a perfect player meets from the start on, whichever seat it has and whatever the other does, as
//! long as so many seeds are in the houses: the board with the mover's row first, what it is worth, and the best moves.

use super::judge::Judgement;
use super::solver::{Interval, Solver};
use crate::action::House;
use crate::board::Board;
use crate::rules::{Kalah, Rules};
use crate::state::State;
use flate2::Crc;
use ranka_core::{Actor, Error, Position};
use ranka_search::Limits;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a file begins with: the format and its version.
const MAGIC: &[u8; 8] = b"kalahbk1";

/// Bytes of an entry: the rows of up to six houses, the value and the best houses.
const ENTRY: usize = 14;

/// Solved positions of one board by the standard rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    houses: usize,
    seeds: u32,
    positions: FxHashMap<Board<u128>, Page>,
}

/// A board's value for its mover, without the stores, and the houses that keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Page {
    value: i8,
    best: u8,
}

impl Book {
    /// The book that comes with the program for this game, if there is one.
    pub fn shipped(game: &Kalah) -> Option<&'static Book> {
        static BOOK: OnceLock<Option<Book>> = OnceLock::new();
        let book = BOOK.get_or_init(|| Book::read(include_bytes!("../../books/6-4.book")).ok()).as_ref()?;
        (game.rules == Rules::STANDARD && game.houses == book.houses).then_some(book)
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// What it says of a position: the best moves exactly, and that the others are worse.
    pub fn judge(&self, state: &State) -> Option<Judgement> {
        let Actor::Seat(mover) = state.actor() else { return None };
        let page = self.positions.get(&state.board())?;
        let value = state.margin(mover) + i32::from(page.value);
        let least = state.margin(mover) - state.in_houses() as i32;
        let mut houses = Vec::new();
        state.actions(&mut houses);
        let known = |house: House| match house.index() {
            Some(index) if page.best >> index & 1 == 1 => Interval { lower: value, upper: value },
            // Margins of one game have the same parity.
            _ => Interval { lower: least, upper: value - 2 },
        };
        Some(houses.into_iter().map(|house| (house, known(house))).collect())
    }

    /// Solves what a perfect player of `solver`'s game can meet with at least `seeds` seeds in the houses, those with
    /// more seeds first. A book that is cut short holds what was solved until then. `report` hears how
    /// many positions are solved and how many are known to come.
    pub fn make(
        solver: &mut Solver,
        seeds: u32,
        cancel: &AtomicBool,
        report: &mut dyn FnMut(usize, usize),
    ) -> Result<Book, Error> {
        let (game, limits) = (*solver.game(), Limits { cancel, ..Limits::NONE });
        if game.rules != Rules::STANDARD || game.houses > 6 {
            return Err(Error::input("books are for the standard rules and up to six houses"));
        }
        let mut book = Book { houses: game.houses, seeds: game.seeds, positions: FxHashMap::default() };
        // By seeds in the houses: positions in which the perfect player moves, and in which the other does.
        let mut open: BTreeMap<u32, Vec<(State, bool)>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let mut put = |open: &mut BTreeMap<u32, Vec<(State, bool)>>, state: State, perfect: bool| {
            let wanted = state.in_houses() >= seeds && !state.actor().is_over();
            if wanted && seen.insert((state.board(), perfect)) {
                open.entry(state.in_houses()).or_default().push((state, perfect));
            }
        };
        put(&mut open, game.first(), true);
        put(&mut open, game.first(), false);
        while let Some((state, perfect)) = pop(&mut open) {
            let mut moves = Vec::new();
            state.actions(&mut moves);
            if perfect {
                let page = match book.positions.get(&state.board()) {
                    Some(&page) => page,
                    None => {
                        let Ok(judged) = solver.judge(&state, 0, limits, &mut |_, _| {}) else { break };
                        let page = page(&state, &judged);
                        book.positions.insert(state.board(), page);
                        report(book.len(), open.values().flatten().filter(|(_, perfect)| *perfect).count());
                        page
                    }
                };
                moves.retain(|house| house.index().is_some_and(|house| page.best >> house & 1 == 1));
            }
            for house in moves {
                let next = state.after(house);
                let same = next.actor() == state.actor();
                put(&mut open, next, perfect == same);
            }
            if cancel.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(book)
    }

    /// The book as the bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.houses as u8, self.seeds as u8]);
        bytes.extend((self.positions.len() as u32).to_le_bytes());
        let mut entries: Vec<[u8; ENTRY]> = self.positions.iter().map(entry).collect();
        entries.sort_unstable();
        bytes.extend(entries.iter().flatten());
        let mut crc = Crc::new();
        crc.update(&bytes);
        bytes.extend(crc.sum().to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Book, Error> {
        use crate::board::Row as _;
        let refuse = |why: &str| Error::input(format!("opening book: {why}"));
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| refuse("this is none"))?;
        let (rest, sum) = rest.split_last_chunk::<4>().ok_or_else(|| refuse("it ends too soon"))?;
        let mut crc = Crc::new();
        crc.update(&bytes[..bytes.len() - 4]);
        if u32::from_le_bytes(*sum) != crc.sum() {
            return Err(refuse("it is damaged: its checksum is wrong"));
        }
        let (head, entries) = rest.split_first_chunk::<6>().ok_or_else(|| refuse("it ends too soon"))?;
        let [houses, seeds, count @ ..] = *head;
        if u32::from_le_bytes(count) as usize * ENTRY != entries.len() || !(1..=6).contains(&houses) {
            return Err(refuse("its head and its length do not agree"));
        }
        let game =
            Kalah::with(houses.into(), seeds.into(), Rules::STANDARD).map_err(|e| e.at("opening book"))?;
        let impossible = |entry: &[u8]| {
            let rows = [&entry[..6], &entry[6..12]];
            let seeds: u32 = rows.concat().iter().map(|&seeds| u32::from(seeds)).sum();
            seeds > 2 * game.houses as u32 * game.seeds
                || rows.iter().any(|row| row[game.houses..].iter().any(|&n| n > 0))
        };
        if entries.chunks_exact(ENTRY).any(impossible) {
            return Err(refuse("a position has more seeds or houses than the game"));
        }
        let positions = entries.chunks_exact(ENTRY).map(|entry| {
            let row = |from: usize| {
                u128::packed(&entry[from..from + 6].iter().map(|&n| n.into()).collect::<Vec<_>>())
            };
            (Board { own: row(0), other: row(6) }, Page { value: entry[12] as i8, best: entry[13] })
        });
        Ok(Book { houses: usize::from(houses), seeds: u32::from(seeds), positions: positions.collect() })
    }

    /// Its positions with South to move, in the order of the file, for checking.
    pub fn positions(&self) -> Vec<State> {
        let game = Kalah::standard(self.houses, self.seeds);
        let mut entries: Vec<_> = self.positions.iter().map(|page| (entry(page), page.0)).collect();
        entries.sort_unstable_by_key(|&(entry, _)| entry);
        entries.iter().map(|(_, board)| State { rows: [board.own, board.other], ..game.first() }).collect()
    }
}

fn pop(open: &mut BTreeMap<u32, Vec<(State, bool)>>) -> Option<(State, bool)> {
    let mut most = open.last_entry()?;
    let popped = most.get_mut().pop();
    if most.get().is_empty() {
        most.remove();
    }
    popped
}

fn page(state: &State, judged: &Judgement) -> Page {
    let best = judged.iter().map(|(_, known)| known.lower).max().unwrap_or(0);
    let keeps = judged.iter().filter(|(_, known)| known.lower == best && known.is_exact());
    let mask = keeps.filter_map(|(house, _)| house.index()).fold(0, |mask, house| mask | 1 << house);
    let Actor::Seat(mover) = state.actor() else { return Page { value: 0, best: 0 } };
    Page { value: (best - state.margin(mover)) as i8, best: mask }
}

fn entry((board, page): (&Board<u128>, &Page)) -> [u8; ENTRY] {
    use crate::board::Row as _;
    std::array::from_fn(|i| match i {
        0..6 => board.own.seeds(i) as u8,
        6..12 => board.other.seeds(i - 6) as u8,
        12 => page.value as u8,
        _ => page.best,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_keeps_what_the_solver_says() {
        let game = Kalah::standard(4, 3);
        let mut solver = Solver::new(&game, None, 16).unwrap();
        let book = Book::make(&mut solver, 16, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
        assert!(book.len() > 20);
        assert_eq!(Book::read(&book.bytes()), Ok(book.clone()));
        for state in book.positions() {
            let told = book.judge(&state).unwrap();
            let solved = solver.judge(&state, u64::MAX, Limits::NONE, &mut |_, _| {}).unwrap();
            for ((_, told), (_, solved)) in told.iter().zip(&solved) {
                assert!((told.lower..=told.upper).contains(&solved.lower), "{state:?}");
            }
        }
        let mut spoilt = book.bytes();
        spoilt[40] ^= 1;
        assert!(Book::read(&spoilt).unwrap_err().to_string().contains("checksum"));
        assert!(Book::read(b"anything").is_err());
        // A right checksum makes nothing possible.
        for (at, byte, why) in
            [(9, 99, "a board holds 1 to"), (14, 99, "more seeds or houses"), (18, 1, "more seeds or houses")]
        {
            let mut spoilt = book.bytes();
            spoilt[at] = byte;
            let end = spoilt.len() - 4;
            let mut crc = Crc::new();
            crc.update(&spoilt[..end]);
            spoilt[end..].copy_from_slice(&crc.sum().to_le_bytes());
            let error = Book::read(&spoilt).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(Book::read(&book.bytes()[..30]).is_err());
    }
}
