//! Running an experiment: what the store lacks is played, and everything is kept as it comes.

use super::league::League;
use super::plan::{Experiment, PlannedPairing, Size};
use super::standings::{fixtures, standings};
use crate::assessment::one_of_each_order;
use crate::{Executor, Faults, GameResult, Job, Scores, Sources, Store};
use ranka_core::Error;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How an experiment is run.
#[derive(Clone, Copy)]
pub struct Run<E> {
    /// How much is played.
    pub size: Size,
    /// Who plays.
    pub runner: E,
    /// Whether everything is played again. A new game takes the place of an old one when it is there, and not before.
    pub fresh: bool,
    /// Whether games by other versions of the same agents are taken where those of these are missing.
    pub any_version: bool,
}

/// How far it is.
pub struct Progress<'a> {
    /// Games that are there, those of earlier runs included.
    pub done: u64,
    /// Games in all.
    pub games: u64,
    /// The pairing that is being played.
    pub pairing: &'a str,
    /// The scores of its first agent (or team) in this run so far.
    pub scores: &'a Scores,
}

/// The games of an experiment.
pub struct Played {
    /// Whether all games that were asked for are there.
    pub complete: bool,
    /// For each pairing its games in order, and where the store has them.
    pub pairings: Vec<PlayedPairing>,
    /// The final of a round robin, with the pairings that were played.
    pub finale: Option<Vec<(PlannedPairing, Vec<usize>, PlayedPairing)>>,
}

/// The games of a pairing.
#[derive(Clone)]
pub struct PlayedPairing {
    /// Its games, in order.
    pub games: Vec<GameResult>,
    /// Those that count where nothing is left to chance: one of each order of the agents is all there is.
    firsts: Option<Vec<GameResult>>,
    /// How many there should be.
    pub wanted: u64,
    /// How many of those by the agents' own versions another build of the program than this one played.
    pub by_other_builds: u64,
    /// How many of them the store had already.
    pub from_store: u64,
    /// What each agent did wrong, by its number.
    pub faults: Vec<Faults>,
}

impl Played {
    /// How many games the store had already, and how many there are.
    pub fn from_store(&self) -> (u64, u64) {
        let finals = self.finale.iter().flatten().map(|(_, _, played)| played);
        let all = self.pairings.iter().chain(finals);
        all.fold((0, 0), |(had, games), played| (had + played.from_store, games + played.games.len() as u64))
    }
}

impl PlayedPairing {
    /// The games from which figures are taken.
    pub fn counted(&self) -> &[GameResult] {
        self.firsts.as_ref().unwrap_or(&self.games)
    }

    /// Whether nothing is left to chance: games in the same seats are all alike.
    pub fn all_alike(&self) -> bool {
        self.firsts.is_some()
    }
}

