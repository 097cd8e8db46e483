//! What `perfect` and `strong` share: book, endgame tables, and how they tell what they know.

use crate::solve::{Book, Endgame, Judgement, Solver};
use crate::{House, Kalah, Rules, State};
use ranka_core::{Candidate, Error, Param, Params, Scale, Thought};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

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

impl Knowledge {
    /// What there is to know about a game, with the book that the parameter chooses; rules that cannot be solved are
    /// refused.
    pub(super) fn of(game: &Kalah, params: &Params, tables: Tables) -> Result<Knowledge, Error> {
        Solver::new(game, None, 0)?;
        let book = match params.text(BOOK.key) {
            "shipped" => Book::shipped(game),
            "off" => None,
            file => Some(Arc::new(Book::load(Path::new(file), game).map_err(|error| error.at(BOOK.key))?)),
        };
        let seeds = tables.seeds(game);
        let endgame = (seeds > 4).then(|| shared(game, seeds));
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

/// One table serves all games that are played at the same time.
fn shared(game: &Kalah, seeds: u32) -> Arc<Endgame> {
    static TABLES: OnceLock<Mutex<Vec<((usize, Rules, u32), Weak<Endgame>)>>> = OnceLock::new();
    let key = (game.houses, game.rules, seeds);
    let mut tables = TABLES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    tables.retain(|(_, table)| table.strong_count() > 0);
    let found = tables.iter().find(|(known, _)| *known == key).and_then(|(_, table)| table.upgrade());
    found.unwrap_or_else(|| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let build = || Endgame::build(game, seeds, threads);
        // Built by a thread of its own: while a worker of another pool waits for ours it takes up more of its own work,
        // and that may be an agent that waits here.
        let table = std::thread::scope(|scope| scope.spawn(build).join());
        let table = Arc::new(table.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        tables.push((key, Arc::downgrade(&table)));
        table
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
    fn the_standard_board_has_tables_of_16_or_18_seeds() {
        let game = Kalah::standard(6, 4);
        assert_eq!([Tables::Small, Tables::Large].map(|tables| tables.seeds(&game)), [16, 18]);
    }

    #[test]
    fn agents_are_prepared_within_a_pool() {
        for seeds in [2, 3, 4] {
            let game = Kalah::standard(5, seeds);
            let params = Params::defaults(vec![BOOK]);
            let known =
                |_| Knowledge::of(&game, &params, Tables::Small).is_ok_and(|known| known.endgame.is_some());
            assert!((0..64).into_par_iter().with_max_len(1).all(known));
        }
    }
}
