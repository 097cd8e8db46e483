//! Tables of memberships.

use super::{Features, Label};
use crate::action::Action;
use crate::kinds::Kind;
use crate::state::State;
use ranka_core::{Error, Rng, SMALL_FILE, Seed, read_text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The first line of a table's file.
const HEADER: &str = "v0,v1,v2,v3,v4,labelsum,count";

/// Sums and numbers of labels.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Labels {
    sum: f64,
    count: u32,
}

/// How good actions are, by their features.
#[derive(Clone, PartialEq, Debug)]
pub struct MembershipTable {
    labels: BTreeMap<Features, Labels>,
    /// The membership of every entry, in the order of `labels`: the mean of its labels, unless shuffled.
    memberships: Vec<f64>,
    /// The membership of everything, so that search need not look for neighbours.
    complete: Vec<f32>,
}

/// A membership, and why it is that.
#[derive(Clone, PartialEq, Debug)]
pub struct Membership {
    /// 0 to 1.
    pub value: f64,
    /// What decided it.
    pub because: Decided,
}

/// What decides a membership.
#[derive(Clone, PartialEq, Debug)]
pub enum Decided {
    /// Who stays and attacks nobody does nothing wrong.
    Stays,
    /// Whoever dies in the attempt was wrong.
    Dies,
    /// Examples with just these features: how many.
    Seen(u32),
    /// The nearest entries, all at this squared distance.
    Near(Vec<Features>, u32),
    /// There are no examples of this kind of unit, so nothing speaks against it.
    Unknown,
}

impl MembershipTable {
    /// The table of these examples.
    pub fn of(examples: impl IntoIterator<Item = (Features, Label)>) -> MembershipTable {
        let mut labels: BTreeMap<Features, Labels> = BTreeMap::new();
        for (features, label) in examples {
            let entry = labels.entry(features).or_default();
            entry.sum += label.weight();
            entry.count += 1;
        }
        MembershipTable::complete(labels)
    }

    fn complete(labels: BTreeMap<Features, Labels>) -> MembershipTable {
        let memberships = labels.values().map(|labels| labels.sum / f64::from(labels.count)).collect();
        MembershipTable { labels, memberships, complete: Vec::new() }.completed()
    }

    /// The same entries with their memberships given to each other at random.
    pub fn shuffled(&self, seed: Seed) -> MembershipTable {
        let mut table = self.clone();
        Rng::new(seed).shuffle(&mut table.memberships);
        table.completed()
    }

    fn completed(mut self) -> MembershipTable {
        let mut complete = Vec::with_capacity(6 * 11 * 7 * 11 * 11);
        for kind in Kind::ALL {
            let known = self.known(kind);
            for hp in 0..=10 {
                for target in [None].into_iter().chain(Kind::ALL.map(Some)) {
                    for (damage, danger) in (0..=10).flat_map(|d| (0..=10).map(move |v4| (d, v4))) {
                        let features = Features { kind, hp, target, damage, danger };
                        let value = nearest(&known, features).map_or(1.0, |(value, _)| value);
                        complete.push(value as f32);
                    }
                }
            }
        }
        self.complete = complete;
        self
    }

    /// The entries of one kind with their memberships.
    fn known(&self, kind: Kind) -> Vec<(Features, f64)> {
        let entries = self.labels.keys().copied().zip(self.memberships.iter().copied());
        entries.filter(|(features, _)| features.kind == kind).collect()
    }

    /// How many entries there are, and how many examples.
    pub fn size(&self) -> (usize, u64) {
        (self.labels.len(), self.labels.values().map(|labels| u64::from(labels.count)).sum())
    }

    /// The entries: features, sum of labels, number of examples, membership.
    pub fn entries(&self) -> impl Iterator<Item = (Features, f64, u32, f64)> {
        let entries = self.labels.iter().zip(&self.memberships);
        entries.map(|((&features, labels), &membership)| (features, labels.sum, labels.count, membership))
    }

    /// The membership of features, seen or not.
    pub fn lookup(&self, features: Features) -> Membership {
        let known = self.known(features.kind);
        let (value, because) = match nearest(&known, features) {
            None => (1.0, Decided::Unknown),
            Some((value, 0)) => (value, Decided::Seen(self.labels[&features].count)),
            Some((value, far)) => {
                let near = known.iter().filter(|&&(other, _)| distance(features, other) == far);
                (value, Decided::Near(near.map(|&(other, _)| other).collect(), far))
            }
        };
        Membership { value, because }
    }

