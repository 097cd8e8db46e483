//! The deal: tiles on the board, cards into an order.

use crate::board::Board;
use crate::cards::Card;
use crate::maze::{CELLS, Cell, Paths};
use crate::tile::{MOVABLE, STATIC, TREASURES, Tile, Treasure};
use ranka_core::Rng;

/// The names of the shuffles.
pub(crate) const SHUFFLES: &[&str] = &[
    "uniform",
    "max-region-2",
    "max-region-3",
    "max-region-4",
    "max-region-5",
    "max-region-6",
    "max-region-7",
];

/// How the tiles are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shuffle {
    /// As they fall: any order, any rotation.
    Uniform,
    /// Then repaired until no region has more cells than this and no corner is joined to anything.
    MaxRegion(u32),
}

impl Shuffle {
    /// The shuffle of this name, which is one of [`SHUFFLES`].
    pub(crate) fn named(name: &str) -> Shuffle {
        let most = name.strip_prefix("max-region-").and_then(|most| most.parse().ok());
        most.map_or(Shuffle::Uniform, Shuffle::MaxRegion)
    }

    pub(crate) fn board(self, rng: &mut Rng) -> Board {
        let board = uniform(rng);
        match self {
            Shuffle::Uniform => board,
            Shuffle::MaxRegion(most) => repaired(board, most, rng),
        }
    }
}

/// The cards in any order.
pub(crate) fn deck(rng: &mut Rng) -> [Card; TREASURES] {
    let mut deck = std::array::from_fn(|i| Card::of(Treasure::new(i)));
    rng.shuffle(&mut deck);
    deck
}

fn uniform(rng: &mut Rng) -> Board {
    let mut pieces = MOVABLE;
    rng.shuffle(&mut pieces);
    let mut movable = pieces.map(|piece| Tile::new(piece, rng.below(4) as u8)).into_iter();
    let mut fixed = STATIC.into_iter();
    let tiles = std::array::from_fn(|cell| {
        let next = if Cell::new(cell).is_static() { fixed.next() } else { movable.next() };
        next.expect("49 tiles lie on 49 cells")
    });
    Board::new(tiles, movable.next().expect("one tile is left over"))
}

/// Changes tiles at random, never for the worse, until the regions are small. Even the smallest allowed
/// regions take a few thousand trials.
fn repaired(board: Board, most: u32, rng: &mut Rng) -> Board {
    let movable: Vec<usize> = (0..CELLS).filter(|&cell| !Cell::new(cell).is_static()).collect();
    let mut best = board;
    let mut excess = joined(best.paths(), most);
    while excess > 0 {
        let (mut tiles, mut extra) = (*best.tiles(), best.extra());
        let cell = rng.pick(&movable);
        match rng.below(3) {
            0 => tiles[cell] = Tile::new(tiles[cell].piece(), rng.below(4) as u8),
            1 => std::mem::swap(&mut tiles[cell], &mut extra),
            _ => tiles.swap(cell, rng.pick(&movable)),
        }
        let trial = Board::new(tiles, extra);
        let trial_excess = joined(trial.paths(), most);
        if trial_excess <= excess {
            (best, excess) = (trial, trial_excess);
        }
    }
    best
}

/// How many cells are joined to regions that should not have them.
fn joined(paths: Paths, most: u32) -> u32 {
    let mut excess = 0;
    let mut left: u64 = (1 << CELLS) - 1;
    while left != 0 {
        let region = paths.flood(left & left.wrapping_neg());
        left &= !region;
        let allowed = if Cell::CORNERS.iter().any(|corner| region & corner.bit() != 0) { 1 } else { most };
        excess += region.count_ones().saturating_sub(allowed);
    }
    excess
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::Seed;

    #[test]
    fn every_shuffle_keeps_its_promise() {
        let mut rng = Rng::new(Seed::new(1));
        for most in 2..=7 {
            for _ in 0..5 {
                let board = Shuffle::MaxRegion(most).board(&mut rng);
                assert_eq!(board.contradiction(), None);
                assert_eq!(joined(board.paths(), most), 0);
                let largest = Cell::all().map(|cell| board.paths().region(cell).count_ones()).max();
                assert!(largest <= Some(most), "{largest:?} cells");
                for corner in Cell::CORNERS {
                    assert_eq!(board.paths().region(corner), corner.bit());
                }
            }
        }
    }

    /// Every piece must come to every free place, the one beside the board included, equally often, and so
    /// must rotations.
    #[test]
    fn the_uniform_shuffle_is_uniform() {
        let mut rng = Rng::new(Seed::new(2));
        let (mut straights, mut upright) = ([0u32; CELLS + 1], 0u32);
        let deals = 20_000;
        for _ in 0..deals {
            let board = uniform(&mut rng);
            for (place, tile) in board.tiles().iter().chain([&board.extra()]).enumerate() {
                straights[place] += u32::from(tile.shape().rotations() == 2);
            }
            upright += u32::from(board.tile(Cell::new(1)).rotation() == 0);
        }
        for (place, &count) in straights.iter().enumerate() {
            let fixed = place < CELLS && Cell::new(place).is_static();
            let expected = if fixed { 0.0 } else { f64::from(deals) * 12.0 / 34.0 };
            assert!((f64::from(count) - expected).abs() < 350.0, "{count} straights at {place}");
        }
        // A straight is upright half of the time, the others a quarter.
        let expected = f64::from(deals) * (12.0 / 34.0 / 2.0 + 22.0 / 34.0 / 4.0);
        assert!((f64::from(upright) - expected).abs() < 350.0, "{upright} upright");
    }
}
