//! How a book is made: the positions of a ply in parallel, each on one thread.

use super::file::Draft;
use super::walk::{Scope, seeds, walk};
use super::{Board, Book, Page, placed};
use crate::rules::Rules;
use crate::solve::{Judgement, Solver};
use ranka_core::Error;
use ranka_search::Limits;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

impl Book {
    /// Solves what a book of `solver`'s game holds, as far as `draft` does not know it, and adds it to the draft.
    /// Nothing if cancelled. `report` hears of the draft after each position, and how many of the ply are still to
    /// come; its errors end the work.
    pub fn make(
        solver: &Solver,
        scope: Scope,
        draft: &mut Draft,
        cancel: &AtomicBool,
        report: &mut (dyn FnMut(&Draft, usize) -> Result<(), Error> + Send),
    ) -> Result<Option<Book>, Error> {
        let game = *solver.game();
        if game.rules != Rules::STANDARD || game.houses > 6 {
            return Err(Error::input("books are for the standard rules and up to six houses"));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(solver.threads()).build();
        let pool = pool.map_err(|error| Error::input(format!("threads for the book: {error}")))?;
        let limits = Limits { cancel, ..Limits::NONE };
        let positions = walk(&game, scope, |boards| {
            let mut open: Vec<Board<u64>> =
                boards.iter().copied().filter(|board| !draft.pages.contains_key(board)).collect();
            // Those with many seeds first, so that no thread is left with a long one at the end.
            open.sort_by_key(|board| Reverse(seeds(board)));
            let shared = Mutex::new((&mut *draft, open.len(), &mut *report));
            pool.install(|| {
                open.par_iter().with_max_len(1).try_for_each_init(
                    || solver.fork(),
                    |solver, board| {
                        // Small positions are solved before a search looks up.
                        if cancel.load(Ordering::Relaxed) {
                            return Err(None);
                        }
                        let state = placed(&game, board);
                        let judged = solver.judge(&state, 0, limits, &mut |_, _| {}).map_err(|_| None)?;
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (draft, left, report) = &mut *shared;
                        draft.pages.insert(*board, page(&judged));
                        *left -= 1;
                        report(draft, *left).map_err(Some)
                    },
                )
            })?;
            Ok(boards.iter().map(|board| draft.pages[board]).collect())
        });
        match positions {
            Ok(positions) => Ok(Some(Book { game, scope, positions })),
            Err(Some(error)) => Err(error),
            Err(None) => Ok(None),
        }
    }
}

/// What was found of a position with empty stores.
fn page(judged: &Judgement) -> Page {
    let value = judged.iter().map(|(_, known)| known.lower).max().unwrap_or(0);
    let keeps = judged.iter().filter(|(_, known)| known.lower == value && known.is_exact());
    let best = keeps.filter_map(|(house, _)| house.index()).fold(0, |mask, house| mask | 1 << house);
    Page { value: value as i8, best }
}
