//! `champion`: looks ahead with a learned judgement of positions and a few random playouts.

use super::closing::Closing;
use super::lookahead::{Lookahead, Looked, Style};
use crate::evaluation::Model;
use crate::{Action, State, Tantrix};
use ranka_core::{
    Agent, AgentKind, Budget, Candidate, Error, Fault, Param, Params, SMALL_FILE, Scale, Seat, Seed,
    Thinking, Thought, read_bytes,
};
use ranka_search::Limits;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

static SHIPPED: LazyLock<Result<Arc<Model>, Error>> =
    LazyLock::new(|| Model::read(include_bytes!("../../networks/evaluation.bin")).map(Arc::new));

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "champion",
        version: 2,
        summary: "Looks ahead with a judgement learned from games with itself and random playouts; solves endgames of two.",
        params: vec![
            Param::int(
                "nodes",
                1,
                1_000_000_000,
                "80000",
                "positions judged for each decision; a playout counts as 14",
            ),
            Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count positions"),
            Param::file("evaluation", &["champion"], "champion, or a file with a learned evaluation"),
            Param::real("c", 0.0, 100.0, "0.5", "how much placements are tried that look worse"),
            Param::real(
                "temperature",
                0.001,
                100.0,
                "0.1",
                "how evenly first judgements share out the tries",
            ),
            Param::real("trust", 0.01, 1000.0, "1", "as how many tries a first judgement counts"),
            Param::int("playouts", 0, 1000, "4", "random playouts from each new leaf of the tree"),
            Param::real("mix", 0.0, 1.0, "0.7", "their weight beside the judgement"),
            Param::real("spread", 0.1, 100.0, "4", "the lead at the end of one that makes the odds e to one"),
            Param::int("endgame", 0, 12, "5", "search by alpha-beta once so many tiles are left to two"),
            Param::int("endgame-nodes", 1, 1_000_000_000, "200000", "the most positions of that search"),
        ],
        build: |_, params| {
            let (model, params) = (evaluation(params.text("evaluation"))?, params.clone());
            Ok(Arc::new(move |_: Seat, _: Seed| Champion::new(Arc::clone(&model), &params)))
        },
    }
}

/// The evaluation that comes with the program, or one from a file.
fn evaluation(name: &str) -> Result<Arc<Model>, Error> {
    if name == "champion" {
        return SHIPPED.clone();
    }
    let model = Model::read(&read_bytes(name, SMALL_FILE)?);
    model.map(Arc::new).map_err(|error| error.in_file(name))
}

struct Champion {
    lookahead: Lookahead,
    budget: Budget,
    closing: Closing,
}

impl Champion {
    fn new(model: Arc<Model>, params: &Params) -> Champion {
        let style = Style {
            exploration: params.real("c"),
            temperature: params.real("temperature"),
            trust: params.real("trust"),
            playouts: params.int("playouts") as u32,
            mix: params.real("mix"),
            spread: params.real("spread"),
        };
        let budget = match params.int("ms") {
            0 => Budget::Nodes(params.int("nodes") as u64),
            ms => Budget::Millis(ms as u64),
        };
        Champion {
            lookahead: Lookahead::new(model, style),
            budget,
            closing: Closing {
                tiles: params.int("endgame") as usize,
                nodes: params.int("endgame-nodes") as u64,
            },
        }
    }

    fn thought(&self) -> Thought<Action> {
        let rank = |looked: &Looked| (looked.visits, looked.chance);
        let better = |best: Looked, next: Looked| if rank(&next) > rank(&best) { next } else { best };
        let best = self.lookahead.looked().reduce(better).expect("a seat that is to act has a choice");
        let candidates = self.lookahead.looked().map(|looked| Candidate {
            visits: Some(u64::from(looked.visits)),
            pv: vec![looked.action],
            ..Candidate::valued(looked.action, looked.chance)
        });
        Thought {
            candidates: candidates.collect(),
            scale: Scale::Score,
            nodes: self.lookahead.judged,
            depth: self.lookahead.depth,
            ..Thought::plain(best.action)
        }
    }
}

/// The margins that the search of an endgame tells, as expected scores: what came to the end of the game is sure.
fn chances_of(mut thought: Thought<Action>, view: &State) -> Thought<Action> {
    let left = Seat::all(2).map(|seat| view.held(seat).len()).sum::<usize>();
    let sure = thought.depth as usize >= left;
    for candidate in &mut thought.candidates {
        let margin = candidate.value;
        candidate.value = match (sure, margin) {
            (true, 0.0) => 0.5,
            (true, margin) => f64::from(u8::from(margin > 0.0)),
            (false, margin) => 1.0 / (1.0 + libm::exp(-margin / UNSURE)),
        };
    }
    thought.scale = Scale::Score;
    thought
}

/// The margin of a search that did not reach the end at which the odds are e to one.
const UNSURE: f64 = 2.0;

/// The first report of progress, in positions judged; then whenever their number has doubled.
const FIRST_REPORT: u64 = 10_000;

impl Agent<Tantrix> for Champion {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let budget = thinking.budget.unwrap_or(self.budget);
        if self.closing.applies(view) {
            if let Budget::Millis(_) = budget {
                thinking.budget = Some(budget);
            }
            return Ok(chances_of(self.closing.think(view, thinking)?, view));
        }
        let limits = Limits::new(Some(budget), thinking.cancel_flag());
        self.lookahead.begin(view);
        let mut rng = thinking.rng.clone();
        let mut next_report = FIRST_REPORT;
        while !self.lookahead.is_forced() && self.lookahead.judged < limits.count {
            if thinking.cancelled() {
                return Err(Fault::Cancelled);
            }
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            self.lookahead.look(view, &mut rng);
            if self.lookahead.judged >= next_report {
                next_report *= 2;
                thinking.report(&self.thought());
            }
        }
        Ok(self.thought())
    }
}
