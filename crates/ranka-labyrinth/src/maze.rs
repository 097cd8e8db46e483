//! The corridors as bit boards: which cells are open to which side, what a push does to them, and where one can
//! walk. Bit `7 * y + x` is the cell (x, y).

use crate::tile::{Direction, Openings};
use std::fmt;

/// Cells a side.
pub const SIDE: usize = 7;
/// Cells in all.
pub const CELLS: usize = SIDE * SIDE;

/// A cell, counted row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The four corners clockwise from the top left.
    pub const CORNERS: [Cell; 4] = [Cell(0), Cell(6), Cell(48), Cell(42)];

    /// The cell with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub const fn new(index: usize) -> Cell {
        assert!(index < CELLS, "the board has 49 cells");
        Cell(index as u8)
    }

    /// The cell in column `x` and row `y`.
    pub const fn at(x: usize, y: usize) -> Cell {
        assert!(x < SIDE, "the board has seven columns");
        Cell::new(SIDE * y + x)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its column.
    #[inline]
    pub const fn x(self) -> usize {
        self.index() % SIDE
    }

    /// Its row.
    #[inline]
    pub const fn y(self) -> usize {
        self.index() / SIDE
    }

    /// The set of this cell alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Whether its tile never moves.
    #[inline]
    pub const fn is_static(self) -> bool {
        STATIC_CELLS & self.bit() != 0
    }

    /// Whether its tile can be moved along one line only.
    #[inline]
    pub const fn is_two_way(self) -> bool {
        TWO_WAY_CELLS & self.bit() != 0
    }

    /// All cells.
    pub fn all() -> impl ExactSizeIterator<Item = Cell> {
        (0..CELLS).map(Cell::new)
    }
}

/// As in notation: `x,y`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

/// The cells in a set, in order.
pub fn cells(mut set: u64) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| Cell(set.trailing_zeros() as u8));
        set &= set.wrapping_sub(1);
        first
    })
}

const ROW: u64 = 0x7f;
const COLUMN: u64 = 0x0000_0408_1020_4081;
const EVEN_ROWS: u64 = ROW | ROW << 14 | ROW << 28 | ROW << 42;
const EVEN_COLUMNS: u64 = COLUMN | COLUMN << 2 | COLUMN << 4 | COLUMN << 6;
const LAST_COLUMN: u64 = COLUMN << 6;
pub(crate) const STATIC_CELLS: u64 = EVEN_ROWS & EVEN_COLUMNS;
const TWO_WAY_CELLS: u64 = EVEN_ROWS ^ EVEN_COLUMNS;

/// One of the twelve places where a tile can be pushed in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry(u8);

/// How many there are.
pub const ENTRIES: usize = 12;

/// What a push at an entry does to its line.
struct Line {
    cell: u8,
    mask: u64,
    /// The line moves by shifting left, then right; one of the two is 0.
    left: u8,
    right: u8,
    far: u8,
}

const LINES: [Line; ENTRIES] = {
    const fn line(cell: usize, direction: Direction) -> Line {
        let (x, y) = (cell % SIDE, cell / SIDE);
        let (mask, far) = match direction {
            Direction::Up | Direction::Down => (COLUMN << x, (SIDE - 1 - y) * SIDE + x),
            Direction::Left | Direction::Right => (ROW << (SIDE * y), SIDE * y + SIDE - 1 - x),
        };
        let (left, right) = match direction {
            Direction::Up => (0, 7),
            Direction::Right => (1, 0),
            Direction::Down => (7, 0),
            Direction::Left => (0, 1),
        };
        Line { cell: cell as u8, mask, left, right, far: far as u8 }
    }
    [
        line(1, Direction::Down),
        line(3, Direction::Down),
        line(5, Direction::Down),
        line(13, Direction::Left),
        line(27, Direction::Left),
        line(41, Direction::Left),
        line(47, Direction::Up),
        line(45, Direction::Up),
        line(43, Direction::Up),
        line(35, Direction::Right),
        line(21, Direction::Right),
        line(7, Direction::Right),
    ]
};

impl Entry {
    /// The entry with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub const fn new(index: usize) -> Entry {
        assert!(index < ENTRIES, "the board has twelve entries");
        Entry(index as u8)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All entries in standard order.
    pub fn all() -> impl ExactSizeIterator<Item = Entry> + Clone {
        (0..ENTRIES).map(Entry::new)
    }

