//! The same rules in the plainest way, tile by tile: the tests compare the bit boards with it, and `ranka bench`
//! takes it as a yardstick.

use crate::action::{Action, Push};
use crate::maze::{Cell, Entry};
use crate::state::State;
use crate::tile::{Direction, Shape, Tile, Treasure};
use ranka_core::{Actor, Outcome, Position, Seat};

/// A position as a grid of tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive {
    grid: Vec<Vec<Tile>>,
    extra: Tile,
    players: Vec<Player>,
    mover: usize,
    pushed: bool,
    last: Option<usize>,
    plies: Option<u16>,
    cap: u16,
    return_home: bool,
    end: Option<Option<usize>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Player {
    at: (usize, usize),
    home: (usize, usize),
    pile: Vec<Treasure>,
}

/// The entries as the specification lists them: cell and direction of the push.
const ENTRIES: [(usize, usize, Direction); 12] = [
    (1, 0, Direction::Down),
    (3, 0, Direction::Down),
    (5, 0, Direction::Down),
    (6, 1, Direction::Left),
    (6, 3, Direction::Left),
    (6, 5, Direction::Left),
    (5, 6, Direction::Up),
    (3, 6, Direction::Up),
    (1, 6, Direction::Up),
    (0, 5, Direction::Right),
    (0, 3, Direction::Right),
    (0, 1, Direction::Right),
];

fn step((x, y): (usize, usize), direction: Direction) -> Option<(usize, usize)> {
    match direction {
        Direction::Up => (y > 0).then(|| (x, y - 1)),
        Direction::Right => (x < 6).then_some((x + 1, y)),
        Direction::Down => (y < 6).then_some((x, y + 1)),
        Direction::Left => (x > 0).then(|| (x - 1, y)),
    }
}

fn back(direction: Direction) -> Direction {
    Direction::ALL[(direction as usize + 2) % 4]
}

impl Naive {
    /// The same position.
    pub fn of(state: &State) -> Naive {
        let place = |cell: Cell| (cell.x(), cell.y());
        let players = Seat::all(state.seats()).map(|seat| Player {
            at: place(state.pawn(seat)),
            home: place(state.home(seat)),
            pile: state.cards().pile(seat).iter().filter_map(|card| card.treasure()).collect(),
        });
        Naive {
            grid: state.board().tiles().chunks(7).map(<[Tile]>::to_vec).collect(),
            extra: state.board().extra(),
            players: players.collect(),
            mover: state.mover().index(),
            pushed: state.phase() == crate::Phase::Move,
            last: state.last().map(Entry::index),
            plies: state.ply,
            cap: state.rules.ply_cap,
            return_home: state.rules.return_home,
            end: state.actor().is_over().then(|| state.is_won().then(|| state.mover().index())),
        }
    }

    fn reached(&self, from: (usize, usize)) -> Vec<(usize, usize)> {
        let mut order = vec![from];
        let mut read = 0;
        while read < order.len() {
            let (x, y) = order[read];
            read += 1;
            for direction in Direction::ALL {
                let Some(next) = step((x, y), direction) else { continue };
                let joined = self.grid[y][x].openings().has(direction)
                    && self.grid[next.1][next.0].openings().has(back(direction));
                if joined && !order.contains(&next) {
                    order.push(next);
                }
            }
        }
        order
    }

    /// The number of cells that the mover could reach after a push.
    pub fn reach_after(&self, push: Push) -> usize {
        let mut after = self.clone();
        after.push(push);
        after.reached(after.players[after.mover].at).len()
    }

    fn push(&mut self, push: Push) {
        let (x, y, direction) = ENTRIES[push.entry.index()];
        let mut tile = Tile::new(self.extra.piece(), push.rotation);
        let mut carried = vec![None; self.players.len()];
        let mut at = Some((x, y));
        while let Some((x, y)) = at {
            std::mem::swap(&mut self.grid[y][x], &mut tile);
            at = step((x, y), direction);
            for (player, carried) in self.players.iter().zip(&mut carried) {
                if player.at == (x, y) {
                    *carried =
                        Some(at.unwrap_or((ENTRIES[push.entry.index()].0, ENTRIES[push.entry.index()].1)));
                }
            }
        }
        for (player, carried) in self.players.iter_mut().zip(carried) {
            player.at = carried.unwrap_or(player.at);
        }
        self.extra = tile;
        self.last = Some(push.entry.index());
        self.pushed = true;
    }
}

impl Position for Naive {
    type Action = Action;

    fn seats(&self) -> usize {
        self.players.len()
    }

    fn actor(&self) -> Actor {
        if self.end.is_some() { Actor::Over } else { Actor::Seat(Seat::new(self.mover)) }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        if self.end.is_some() {
            return;
        }
        if self.pushed {
            let reached = self.reached(self.players[self.mover].at);
            return out.extend(reached.iter().map(|&(x, y)| Action::Move(Cell::at(x, y))));
        }
        let rotations = if self.extra.shape() == Shape::I { 2 } else { 4 };
        for (i, (x, y, direction)) in ENTRIES.into_iter().enumerate() {
            // The last push is reversed at the cell where its line ended, in the other direction.
            let reversed = self.last.is_some_and(|last| {
                let (last_x, last_y, last_direction) = ENTRIES[last];
                direction == back(last_direction) && (x == last_x || y == last_y)
            });
            for rotation in (0..rotations).filter(|_| !reversed) {
                out.push(Action::Push(Push { entry: Entry::new(i), rotation }));
            }
        }
    }

    fn apply(&mut self, action: Action) {
        self.plies = self.plies.map(|plies| plies + 1);
        match action {
            Action::Push(push) => self.push(push),
            Action::Move(cell) => {
                let player = &mut self.players[self.mover];
                player.at = (cell.x(), cell.y());
                let shown = self.grid[cell.y()][cell.x()].treasure();
                let homeward = player.pile.is_empty();
                if shown.is_some() && shown == player.pile.first().copied() {
                    player.pile.remove(0);
                }
                let won = if self.return_home {
                    homeward && player.at == player.home
                } else {
                    player.pile.is_empty()
                };
                if won {
                    self.end = Some(Some(self.mover));
                    return;
                }
                self.pushed = false;
                if self.plies != Some(self.cap) {
                    self.mover = (self.mover + 1) % self.players.len();
                }
            }
        }
        if self.plies == Some(self.cap) {
            self.end = Some(None);
        }
    }

    fn outcome(&self) -> Outcome {
        let winner = self.end.expect("the game is over");
        winner.map_or(Outcome::draw(self.seats()), |winner| Outcome::win(Seat::new(winner), self.seats()))
    }
}
