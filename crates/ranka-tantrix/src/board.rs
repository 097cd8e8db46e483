//! The tiles on the table, and everything about them that the rules ask for, kept up to date from tile to
//! tile: the cells around them, forced spaces, controlled sides, and the two ends of every line.
//!
//! Cells are numbered as they become known: a tile makes its six neighbours known. A tile lies on a known
//! cell and shares two of its neighbours with the tile beside it, so it adds at most three cells: 172 are
//! enough for all 56 tiles in any shape, and copying a board copies a few kilobytes and follows no pointer.

use crate::cells::{CellSet, Cells, Id, MOST_CELLS, NOWHERE};
use crate::hand::{Hand, Turned};
use crate::hex::{Extent, Hex, opposite};
use crate::tiles::{Colour, LINKS, SHOWING, TILES, Tile, TileSet};

/// A line: a maximal chain of links of one colour.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// The empty cells into which it points, with the side of that cell where it arrives. A loop has none, and
    /// a line that was joined to another is gone.
    ends: [(Id, u8); 2],
    length: u8,
    colour: Colour,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Loop,
    Gone,
}

/// A line on the board, as others see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its colour.
    pub colour: Colour,
    /// Its tiles.
    pub length: usize,
    /// The empty cells into which its ends point; nothing for a loop.
    pub ends: Option<[Hex; 2]>,
}

impl Line {
    /// What it scores: 1 a tile, twice that in a loop.
    pub const fn points(&self) -> i32 {
        self.length as i32 * if self.ends.is_some() { 1 } else { 2 }
    }
}

/// Enough for three lines of each tile.
const MOST_CHAINS: usize = 3 * TILES;

/// No line.
const NO_CHAIN: u8 = u8::MAX;

/// The tiles on the table.
#[derive(Clone)]
pub struct Board {
    cells: Cells,
    /// For each empty cell, the sides where a tile lies.
    occupied: [u8; MOST_CELLS],
    /// For each cell and side where a tile lies, the number of the line that arrives there.
    arriving: [[u8; 6]; MOST_CELLS],
    /// For each empty cell with two tiles that show it the same colour, this colour and 1; else 0.
    doubled: [u8; MOST_CELLS],
    chains: [Chain; MOST_CHAINS],
    chain_count: u8,
    tiles: u8,
    /// Whether restrictions hold: no longer once the bag is empty.
    restricted: bool,
    /// Empty cells beside a tile.
    frontier: CellSet,
    /// Empty cells with three or more tiles around them.
    crowded: CellSet,
    /// Cells on controlled sides (rule C), and cells beside a crowded one (rule B); none without restrictions.
    controlled: CellSet,
    beside: CellSet,
    best: [u8; 4],
    /// How far the tiles reach; the first lies at the origin.
    extent: Extent,
}

/// The tiles that fit a cell, one set for each rotation.
pub(crate) type Fits = [u64; 6];

impl Board {
    /// The empty table, with restrictions.
    pub fn new() -> Board {
        let gone = Chain { ends: [(NOWHERE, 0); 2], length: 0, colour: Colour::Blue, kind: Kind::Gone };
        Board {
            cells: Cells::new(),
            occupied: [0; MOST_CELLS],
            arriving: [[NO_CHAIN; 6]; MOST_CELLS],
            doubled: [0; MOST_CELLS],
            chains: [gone; MOST_CHAINS],
            chain_count: 0,
            tiles: 0,
            restricted: true,
            frontier: CellSet::NONE,
            crowded: CellSet::NONE,
            controlled: CellSet::NONE,
            beside: CellSet::NONE,
            best: [0; 4],
            extent: Extent::default(),
        }
    }

    /// How many tiles lie on it.
    #[inline]
    pub fn tiles(&self) -> usize {
        self.tiles as usize
    }

    /// Whether restrictions A, B and C hold.
    #[inline]
    pub fn restricted(&self) -> bool {
        self.restricted
    }

    /// Lifts the restrictions: the endgame begins.
    pub fn lift(&mut self) {
        self.restricted = false;
        self.controlled = CellSet::NONE;
        self.beside = CellSet::NONE;
    }

    /// The best score of a colour: its longest line, loops doubled.
    #[inline]
    pub fn score(&self, colour: Colour) -> i32 {
        i32::from(self.best[colour as usize])
    }

