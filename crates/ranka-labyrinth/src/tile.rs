//! Tiles: shape, rotation, treasure, and which ones are in the box.

use std::fmt;

/// Where a corridor or a push leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// To smaller y.
    Up,
    /// To larger x.
    Right,
    /// To larger y.
    Down,
    /// To smaller x.
    Left,
}

impl Direction {
    /// All four, clockwise from the top: the order in which everything tries them.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];
}

/// The sides to which a tile is open: bit `d` for direction `d`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Openings(u8);

impl Openings {
    /// Whether one can leave in this direction.
    #[inline]
    pub const fn has(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// The openings as bits, the lowest for [`Direction::Up`], then clockwise.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Openings {
        Openings(bits)
    }

    /// The same tile turned clockwise by `quarters`.
    const fn turned(self, quarters: u8) -> Openings {
        Openings((self.0 << quarters | self.0 >> (4 - quarters)) & 15)
    }
}

/// The form of a tile's corridors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Straight; up and down at rotation 0.
    I,
    /// A corner; up and right at rotation 0.
    L,
    /// A branch; up, right and down at rotation 0.
    T,
}

impl Shape {
    /// The openings after `rotation` clockwise quarter turns.
    pub const fn openings(self, rotation: u8) -> Openings {
        let upright = match self {
            Shape::I => 0b0101,
            Shape::L => 0b0011,
            Shape::T => 0b0111,
        };
        Openings(upright).turned(rotation & 3)
    }

    /// How many rotations differ.
    #[inline]
    pub const fn rotations(self) -> u8 {
        if matches!(self, Shape::I) { 2 } else { 4 }
    }
}

/// What is to be found. The first twelve lie on tiles that never move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Treasure(u8);

/// How many treasures there are, and cards.
pub const TREASURES: usize = 24;

const NAMES: [&str; TREASURES] = [
    "KnightHelmet",
    "Candles",
    "Dagger",
    "Diamond",
    "Treasure",
    "Ring",
    "HolyGrail",
    "Keys",
    "Crown",
    "Potion",
    "Coins",
    "Book",
    "Mouse",
    "Bomb",
    "Cat",
    "Owl",
    "Lizard",
    "Bug",
    "Pony",
    "Bat",
    "Ghost",
    "Mermaid",
    "Dinosaur",
    "Cannon",
];

impl Treasure {
    /// The treasure with this number.
    ///
    /// # Panics
    /// If there is none.
    pub const fn new(index: usize) -> Treasure {
        assert!(index < TREASURES, "there are 24 treasures");
        Treasure(index as u8)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its name, as in notation.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The treasure of this name.
    pub fn named(name: &str) -> Option<Treasure> {
        NAMES.iter().position(|&known| known == name).map(Treasure::new)
    }

    /// All treasures.
    pub fn all() -> impl ExactSizeIterator<Item = Treasure> {
        (0..TREASURES).map(Treasure::new)
    }
}

/// What a tile is apart from its rotation. Plain tiles of one shape are all alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece(u8);

/// How many different pieces there are.
pub(crate) const PIECES: usize = TREASURES + 2;

impl Piece {
    /// A corner without treasure; the four start tiles are such, too.
    pub const CORNER: Piece = Piece(TREASURES as u8);
    /// A straight.
    pub const STRAIGHT: Piece = Piece(TREASURES as u8 + 1);

    /// The tile that shows a treasure.
    #[inline]
    pub const fn with(treasure: Treasure) -> Piece {
        Piece(treasure.0)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its shape.
    #[inline]
    pub const fn shape(self) -> Shape {
        match self.0 {
            12..=17 | 24 => Shape::L,
            25 => Shape::I,
            _ => Shape::T,
        }
    }

    /// The treasure on it.
    #[inline]
    pub const fn treasure(self) -> Option<Treasure> {
        if self.0 < TREASURES as u8 { Some(Treasure(self.0)) } else { None }
    }
}

/// A piece as it lies: turned clockwise by 0 to 3 quarters. A straight has only the rotations 0 and 1, so that
/// what looks the same is the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tile(u8);

impl Tile {
    /// A piece turned clockwise by `rotation` quarters.
    #[inline]
    pub const fn new(piece: Piece, rotation: u8) -> Tile {
        Tile(piece.0 << 2 | rotation & (piece.shape().rotations() - 1))
    }

    /// What it is.
    #[inline]
    pub const fn piece(self) -> Piece {
        Piece(self.0 >> 2)
    }

    /// How it lies.
    #[inline]
    pub const fn rotation(self) -> u8 {
        self.0 & 3
    }

    /// Its shape.
    #[inline]
    pub const fn shape(self) -> Shape {
        self.piece().shape()
    }

    /// The sides to which it is open.
    #[inline]
    pub const fn openings(self) -> Openings {
        self.shape().openings(self.rotation())
    }

    /// The treasure on it.
    #[inline]
    pub const fn treasure(self) -> Option<Treasure> {
        self.piece().treasure()
    }
}

/// As in notation: shape, rotation, and the treasure if there is one.
impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.shape(), self.rotation())?;
        self.treasure().map_or(Ok(()), |treasure| write!(f, ":{}", treasure.name()))
    }
}

/// The tiles that move: twelve straights, ten plain corners, and the last twelve treasures. The thesis counts
/// 33, but one more than the 33 free cells must be in the box.
pub const MOVABLE: [Piece; 34] = {
    let mut pieces = [Piece::STRAIGHT; 34];
    let mut i = 12;
    while i < 34 {
        pieces[i] = if i < 22 { Piece::CORNER } else { Piece(i as u8 - 10) };
        i += 1;
    }
    pieces
};

/// The tiles that never move, in row order of the cells whose coordinates are both even.
pub const STATIC: [Tile; 16] = {
    const fn show(treasure: u8, rotation: u8) -> Tile {
        Tile::new(Piece(treasure), rotation)
    }
    const fn start(rotation: u8) -> Tile {
        Tile::new(Piece::CORNER, rotation)
    }
    [
        start(1),
        show(0, 1),
        show(1, 1),
        start(2), //
        show(2, 0),
        show(3, 0),
        show(4, 1),
        show(5, 2), //
        show(6, 0),
        show(7, 3),
        show(8, 2),
        show(9, 2), //
        start(0),
        show(10, 3),
        show(11, 3),
        start(3),
    ]
};
