//! `big-brain`: the original program's best player. It searches its own turns breadth first for a way to its target
//! and takes the first that it finds.

use super::alone::{Entries, Pushed, Scene, Setting, Turn, scene};
use super::turns::{Effort, Plan, Planner, Turns, spelled};
use crate::{Labyrinth, View};
use ranka_core::{AgentKind, Fault, Param, Params, Rng, Seat, Seed};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Instant;

/// The most expansions that can be asked for; a queue never grows longer.
const MOST: u64 = 100_000;
/// The thesis's preset, in place of five seconds on an unknown machine.
const THESIS_BUDGET: u64 = 40;

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "big-brain",
        version: 1,
        summary: "Searches its own turns breadth first, the others frozen, and takes the first way to its target.",
        params: vec![
            Param::choice(
                "preset",
                &["source", "thesis"],
                "source: source8, source, root-child, no limit; thesis: legal, none, explored-node, budget 40",
            ),
            Param::choice("entries", &["preset", "legal", "source8"], "the entries that it looks at"),
            Param::choice(
                "dedupe",
                &["preset", "source", "none", "transposition"],
                "what is not searched again: cells and boards seen (source), nothing, or equal positions",
            ),
            Param::choice(
                "fallback",
                &["preset", "root-child", "explored-node"],
                "without a way: any turn, or the first turn to any position seen",
            ),
            Param::int("budget", 0, MOST as i64, "0", "positions expanded at most; 0 for the preset's"),
            Param::int(
                "ms",
                0,
                1_000_000,
                "0",
                "milliseconds at most; 0 for no such limit (the source has 5000)",
            ),
        ],
        build: |_, params| {
            let config = Config::new(params);
            Ok(Arc::new(move |seat: Seat, seed: Seed| Turns::new(BigBrain::new(config), seat, seed)))
        },
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dedupe {
    /// Neither a cell nor a board of which one was seen is queued, so at most 48 positions ever are.
    Source,
    None,
    Transposition,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fallback {
    RootChild,
    ExploredNode,
}

#[derive(Clone, Copy, Debug)]
struct Config {
    entries: Entries,
    dedupe: Dedupe,
    fallback: Fallback,
    budget: u64,
    ms: Option<u64>,
}

impl Config {
    fn new(params: &Params) -> Config {
        let source = params.text("preset") == "source";
        let or = |key: &str, in_source: &'static str, in_thesis: &'static str| match params.text(key) {
            "preset" => (if source { in_source } else { in_thesis }).to_owned(),
            word => word.to_owned(),
        };
        Config {
            entries: Entries::named(&or("entries", "source8", "legal")),
            dedupe: match or("dedupe", "source", "none").as_str() {
                "none" => Dedupe::None,
                "transposition" => Dedupe::Transposition,
                _ => Dedupe::Source,
            },
            fallback: match or("fallback", "root-child", "explored-node").as_str() {
                "explored-node" => Fallback::ExploredNode,
                _ => Fallback::RootChild,
            },
            budget: match (params.int("budget"), source) {
                (0, true) => MOST,
                (0, false) => THESIS_BUDGET,
                (budget, _) => budget as u64,
            },
            ms: Some(params.int("ms") as u64).filter(|&ms| ms > 0),
        }
    }
}

/// A position that was taken from the queue.
struct Expanded {
    scene: Scene,
    parent: usize,
    turn: Option<Turn>,
    /// How many turns it offered.
    children: u32,
}

/// A turn that waits in the queue.
#[derive(Clone, Copy)]
struct Queued {
    parent: usize,
    turn: Turn,
}

/// The rooms are kept from one decision to the next.
struct BigBrain {
    config: Config,
    expanded: Vec<Expanded>,
    queue: Vec<Queued>,
    boards: Vec<u64>,
    positions: FxHashSet<u64>,
}

impl BigBrain {
    fn new(config: Config) -> BigBrain {
        BigBrain {
            config,
            expanded: Vec::new(),
            queue: Vec::new(),
            boards: Vec::new(),
            positions: FxHashSet::default(),
        }
    }

    /// Searches until a turn ends on the target; gives the position from which it was found, and the turn.
    fn search(
        &mut self,
        setting: &Setting,
        root: Scene,
        effort: &Effort<'_>,
    ) -> Result<Option<(usize, Turn)>, Fault> {
        let config = self.config;
        let (budget, deadline) = (effort.expansions(config.budget).min(MOST), effort.deadline(config.ms));
        let own = setting.seat.index();
        self.expanded.clear();
        self.queue.clear();
        self.boards.clear();
        self.positions.clear();
        let mut cells = root.pawns[own].bit();
        match config.dedupe {
            Dedupe::Source => self.boards.push(root.arrangement()),
            Dedupe::Transposition => drop(self.positions.insert(root.key(setting))),
            Dedupe::None => {}
        }
        self.expanded.push(Expanded { scene: root, parent: 0, turn: None, children: 0 });
        let mut next = 0;
        loop {
            effort.go_on()?;
            let at = self.expanded.len() - 1;
            let scene = self.expanded[at].scene;
            let mut children = 0;
            for pushed in scene.pushes(setting, config.entries, true) {
                let reach = pushed.reach(setting.seat);
                children += reach.count_ones();
                if let Some(cell) = pushed.target.filter(|cell| reach & cell.bit() != 0) {
                    return Ok(Some((at, Turn { push: pushed.push, cell })));
                }
                if self.queue.len() as u64 >= budget {
                    continue;
                }
                match config.dedupe {
                    Dedupe::None => {
                        let turns = pushed.walk(setting.seat);
                        let turns = turns.iter().map(|&cell| Turn { push: pushed.push, cell });
                        self.queue.extend(turns.map(|turn| Queued { parent: at, turn }));
                    }
                    Dedupe::Source => self.queue_new(setting, at, &pushed, reach, &mut cells),
                    Dedupe::Transposition => {
                        for &cell in pushed.walk(setting.seat).iter() {
                            if self.positions.insert(scene.after(setting, &pushed, cell).key(setting)) {
                                let turn = Turn { push: pushed.push, cell };
                                self.queue.push(Queued { parent: at, turn });
                            }
                        }
                    }
                }
            }
            self.expanded[at].children = children;
            let spent = self.expanded.len() as u64 >= budget
                || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let Some(&Queued { parent, turn }) = self.queue.get(next).filter(|_| !spent) else {
                return Ok(None);
            };
            next += 1;
            let scene = self.expanded[parent].scene.played(setting, turn);
            self.expanded.push(Expanded { scene, parent, turn: Some(turn), children: 0 });
        }
    }

    /// Queues the first cell in standard order on which no queued position has the pawn, if no queued position has
    /// the board. All turns with one push share their board, so each push adds one at most.
    fn queue_new(&mut self, setting: &Setting, at: usize, pushed: &Pushed, reach: u64, cells: &mut u64) {
        if reach & !*cells == 0 {
            return;
        }
        let walk = pushed.walk(setting.seat);
        let cell = *walk.iter().find(|cell| *cells & cell.bit() == 0).expect("a new cell is in reach");
        let board = self.expanded[at].scene.after(setting, pushed, cell).arrangement();
        if self.boards.contains(&board) {
            return;
        }
        self.boards.push(board);
        *cells |= cell.bit();
        self.queue.push(Queued { parent: at, turn: Turn { push: pushed.push, cell } });
    }

    /// The turns that lead to an expanded position.
    fn path(&self, mut at: usize) -> Vec<Turn> {
        let mut turns = Vec::new();
        while let Some(turn) = self.expanded[at].turn {
            turns.push(turn);
            at = self.expanded[at].parent;
        }
        turns.reverse();
        turns
    }

    /// The first turn to a position drawn from those that were seen.
    fn blind(&self, setting: &Setting, rng: &mut Rng) -> Turn {
        let seen = match self.config.fallback {
            Fallback::RootChild => &self.expanded[..1],
            Fallback::ExploredNode => &self.expanded[..],
        };
        let all: u32 = seen.iter().map(|expanded| expanded.children).sum();
        let mut drawn = rng.below(all);
        for (at, expanded) in seen.iter().enumerate() {
            if drawn >= expanded.children {
                drawn -= expanded.children;
                continue;
            }
            if let Some(&first) = self.path(at).first() {
                return first;
            }
            for pushed in expanded.scene.pushes(setting, self.config.entries, true) {
                let walk = pushed.walk(setting.seat);
                match walk.get(drawn as usize) {
                    Some(&cell) => return Turn { push: pushed.push, cell },
                    None => drawn -= walk.len() as u32,
                }
            }
        }
        unreachable!("what was drawn is one of those counted")
    }
}

impl Planner for BigBrain {
    fn plan(&mut self, view: &View, effort: &Effort<'_>, mut rng: Rng) -> Result<Plan, Fault> {
        let (setting, root) = scene(view);
        let found = self.search(&setting, root, effort)?;
        let (mut turns, value) = match found {
            Some((at, last)) => {
                let mut turns = self.path(at);
                turns.push(last);
                let value = -(turns.len() as i32);
                (turns, Some(value))
            }
            None => (vec![self.blind(&setting, &mut rng)], None),
        };
        spelled(&setting, &root, &mut turns);
        Ok(Plan { turns, value, pushes: Vec::new(), nodes: self.expanded.len() as u64 })
    }
}
