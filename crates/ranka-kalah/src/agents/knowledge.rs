//! What `perfect` and `strong` share: book, endgame tables, and how they tell what they know.

use crate::rules::Leftover;
use crate::solve::{Book, Endgame, Judgement, Solver};
use crate::{House, Kalah, Rules, State};
use ranka_core::{Candidate, Error, LARGE_FILE, Param, Params, Scale, Thought};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::SystemTime;

/// How large the endgame tables are that are built for an agent.
#[derive(Clone, Copy)]
pub(super) enum Tables {
    /// Half a second's work, for those who have a budget: 16 seeds on the standard board.
    Small,
    /// Two seconds' work, for who has to prove everything and is waited for: 20 seeds there.
    Large,
}

impl Tables {
    /// Up to how many seeds. Small boards are solved in no time as they are.
    fn seeds(self, game: &Kalah) -> u32 {
        let total = 2 * game.houses as u32 * game.seeds;
        let (boards, share) = match self {
            Tables::Small => (31_000_000, total / 3),
            Tables::Large => (230_000_000, total * 5 / 12),
        };
        Endgame::affordable(game, boards).min(share)
    }
}

/// Book and endgame tables of one game.
#[derive(Clone)]
pub(super) struct Knowledge {
    game: Kalah,
    tables: Option<Arc<Promised>>,
    book: Option<Arc<Book>>,
}

/// The book that they look into first.
pub(super) const BOOK: Param = Param::file(
    "book",
    &["shipped", "off"],
    "the opening book: the one that comes with Ranka, none, or a file that ranka solve wrote",
)
.added_later();

/// The endgame tables that they search with.
pub(super) const TABLES: Param = Param::file(
    "tables",
    &["built"],
    "the endgame tables: those that it builds, or a file that ranka solve --tables wrote",
)
.added_later();

impl Knowledge {
    /// What there is to know about a game, with the book and the tables that the parameters choose; rules that cannot be
    /// solved are refused.
    pub(super) fn of(game: &Kalah, params: &Params, tables: Tables) -> Result<Knowledge, Error> {
        Solver::new(game, None, 0)?;
        let book = match params.text(BOOK.key) {
            "shipped" => Book::shipped(game),
            "off" => None,
            file => Some(Arc::new(Book::load(Path::new(file), game).map_err(|error| error.at(BOOK.key))?)),
        };
        let tables = match params.text(TABLES.key) {
            "built" => Some(tables.seeds(game)).filter(|&seeds| seeds > 4).map(|seeds| built(game, seeds)),
            file => Some(loaded(game, Path::new(file)).map_err(|error| error.at(TABLES.key))?),
        };
        Ok(Knowledge { game: *game, tables, book })
    }

    /// The endgame tables. Whoever asks waits until they are there.
    pub(super) fn endgame(&self) -> Option<Arc<Endgame>> {
        self.tables.as_ref().map(|tables| tables.get())
    }

    /// A solver on one thread, so that equal games take equal effort.
    pub(super) fn solver(&self, table_bits: u32) -> Solver {
        Solver::new(&self.game, self.endgame(), table_bits).expect("the rules were checked before")
    }

    /// The margins of one position's moves differ by a multiple of it.
    pub(super) fn step(&self) -> i32 {
        if self.game.rules.leftover == Leftover::None { 1 } else { 2 }
    }

    /// What the book says.
    pub(super) fn book(&self, state: &State) -> Option<Judgement> {
        self.book.as_ref()?.judge(state)
    }

    /// How perfect players go on from a position, as far as the book tells.
    pub(super) fn line(&self, state: &State) -> Vec<House> {
        self.book.as_ref().map_or_else(Vec::new, |book| book.line(state))
    }
}

/// Endgame tables that are there, or are built when they are first needed.
struct Promised {
    game: Kalah,
    seeds: u32,
    table: OnceLock<Arc<Endgame>>,
}

