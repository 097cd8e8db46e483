//! The board as a player sees it who only asks where one can get by one push: corridors, the tile beside the board and
//! the push that may not be taken back. It copies in 40 bytes; treasures are kept beside it, as places.

use crate::action::Push;
use crate::board::Board;
use crate::maze::{CELLS, Cell, Entry, Maze, Paths};
use crate::tile::Openings;

/// The place of a tile: the number of its cell, or this beside the board.
pub(super) const BESIDE: usize = CELLS;
/// The most pushes that differ.
pub(super) const PUSHES: usize = 48;

/// Corridors, extra tile, last push.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    maze: Maze,
    extra: Openings,
    last: Option<Entry>,
}

/// The rotations of a tile that differ.
fn rotations(tile: Openings) -> &'static [Openings] {
    const I: [Openings; 2] = [Openings::from_bits(0b0101), Openings::from_bits(0b1010)];
    const L: [Openings; 4] = [
        Openings::from_bits(0b0011),
        Openings::from_bits(0b0110),
        Openings::from_bits(0b1100),
        Openings::from_bits(0b1001),
    ];
    const T: [Openings; 4] = [
        Openings::from_bits(0b0111),
        Openings::from_bits(0b1110),
        Openings::from_bits(0b1101),
        Openings::from_bits(0b1011),
    ];
    match tile.bits().count_ones() {
        3 => &T,
        _ if matches!(tile.bits(), 0b0101 | 0b1010) => &I,
        _ => &L,
    }
}

/// Where a tile lies after a push at `entry`.
#[inline]
pub(super) fn moved(entry: Entry, place: usize) -> usize {
    if place == BESIDE {
        return entry.cell().index();
    }
    entry.carried(Cell::new(place)).map_or(BESIDE, Cell::index)
}

/// The places before a push at `entry` of tiles that lie on `set` after it.
#[inline]
pub(super) fn tiles_before(entry: Entry, set: u64) -> u64 {
    let on_board = entry.opposite().carried_set(set & !(1 << BESIDE));
    let inserted = set >> entry.cell().index() & 1;
    let dropped = set >> BESIDE & 1;
    on_board | inserted << BESIDE | dropped << entry.far().index()
}

/// The cells before a push at `entry` of pawns that stand on `set` after it.
#[inline]
pub(super) fn pawns_before(entry: Entry, set: u64) -> u64 {
    let dropped = set >> entry.cell().index() & 1;
    entry.opposite().carried_set(set) | dropped << entry.far().index()
}

impl Ground {
    pub(super) fn new(board: &Board, last: Option<Entry>) -> Ground {
        Ground { maze: *board.maze(), extra: board.extra().openings(), last }
    }

    /// Where one can walk.
    #[inline]
    pub(super) fn paths(&self) -> Paths {
        self.maze.paths()
    }

    /// The entries that may be pushed at.
    #[inline]
    fn entries(&self) -> impl Iterator<Item = Entry> + use<> {
        let forbidden = self.last.map(Entry::opposite);
        Entry::all().filter(move |&entry| Some(entry) != forbidden)
    }

    /// The pushes that differ, in standard order.
    #[inline]
    pub(super) fn pushes(&self) -> impl Iterator<Item = Push> + use<> {
        let turns = rotations(self.extra).len() as u8;
        self.entries().flat_map(move |entry| (0..turns).map(move |rotation| Push { entry, rotation }))
    }

    /// The board after a push.
    #[inline]
    pub(super) fn after(&self, push: Push) -> Ground {
        let Push { entry, rotation } = push;
        let mut next = Ground { extra: self.maze.openings(entry.far()), last: Some(entry), ..*self };
        let turned = rotations(self.extra);
        next.maze.push(entry, turned[rotation as usize % turned.len()]);
        next
    }

    /// For each push that differs, in standard order, the places (as they are now) of the tiles to which a pawn on
    /// `from` could walk after it; answers how many there are.
    #[inline]
    pub(super) fn reaches(&self, from: Cell, out: &mut [u64; PUSHES]) -> usize {
        let mut n = 0;
        for entry in self.entries() {
            let start = entry.carried_pawn(from);
            let closed = self.closed(entry);
            let near = closed.paths().region(start);
            for &tile in rotations(self.extra) {
                out[n] = tiles_before(entry, closed.opened(entry, tile).flood(near));
                n += 1;
            }
        }
        n
    }

    /// The places (as they are now) of all tiles that a pawn on `from` can reach by one push.
    #[inline]
    pub(super) fn within_a_turn(&self, from: Cell) -> u64 {
        let mut all = 0;
        for entry in self.entries() {
            let start = entry.carried_pawn(from);
            let closed = self.closed(entry);
            let near = closed.paths().region(start);
            let mut reached = near;
            for &tile in rotations(self.extra) {
                reached |= closed.opened(entry, tile).flood(near);
            }
            all |= tiles_before(entry, reached);
        }
        all
    }

    /// The cells from which one can get to the tile on `place` by one push.
    #[inline]
    pub(super) fn a_turn_from(&self, place: usize) -> u64 {
        let mut all = 0;
        for entry in self.entries() {
            let at = moved(entry, place);
            if at == BESIDE {
                continue;
            }
            let closed = self.closed(entry);
            let near = closed.paths().flood(1 << at);
            let mut reached = near;
            for &tile in rotations(self.extra) {
                reached |= closed.opened(entry, tile).flood(near);
            }
            all |= pawns_before(entry, reached);
        }
        all
    }

    /// The board after a push at `entry` with the new tile still shut.
    #[inline]
    fn closed(&self, entry: Entry) -> Shifted {
        let mut maze = self.maze;
        maze.push(entry, Openings::from_bits(0));
        Shifted { maze }
    }
}

/// A board whose line has slid and whose new tile is not in yet, or is shut: what the rotations of one entry share.
#[derive(Clone, Copy)]
struct Shifted {
    maze: Maze,
}

impl Shifted {
    #[inline]
    fn paths(&self) -> Paths {
        self.maze.paths()
    }

    /// Where one can walk with the new tile in.
    #[inline]
    fn opened(&self, entry: Entry, tile: Openings) -> Paths {
        self.maze.opened(entry.cell(), tile).paths()
    }
}
