//! The 56 tiles: six edges clockwise, three colours with two edges each, joined by links.

use std::fmt;

/// How many tiles there are.
pub const TILES: usize = 56;

/// A colour of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// Blue.
    Blue,
    /// Green.
    Green,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
}

impl Colour {
    /// All four, in the order of their letters.
    pub const ALL: [Colour; 4] = [Colour::Blue, Colour::Green, Colour::Red, Colour::Yellow];

    /// The letter in notation.
    pub const fn letter(self) -> char {
        ['B', 'G', 'R', 'Y'][self as usize]
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        ["blue", "green", "red", "yellow"][self as usize]
    }

    /// The colour with this letter.
    pub fn from_letter(letter: char) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.letter() == letter)
    }

    const fn from_byte(byte: u8) -> Colour {
        match byte {
            b'B' => Colour::Blue,
            b'G' => Colour::Green,
            b'R' => Colour::Red,
            _ => Colour::Yellow,
        }
    }
}

/// A tile, by the number on its back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The tile with this number.
    ///
    /// # Panics
    /// If the number is not 1 to 56.
    #[inline]
    pub const fn new(number: usize) -> Tile {
        assert!(number >= 1 && number <= TILES, "tiles are numbered 1 to 56");
        Tile(number as u8)
    }

    /// Its number.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// All tiles in order.
    pub fn all() -> impl ExactSizeIterator<Item = Tile> {
        (0..TILES).map(|i| Tile(i as u8 + 1))
    }

    /// The edges clockwise from north, unrotated: the alphabetically smallest of the six turns.
    pub const fn edges(self) -> [Colour; 6] {
        EDGES[self.0 as usize - 1]
    }

    /// The colour on side `side` after `rotation` clockwise turns of 60°.
    #[inline]
    pub const fn colour(self, rotation: u8, side: usize) -> Colour {
        EDGES[self.0 as usize - 1][(side + 6 - rotation as usize) % 6]
    }

    /// The tile and rotation whose edges, clockwise from north, are these.
    pub fn from_edges(edges: [Colour; 6]) -> Option<(Tile, u8)> {
        Tile::all().find_map(|tile| {
            let turned = (0..6).find(|&k| (0..6).all(|side| tile.colour(k, side) == edges[side]))?;
            Some((tile, turned))
        })
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile {}", self.0)
    }
}

/// A set of tiles in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TileSet(pub(crate) u64);

impl TileSet {
    /// No tile.
    pub const NONE: TileSet = TileSet(0);
    /// All 56.
    pub const ALL: TileSet = TileSet((1 << TILES) - 1);

    /// Whether the tile is in it.
    #[inline]
    pub const fn has(self, tile: Tile) -> bool {
        self.0 >> (tile.0 - 1) & 1 == 1
    }

    /// With the tile.
    #[inline]
    pub const fn with(self, tile: Tile) -> TileSet {
        TileSet(self.0 | 1 << (tile.0 - 1))
    }

    /// Without the tile.
    #[inline]
    pub const fn without(self, tile: Tile) -> TileSet {
        TileSet(self.0 & !(1 << (tile.0 - 1)))
    }

    /// What is in both.
    #[inline]
    pub const fn and(self, other: TileSet) -> TileSet {
        TileSet(self.0 & other.0)
    }

    /// What is in either.
    #[inline]
    pub const fn or(self, other: TileSet) -> TileSet {
        TileSet(self.0 | other.0)
    }

    /// What is in this and not in the other.
    #[inline]
    pub const fn minus(self, other: TileSet) -> TileSet {
        TileSet(self.0 & !other.0)
    }

    /// How many.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one at this place in ascending order.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn nth(self, place: usize) -> Tile {
        let mut bits = self.0;
        for _ in 0..place {
            bits &= bits - 1;
        }
        assert!(bits != 0, "the set has no tile at place {place}");
        Tile(bits.trailing_zeros() as u8 + 1)
    }

    /// In ascending order.
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let tile = Tile(bits.trailing_zeros() as u8 + 1);
                bits &= bits - 1;
                tile
            })
        })
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileSet {
        tiles.into_iter().fold(TileSet::NONE, TileSet::with)
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Tile::number)).finish()
    }
}

/// For a side and a colour, the tiles that show this colour on this side, one set for each rotation.
pub(crate) static SHOWING: [[[u64; 6]; 4]; 6] = showing();

const fn showing() -> [[[u64; 6]; 4]; 6] {
    let mut table = [[[0; 6]; 4]; 6];
    let mut tile = 0;
    while tile < TILES {
        let mut side = 0;
        while side < 6 {
            let mut rotation = 0;
            while rotation < 6 {
                let colour = Tile(tile as u8 + 1).colour(rotation as u8, side);
                table[side][colour as usize][rotation] |= 1 << tile;
                rotation += 1;
            }
            side += 1;
        }
        tile += 1;
    }
    table
}

/// For a tile, unrotated, the pairs of edges that its three links join.
pub(crate) static LINKS: [[(u8, u8); 3]; TILES] = links();

const fn links() -> [[(u8, u8); 3]; TILES] {
    let mut table = [[(0, 0); 3]; TILES];
    let mut tile = 0;
    while tile < TILES {
        let mut found = 0;
        let mut a = 0;
        while a < 6 {
            let mut b = a + 1;
            while b < 6 {
                if EDGES[tile][a] as u8 == EDGES[tile][b] as u8 {
                    table[tile][found] = (a as u8, b as u8);
                    found += 1;
                }
                b += 1;
            }
            a += 1;
        }
        tile += 1;
    }
    table
}

const EDGES: [[Colour; 6]; TILES] = {
    let mut edges = [[Colour::Blue; 6]; TILES];
    let mut tile = 0;
    while tile < TILES {
        let mut side = 0;
        while side < 6 {
            edges[tile][side] = Colour::from_byte(TEXT[tile].as_bytes()[side]);
            side += 1;
        }
        tile += 1;
    }
    edges
};

#[rustfmt::skip]
const TEXT: [&str; TILES] = [
    // 1 to 14: no green
    "BRBRYY", "BRRBYY", "BBYYRR", "BRYBYR", "BBRYYR", "BRYRBY", "BBYRYR",
    "BBRYRY", "BRBYRY", "BRBYYR", "BYBYRR", "BRRYBY", "BBYRRY", "BBRRYY",
    // 15 to 23: no blue
    "GGRYYR", "GGYRRY", "GRGRYY", "GRGYYR", "GYGYRR", "GRRYGY", "GGRRYY", "GRRGYY", "GGYYRR",
    // 24 to 30: no yellow
    "BGGBRR", "BBGGRR", "BBGRRG", "BGBGRR", "BBRRGG", "BGBRRG", "BBRGGR",
    // 31 to 35: no blue
    "GGRYRY", "GRYGYR", "GGYRYR", "GRGYRY", "GRYRGY",
    // 36 to 42: no yellow
    "BGGRBR", "BBGRGR", "BBRGRG", "BGBRGR", "BGRBRG", "BRBRGG", "BGRGBR",
    // 43 to 56: no red
    "BBYYGG", "BGYGBY", "BBGGYY", "BYBYGG", "BBYGGY", "BGGBYY", "BBGYYG",
    "BGYBYG", "BGBYGY", "BGGYBY", "BGBYYG", "BGBGYY", "BBGYGY", "BBYGYG",
];
