//! Where every ghost is, by its letter, and the 48 characters that tell a player of it.

use ranka_core::{Error, Seat};
use ranka_geister::{Action, SetUp, Square};

/// A way to go, as the mover sees it: each player sits at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the opponent.
    North,
    /// To the right.
    East,
    /// Towards oneself.
    South,
    /// To the left.
    West,
}

impl Direction {
    const ALL: [(Direction, &'static str, (i32, i32)); 4] = [
        (Direction::North, "NORTH", (0, -1)),
        (Direction::East, "EAST", (1, 0)),
        (Direction::South, "SOUTH", (0, 1)),
        (Direction::West, "WEST", (-1, 0)),
    ];

    /// The direction called `NORTH` or `N` and so on, in capitals or not.
    pub fn named(word: &str) -> Option<Direction> {
        let of_name = |name: &str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..1]);
        Direction::ALL.into_iter().find(|(_, name, _)| of_name(name)).map(|(direction, ..)| direction)
    }

    /// Its whole name in capitals.
    pub fn name(self) -> &'static str {
        Direction::ALL[self as usize].1
    }

    fn step(self) -> (i32, i32) {
        Direction::ALL[self as usize].2
    }
}

/// Where a ghost is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GhostPlace {
    /// On the board.
    On(Square),
    /// Captured.
    Taken,
    /// Out at an exit.
    Escaped,
}

/// The ghost A to H, from 0, as a letter.
pub(super) fn letter(ghost: usize) -> char {
    char::from(b'A' + ghost as u8)
}

/// A square as `seat` counts: columns from its left, rows from its far edge.
fn seen_at(square: Square, seat: Seat) -> (usize, usize) {
    let square = if seat == Seat::FIRST { square } else { square.turned() };
    (square.column(), square.row())
}

/// The square at a place that `seat` counts so.
fn square_at(x: usize, y: usize, seat: Seat) -> Square {
    let square = Square::new(y * 6 + x);
    if seat == Seat::FIRST { square } else { square.turned() }
}

/// Where the ghosts A to H of `seat` start.
fn home(seat: Seat) -> [Square; 8] {
    std::array::from_fn(|ghost| square_at(1 + ghost % 4, 4 + ghost / 4, seat))
}

#[derive(Clone, Copy, Debug)]
struct Ghost {
    place: GhostPlace,
    red: bool,
    /// What its last step took: was it red?
    took: Option<bool>,
}

/// Every ghost of both players.
#[derive(Clone, Debug)]
pub(super) struct Board([[Ghost; 8]; 2]);

impl Default for Board {
    /// The ghosts at home, all blue until they are set up.
    fn default() -> Board {
        let at_home = |square| Ghost { place: GhostPlace::On(square), red: false, took: None };
        Board([Seat::FIRST, Seat::SECOND].map(|seat| home(seat).map(at_home)))
    }
}

impl Board {
    /// Colours the ghosts of a seat.
    pub(super) fn set_up(&mut self, seat: Seat, set_up: SetUp) {
        for (number, ghost) in self.0[seat.index()].iter_mut().enumerate() {
            ghost.red = set_up.is_red(number);
        }
    }

    /// The ghost of `seat` on a square.
    pub(super) fn ghost_on(&self, seat: Seat, square: Square) -> Option<usize> {
        self.0[seat.index()].iter().position(|ghost| ghost.place == GhostPlace::On(square))
    }

    /// What it means that `seat` moves a ghost into a direction. Whether that is legal the rules know;
    /// nothing if it leads off the board where no exit is, or the ghost is off it already.
    pub(super) fn action(&self, seat: Seat, ghost: usize, direction: Direction) -> Option<Action> {
        let GhostPlace::On(from) = self.0[seat.index()].get(ghost)?.place else { return None };
        let (x, y) = seen_at(from, seat);
        let (right, down) = direction.step();
        let target = (x.checked_add_signed(right as isize), y.checked_add_signed(down as isize));
        if let (Some(x @ 0..=5), Some(y @ 0..=5)) = target {
            return Some(Action::Step { from, to: square_at(x, y, seat) });
        }
        let leaves = y == 0 && (x == 0 || x == 5) && direction != Direction::South;
        leaves.then_some(Action::Escape { from })
    }

    /// How `seat` says an action: which ghost goes where. Nothing if it is no move of its ghosts.
    pub(super) fn spoken(&self, seat: Seat, action: Action) -> Option<(usize, Direction)> {
        let (Action::Step { from, .. } | Action::Escape { from }) = action else { return None };
        let ghost = self.ghost_on(seat, from)?;
        let means = |&direction: &Direction| self.action(seat, ghost, direction) == Some(action);
        let direction = Direction::ALL.into_iter().map(|(direction, ..)| direction).find(means)?;
        Some((ghost, direction))
    }