    #[inline]
    const fn line(self) -> &'static Line {
        &LINES[self.index()]
    }

    /// The cell where the new tile comes to lie.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell(self.line().cell)
    }

    /// The cell whose tile leaves the board.
    #[inline]
    pub const fn far(self) -> Cell {
        Cell(self.line().far)
    }

    /// Where the line moves.
    pub const fn direction(self) -> Direction {
        match self.0 {
            0..=2 => Direction::Down,
            3..=5 => Direction::Left,
            6..=8 => Direction::Up,
            _ => Direction::Right,
        }
    }

    /// The entry at the other end of the line, which would take the push back.
    #[inline]
    pub const fn opposite(self) -> Entry {
        Entry(if matches!(self.0, 0..=2 | 6..=8) { 8 - self.0 } else { 14 - self.0 })
    }

    /// The cells of its line.
    #[inline]
    pub const fn cells(self) -> u64 {
        self.line().mask
    }

    /// Where the tile on `cell` comes to lie; nothing if it leaves the board.
    #[inline]
    pub const fn carried(self, cell: Cell) -> Option<Cell> {
        let line = self.line();
        if line.mask & cell.bit() == 0 {
            Some(cell)
        } else if cell.0 == line.far {
            None
        } else {
            Some(Cell(if line.left > 0 { cell.0 + line.left } else { cell.0 - line.right }))
        }
    }

    /// Where a pawn on `cell` comes to stand: with its tile, or on the new tile if its own leaves.
    #[inline]
    pub const fn carried_pawn(self, cell: Cell) -> Cell {
        match self.carried(cell) {
            Some(cell) => cell,
            None => self.cell(),
        }
    }

    /// A set of tiles' cells after the push, the tile that comes in not among them.
    #[inline]
    pub const fn carried_set(self, set: u64) -> u64 {
        let line = self.line();
        let moved = (set & line.mask) << line.left >> line.right;
        set & !line.mask | moved & line.mask
    }

    /// Moves whatever lies on the cells, puts `new` in and gives back what drops out.
    #[inline]
    pub fn slide<T: Copy>(self, lying: &mut [T; CELLS], new: T) -> T {
        let line = self.line();
        let out = lying[line.far as usize];
        let step = (line.left + line.right) as usize;
        if line.left > 0 {
            for i in (0..SIDE - 1).rev() {
                let at = line.cell as usize + i * step;
                lying[at + step] = lying[at];
            }
        } else {
            for i in (0..SIDE - 1).rev() {
                let at = line.cell as usize - i * step;
                lying[at - step] = lying[at];
            }
        }
        lying[line.cell as usize] = new;
        out
    }
}

/// For each direction the set of cells that are open towards it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Maze {
    open: [u64; 4],
}

impl Maze {
    /// The maze of tiles with these openings.
    pub fn new(tiles: impl Iterator<Item = Openings>) -> Maze {
        let mut open = [0; 4];
        for (cell, tile) in tiles.enumerate() {
            for (set, direction) in open.iter_mut().zip(Direction::ALL) {
                *set |= u64::from(tile.has(direction)) << cell;
            }
        }
        Maze { open }
    }

    /// Pushes a tile with these openings in.
    #[inline]
    pub const fn push(&mut self, entry: Entry, tile: Openings) {
        let mut d = 0;
        while d < 4 {
            let new = (tile.bits() >> d & 1) as u64;
            self.open[d] = entry.carried_set(self.open[d]) | new << entry.cell().0;
            d += 1;
        }
    }

    /// The same with more openings on a cell.
    #[inline]
    pub(crate) const fn opened(mut self, cell: Cell, tile: Openings) -> Maze {
        let mut d = 0;
        while d < 4 {
            self.open[d] |= ((tile.bits() >> d & 1) as u64) << cell.0;
            d += 1;
        }
        self
    }

    /// The openings of the tile on a cell.
    #[inline]
    pub const fn openings(&self, cell: Cell) -> Openings {
        let mut bits = 0;
        let mut d = 0;
        while d < 4 {
            bits |= ((self.open[d] >> cell.0 & 1) as u8) << d;
            d += 1;
        }
        Openings::from_bits(bits)
    }

    /// Where neighbouring tiles are open towards each other.
    #[inline]
    pub const fn paths(&self) -> Paths {
        let [up, right, down, left] = self.open;
        Paths { east: right & left >> 1 & !LAST_COLUMN, south: down & up >> SIDE }
    }
}

/// Where one can walk: `east` has the cells from which one can go right, `south` those from which down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paths {
    east: u64,
    south: u64,
}

impl Paths {
    /// All cells that can be reached from those in `from`, these included.
    #[inline]
    pub const fn flood(self, from: u64) -> u64 {
        let mut reached = from;
        loop {
            let step = self.step(self.step(reached));
            if step == reached {
                return reached;
            }
            reached = step;
        }
    }

    /// All cells that can be reached from `from`, itself included.
    #[inline]
    pub const fn region(self, from: Cell) -> u64 {
        self.flood(from.bit())
    }

    #[inline]
    pub(crate) const fn step(self, set: u64) -> u64 {
        set | (set & self.east) << 1
            | set >> 1 & self.east
            | (set & self.south) << SIDE
            | set >> SIDE & self.south
    }

    /// The cells that can be reached from `from` in standard order: nearest first, and as they are found by
    /// trying up, right, down, left.
    pub fn walk(self, from: Cell) -> Walk {
        let mut order = [from; CELLS];
        let (mut read, mut found) = (0, 1);
        let mut seen = from.bit();
        while read < found {
            let at = order[read];
            read += 1;
            let bit = at.bit();
            let neighbours = [
                bit >> SIDE & self.south,
                (bit & self.east) << 1,
                (bit & self.south) << SIDE,
                bit >> 1 & self.east,
            ];
            for neighbour in neighbours {
                if neighbour & !seen != 0 {
                    seen |= neighbour;
                    order[found] = Cell(neighbour.trailing_zeros() as u8);
                    found += 1;
                }
            }
        }
        Walk { order, len: found }
    }
}

/// Cells in the order in which a walk finds them.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    order: [Cell; CELLS],
    len: usize,
}

impl std::ops::Deref for Walk {
    type Target = [Cell];

    #[inline]
    fn deref(&self) -> &[Cell] {
        &self.order[..self.len]
    }
}
