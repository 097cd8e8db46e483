//! Opening books: solved positions that would take long to solve while somebody waits.
//!
//! A book holds every position of the first plies, and beyond those what a perfect player can meet, whichever seat it
//! has and whatever the other does, as long as enough seeds are in the houses.

mod file;
mod make;
mod walk;

use super::judge::Judgement;
use super::solver::Interval;
use crate::action::House;
use crate::board::Board;
use crate::rules::{Kalah, Rules};
use crate::state::State;
use ranka_core::{Actor, Error, Position, SMALL_FILE, read_bytes};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub use file::Draft;
pub use walk::Scope;

/// Solved positions of one board by the standard rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    game: Kalah,
    scope: Scope,
    positions: Pages,
}

/// What is known of boards, each seen by its mover.
type Pages = FxHashMap<Board<u64>, Page>;

/// A board's value for its mover, without the stores, and the houses that keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Page {
    value: i8,
    best: u8,
}

impl Page {
    fn keeps(self, house: House) -> bool {
        house.index().is_some_and(|house| self.best >> house & 1 == 1)
    }
}

impl Book {
    /// The book that comes with the program for this game, if there is one.
    pub fn shipped(game: &Kalah) -> Option<Arc<Book>> {
        static BOOK: OnceLock<Option<Arc<Book>>> = OnceLock::new();
        if game.rules != Rules::STANDARD || game.houses != 6 {
            return None;
        }
        BOOK.get_or_init(|| Book::read(include_bytes!("../../books/6-4.book")).ok().map(Arc::new)).clone()
    }

    /// The book in a file, which must be for games of as many houses by the standard rules.
    pub fn load(path: &Path, game: &Kalah) -> Result<Book, Error> {
        let book = Book::read(&read_bytes(path, SMALL_FILE)?).map_err(|error| error.in_file(path))?;
        if game.rules != Rules::STANDARD || game.houses != book.game.houses {
            let message = format!(
                "an opening book for the standard rules and {} houses, not for this game",
                book.game.houses
            );
            return Err(Error::input(message).in_file(path));
        }
        Ok(book)
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// What it was made to hold.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// What it says of a position: the best moves exactly, and the others exactly or that they are worse.
    pub fn judge(&self, state: &State) -> Option<Judgement> {
        let Actor::Seat(mover) = state.actor() else { return None };
        let page = self.page(state)?;
        let value = state.margin(mover) + i32::from(page.value);
        let least = state.margin(mover) - state.in_houses() as i32;
        let known = |house: House| {
            if page.keeps(house) {
                return Interval { lower: value, upper: value };
            }
            let next = state.after(house);
            let exact = match next.actor() {
                Actor::Seat(seat) => self.page(&next).map(|page| {
                    let worth = i32::from(page.value);
                    next.margin(mover) + if seat == mover { worth } else { -worth }
                }),
                _ => Some(next.margin(mover)),
            };
            match exact {
                Some(margin) => Interval { lower: margin, upper: margin },
                // Margins of one game have the same parity.
                None => Interval { lower: least, upper: value - 2 },
            }
        };
        let mut houses = Vec::new();
        state.actions(&mut houses);
        Some(houses.into_iter().map(|house| (house, known(house))).collect())
    }

    /// How perfect players go on from a position, as far as it tells: the first of the best moves each time.
    pub fn line(&self, state: &State) -> Vec<House> {
        let (mut at, mut line, mut houses) = (*state, Vec::new(), Vec::new());
        while matches!(at.actor(), Actor::Seat(_)) {
            houses.clear();
            at.actions(&mut houses);
            let Some(page) = self.page(&at) else { break };
            let Some(&best) = houses.iter().find(|&&house| page.keeps(house)) else { break };
            line.push(best);
            at.apply(best);
        }
        line
    }

    fn page(&self, state: &State) -> Option<Page> {
        self.positions.get(&narrow(state)).copied()
    }

    /// Its positions with South to move and empty stores, those with few seeds first, for checking.
    pub fn positions(&self) -> Vec<State> {
        let mut boards: Vec<Board<u64>> = self.positions.keys().copied().collect();
        boards.sort_unstable_by_key(|board| (walk::seeds(board), board.own, board.other));
        boards.iter().map(|board| placed(&self.game, board)).collect()
    }
}

/// The houses of a position, the mover's first.
fn narrow(state: &State) -> Board<u64> {
    let Board { own, other } = state.board();
    Board { own: own as u64, other: other as u64 }
}

/// The position with these houses, South to move, and empty stores.
fn placed(game: &Kalah, board: &Board<u64>) -> State {
    State { rows: [board.own.into(), board.other.into()], ..game.first() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Solver;
    use ranka_search::Limits;
    use std::sync::atomic::AtomicBool;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn book(threads: usize, draft: &mut Draft) -> Book {
        let solver = Solver::new(&Kalah::standard(4, 3), None, 16).unwrap().on(threads);
        let scope = Scope { plies: 3, seeds: 16 };
        Book::make(&solver, scope, draft, &NEVER, &mut |_, _| Ok(())).unwrap().unwrap()
    }

    #[test]
    fn a_book_keeps_what_the_solver_says() {
        let made = book(1, &mut Draft::new(&Kalah::standard(4, 3)));
        assert!(made.len() > 50, "{}", made.len());
        assert_eq!(Book::read(&made.bytes()), Ok(made.clone()));
        let mut solver = Solver::new(&Kalah::standard(4, 3), None, 16).unwrap();
        let mut exact = 0;
        for state in made.positions() {
            let told = made.judge(&state).unwrap();
            assert!(made.line(&state).first().is_some_and(|best| {
                let best = told.iter().find(|(house, _)| house == best).unwrap().1;
                told.iter().all(|(_, known)| known.upper <= best.lower)
            }));
            let solved = solver.judge(&state, u64::MAX, Limits::NONE, &mut |_, _| {}).unwrap();
            for ((_, told), (_, solved)) in told.iter().zip(&solved) {
                assert!((told.lower..=told.upper).contains(&solved.lower), "{state:?}");
                exact += usize::from(told.is_exact());
            }
        }
        assert!(exact > made.len(), "other houses than the best are known as well");
    }

    #[test]
    fn threads_and_what_was_known_before_change_nothing() {
        let game = Kalah::standard(4, 3);
        let mut draft = Draft::new(&game);
        let made = book(3, &mut draft);
        assert_eq!(made, book(1, &mut Draft::new(&game)));
        let mut again = Draft::read(&draft.bytes(), &game).unwrap();
        assert_eq!(again.len(), draft.len());
        assert_eq!(book(1, &mut again), made);
    }

    #[test]
    fn a_book_that_is_cut_short_goes_on_later() {
        let game = Kalah::standard(4, 3);
        let solver = Solver::new(&game, None, 16).unwrap();
        let (mut draft, stop) = (Draft::new(&game), AtomicBool::new(false));
        let scope = Scope { plies: 3, seeds: 16 };
        let cut = Book::make(&solver, scope, &mut draft, &stop, &mut |draft, _| {
            stop.store(draft.len() > 20, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        });
        assert!(cut.unwrap().is_none());
        assert!((1..50).contains(&draft.len()), "{}", draft.len());
        assert_eq!(book(1, &mut draft), book(1, &mut Draft::new(&game)));
    }
}
