//! What `perfect` and `strong` share: book, endgame tables, and how they tell what they know.

use crate::solve::{Book, Endgame, Judgement, Solver};
use crate::{House, Kalah, Rules, State};
use ranka_core::{Candidate, Error, LARGE_FILE, Param, Params, Scale, Thought};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// How large the endgame tables are that are built when an agent is prepared.
#[derive(Clone, Copy)]
pub(super) enum Tables {
    /// Half a second's work, for those who have a budget: 16 seeds on the standard board.
    Small,
    /// A second's work, for who has to prove everything and is waited for: 18 seeds there.
    Large,
}

impl Tables {
    /// Up to how many seeds. Small boards are solved in no time as they are.
    fn seeds(self, game: &Kalah) -> u32 {
        let total = 2 * game.houses as u32 * game.seeds;
        let (boards, share) = match self {
            Tables::Small => (31_000_000, total / 3),
            Tables::Large => (90_000_000, total * 3 / 8),
        };
        Endgame::affordable(game, boards).min(share)
    }
}

/// Book and endgame tables of one game.
#[derive(Clone)]
pub(super) struct Knowledge {
    game: Kalah,
    pub(super) endgame: Option<Arc<Endgame>>,
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
    "the endgame tables: those that are built when it is prepared, or a file that ranka solve --tables wrote",
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
        let endgame = match params.text(TABLES.key) {
            "built" => Some(tables.seeds(game)).filter(|&seeds| seeds > 4).map(|seeds| built(game, seeds)),
            file => Some(loaded(game, Path::new(file)).map_err(|error| error.at(TABLES.key))?),
        };
        Ok(Knowledge { game: *game, endgame, book })
    }

    /// A solver on one thread, so that equal games take equal effort.
    pub(super) fn solver(&self, table_bits: u32) -> Solver {
        Solver::new(&self.game, self.endgame.clone(), table_bits).expect("the rules were checked before")
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

/// Where a table comes from.
#[derive(PartialEq)]
enum Origin {
    Built(u32),
    /// A file as it was at that time.
    File(PathBuf, Option<SystemTime>),
}

/// One table serves all games that are played at the same time.
fn shared(
    game: &Kalah,
    origin: Origin,
    make: impl FnOnce() -> Result<Endgame, Error>,
) -> Result<Arc<Endgame>, Error> {
    type Known = ((usize, Rules, Origin), Weak<Endgame>);
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let key = (game.houses, game.rules, origin);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|(_, table)| table.strong_count() > 0);
    if let Some(table) = known.iter().find(|(of, _)| *of == key).and_then(|(_, table)| table.upgrade()) {
        return Ok(table);
    }
    let table = Arc::new(make()?);
    known.push((key, Arc::downgrade(&table)));
    Ok(table)
}

fn built(game: &Kalah, seeds: u32) -> Arc<Endgame> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let build = || Endgame::build(game, seeds, threads);
    // Built by a thread of its own: while a worker of another pool waits for ours it takes up more of its own work, and
    // that may be an agent that waits here.
    let make = || {
        let table = std::thread::scope(|scope| scope.spawn(build).join());
        Ok(table.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    };
    shared(game, Origin::Built(seeds), make).expect("building does not fail")
}

fn loaded(game: &Kalah, path: &Path) -> Result<Arc<Endgame>, Error> {
    let written = path.metadata().and_then(|about| about.modified()).ok();
    let origin = Origin::File(path.to_owned(), written);
    shared(game, origin, || Endgame::load(game, path, LARGE_FILE))
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
    fn the_standard_board_has_tables_of_16_or_18_seeds() {
        let game = Kalah::standard(6, 4);
        assert_eq!([Tables::Small, Tables::Large].map(|tables| tables.seeds(&game)), [16, 18]);
    }

    #[test]
    fn agents_are_prepared_within_a_pool() {
        for seeds in [2, 3, 4] {
            let game = Kalah::standard(5, seeds);
            let params = Params::defaults(vec![BOOK, TABLES]);
            let known =
                |_| Knowledge::of(&game, &params, Tables::Small).is_ok_and(|known| known.endgame.is_some());
            assert!((0..64).into_par_iter().with_max_len(1).all(known));
        }
    }
}
