//! Tabular Q-learning, for self-play and against an opponent that is part of the environment.

use ranka_core::Rng;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What is learned: decisions, their rewards, and who decides next.
pub trait Task {
    /// A position in which somebody is to decide.
    type State;
    /// What a decision may depend on.
    type Key: Copy + Eq + Hash;

    /// How many slots a table row has; an action is a slot below this.
    fn slots(&self) -> usize;

    /// Where an episode begins, and whether its first action shall be a random one (an *exploring start*: what greedy
    /// play avoids is then tried as often as the rest).
    fn start(&self, rng: &mut Rng) -> (Self::State, bool);

    /// What the table knows this position by.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Fills in the legal slots.
    fn legal(&self, state: &Self::State, slots: &mut Vec<usize>);

    /// Takes an action, and lets the environment act up to the next decision.
    fn step(&self, state: &mut Self::State, slot: usize, rng: &mut Rng) -> Transition;
}

/// What an action brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// The reward, for the one who acted.
    pub reward: f64,
    /// Who decides next.
    pub next: Next,
}

/// Who decides after an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nobody: the episode is over.
    Over,
    /// The same one again.
    Same,
    /// The opponent, who learns too, and whose gain is this one's loss.
    Opponent,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learning {
    /// How far a value moves towards its target, 0 to 1.
    pub rate: f64,
    /// What a reward one decision later is worth now.
    pub discount: f64,
    /// The probability of a random action instead of the best known.
    pub exploration: f64,
}

/// A value for every action of every position met. What was never met is 0.
#[derive(Clone, Debug, Default)]
pub struct ActionValues<K> {
    rows: FxHashMap<K, usize>,
    values: Vec<f64>,
    visited: Vec<bool>,
    slots: usize,
}

impl<K: Copy + Eq + Hash> ActionValues<K> {
    /// An empty table with rows of `slots`.
    pub fn new(slots: usize) -> ActionValues<K> {
        ActionValues { rows: FxHashMap::default(), values: Vec::new(), visited: Vec::new(), slots }
    }

    /// The row of a position.
    pub fn row(&self, key: K) -> Option<&[f64]> {
        self.rows.get(&key).map(|&at| &self.values[at..at + self.slots])
    }

    /// Sets one value, which then counts as visited.
    pub fn set(&mut self, key: K, slot: usize, value: f64) {
        let at = self.row_start(key) + slot;
        self.values[at] = value;
        self.visited[at] = true;
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.rows.len()
    }

    /// How many actions were visited.
    pub fn visited(&self) -> usize {
        self.visited.iter().filter(|&&visited| visited).count()
    }

    /// Every row: the position, its values, and which of them were visited.
    pub fn rows(&self) -> impl Iterator<Item = (K, &[f64], &[bool])> {
        self.rows
            .iter()
            .map(|(&key, &at)| (key, &self.values[at..at + self.slots], &self.visited[at..at + self.slots]))
    }

    fn row_start(&mut self, key: K) -> usize {
        *self.rows.entry(key).or_insert_with(|| {
            let at = self.values.len();
            self.values.resize(at + self.slots, 0.0);
            self.visited.resize(at + self.slots, false);
            at
        })
    }
}

/// Plays one episode and learns from it; tells the largest change of a value.
pub fn episode<T: Task>(
    task: &T,
    values: &mut ActionValues<T::Key>,
    learning: &Learning,
    rng: &mut Rng,
) -> f64 {
    let (mut state, mut explore) = task.start(rng);
    let mut legal = Vec::new();
    task.legal(&state, &mut legal);
    let mut row = values.row_start(task.key(&state));
    let mut largest: f64 = 0.0;
    while !legal.is_empty() {
        let slot = if std::mem::take(&mut explore) || rng.chance(learning.exploration) {
            rng.pick(&legal)
        } else {
            best(&values.values[row..], &legal).0
        };
        let step = task.step(&mut state, slot, rng);
        let at = row + slot;
        let mut target = step.reward;
        legal.clear();
        if step.next != Next::Over {
            task.legal(&state, &mut legal);
            row = values.row_start(task.key(&state));
            let ahead = learning.discount * best(&values.values[row..], &legal).1;
            target += if step.next == Next::Same { ahead } else { -ahead };
        }
        let change = learning.rate * (target - values.values[at]);
        values.values[at] += change;
        values.visited[at] = true;
        largest = largest.max(change.abs());
    }
    largest
}

/// The first best slot and its value.
fn best(row: &[f64], legal: &[usize]) -> (usize, f64) {
    let first = (legal[0], row[legal[0]]);
    legal[1..].iter().fold(first, |best, &slot| if row[slot] > best.1 { (slot, row[slot]) } else { best })
}
