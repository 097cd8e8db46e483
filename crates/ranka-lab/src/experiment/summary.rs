//! What the games of a pairing come to. They are taken one by one, as they are read, and none of them is held.

use super::estimate::{Estimate, Estimating};
use super::figure::{Figure, Teams};
use super::file::When;
use super::plan::PlannedPairing;
use crate::stats::Tally;
use crate::{GameResult, VersionCount};
use ranka_core::{EndReason, Wdl, WdlCounts};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the games of a pairing come to.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    /// Which versions of the agents played how many of them, the newest first.
    pub(super) versions: Vec<VersionCount>,
    /// How many there are.
    pub(super) games: u64,
    /// Wins, draws and losses of the first agent or team, and of the games in which it had the first seat.
    pub(super) results: WdlCounts,
    pub(super) results_first: WdlCounts,
    /// The pairs by the points of the first of two agents, where games are played in pairs.
    pub(super) pairs: Option<[u64; 5]>,
    /// The score of the first agent or team.
    pub(super) score: Estimate,
    /// Games that did not end by the rules, by the reason.
    pub(super) irregular: BTreeMap<String, u64>,
    /// What the games were to each agent, and the sum of its scores.
    pub(super) agents: Vec<(WdlCounts, f64)>,
    /// For each agent what the games were to it against each other one: who scored more beat the other.
    pub(super) met: Vec<Vec<WdlCounts>>,
}

/// A summary that is being made. Games are told in order.
pub(super) struct Summing<'a> {
    planned: &'a PlannedPairing,
    versions: BTreeMap<Arc<[u32]>, u64>,
    games: u64,
    results: WdlCounts,
    results_first: WdlCounts,
    tally: Tally,
    /// The deal of the last game, and what its games were to the first agent.
    deal: (u64, Vec<Wdl>),
    score: Estimating<'a>,
    irregular: BTreeMap<String, u64>,
    agents: Vec<(WdlCounts, f64)>,
    met: Vec<Vec<WdlCounts>>,
}

impl<'a> Summing<'a> {
    pub(super) fn new(planned: &'a PlannedPairing) -> Summing<'a> {
        let agents = planned.pairing.agents().len();
        Summing {
            planned,
            versions: BTreeMap::new(),
            games: 0,
            results: WdlCounts::default(),
            results_first: WdlCounts::default(),
            tally: Tally::Pairs([0; 5]),
            deal: (0, Vec::new()),
            score: Estimating::new(planned, Figure::score(), When::default()),
            irregular: BTreeMap::new(),
            agents: vec![Default::default(); agents],
            met: vec![vec![WdlCounts::default(); agents]; agents],
        }
    }

    /// Takes the next game.
    pub(super) fn add(&mut self, game: &GameResult) {
        let teams = Teams(&self.planned.teams);
        self.games += 1;
        match self.versions.get_mut(&game.versions) {
            Some(games) => *games += 1,
            None => drop(self.versions.insert(game.versions.clone(), 1)),
        }
        let result = Wdl::of(teams.score(game, 0));
        self.results.add(result);
        if teams.counts(game, &When { first: Some(0), ..When::default() }) {
            self.results_first.add(result);
        }
        if game.reason != EndReason::Rules {
            *self.irregular.entry(game.reason.name().to_owned()).or_default() += 1;
        }
        let deal = self.planned.pairing.deal(game.number).0;
        if deal != self.deal.0 {
            self.end_deal();
            self.deal.0 = deal;
        }
        self.deal.1.push(Wdl::of(game.score(0)));
        self.score.add(game);
        let scores: Vec<f64> = (0..self.agents.len()).map(|agent| game.score(agent)).collect();
        for (agent, &score) in scores.iter().enumerate() {
            let (results, sum) = &mut self.agents[agent];
            results.add(Wdl::of(score));
            *sum += score;
            for (other, &theirs) in scores.iter().enumerate().filter(|&(other, _)| other != agent) {
                self.met[agent][other].add(match score.partial_cmp(&theirs) {
                    Some(std::cmp::Ordering::Greater) => Wdl::Win,
                    Some(std::cmp::Ordering::Less) => Wdl::Loss,
                    _ => Wdl::Draw,
                });
            }
        }
    }

    fn end_deal(&mut self) {
        if let [one, other] = self.deal.1[..] {
            self.tally.add(&[one, other]);
        }
        self.deal.1.clear();
    }

    /// What all of them come to.
    pub(super) fn finish(mut self) -> Summary {
        self.end_deal();
        let pairing = &self.planned.pairing;
        let paired = pairing.agents().len() == 2 && pairing.games_of_a_deal() == 2;
        let pairs = match self.tally {
            Tally::Pairs(counts) if paired => Some(counts),
            _ => None,
        };
        let count =
            |(versions, games): (Arc<[u32]>, u64)| VersionCount { versions: versions.to_vec(), games };
        Summary {
            versions: self.versions.into_iter().rev().map(count).collect(),
            games: self.games,
            results: self.results,
            results_first: self.results_first,
            pairs,
            score: self.score.finish(),
            irregular: self.irregular,
            agents: self.agents,
            met: self.met,
        }
    }
}
