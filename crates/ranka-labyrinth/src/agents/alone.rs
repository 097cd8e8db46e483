//! The game of thought of all planners here: one's own turns in a row, the others frozen.

use crate::action::Push;
use crate::maze::{CELLS, Cell, Entry, Maze, Paths, Walk};
use crate::state::{Phase, State};
use crate::tile::{Openings, Shape};
use crate::view::View;
use ranka_core::{MAX_SEATS, Position, Seat};

/// Which entries a planner looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entries {
    /// All legal ones.
    Legal,
    /// The original program's: it leaves out every entry that shares a row or a column with the forbidden one.
    Source8,
}

impl Entries {
    pub(super) const WORDS: &'static [&'static str] = &["legal", "source8"];

    pub(super) fn named(word: &str) -> Entries {
        if word == "source8" { Entries::Source8 } else { Entries::Legal }
    }

    pub(super) fn after(self, last: Option<Entry>) -> impl Iterator<Item = Entry> + Clone {
        let forbidden = last.map(Entry::opposite);
        Entry::all().filter(move |&entry| match (self, forbidden) {
            (_, None) => true,
            (Entries::Legal, Some(forbidden)) => entry != forbidden,
            (Entries::Source8, Some(forbidden)) => {
                let (cell, barred) = (entry.cell(), forbidden.cell());
                cell.x() != barred.x() && cell.y() != barred.y()
            }
        })
    }
}

/// What stays the same while one thinks: which tiles there are, and who sits where.
///
/// Tiles are told apart by a number, even where they look alike, as the original program does.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    shapes: [Shape; CELLS + 1],
    /// The numbers of the tiles whose cards lie face down somewhere, as a set.
    pub(super) unfound: u64,
    pub(super) seat: Seat,
    pub(super) others: Vec<Other>,
}

/// Another player, as far as anybody can know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    pub(super) seat: Seat,
    /// Its home, if it has found all its cards and is on its way.
    pub(super) homeward: Option<Cell>,
}

/// A tile's number at the root times four, plus how it was turned when it was last pushed in. Unlike
/// [`Tile`](crate::Tile) it keeps a straight's half turn.
type Label = u8;

/// A position of the game of thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scene {
    maze: Maze,
    labels: [Label; CELLS],
    extra: Label,
    pub(super) pawns: [Cell; MAX_SEATS],
    /// Where one wants to be; nothing while that tile is beside the board.
    pub(super) target: Option<Cell>,
    /// The cells of the tiles whose cards lie face down somewhere.
    unfound: u64,
    pub(super) last: Option<Entry>,
    /// Whether this turn's push has been made.
    pushed: bool,
}

/// A turn; without a push when that had been made before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub(super) push: Option<Push>,
    pub(super) cell: Cell,
}

/// The board between push and move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushed {
    pub(super) push: Option<Push>,
    maze: Maze,
    pub(super) paths: Paths,
    pub(super) pawns: [Cell; MAX_SEATS],
    pub(super) target: Option<Cell>,
    pub(super) unfound: u64,
}

impl Pushed {
    /// The openings of the tile on a cell.
    pub(super) fn openings(&self, cell: Cell) -> Openings {
        self.maze.openings(cell)
    }

    /// The cells that a seat can reach.
    #[inline]
    pub(super) fn reach(&self, seat: Seat) -> u64 {
        self.paths.region(self.pawns[seat.index()])
    }

    /// The same cells in standard order.
    #[inline]
    pub(super) fn walk(&self, seat: Seat) -> Walk {
        self.paths.walk(self.pawns[seat.index()])
    }
}

/// The game of thought of the seat to move.
pub(super) fn scene(view: &View) -> (Setting, Scene) {
    let state: &State = view.shown();
    let (board, seat) = (state.board(), view.seat());
    let mut tiles = [board.extra(); CELLS + 1];
    tiles[..CELLS].copy_from_slice(board.tiles());

    // Face down lie all cards but the found ones and the own current one.
    let mut seen = 0u64;
    let found = Seat::all(state.seats()).flat_map(|seat| state.cards().found(seat));
    for treasure in found.chain(&state.cards().current(seat)).filter_map(|card| card.treasure()) {
        seen |= 1 << treasure.index();
    }
    let mut unfound = 0u64;
    for (number, tile) in tiles.iter().enumerate() {
        let wanted = tile.treasure().is_some_and(|treasure| seen >> treasure.index() & 1 == 0);
        unfound |= u64::from(wanted) << number;
    }

    let others = Seat::all(state.seats()).filter(|&other| other != seat).map(|other| Other {
        seat: other,
        homeward: state.cards().current(other).is_none().then(|| state.home(other)),
    });
    let label = |number: usize| (number as u8) << 2 | tiles[number].rotation();
    let setting = Setting { shapes: tiles.map(|tile| tile.shape()), unfound, seat, others: others.collect() };
    let scene = Scene {
        maze: *board.maze(),
        labels: std::array::from_fn(label),
        extra: label(CELLS),
        pawns: state.pawns,
        target: view.target(),
        unfound: unfound & ((1 << CELLS) - 1),
        last: state.last(),
        pushed: state.phase() == Phase::Move,
    };
    (setting, scene)
}