    /// Carries out a legal action. The answer is what the original server tells the mover: whether the ghost
    /// that it took was red. For an escape it repeats what that ghost took on its last step.
    pub(super) fn apply(&mut self, seat: Seat, action: Action) -> Option<bool> {
        let (from, place) = match action {
            Action::SetUp(set_up) => {
                self.set_up(seat, set_up);
                return None;
            }
            Action::Step { from, to } => (from, GhostPlace::On(to)),
            Action::Escape { from } => (from, GhostPlace::Escaped),
        };
        let victim = self.0[seat.other().index()].iter_mut().find(|ghost| ghost.place == place);
        let took = victim.filter(|_| place != GhostPlace::Escaped).map(|ghost| {
            ghost.place = GhostPlace::Taken;
            ghost.red
        });
        let mover = self.0[seat.index()].iter_mut().find(|ghost| ghost.place == GhostPlace::On(from))?;
        mover.place = place;
        if place != GhostPlace::Escaped {
            mover.took = took;
        }
        mover.took
    }

    /// What a player is told: everything, or not the colours of the enemy's ghosts on the board.
    pub(super) fn sight(&self, viewer: Seat, reveal: bool) -> Sight {
        let own = self.0[viewer.index()].map(|ghost| (ghost.place, Some(ghost.red)));
        let enemy = self.0[viewer.other().index()].map(|ghost| {
            let hidden = matches!(ghost.place, GhostPlace::On(_)) && !reveal;
            (ghost.place, (!hidden).then_some(ghost.red))
        });
        Sight { viewer, own, enemy }
    }
}

/// The ghosts A to H of a player: where each is, and whether it is red, as far as the viewer knows.
type Side = [(GhostPlace, Option<bool>); 8];

/// What the 48 characters tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Who is told.
    pub viewer: Seat,
    /// Its own ghosts.
    pub own: Side,
    /// The enemy's ghosts.
    pub enemy: Side,
}

impl Sight {
    /// The 48 characters: for each ghost its column and row as the viewer counts, and its colour.
    pub fn write(&self) -> String {
        let mut text = String::with_capacity(48);
        for (is_own, (place, red)) in self.ghosts() {
            let away = match place {
                GhostPlace::On(square) => {
                    let (x, y) = seen_at(square, self.viewer);
                    text.extend([x, y].map(|n| char::from(b'0' + n as u8)));
                    false
                }
                GhostPlace::Taken => {
                    text.push_str("99");
                    true
                }
                GhostPlace::Escaped => {
                    text.push_str("88");
                    true
                }
            };
            let colour = match red {
                None => 'u',
                Some(true) => 'r',
                Some(false) => 'b',
            };
            text.push(if is_own && !away { colour.to_ascii_uppercase() } else { colour });
        }
        text
    }

    /// Reads the 48 characters as `viewer` is sent them.
    pub fn read(text: &str, viewer: Seat) -> Result<Sight, Error> {
        let refuse = |at: usize, why: &str| {
            let ghost = if at < 8 { letter(at) } else { letter(at - 8).to_ascii_lowercase() };
            Error::input(format!("board {text:?}, ghost {ghost}: {why}"))
        };
        let bytes = text.as_bytes();
        if bytes.len() != 48 {
            return Err(Error::input(format!("board {text:?}: expected 48 characters")));
        }
        let mut ghosts = [(GhostPlace::Taken, None); 16];
        for (at, triple) in bytes.chunks_exact(3).enumerate() {
            let place = match triple[..2] {
                [b'9', b'9'] => GhostPlace::Taken,
                [b'8', b'8'] => GhostPlace::Escaped,
                [x @ b'0'..=b'5', y @ b'0'..=b'5'] => {
                    GhostPlace::On(square_at((x - b'0').into(), (y - b'0').into(), viewer))
                }
                _ => return Err(refuse(at, "expected a place 00 to 55, 99 or 88")),
            };
            let red = match triple[2] {
                b'R' | b'r' => Some(true),
                b'B' | b'b' => Some(false),
                b'u' if at >= 8 && matches!(place, GhostPlace::On(_)) => None,
                _ => return Err(refuse(at, "expected a colour")),
            };
            if matches!(place, GhostPlace::On(_)) && ghosts[..at].iter().any(|&(other, _)| other == place) {
                return Err(refuse(at, "another ghost stands there"));
            }
            ghosts[at] = (place, red);
        }
        let side = |from: usize| std::array::from_fn(|ghost| ghosts[from + ghost]);
        Ok(Sight { viewer, own: side(0), enemy: side(8) })
    }

    /// Where all ghosts are, whatever their colours.
    pub fn places(&self) -> [GhostPlace; 16] {
        let mut places = [GhostPlace::Taken; 16];
        for (place, (_, (seen, _))) in places.iter_mut().zip(self.ghosts()) {
            *place = seen;
        }
        places
    }

    fn ghosts(&self) -> impl Iterator<Item = (bool, (GhostPlace, Option<bool>))> {
        let enemy = self.enemy.into_iter().map(|ghost| (false, ghost));
        self.own.into_iter().map(|ghost| (true, ghost)).chain(enemy)
    }
}
