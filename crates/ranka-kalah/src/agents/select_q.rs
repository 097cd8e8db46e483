//! `select-q`: plays as well as its opponent does, by the paper's adjustment.
//!
//! α, between 0 and 1, is how well the opponent is believed to play. The house played is the one whose Q value is
//! nearest to the value that lies as far between the worst and the best.

use super::q_player::{candidates, choices, table, table_params};
use crate::q::QTable;
use crate::{House, Kalah, State};
use ranka_core::{
    Agent, AgentKind, Fault, Maker, Param, Rng, Scale, Seat, Seed, Thinking, Thought, Ties, Told,
};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Kalah> {
    let mut params = table_params();
    params.extend([
        Param::choice(
            "formula",
            &["intent", "literal"],
            "α(max − min) + min, or as printed α(max + 2) + min",
        ),
        Param::real("beta", 0.0, 1.0, "0.1", "how fast α follows the opponent's moves"),
        Ties::PARAM,
    ]);
    AgentKind {
        name: "select-q",
        version: 1,
        summary: "Fits its strength to the opponent's, move by move.",
        params,
        build: |game, params| {
            let formula =
                if params.text("formula") == "literal" { Formula::Literal } else { Formula::Intent };
            Ok(Arc::new(SelectQ {
                table: table(game, params)?,
                formula,
                beta: params.real("beta"),
                ties: Ties::of(params),
            }))
        },
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Formula {
    Intent,
    Literal,
}

#[derive(Clone)]
struct SelectQ {
    table: Arc<QTable>,
    formula: Formula,
    beta: f64,
    ties: Ties,
}

impl Maker<Kalah> for SelectQ {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        let alpha = Rng::new(seed.child("alpha")).unit();
        Ok(Box::new(Player { select: self.clone(), seat, alpha }))
    }
}

struct Player {
    select: SelectQ,
    seat: Seat,
    alpha: f64,
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let choices = choices(&self.select.table, view)?;
        let (low, high) = range(&choices);
        let wanted = match self.select.formula {
            Formula::Intent => self.alpha * (high - low) + low,
            Formula::Literal => self.alpha * (high + 2.0) + low,
        };
        let nearness: Vec<f64> = choices.iter().map(|&(_, value)| -(value - wanted).abs()).collect();
        let chosen = self.select.ties.pick(&nearness, &mut thinking.rng);
        Ok(Thought {
            candidates: candidates(&choices),
            scale: Scale::Own,
            notes: vec![("alpha".into(), self.alpha), ("wanted".into(), wanted)],
            ..Thought::plain(choices[chosen].0)
        })
    }

    fn told(&mut self, event: &Told<'_, Kalah>) {
        if event.by != Some(self.seat.other()) {
            return;
        }
        let choices = self.select.table.choices(event.before);
        let (low, high) = range(&choices);
        let played = choices.iter().find(|&&(house, _)| Some(house) == event.action);
        // Where all houses are worth the same, a move tells nothing.
        if let Some(&(_, value)) = played.filter(|_| high > low) {
            let shown = (value - low) / (high - low);
            self.alpha = (1.0 - self.select.beta) * self.alpha + self.select.beta * shown;
        }
    }
}

fn range(choices: &[(House, f64)]) -> (f64, f64) {
    let values = choices.iter().map(|&(_, value)| value);
    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
}
