//! The board: 49 tiles, the extra tile, and the corridors that they make.

use crate::maze::{CELLS, Cell, Entry, Maze, Paths};
use crate::tile::{MOVABLE, PIECES, STATIC, Tile, Treasure};

/// Tiles on their cells and the extra tile beside them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    maze: Maze,
    tiles: [Tile; CELLS],
    extra: Tile,
}

impl Board {
    /// A board of any tiles, in the box or not.
    pub fn new(tiles: [Tile; CELLS], extra: Tile) -> Board {
        Board { maze: Maze::new(tiles.iter().map(|tile| tile.openings())), tiles, extra }
    }

    /// The tile on a cell.
    #[inline]
    pub const fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// All tiles, row by row.
    pub const fn tiles(&self) -> &[Tile; CELLS] {
        &self.tiles
    }

    /// The tile that is pushed in next.
    #[inline]
    pub const fn extra(&self) -> Tile {
        self.extra
    }

    /// The corridors.
    #[inline]
    pub const fn maze(&self) -> &Maze {
        &self.maze
    }

    /// Where one can walk.
    #[inline]
    pub const fn paths(&self) -> Paths {
        self.maze.paths()
    }

    /// Where a treasure lies; nothing if it is on the extra tile.
    pub fn find(&self, treasure: Treasure) -> Option<Cell> {
        self.tiles.iter().position(|tile| tile.treasure() == Some(treasure)).map(Cell::new)
    }

    /// Turns the extra tile to `rotation` and pushes it in; the tile that drops out is the new extra tile.
    #[inline]
    pub fn push(&mut self, entry: Entry, rotation: u8) {
        let tile = Tile::new(self.extra.piece(), rotation);
        self.maze.push(entry, tile.openings());
        self.extra = entry.slide(&mut self.tiles, tile);
    }

    /// Why these are not the tiles of the box, if they are not.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let statics = Cell::all().filter(|cell| cell.is_static());
        for (cell, known) in statics.zip(STATIC) {
            let tile = self.tile(cell);
            if tile != known {
                return Some(format!("the tile at {cell} is {tile}, but {known} is fixed there"));
            }
        }
        let mut missing = [0i32; PIECES];
        for piece in MOVABLE {
            missing[piece.index()] += 1;
        }
        let movable = Cell::all().filter(|cell| !cell.is_static()).map(|cell| self.tile(cell));
        for tile in movable.chain([self.extra]) {
            missing[tile.piece().index()] -= 1;
            if missing[tile.piece().index()] < 0 {
                let upright = Tile::new(tile.piece(), 0).to_string().replace('0', "");
                return Some(format!("there are more tiles {upright} than the box has"));
            }
        }
        None
    }
}