impl Scene {
    /// The shape of the tile that is pushed in next.
    pub(super) fn extra_shape(&self, setting: &Setting) -> Shape {
        setting.shapes[(self.extra >> 2) as usize]
    }

    /// The openings of the tile on a cell.
    pub(super) fn openings(&self, cell: Cell) -> Openings {
        self.maze.openings(cell)
    }

    /// Each push that is looked at, in standard order. With `twice` the half turns of a straight are looked at, too,
    /// as the original program does.
    #[inline]
    pub(super) fn pushes<'a>(
        &'a self,
        setting: &'a Setting,
        entries: Entries,
        twice: bool,
    ) -> impl Iterator<Item = Pushed> + 'a {
        let shape = self.extra_shape(setting);
        let rotations = if twice { 4 } else { shape.rotations() };
        let made = self.pushed.then_some(Pushed {
            push: None,
            maze: self.maze,
            paths: self.maze.paths(),
            pawns: self.pawns,
            target: self.target,
            unfound: self.unfound,
        });
        let pushes = entries
            .after(self.last)
            .filter(|_| !self.pushed)
            .flat_map(move |entry| (0..rotations).map(move |rotation| Push { entry, rotation }));
        made.into_iter().chain(pushes.map(move |push| self.push(setting, shape, push)))
    }

    #[inline]
    fn push(&self, setting: &Setting, shape: Shape, push: Push) -> Pushed {
        let Push { entry, rotation } = push;
        let mut maze = self.maze;
        maze.push(entry, shape.openings(rotation));
        let extra_unfound = setting.unfound >> (self.extra >> 2) & 1;
        Pushed {
            push: Some(push),
            maze,
            paths: maze.paths(),
            pawns: self.pawns.map(|pawn| entry.carried_pawn(pawn)),
            target: match self.target {
                None => Some(entry.cell()),
                Some(cell) => entry.carried(cell),
            },
            unfound: entry.carried_set(self.unfound) | extra_unfound << entry.cell().index(),
        }
    }

    /// The position at the end of the turn, after walking to `cell`.
    pub(super) fn after(&self, setting: &Setting, pushed: &Pushed, cell: Cell) -> Scene {
        let mut next = Scene {
            maze: pushed.maze,
            pawns: pushed.pawns,
            target: pushed.target,
            unfound: pushed.unfound,
            pushed: false,
            ..*self
        };
        next.pawns[setting.seat.index()] = cell;
        if let Some(Push { entry, rotation }) = pushed.push {
            next.extra = entry.slide(&mut next.labels, self.extra & !3 | rotation);
            next.last = Some(entry);
        }
        next
    }

    /// The position after a turn.
    pub(super) fn played(&self, setting: &Setting, turn: Turn) -> Scene {
        let pushed = match turn.push {
            Some(push) => self.push(setting, self.extra_shape(setting), push),
            None => self.pushes(setting, Entries::Legal, false).next().expect("the push has been made"),
        };
        self.after(setting, &pushed, turn.cell)
    }

    /// How the tiles lie, as a number that two arrangements almost never share: which tile is where and how it is
    /// turned, and which one is beside the board.
    pub(super) fn arrangement(&self) -> u64 {
        let mut sum = mix(u64::from(self.extra >> 2));
        for (cell, &label) in self.labels.iter().enumerate() {
            sum = sum.wrapping_add(mix((cell as u64 + 1) << 8 | u64::from(label)));
        }
        sum
    }

    /// The same for the whole position, with tiles that look alike taken for the same.
    pub(super) fn key(&self, setting: &Setting) -> u64 {
        let own = self.pawns[setting.seat.index()].index() as u64;
        let last = self.last.map_or(15, |entry| entry.index() as u64);
        let target = self.target.map_or(63, |cell| cell.index() as u64);
        let shape = self.extra_shape(setting) as u64;
        let mut sum = mix(own << 32 | last << 24 | target << 16 | shape);
        for cell in Cell::all() {
            sum =
                sum.wrapping_add(mix((cell.index() as u64 + 1) << 8 | u64::from(self.openings(cell).bits())));
        }
        sum
    }
}

/// SplitMix64's finaliser.
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