    /// All lines of a colour, in no particular order.
    pub fn lines(&self, colour: Colour) -> impl Iterator<Item = Line> + '_ {
        self.chains().filter(move |chain| chain.colour == colour).map(move |chain| Line {
            colour,
            length: usize::from(chain.length),
            ends: (chain.kind == Kind::Open).then(|| chain.ends.map(|(cell, _)| self.cells.at(cell))),
        })
    }

    fn chains(&self) -> impl Iterator<Item = &Chain> {
        self.chains[..usize::from(self.chain_count)].iter().filter(|chain| chain.kind != Kind::Gone)
    }

    /// The lines of a colour for judging: points, length, and the cells at the ends unless it is a loop.
    pub(crate) fn ends(&self, colour: Colour) -> impl Iterator<Item = (u8, Option<[Id; 2]>)> + '_ {
        self.chains().filter(move |chain| chain.colour == colour).map(|chain| {
            let open = chain.kind == Kind::Open;
            (chain.length, open.then(|| chain.ends.map(|(cell, _)| cell)))
        })
    }

    /// The empty cells beside a tile, sorted.
    pub fn frontier(&self) -> Vec<Hex> {
        self.places(self.frontier)
    }

    /// The forced spaces, sorted: empty cells with three or more tiles around them, or with exactly three.
    pub fn forced(&self, exactly3: bool) -> Vec<Hex> {
        self.places(self.forced_set(exactly3))
    }

    /// The cells on controlled sides, sorted; none in the endgame.
    pub fn controlled(&self) -> Vec<Hex> {
        self.places(self.controlled)
    }

    fn places(&self, set: CellSet) -> Vec<Hex> {
        let mut places: Vec<Hex> = set.iter().map(|cell| self.cells.at(cell)).collect();
        places.sort_unstable();
        places
    }

    /// The colours that the tiles around a cell show it, side by side.
    pub fn around(&self, place: Hex) -> [Option<Colour>; 6] {
        let mut colours = [None; 6];
        if let Some(cell) = self.cells.find(place) {
            for (side, colour) in colours.iter_mut().enumerate() {
                let chain = self.arriving[usize::from(cell)][side];
                *colour = self.chains.get(usize::from(chain)).map(|chain| chain.colour);
            }
        }
        colours
    }

    /// Whether a cell is on a controlled side.
    pub fn is_controlled(&self, place: Hex) -> bool {
        self.cells.find(place).is_some_and(|cell| self.controlled.has(cell))
    }

    /// The tiles of `among` that fit a cell as the board is now, whatever the restrictions if `lifted`.
    pub fn fitting(&self, place: Hex, among: TileSet, lifted: bool) -> TileSet {
        match self.cells.find(place) {
            Some(cell) if self.frontier.has(cell) => {
                let fits = if lifted { self.matching(cell, among.0) } else { self.fits(cell, among.0) };
                TileSet(fits.into_iter().fold(0, |all, fits| all | fits))
            }
            _ => TileSet::NONE,
        }
    }

    // What the rules and the agents ask by cell numbers.

    #[inline]
    pub(crate) fn find(&self, place: Hex) -> Option<Id> {
        self.cells.find(place).filter(|&cell| self.frontier.has(cell))
    }

    #[inline]
    pub(crate) fn at(&self, cell: Id) -> Hex {
        self.cells.at(cell)
    }

    /// The tiles' places and the spaces beside them.
    pub(crate) fn known(&self) -> impl Iterator<Item = Hex> {
        self.cells.places().iter().copied()
    }

    #[inline]
    pub(crate) fn extent(&self) -> &Extent {
        &self.extent
    }

    /// The lines that arrive at a cell: the side, the line's number, its colour and length.
    #[inline]
    pub(crate) fn arrivals(&self, cell: Id) -> impl Iterator<Item = (usize, u8, Colour, u8)> {
        let (sides, arriving) = (self.occupied[usize::from(cell)], &self.arriving[usize::from(cell)]);
        arriving.iter().enumerate().filter(move |&(side, _)| sides >> side & 1 == 1).map(|(side, &line)| {
            let chain = &self.chains[usize::from(line)];
            (side, line, chain.colour, chain.length)
        })
    }

    /// The open lines of a colour by their numbers.
    #[inline]
    pub(crate) fn open_lines(&self, colour: Colour) -> impl Iterator<Item = u8> {
        let chains = self.chains[..usize::from(self.chain_count)].iter().zip(0..);
        let open = chains.filter(move |(chain, _)| chain.kind == Kind::Open && chain.colour == colour);
        open.map(|(_, line)| line)
    }

    /// The length of a line, and the cells and sides where it arrives.
    #[inline]
    pub(crate) fn line(&self, line: u8) -> (u8, [(Id, u8); 2]) {
        let chain = &self.chains[usize::from(line)];
        (chain.length, chain.ends)
    }

    /// The other line of the same colour that arrives at a cell, with its side; perhaps the same line's other end.
    #[inline]
    pub(crate) fn partner(&self, (cell, side): (Id, u8)) -> Option<(u8, u8)> {
        let arriving = &self.arriving[usize::from(cell)];
        let colour = self.chains[usize::from(arriving[usize::from(side)])].colour;
        let mut others = self.occupied[usize::from(cell)] & !(1 << side);
        while others != 0 {
            let other = others.trailing_zeros() as u8;
            others &= others - 1;
            let line = arriving[usize::from(other)];
            if self.chains[usize::from(line)].colour == colour {
                return Some((line, other));
            }
        }
        None
    }

    /// A cell and all within two steps of it: those for which a tile laid there may change what fits.
    pub(crate) fn around_twice(&self, cell: Id) -> CellSet {
        let mut cells = CellSet::NONE;
        cells.insert(cell);
        for &near in self.cells.near(cell).iter().filter(|&&near| near != NOWHERE) {
            cells.insert(near);
            for &far in self.cells.near(near).iter().filter(|&&far| far != NOWHERE) {
                cells.insert(far);
            }
        }
        cells
    }

    /// How many tiles lie around a cell.
    #[inline]
    pub(crate) fn neighbours(&self, cell: Id) -> u32 {
        self.occupied[usize::from(cell)].count_ones()
    }

    #[inline]
    pub(crate) fn frontier_set(&self) -> CellSet {
        self.frontier
    }

    /// Cells where rules B and C let a tile be placed. A forced space is never closed to its own filling by C.
    #[inline]
    pub(crate) fn open_set(&self) -> CellSet {
        self.frontier.minus(self.beside).minus(self.controlled.minus(self.crowded))
    }

    #[inline]
    pub(crate) fn forced_set(&self, exactly3: bool) -> CellSet {
        if exactly3 {
            self.crowded.filter(|cell| self.occupied[usize::from(cell)].count_ones() == 3)
        } else {
            self.crowded
        }
    }

    #[inline]
    pub(crate) fn controlled_set(&self) -> CellSet {
        self.controlled
    }

    #[inline]
    pub(crate) fn crowded_set(&self) -> CellSet {
        self.crowded
    }

    #[inline]
    pub(crate) fn beside_set(&self) -> CellSet {
        self.beside
    }

    /// The tiles that match the edges around a cell.
    #[inline]
    pub(crate) fn matching(&self, cell: Id, among: u64) -> Fits {
        let arriving = &self.arriving[usize::from(cell)];
        let mut fits = [among; 6];
        let mut sides = self.occupied[usize::from(cell)];
        while sides != 0 {
            let side = sides.trailing_zeros() as usize;
            sides &= sides - 1;
            let colour = self.chains[usize::from(arriving[side])].colour;
            let showing = &SHOWING[side][colour as usize];
            for (fits, showing) in fits.iter_mut().zip(showing) {
                *fits &= showing;
            }
        }
        fits
    }

    /// The tiles that fit a cell now, and once restrictions are lifted, whatever their rotation.
    #[inline]
    pub(crate) fn fits_at_all(&self, cell: Id, among: u64) -> [u64; 2] {
        let any = |fits: Fits| fits.into_iter().fold(0, |all, fits| all | fits);
        let ever = self.matching(cell, among);
        [any(self.keeping_rule_a(cell, ever)), any(ever)]
    }

    /// The tiles that match the edges around a cell and keep rule A, if it holds.
    #[inline]
    pub(crate) fn fits(&self, cell: Id, among: u64) -> Fits {
        self.keeping_rule_a(cell, self.matching(cell, among))
    }

    /// Those that keep rule A, if it holds.
    #[inline]
    fn keeping_rule_a(&self, cell: Id, mut fits: Fits) -> Fits {
        if self.restricted {
            for (side, &beyond) in self.cells.near(cell).iter().enumerate() {
                let doubled = if beyond == NOWHERE { 0 } else { self.doubled[usize::from(beyond)] };
                if doubled != 0 {
                    let showing = &SHOWING[side][usize::from(doubled - 1)];
                    for (fits, showing) in fits.iter_mut().zip(showing) {
                        *fits &= !showing;
                    }
                }
            }
        }
        fits
    }

    /// The turned tiles of a hand that match the edges around a cell and keep rule A, if it holds: what
    /// [`fits`](Board::fits) says, for all rotations in one word.
    #[inline]
    pub(crate) fn fits_of(&self, cell: Id, hand: &Hand) -> Turned {
        let arriving = &self.arriving[usize::from(cell)];
        let mut fits = hand.all();
        let mut sides = self.occupied[usize::from(cell)];
        while sides != 0 {
            let side = sides.trailing_zeros() as usize;
            sides &= sides - 1;
            fits &= hand.showing(side, self.chains[usize::from(arriving[side])].colour as usize);
        }
        if self.restricted && fits != 0 {
            for (side, &beyond) in self.cells.near(cell).iter().enumerate() {
                let doubled = if beyond == NOWHERE { 0 } else { self.doubled[usize::from(beyond)] };
                if doubled != 0 {
                    fits &= !hand.showing(side, usize::from(doubled - 1));
                }
            }
        }
        fits
    }

    /// The best score of each colour after a tile that matches is laid on a cell, without laying it.
    pub(crate) fn scores_after(&self, tile: Tile, rotation: u8, cell: Id) -> [u8; 4] {
        let (arriving, taken) = (&self.arriving[usize::from(cell)], self.occupied[usize::from(cell)]);
        let mut best = self.best;
        for &(a, b) in &LINKS[tile.number() - 1] {
            let [a, b] = [a, b].map(|edge| usize::from((edge + rotation) % 6));
            let met = |side: usize| (taken >> side & 1 == 1).then(|| usize::from(arriving[side]));
            let length = |line: Option<usize>| line.map_or(0, |line| self.chains[line].length);
            let points = match (met(a), met(b)) {
                (Some(one), Some(two)) if one == two => 2 * (1 + length(Some(one))),
                (one, two) => 1 + length(one) + length(two),
            };
            let best = &mut best[tile.colour(rotation, a) as usize];
            *best = points.max(*best);
        }
        best
    }

    /// Lays the first tile.
    pub(crate) fn begin(&mut self, tile: Tile, rotation: u8) {
        let cell = self.cells.origin();
        self.place(tile, rotation, cell);
    }

    /// Lays a tile on a cell that it matches.
    pub(crate) fn place(&mut self, tile: Tile, rotation: u8, cell: Id) {
        self.cells.surround(cell);
        let near = *self.cells.near(cell);
        self.extent.include(self.cells.at(cell));
        self.tiles += 1;
        self.frontier.remove(cell);
        let mut sides_changed = self.crowded.has(cell) || self.controlled.has(cell);
        self.crowded.remove(cell);
        self.doubled[usize::from(cell)] = 0;
        let taken = self.occupied[usize::from(cell)];
        for &(a, b) in &LINKS[tile.number() - 1] {
            let [a, b] = [a, b].map(|edge| (edge + rotation) % 6);
            self.link(cell, &near, taken, tile.colour(rotation, usize::from(a)), a, b);
        }
        for (side, &beyond) in near.iter().enumerate().filter(|&(side, _)| taken >> side & 1 == 0) {
            let n = usize::from(beyond);
            self.occupied[n] |= 1 << opposite(side);
            self.frontier.insert(beyond);
            match self.occupied[n].count_ones() {
                // A cell that only now becomes known may lie beside a forced space.
                1 => {
                    sides_changed |=
                        self.cells.near(beyond).iter().any(|&cell| cell != NOWHERE && self.crowded.has(cell))
                }
                2 => {
                    let sides = self.occupied[n];
                    let [one, two] = [sides.trailing_zeros(), 7 - sides.leading_zeros()]
                        .map(|side| self.chains[usize::from(self.arriving[n][side as usize])].colour);
                    self.doubled[n] = if one == two { one as u8 + 1 } else { 0 };
                }
                _ => {
                    self.doubled[n] = 0;
                    self.crowded.insert(beyond);
                    sides_changed = true;
                }
            }
            // A tile that lengthens a supporting row touches the end of its controlled side.
            sides_changed |= self.controlled.has(beyond);
        }
        if self.restricted && sides_changed {
            self.find_sides();
        }
    }

    /// Joins sides `a` and `b` of a new tile by a link. Sides in `taken` meet a tile.
    #[inline]
    fn link(&mut self, cell: Id, near: &[Id; 6], taken: u8, colour: Colour, a: u8, b: u8) {
        let meets = |side: u8| taken >> side & 1 == 1;
        let beyond = |side: u8| (near[usize::from(side)], opposite(usize::from(side)) as u8);
        let arriving = self.arriving[usize::from(cell)];
        let (line, far) = match (meets(a), meets(b)) {
            (false, false) => {
                let line = self.chain_count;
                self.chain_count += 1;
                let ends = [beyond(a), beyond(b)];
                self.chains[usize::from(line)] = Chain { ends, length: 0, colour, kind: Kind::Open };
                self.arrive(ends[0], line);
                (line, ends[1])
            }
            (true, false) | (false, true) => {
                let (met, free) = if meets(a) { (a, b) } else { (b, a) };
                let line = arriving[usize::from(met)];
                self.move_end(line, (cell, met), beyond(free));
                (line, beyond(free))
            }
            (true, true) => {
                let [line, other] = [a, b].map(|side| arriving[usize::from(side)]);
                if line == other {
                    let chain = &mut self.chains[usize::from(line)];
                    chain.kind = Kind::Loop;
                    chain.length += 1;
                    let points = 2 * chain.length;
                    self.raise(colour, points);
                    return;
                }
                let joined = self.chains[usize::from(other)];
                self.chains[usize::from(other)].kind = Kind::Gone;
                let far = if joined.ends[0] == (cell, b) { joined.ends[1] } else { joined.ends[0] };
                self.chains[usize::from(line)].length += joined.length;
                self.move_end(line, (cell, a), far);
                (line, far)
            }
        };
        self.arrive(far, line);
        let chain = &mut self.chains[usize::from(line)];
        chain.length += 1;
        let length = chain.length;
        self.raise(colour, length);
    }

    #[inline]
    fn arrive(&mut self, (cell, side): (Id, u8), line: u8) {
        self.arriving[usize::from(cell)][usize::from(side)] = line;
    }

    #[inline]
    fn move_end(&mut self, line: u8, from: (Id, u8), to: (Id, u8)) {
        let ends = &mut self.chains[usize::from(line)].ends;
        let which = usize::from(ends[0] != from);
        ends[which] = to;
    }

    #[inline]
    fn raise(&mut self, colour: Colour, points: u8) {
        let best = &mut self.best[colour as usize];
        *best = points.max(*best);
    }

    /// Finds the controlled sides of all forced spaces anew, and marks what is beside one.
    fn find_sides(&mut self) {
        self.controlled = CellSet::NONE;
        self.beside = CellSet::NONE;
        for space in self.crowded.iter() {
            let sides = self.occupied[usize::from(space)];
            for (side, &beyond) in self.cells.near(space).iter().enumerate() {
                if sides >> side & 1 == 0 && beyond != NOWHERE {
                    self.beside.insert(beyond);
                }
            }
            self.controlled = self.controlled.or(self.sides_of(space));
        }
    }

    /// The cells on both controlled sides of a forced space.
    pub(crate) fn sides_of(&self, space: Id) -> CellSet {
        let mut cells = CellSet::NONE;
        if let Some(first) = first_of_three(self.occupied[usize::from(space)]) {
            let near = self.cells.near(space);
            // One row starts at the last tile and runs on over the next side, the other is its mirror image.
            self.walk(near[(first + 2) % 6], (first + 3) % 6, (first + 4) % 6, &mut cells);
            self.walk(near[first], (first + 5) % 6, (first + 4) % 6, &mut cells);
        }
        cells
    }

    /// Follows a supporting row from its first tile in direction `along`; the controlled cells are at its side
    /// `over`, and the last one lies past its end.
    fn walk(&self, mut row: Id, along: usize, over: usize, cells: &mut CellSet) {
        while !self.is_empty(row) {
            let side = self.cells.near(row)[over];
            if !self.is_empty(side) {
                return;
            }
            cells.insert(side);
            row = self.cells.near(row)[along];
        }
    }

    /// Whether a known cell has no tile: the neighbours of tiles are known, and those without one are frontier.
    #[inline]
    fn is_empty(&self, cell: Id) -> bool {
        self.frontier.has(cell)
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

/// The first, clockwise, of exactly three sides in a row.
fn first_of_three(sides: u8) -> Option<usize> {
    (0..6).find(|&first| {
        let three = 0b111 << first;
        u32::from(sides) == (three | three >> 6) & 0b11_1111
    })
}
