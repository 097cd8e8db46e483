//! A game's judge at a seat: what it makes of each action, as winning chances.

use crate::ladder::{LADDER, Odds};
use crate::{Ladder, Levelled};
use ranka_core::{
    Agent, AgentSpec, Budget, Candidate, Error, Fault, Game, Maker, Note, Params, RestsOn, Rng, Scale, Seat,
    Seed, Thinking, Thought, Told,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The judging agent of a ladder.
pub(crate) struct Appointed<G: Game> {
    maker: Arc<dyn Maker<G>>,
    /// Who it is, if a file names it. The judge of a ladder that comes with a game is part of that ladder's version.
    pub(crate) rests_on: Option<RestsOn>,
}

impl<G: Levelled> Appointed<G> {
    /// The judge of a ladder, which these parameters name.
    pub(crate) fn of(game: &G, ladder: &Ladder, params: &Params) -> Result<Appointed<G>, Error> {
        let spec = AgentSpec::parse(&ladder.judge);
        if ["level", "partner"].contains(&spec.name.as_str()) {
            return Err(Error::input(format!("judge {:?}: it rests on a judge itself", spec.name)));
        }
        let (judge, maker) = game.recruit_for_another(&spec).map_err(|e| e.at("its judge"))?;
        let from_file = LADDER.kind.reaches_out(params.text(LADDER.key));
        Ok(Appointed { maker, rests_on: from_file.then_some(judge) })
    }
}

/// The judging agent at one seat.
pub(crate) struct Judge<G: Game> {
    agent: Box<dyn Agent<G>>,
    ladder: Arc<Ladder>,
}

/// What a judge makes of a decision.
pub(crate) struct Verdict<A> {
    /// The judge's thought, its candidates' values being winning chances.
    pub(crate) thought: Thought<A>,
    /// What each candidate gives away. The judge's own choice gives away nothing.
    pub(crate) losses: Vec<f64>,
    /// The best winning chance.
    pub(crate) best: f64,
}

impl<A: Copy + PartialEq> Verdict<A> {
    /// The thought with another choice, and with what that gives away.
    pub(crate) fn choosing(self, place: usize, mut notes: Vec<Note>) -> Thought<A> {
        notes.push(("given".into(), self.losses[place]));
        Thought { choice: self.thought.candidates[place].action, notes, ..self.thought }
    }

    /// The place of an action among the candidates.
    pub(crate) fn place(&self, action: A) -> Option<usize> {
        self.thought.candidates.iter().position(|candidate| candidate.action == action)
    }
}

impl<G: Game> Judge<G> {
    pub(crate) fn seated(
        appointed: &Appointed<G>,
        ladder: &Arc<Ladder>,
        seat: Seat,
        seed: Seed,
    ) -> Result<Judge<G>, Fault> {
        Ok(Judge { agent: appointed.maker.seat(seat, seed.child("judge"))?, ladder: Arc::clone(ladder) })
    }

    /// Looks at a decision of its seat. Without candidates there is nothing to compare.
    pub(crate) fn look(
        &mut self,
        view: &G::View,
        rng: Rng,
        budget: Option<Budget>,
        cancel: &AtomicBool,
    ) -> Result<Verdict<G::Action>, Fault> {
        let mut thought = self.agent.think(view, &mut Thinking::new(rng, budget, cancel))?;
        let odds = self.ladder.odds(&thought);
        let better = |best: Odds, next: Odds| if next.less(best) > 0.0 { next } else { best };
        let best = odds.iter().copied().reduce(better).unwrap_or(Odds::Chance(0.0));
        let chosen = |candidate: &Candidate<G::Action>| candidate.action == thought.choice;
        let losses = thought.candidates.iter().zip(&odds);
        let losses = losses.map(|(c, &odds)| if chosen(c) { 0.0 } else { best.less(odds) }).collect();
        thought.candidates.iter_mut().zip(&odds).for_each(|(c, odds)| c.value = odds.chance());
        let best = best.chance();
        thought.scale = Scale::Score;
        thought.win = None;
        thought.notes.clear();
        Ok(Verdict { thought, losses, best })
    }

    pub(crate) fn told(&mut self, event: &Told<'_, G>) {
        self.agent.told(event);
    }
}
