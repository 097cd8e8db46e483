//! `level`: a player of one of ten strengths. Its judge compares the actions; it takes the better ones more often, the
//! higher its rank, and none that gives away more than its rank may.

use crate::judge::{Appointed, Judge};
use crate::ladder::LADDER;
use crate::plain_win::plain_win;
use crate::{Ladder, Levelled, Softmax};
use ranka_core::{
    Agent, AgentKind, Fault, Game, Maker, Param, Params, RestsOn, Rng, Seat, Seed, Thinking, Thought, Told,
};
use std::sync::Arc;

/// Its entry in a roster.
pub fn kind<G: Levelled>() -> AgentKind<G> {
    AgentKind {
        name: "level",
        version: G::ladder().version,
        summary: "Plays at one of ten strengths: it errs as often, and as badly, as its rank does.",
        params: vec![
            Param::int("rank", 1, 10, "5", "how strong: 1 is a beginner, 10 the best there is"),
            Param::real(
                "temperature",
                -1.0,
                100.0,
                "-1",
                "how readily it gives away winning chances; -1 for the rank's",
            ),
            Param::real("bound", -1.0, 1.0, "-1", "what one action may give away; -1 for the rank's"),
            LADDER,
        ],
        build: |game, params| {
            let ladder = Ladder::named::<G>(params)?;
            let softmax = softmax(&ladder, params);
            Ok(Arc::new(LevelMaker { judge: Appointed::of(game, &ladder, params)?, ladder, softmax }))
        },
    }
}

fn softmax(ladder: &Ladder, params: &Params) -> Softmax {
    let rank = &ladder.rank[(params.int("rank") as usize - 1).min(ladder.rank.len() - 1)];
    let or = |key: &str, own: f64| Some(params.real(key)).filter(|&given| given >= 0.0).unwrap_or(own);
    Softmax { temperature: or("temperature", rank.temperature), bound: or("bound", rank.bound) }
}

struct LevelMaker<G: Game> {
    judge: Appointed<G>,
    ladder: Arc<Ladder>,
    softmax: Softmax,
}

impl<G: Game> Maker<G> for LevelMaker<G> {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        let judge = Judge::seated(&self.judge, &self.ladder, seat, seed)?;
        Ok(Box::new(Level { judge, seat, softmax: self.softmax }))
    }

    fn rests_on(&self) -> Option<RestsOn> {
        self.judge.rests_on.clone()
    }
}

struct Level<G: Game> {
    judge: Judge<G>,
    seat: Seat,
    softmax: Softmax,
}

impl<G: Game> Agent<G> for Level<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let (looking, budget) = (Rng::new(Seed::new(thinking.rng.bits())), thinking.budget);
        let verdict = self.judge.look(view, looking, budget, thinking.cancel_flag())?;
        if verdict.losses.len() < 2 || self.softmax.temperature == 0.0 {
            return Ok(verdict.thought);
        }
        let win = plain_win(view, self.seat, &verdict.thought.candidates, &mut thinking.rng);
        let place = win.unwrap_or_else(|| drawn(&self.softmax.weights(&verdict.losses), &mut thinking.rng));
        Ok(verdict.choosing(place, Vec::new()))
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.judge.told(event);
    }
}

/// A place, each as likely as its weight says.
pub(crate) fn drawn(weights: &[f64], rng: &mut Rng) -> usize {
    let mut rest = rng.unit();
    let fits = weights.iter().position(|weight| {
        rest -= weight;
        rest < 0.0
    });
    // Rounding may leave a little over: then it is the last that is possible.
    fits.or_else(|| weights.iter().rposition(|&weight| weight > 0.0)).unwrap_or(0)
}
