//! `max-q` and `min-q`: the best and the worst house by Q value. What all players with a Q table share is here too.

use crate::q::{self, QKind, QTable};
use crate::{House, Kalah, State};
use ranka_core::{
    Agent, AgentKind, Candidate, Error, Fault, Graph, Maker, Param, Params, Scale, Seat, Seed, Thinking,
    Thought, Ties,
};
use std::path::Path;
use std::sync::Arc;

pub(super) fn max_kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "max-q",
        summary: "Plays the house with the highest Q value.",
        params: params(),
        build: |game, params| {
            Ok(Arc::new(QPlayer { table: table(game, params)?, ties: Ties::of(params), sign: 1.0 }))
        },
    }
}

pub(super) fn min_kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "min-q",
        summary: "Plays the house with the lowest Q value.",
        params: params(),
        build: |game, params| {
            Ok(Arc::new(QPlayer { table: table(game, params)?, ties: Ties::of(params), sign: -1.0 }))
        },
    }
}

fn params() -> Vec<Param> {
    let mut params = table_params();
    params.push(Ties::PARAM);
    params
}

/// The parameters that choose a table.
pub(super) fn table_params() -> Vec<Param> {
    let mut params =
        vec![Param::text("q", "exact", "the table: exact (computed Q*), or a file that ranka train wrote")];
    params.extend(QKind::PARAMS);
    params
}

/// The table that they choose.
pub(super) fn table(game: &Kalah, params: &Params) -> Result<Arc<QTable>, Error> {
    match params.text("q") {
        "exact" => {
            let kind = QKind::of(params)?;
            QTable::new(game, kind)?; // refuses what no table can hold before the work begins
            q::shared(game, kind).map_err(|e| e.at("q=exact"))
        }
        file => {
            let table = q::read(Path::new(file), game).map_err(|e| e.at("q"))?;
            if QKind::PARAMS.iter().any(|param| params.text(param.key) != param.default) {
                let message =
                    format!("backup, reward and discount go with q=exact; this table has {}", table.kind);
                return Err(Error::input(message).at("q"));
            }
            Ok(Arc::new(table))
        }
    }
}

/// What the table says of a position.
pub(super) fn choices(table: &QTable, view: &State) -> Result<Vec<(House, f64)>, Fault> {
    if table.covers(view) {
        Ok(table.choices(view))
    } else {
        Err(Fault::Protocol(
            "the Q table does not know this position: it cannot be reached from the start".to_owned(),
        ))
    }
}

/// The candidates of a table.
pub(super) fn candidates(choices: &[(House, f64)]) -> Vec<Candidate<House>> {
    choices.iter().map(|&(house, value)| Candidate::valued(house, value)).collect()
}

#[derive(Clone)]
struct QPlayer {
    table: Arc<QTable>,
    ties: Ties,
    sign: f64,
}

impl QPlayer {
    fn wishes(&self, choices: &[(House, f64)]) -> Vec<f64> {
        choices.iter().map(|&(_, value)| self.sign * value).collect()
    }
}

impl Maker<Kalah> for QPlayer {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        Ok(Box::new(self.clone()))
    }

    fn policy(&self, graph: &Graph<State>) -> Option<Vec<f64>> {
        let mut policy = Vec::with_capacity(graph.edge_count());
        for node in (0..graph.len()).filter(|&node| !graph.edge_range(node).is_empty()) {
            self.ties.spread(&self.wishes(&self.table.choices(graph.position(node))), &mut policy);
        }
        Some(policy)
    }
}

impl Agent<Kalah> for QPlayer {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let choices = choices(&self.table, view)?;
        let chosen = self.ties.pick(&self.wishes(&choices), &mut thinking.rng);
        Ok(Thought {
            candidates: candidates(&choices),
            scale: Scale::Own,
            ..Thought::plain(choices[chosen].0)
        })
    }
}