impl Promised {
    fn get(&self) -> Arc<Endgame> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let build = || Endgame::build(&self.game, self.seeds, threads);
        // Built by a thread of its own: while a worker of another pool waits for ours it takes up more of its own work,
        // and that may be an agent that waits here.
        let apart = || {
            let table = std::thread::scope(|scope| scope.spawn(build).join());
            Arc::new(table.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        };
        Arc::clone(self.table.get_or_init(apart))
    }
}

/// Where a table comes from.
#[derive(PartialEq)]
enum Origin {
    Built(u32),
    /// A file as it was at that time.
    File(PathBuf, Option<SystemTime>),
}

/// One table serves all games that are played at the same time, and what was built serves later ones, too, until another
/// board is played: whoever looks at one position after the other does not wait for it each time. What was read from a
/// file goes with its last game.
fn shared(
    game: &Kalah,
    origin: Origin,
    make: impl FnOnce() -> Result<Promised, Error>,
) -> Result<Arc<Promised>, Error> {
    /// Whose tables these are, and, of what was built, who keeps them.
    type Known = ((usize, Rules, Origin), Weak<Promised>, Option<Arc<Promised>>);
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let key = (game.houses, game.rules, origin);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    for ((houses, rules, _), _, kept) in known.iter_mut() {
        if (*houses, *rules) != (game.houses, game.rules) {
            *kept = None;
        }
    }
    known.retain(|(_, tables, _)| tables.strong_count() > 0);
    let there = known.iter().find(|(of, ..)| *of == key).and_then(|(_, tables, _)| tables.upgrade());
    if let Some(tables) = there {
        return Ok(tables);
    }
    let tables = Arc::new(make()?);
    let kept = matches!(key.2, Origin::Built(_)).then(|| Arc::clone(&tables));
    known.push((key, Arc::downgrade(&tables), kept));
    Ok(tables)
}

fn built(game: &Kalah, seeds: u32) -> Arc<Promised> {
    let promise = || Ok(Promised { game: *game, seeds, table: OnceLock::new() });
    shared(game, Origin::Built(seeds), promise).expect("a promise does not fail")
}

fn loaded(game: &Kalah, path: &Path) -> Result<Arc<Promised>, Error> {
    let written = path.metadata().and_then(|about| about.modified()).ok();
    let origin = Origin::File(path.to_owned(), written);
    shared(game, origin, || {
        let table = Endgame::load(game, path, LARGE_FILE)?;
        Ok(Promised { game: *game, seeds: table.most(), table: OnceLock::from(Arc::new(table)) })
    })
}

/// A thought over what is known of the moves. A margin that is only bounded is told as at most its upper bound.
pub(super) fn thought(moves: &Judgement, choice: House, nodes: u64) -> Thought<House> {
    let candidates = moves.iter().map(|&(house, known)| Candidate {
        at_most: !known.is_exact(),
        ..Candidate::valued(house, f64::from(known.upper))
    });
    Thought { candidates: candidates.collect(), scale: Scale::Margin, nodes, ..Thought::plain(choice) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn the_standard_board_has_tables_of_16_or_20_seeds() {
        let game = Kalah::standard(6, 4);
        assert_eq!([Tables::Small, Tables::Large].map(|tables| tables.seeds(&game)), [16, 20]);
    }

    #[test]
    fn agents_are_prepared_within_a_pool() {
        for seeds in [2, 3, 4] {
            let game = Kalah::standard(5, seeds);
            let params = Params::defaults(vec![BOOK, TABLES]);
            let known =
                |_| Knowledge::of(&game, &params, Tables::Small).is_ok_and(|known| known.endgame().is_some());
            assert!((0..64).into_par_iter().with_max_len(1).all(known));
        }
    }

    #[test]
    fn large_tables_are_built_when_they_are_needed_and_once() {
        let game = Kalah::standard(4, 5);
        let params = Params::defaults(vec![BOOK, TABLES]);
        let [one, other] = [(), ()].map(|()| Knowledge::of(&game, &params, Tables::Large).unwrap());
        assert!(one.tables.as_ref().is_some_and(|tables| tables.table.get().is_none()));
        let [one, other] = [one, other].map(|knowledge| knowledge.endgame().unwrap());
        assert!(Arc::ptr_eq(&one, &other));
    }
}