    /// The membership of an action about to be taken, and why. The end of a turn is staying.
    pub fn explain(&self, state: &State, act: Action) -> Membership {
        match Standing::of(state, act) {
            Standing::Stays => Membership { value: 1.0, because: Decided::Stays },
            Standing::Dies => Membership { value: 0.0, because: Decided::Dies },
            Standing::Ordinary(features) => self.lookup(features),
        }
    }

    /// The membership of an action about to be taken.
    pub fn membership(&self, state: &State, act: Action) -> f64 {
        match Standing::of(state, act) {
            Standing::Stays => 1.0,
            Standing::Dies => 0.0,
            Standing::Ordinary(features) => f64::from(self.complete[place(features)]),
        }
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<MembershipTable, Error> {
        let text = read_text(path, SMALL_FILE).map_err(|e| e.at("table"))?;
        MembershipTable::read_csv(&text).map_err(|e| e.at("table").in_file(path))
    }

    /// Reads `v0,v1,v2,v3,v4,labelsum,count` lines.
    pub fn read_csv(text: &str) -> Result<MembershipTable, Error> {
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        if lines.next().is_none_or(|(line, _)| line.trim() != HEADER) {
            return Err(Error::input(format!("line 1: expected {HEADER:?}")));
        }
        let mut labels = BTreeMap::new();
        for (line, number) in lines {
            let bad = |problem: &str| Error::input(format!("line {number}, {line:?}: {problem}"));
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let [v0, v1, v2, v3, v4, sum, count] = cells[..] else {
                return Err(bad("expected seven columns"));
            };
            let mut numbers = [0i8; 5];
            for (number, text) in numbers.iter_mut().zip([v0, v1, v2, v3, v4]) {
                *number = text.parse().map_err(|_| bad(&format!("{text:?} is no small whole number")))?;
            }
            let features = Features::from_numbers(numbers)
                .ok_or_else(|| bad("v0 is 0 to 5, v2 is -1 to 5, the others are 0 to 10"))?;
            let count: u32 = count.parse().map_err(|_| bad("the count is no whole number"))?;
            let sum: f64 = sum.parse().map_err(|_| bad("the sum of labels is no number"))?;
            if count == 0 || !(0.0..=f64::from(count)).contains(&sum) {
                return Err(bad("the sum of labels is not between 0 and the count, which is at least 1"));
            }
            if labels.insert(features, Labels { sum, count }).is_some() {
                return Err(bad("these features come twice"));
            }
        }
        Ok(MembershipTable::complete(labels))
    }

    /// The examples as CSV. A shuffle is not part of it.
    pub fn write_csv(&self) -> String {
        let mut out = format!("{HEADER}\n");
        for (features, Labels { sum, count }) in &self.labels {
            let [v0, v1, v2, v3, v4] = features.numbers();
            let _ = writeln!(out, "{v0},{v1},{v2},{v3},{v4},{sum},{count}");
        }
        out
    }
}

/// What the evaluation makes of an action before it asks the table.
enum Standing {
    Stays,
    Dies,
    Ordinary(Features),
}

impl Standing {
    fn of(state: &State, act: Action) -> Standing {
        let Some(unit) = act.unit().and_then(|id| state.unit(id)) else { return Standing::Stays };
        if act.target().is_none() && act.to() == unit.place {
            return Standing::Stays;
        }
        match Features::of(state, act) {
            Some(features) if features.hp > 0 => Standing::Ordinary(features),
            _ => Standing::Dies,
        }
    }
}

/// The place of features in the completed table.
fn place(features: Features) -> usize {
    let Features { kind, hp, target, damage, danger } = features;
    let target = target.map_or(0, |kind| kind as usize + 1);
    let place = (kind as usize * 11 + usize::from(hp)) * 7 + target;
    (place * 11 + usize::from(damage)) * 11 + usize::from(danger)
}

/// The square of the Euclidean distance on the raw numbers.
fn distance(one: Features, other: Features) -> u32 {
    let pairs = one.numbers().into_iter().zip(other.numbers());
    pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// The mean membership of the nearest entries, and how far squared they are.
fn nearest(known: &[(Features, f64)], features: Features) -> Option<(f64, u32)> {
    let (mut least, mut sum, mut count) = (u32::MAX, 0.0, 0);
    for &(other, value) in known {
        let far = distance(features, other);
        if far < least {
            (least, sum, count) = (far, 0.0, 0);
        }
        if far == least {
            sum += value;
            count += 1;
        }
    }
    (count > 0).then(|| (sum / f64::from(count), least))
}
