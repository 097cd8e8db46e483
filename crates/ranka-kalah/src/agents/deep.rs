//! Endgame tables for positions that would take seconds without them.
//!
//! They take some seconds to build, so they are built beside the search that first needs them, and only then. Which of two
//! tables a search has decides how long it takes, never what it finds out.

use crate::solve::Endgame;
use crate::{Kalah, Rules};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The most boards that they hold: 22 seeds in six houses a side, 365 MB.
const BOARDS: u64 = 550_000_000;

/// The tables of one game, there or on their way.
struct Deep {
    key: (usize, Rules, u32),
    table: Arc<OnceLock<Arc<Endgame>>>,
    cancel: Arc<AtomicBool>,
}

/// Those of the last game that needed any: one process has one of these large things.
static DEEP: Mutex<Option<Deep>> = Mutex::new(None);

/// The tables for a game, if they are there.
pub(super) fn ready(game: &Kalah) -> Option<Arc<Endgame>> {
    let deep = DEEP.lock().unwrap_or_else(PoisonError::into_inner);
    deep.as_ref().filter(|deep| deep.key == key(game))?.table.get().cloned()
}

/// Has the tables for a game built, unless somebody has done so.
pub(super) fn wanted(game: &Kalah) {
    let key = key(game);
    let mut deep = DEEP.lock().unwrap_or_else(PoisonError::into_inner);
    if deep.as_ref().is_some_and(|deep| deep.key == key) {
        return;
    }
    if let Some(other) = deep.take() {
        other.cancel.store(true, Ordering::Relaxed);
    }
    let (table, cancel) = (Arc::new(OnceLock::new()), Arc::new(AtomicBool::new(false)));
    *deep = Some(Deep { key, table: Arc::clone(&table), cancel: Arc::clone(&cancel) });
    let game = *game;
    let build = move || {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let bytes = Endgame::build_bytes(&game, key.2, threads)?;
        // Where there is no room for them everything goes on without.
        std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(usize::try_from(bytes).ok()?).ok()?;
        let built = Endgame::build_unless(&game, key.2, threads, &cancel, &AtomicU64::new(0))?;
        table.set(Arc::new(built)).ok()
    };
    // Nobody waits for it: where no thread can be had, there are no tables.
    drop(std::thread::Builder::new().name("kalah tables".to_owned()).spawn(build));
}

fn key(game: &Kalah) -> (usize, Rules, u32) {
    // Seeds that are more than the board has cannot be in its houses.
    let total = 2 * game.houses as u32 * game.seeds;
    (game.houses, game.rules, Endgame::affordable(game, BOARDS).min(total - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn they_come_when_somebody_wants_them_and_give_way_to_those_of_another_game() {
        let come = |game: &Kalah| {
            assert!(ready(game).is_none(), "nobody wanted them yet");
            wanted(game);
            wanted(game);
            let begun = Instant::now();
            loop {
                if let Some(table) = ready(game) {
                    return table.most();
                }
                assert!(begun.elapsed() < Duration::from_secs(60), "they are small");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let (one, other) = (Kalah::standard(2, 2), Kalah::standard(2, 3));
        assert_eq!((come(&one), come(&other)), (7, 11));
        assert!(ready(&one).is_none());
    }
}
