//! The search that serves all five criteria: the position of the highest value is always the next to be played on
//! from, until one exceeds the threshold.

use super::alone::{Entries, Scene, Setting, Turn, scene};
use super::criteria::{Criterion, Outlook};
use super::turns::{Effort, Plan, Planner, Turns, spelled};
use crate::action::Push;
use crate::{Labyrinth, View};
use ranka_core::{AgentKind, Fault, Param, Params, Rng, Seat, Seed};
use std::collections::BinaryHeap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Instant;

/// The most expansions that can be asked for.
const MOST: u64 = 100_000;

pub(super) fn kind<C: Criterion>() -> AgentKind<Labyrinth> {
    AgentKind {
        name: C::NAME,
        version: 1,
        summary: C::SUMMARY,
        params: vec![
            Param::int("threshold", -100_000, 100_000, C::THRESHOLD, "a value above this ends the search"),
            Param::int("budget", 1, MOST as i64, "40", "positions expanded at most"),
            Param::choice(
                "ties",
                &["first", "random"],
                "of equal values, the first in standard order or any",
            ),
            Param::choice(
                "target",
                &["after-push", "turn-start"],
                "where the target is looked up: after the push or, as the thesis says, before it",
            ),
            Param::choice("entries", Entries::WORDS, "the entries that it looks at"),
        ],
        build: |_, params| {
            let config = Config::new(params);
            Ok(Arc::new(move |seat: Seat, seed: Seed| Turns::new(BestFirst::<C>::new(config), seat, seed)))
        },
    }
}

#[derive(Clone, Copy, Debug)]
struct Config {
    threshold: i32,
    budget: u64,
    random_ties: bool,
    stale_target: bool,
    entries: Entries,
}

impl Config {
    fn new(params: &Params) -> Config {
        Config {
            threshold: params.int("threshold") as i32,
            budget: params.int("budget") as u64,
            random_ties: params.text("ties") == "random",
            stale_target: params.text("target") == "turn-start",
            entries: Entries::named(params.text("entries")),
        }
    }
}

/// A position that was played on from.
struct Expanded {
    scene: Scene,
    parent: usize,
    turn: Option<Turn>,
    /// Which of the root's pushes led here.
    first: usize,
}

/// A position that was valued. The greater comes first: by value, then by order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Valued {
    value: i32,
    order: u32,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    parent: usize,
    first: usize,
    turn: Turn,
}

/// Where a position stands does not make it better.
impl Ord for Place {
    fn cmp(&self, _: &Place) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The rooms are kept from one decision to the next.
struct BestFirst<C> {
    config: Config,
    expanded: Vec<Expanded>,
    waiting: BinaryHeap<Valued>,
    /// The root's pushes, and the highest value found through each.
    pushes: Vec<(Option<Push>, i32)>,
    criterion: PhantomData<C>,
}

impl<C: Criterion> BestFirst<C> {
    fn new(config: Config) -> BestFirst<C> {
        BestFirst {
            config,
            expanded: Vec::new(),
            waiting: BinaryHeap::new(),
            pushes: Vec::new(),
            criterion: PhantomData,
        }
    }

    /// The best of all positions that were valued.
    fn search(
        &mut self,
        setting: &Setting,
        root: Scene,
        effort: &Effort<'_>,
        rng: &mut Rng,
    ) -> Result<Valued, Fault> {
        let config = self.config;
        let (budget, deadline) = (effort.expansions(config.budget).min(MOST), effort.deadline(None));
        self.expanded.clear();
        self.waiting.clear();
        self.pushes.clear();
        self.expanded.push(Expanded { scene: root, parent: 0, turn: None, first: 0 });
        let mut best: Option<Valued> = None;
        let mut order = u32::MAX;
        loop {
            effort.go_on()?;
            let parent = self.expanded.len() - 1;
            let Expanded { scene, first, .. } = self.expanded[parent];
            for pushed in scene.pushes(setting, config.entries, false) {
                let first = if parent == 0 {
                    self.pushes.push((pushed.push, i32::MIN));
                    self.pushes.len() - 1
                } else {
                    first
                };
                let outlook = Outlook::new::<C>(setting, &pushed, config.stale_target.then_some(&scene));
                for &cell in pushed.walk(setting.seat).iter() {
                    let value = C::value(&outlook.at(cell));
                    order = if config.random_ties { rng.bits() as u32 } else { order.saturating_sub(1) };
                    let turn = Turn { push: pushed.push, cell };
                    let valued = Valued { value, order, place: Place { parent, first, turn } };
                    self.pushes[first].1 = self.pushes[first].1.max(value);
                    if best.is_none_or(|best| valued > best) {
                        best = Some(valued);
                    }
                    self.waiting.push(valued);
                }
            }
            let best = best.expect("there is always a turn");
            let spent = self.expanded.len() as u64 >= budget
                || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if best.value > config.threshold || spent {
                return Ok(best);
            }
            let Place { parent, first, turn } = self.waiting.pop().expect("the new ones wait").place;
            let scene = self.expanded[parent].scene.played(setting, turn);
            self.expanded.push(Expanded { scene, parent, turn: Some(turn), first });
        }
    }
}

impl<C: Criterion> Planner for BestFirst<C> {
    fn plan(&mut self, view: &View, effort: &Effort<'_>, mut rng: Rng) -> Result<Plan, Fault> {
        let (setting, root) = scene(view);
        let best = self.search(&setting, root, effort, &mut rng)?;
        let mut turns = vec![best.place.turn];
        let mut at = best.place.parent;
        while let Some(turn) = self.expanded[at].turn {
            turns.push(turn);
            at = self.expanded[at].parent;
        }
        turns.reverse();
        spelled(&setting, &root, &mut turns);
        let pushes = self.pushes.iter().filter_map(|&(push, value)| Some((push?, value))).collect();
        Ok(Plan { turns, value: Some(best.value), pushes, nodes: self.expanded.len() as u64 })
    }
}