impl<E: Executor> Run<E> {
    /// Plays what is missing and gives all games that there are. When `cancel` is set it ends early, and what is
    /// complete says so.
    pub fn play(
        &self,
        experiment: &Experiment,
        store: &mut Store,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Played, Error> {
        let pairings: Vec<&PlannedPairing> = experiment.pairings.iter().collect();
        let played = self.pairings(&pairings, store, progress)?;
        let complete = played.iter().all(|pairing| pairing.games.len() as u64 == pairing.wanted);
        let finale = match &experiment.league {
            Some(league) if complete => self.finale(experiment, league, &played, store, progress)?,
            _ => None,
        };
        let complete = complete && !self.runner.cancelled();
        Ok(Played { complete, pairings: played, finale })
    }

    fn pairings(
        &self,
        pairings: &[&PlannedPairing],
        store: &mut Store,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Vec<PlayedPairing>, Error> {
        let sources: Vec<Sources> = pairings
            .iter()
            .map(|planned| store.sources(&planned.pairing, self.any_version))
            .collect::<Result<_, _>>()?;
        let wanted: Vec<u64> = pairings.iter().map(|planned| planned.games(self.size)).collect();
        let had = self.play_missing(pairings, &sources, &wanted, store, progress)?;
        let collect =
            |(((of, &wanted), planned), from_store): (((&Sources, &u64), &&PlannedPairing), u64)| {
                let by_other_builds = store.by_other_builds(of.own, wanted)?;
                let games = of.results(store, wanted)?;
                let firsts = one_of_each_order(&games, &of.digests(store, wanted)?);
                let faults = of.faults(store, &planned.pairing, wanted)?;
                Ok(PlayedPairing { games, firsts, wanted, by_other_builds, from_store, faults })
            };
        sources.iter().zip(&wanted).zip(pairings).zip(had).map(collect).collect()
    }

    /// Plays what the store lacks; answers how many games of each pairing it had.
    fn play_missing(
        &self,
        pairings: &[&PlannedPairing],
        sources: &[Sources],
        wanted: &[u64],
        store: &mut Store,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Vec<u64>, Error> {
        let mut jobs = Vec::new();
        for ((planned, of), &wanted) in pairings.iter().zip(sources).zip(wanted) {
            let all = 0..wanted;
            let missing = if self.fresh { vec![all] } else { of.missing(store, wanted)? };
            jobs.push(Job { pairing: &planned.pairing, missing });
        }
        let lacking = |job: &Job<'_>| job.missing.iter().map(|range| range.end - range.start).sum::<u64>();
        store.can_keep(jobs.iter().map(lacking).sum())?;
        let wanted_in_all: u64 = wanted.iter().sum();
        let had: Vec<u64> = jobs.iter().zip(wanted).map(|(job, wanted)| wanted - lacking(job)).collect();
        let mut done: u64 = had.iter().sum();
        let mut scores: BTreeMap<usize, Scores> = BTreeMap::new();
        self.runner.play(&jobs, |job, games_played| {
            let games = games_played.iter().map(|(number, game)| (sources[job].own, *number, game));
            if self.fresh {
                store.replace(games)?
            } else {
                store.add(games)?
            }
            done += games_played.len() as u64;
            let so_far = scores.entry(job).or_default();
            for (_, game) in &games_played {
                let first = pairings[job].teams.first().map_or(&[0][..], Vec::as_slice);
                let of = game.record.numbers.iter().zip(&game.record.outcome);
                so_far.add(of.filter(|(agent, _)| first.contains(agent)).map(|(_, score)| score).sum());
            }
            progress(&Progress { done, games: wanted_in_all, pairing: &pairings[job].name, scores: so_far });
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(had)
    }

    /// Lets the first of a round robin play for the title.
    fn finale(
        &self,
        experiment: &Experiment,
        league: &League,
        played: &[PlayedPairing],
        store: &mut Store,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Vec<(PlannedPairing, Vec<usize>, PlayedPairing)>>, Error> {
        let Some((top, games)) = league.final_of else { return Ok(None) };
        let table = standings(league, fixtures(league, played));
        let first: Vec<usize> = table.iter().take(top).map(|standing| standing.agent).collect();
        let sizes = super::Sizes { quick: games, paper: Some(games), full: games };
        let mut finals = Vec::new();
        for (place, who) in &league.fixtures {
            if who.iter().all(|agent| first.contains(agent)) {
                let model = &experiment.pairings[*place];
                let pairing = model.pairing.reseeded(model.pairing.seed().child("final"))?;
                let name = format!("final: {}", model.name);
                finals.push((PlannedPairing::of_league(name, pairing, sizes), who.clone()));
            }
        }
        let planned: Vec<&PlannedPairing> = finals.iter().map(|(planned, _)| planned).collect();
        // A final has its own number of games, whatever size the rest has.
        let played = Run { size: Size::Full, ..*self }.pairings(&planned, store, progress)?;
        Ok(Some(
            finals.into_iter().zip(played).map(|((planned, who), games)| (planned, who, games)).collect(),
        ))
    }
}
