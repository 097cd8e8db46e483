//! Two toys. [`Sow`] is a little Kalah: a real game with extra moves. [`Maze`] is a graph made up by hashing,
//! with every awkwardness that the contract allows: seats that act several times running, 2 to 4 of them,
//! chance, many ways to the same position, and even cycles.

use ranka_core::{Actor, Keyed, Outcome, Position, Rng, Seat, Seed};

/// Mixes numbers into one that looks random.
pub(crate) fn hash(numbers: &[u64]) -> u64 {
    numbers.iter().fold(Seed::new(0x5eed), |seed, &n| seed.at(n)).value()
}

/// Three houses a side and a store each; a last seed in the own store gives another move. Who cannot move
/// ends the game, and the fuller store wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sow {
    /// South's houses and store, then North's.
    pub(crate) pits: [u8; 8],
    pub(crate) mover: Seat,
}

impl Sow {
    pub(crate) fn random(rng: &mut Rng) -> Sow {
        let mut pits = [0; 8];
        for pit in &mut pits {
            *pit = rng.below(4) as u8;
        }
        Sow { pits, mover: Seat::new(rng.index(2)) }
    }

    pub(crate) fn margin(&self, seat: Seat) -> i32 {
        let margin = i32::from(self.pits[3]) - i32::from(self.pits[7]);
        if seat == Seat::FIRST { margin } else { -margin }
    }

    fn houses(&self) -> std::ops::Range<usize> {
        let base = self.mover.index() * 4;
        base..base + 3
    }
}

impl Position for Sow {
    type Action = u8;

    fn seats(&self) -> usize {
        2
    }

    fn actor(&self) -> Actor {
        if self.houses().any(|house| self.pits[house] > 0) { Actor::Seat(self.mover) } else { Actor::Over }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(self.houses().filter(|&house| self.pits[house] > 0).map(|house| house as u8));
    }

    fn apply(&mut self, action: u8) {
        let skip = self.mover.other().index() * 4 + 3;
        let mut pit = usize::from(action);
        for _ in 0..std::mem::take(&mut self.pits[pit]) {
            pit = (pit + 1) % 8;
            if pit == skip {
                pit = (pit + 1) % 8;
            }
            self.pits[pit] += 1;
        }
        if pit != self.mover.index() * 4 + 3 {
            self.mover = self.mover.other();
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&[i32::from(self.pits[3]), i32::from(self.pits[7])])
    }
}

impl Keyed for Sow {
    fn key(&self) -> u64 {
        hash(&[u64::from_le_bytes(self.pits), self.mover.index() as u64])
    }
}

/// A position of a made-up game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Maze {
    pub(crate) salt: u64,
    pub(crate) seats: usize,
    /// Whether chance acts now and then.
    pub(crate) chance: bool,
    /// Positions in each layer: the fewer, the more ways lead to the same.
    pub(crate) width: u64,
    /// The game ends at this layer at the latest; 0 for a game of one layer, full of cycles.
    pub(crate) layers: u32,
    pub(crate) layer: u32,
    pub(crate) place: u64,
}

impl Maze {
    /// Open, deterministic, for two.
    pub(crate) fn new(salt: u64, width: u64, layers: u32) -> Maze {
        Maze { salt, seats: 2, chance: false, width, layers, layer: 0, place: 0 }
    }

    /// A number in `0..n` that belongs to this position; each topic has its own.
    pub(crate) fn number(&self, topic: u64, n: u64) -> u64 {
        hash(&[self.salt, u64::from(self.layer), self.place, topic]) % n
    }

    /// A small value for the first seat, often the same elsewhere.
    pub(crate) fn worth(&self, seat: Seat) -> i32 {
        let worth = self.number(1, 13) as i32 - 6;
        if seat == Seat::FIRST { worth } else { -worth }
    }

    fn at_the_start(&self) -> bool {
        self.layer == 0 && self.place == 0
    }
}

impl Position for Maze {
    type Action = u8;

    fn seats(&self) -> usize {
        self.seats
    }

    fn actor(&self) -> Actor {
        let ended = self.layers > 0 && self.layer == self.layers;
        if ended || (!self.at_the_start() && self.number(2, 9) == 0) {
            Actor::Over
        } else if self.chance && !self.at_the_start() && self.number(3, 3) == 0 {
            Actor::Chance
        } else {
            Actor::Seat(Seat::new(self.number(4, self.seats as u64) as usize))
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        if !self.actor().is_over() {
            // Not from 0 on, so that an action and its place in the order are different things.
            let first = self.number(5, 3) as u8;
            let few = if self.at_the_start() { 2 } else { 1 };
            out.extend(first..first + few + self.number(6, 4) as u8);
        }
    }

    fn apply(&mut self, action: u8) {
        self.place = hash(&[self.salt, u64::from(self.layer), self.place, 7, u64::from(action)]) % self.width;
        if self.layers > 0 {
            self.layer += 1;
        }
    }

    fn outcome(&self) -> Outcome {
        let points: Vec<i32> = (0..self.seats as u64).map(|seat| self.number(10 + seat, 3) as i32).collect();
        Outcome::by_points(&points)
    }
}

impl Keyed for Maze {
    fn key(&self) -> u64 {
        hash(&[self.salt, u64::from(self.layer), self.place])
    }
}

/// The value of a position for the first seat, both playing perfectly and chance drawing.
pub(crate) fn expectimax(position: &Maze) -> f64 {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let values = actions.iter().map(|&action| {
        let mut next = position.clone();
        next.apply(action);
        (position.probability(action), expectimax(&next))
    });
    match position.actor() {
        Actor::Over => position.outcome().score(Seat::FIRST),
        Actor::Chance => values.map(|(probability, value)| probability * value).sum(),
        Actor::Seat(Seat::FIRST) => values.map(|(_, value)| value).fold(0.0, f64::max),
        Actor::Seat(_) => values.map(|(_, value)| value).fold(1.0, f64::min),
    }
}
