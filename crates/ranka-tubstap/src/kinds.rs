//! The vocabulary: terrain, kinds of units, teams, and the tables about them.

use ranka_core::Seat;

/// What a cell is made of. The numbers are those of the files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Terrain {
    /// No entry.
    Wall,
    /// Plain.
    Plain,
    /// Only aircraft cross it.
    Sea,
    /// Slow for vehicles, and good cover.
    Forest,
    /// For aircraft and infantry.
    Mountain,
    /// No cover at all.
    Road,
    /// Camp, 陣地: cover as in the mountains, and nothing else.
    Fortress,
}

impl Terrain {
    /// All, by number.
    pub const ALL: [Terrain; 7] = [
        Terrain::Wall,
        Terrain::Plain,
        Terrain::Sea,
        Terrain::Forest,
        Terrain::Mountain,
        Terrain::Road,
        Terrain::Fortress,
    ];

    /// The terrain with this number in the files.
    pub fn numbered(number: u32) -> Option<Terrain> {
        Terrain::ALL.get(number as usize).copied()
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        ["wall", "plain", "sea", "forest", "mountain", "road", "fortress"][self as usize]
    }

    /// Defence stars.
    #[inline]
    pub const fn stars(self) -> u32 {
        [0, 1, 0, 3, 4, 0, 4][self as usize]
    }

    /// What it costs to enter; nothing if it cannot be entered.
    #[inline]
    pub const fn cost(self, movement_type: MovementType) -> Option<u32> {
        match (self, movement_type) {
            (Terrain::Wall, _) => None,
            (_, MovementType::Air) => Some(1),
            (Terrain::Sea, _) | (Terrain::Mountain, MovementType::Wheels) => None,
            (Terrain::Forest, MovementType::Wheels) | (Terrain::Mountain, MovementType::Feet) => Some(2),
            _ => Some(1),
        }
    }
}

/// How a unit gets about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MovementType {
    /// Fighters and attackers.
    Air,
    /// Panzers, cannons and anti-air tanks.
    Wheels,
    /// Infantry.
    Feet,
}

impl MovementType {
    /// All of them.
    pub const ALL: [MovementType; 3] = [MovementType::Air, MovementType::Wheels, MovementType::Feet];
}

/// The kind of a unit. The order is that of the original's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// 戦闘機
    Fighter,
    /// 攻撃機
    Attacker,
    /// 戦車
    Panzer,
    /// 自走砲: fires two or three cells far, and only without moving.
    Cannon,
    /// 対空戦車
    AntiAir,
    /// 歩兵
    Infantry,
}

impl Kind {
    /// All, by number.
    pub const ALL: [Kind; 6] =
        [Kind::Fighter, Kind::Attacker, Kind::Panzer, Kind::Cannon, Kind::AntiAir, Kind::Infantry];

    /// Its letter in notation.
    pub const fn letter(self) -> char {
        ['F', 'A', 'P', 'U', 'R', 'I'][self as usize]
    }

    /// Its name in files, which also serves people.
    pub const fn name(self) -> &'static str {
        ["fighter", "attacker", "panzer", "cannon", "antiair", "infantry"][self as usize]
    }

    /// Its name where a sentence begins.
    pub const fn title(self) -> &'static str {
        ["Fighter", "Attacker", "Panzer", "Cannon", "Antiair", "Infantry"][self as usize]
    }

    /// The kind that a letter names.
    pub fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The kind that a file names.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Movement points.
    #[inline]
    pub const fn points(self) -> u32 {
        [9, 7, 6, 5, 6, 3][self as usize]
    }

    /// How it gets about.
    #[inline]
    pub const fn movement_type(self) -> MovementType {
        match self {
            Kind::Fighter | Kind::Attacker => MovementType::Air,
            Kind::Infantry => MovementType::Feet,
            _ => MovementType::Wheels,
        }
    }

    /// Whether it fights at arm's length; only cannons do not.
    #[inline]
    pub const fn is_direct(self) -> bool {
        !matches!(self, Kind::Cannon)
    }
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Team {
    /// Team 0 of the files, seat 0.
    Red,
    /// Team 1 of the files, seat 1.
    Blue,
}

impl Team {
    /// Both.
    pub const BOTH: [Team; 2] = [Team::Red, Team::Blue];

    /// The other side.
    #[inline]
    pub const fn other(self) -> Team {
        match self {
            Team::Red => Team::Blue,
            Team::Blue => Team::Red,
        }
    }

    /// Its seat.
    #[inline]
    pub const fn seat(self) -> Seat {
        Seat::new(self as usize)
    }

    /// The team of a seat.
    #[inline]
    pub const fn of(seat: Seat) -> Team {
        if seat.index() == 0 { Team::Red } else { Team::Blue }
    }

    /// Its letter in notation.
    pub const fn letter(self) -> char {
        ['r', 'b'][self as usize]
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        ["Red", "Blue"][self as usize]
    }
}
