//! Running an experiment: what the store lacks is played, and everything is kept as it comes.

use super::plan::{Experiment, PlannedPairing, Size};
use super::round_robin::RoundRobin;
use super::standings::{fixtures, standings};
use super::summary::{Summary, Summing};
use crate::assessment::Repetitions;
use crate::export::StoredGames;
use crate::{Executor, Faults, GameResult, Job, Scores, Sources, Store, VersionCount};
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
pub struct RunProgress<'a> {
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
pub struct PlayedExperiment {
    /// Whether all games that were asked for are there.
    pub complete: bool,
    /// For each pairing what its games come to, and where the store has them.
    pub pairings: Vec<PlayedPairing>,
    /// The final of a round robin, with the pairings that were played.
    pub finale: Option<Vec<(PlannedPairing, Vec<usize>, PlayedPairing)>>,
}

/// The games of a pairing.
#[derive(Clone)]
pub struct PlayedPairing {
    /// How many there are.
    pub games: u64,
    /// What those that count come to.
    pub(super) summary: Summary,
    /// Which versions of the agents played how many of all, the newest first.
    pub(super) versions: Vec<VersionCount>,
    /// All games in order, where rows, tests or plots are taken from each of them; otherwise none is held.
    held: Vec<GameResult>,
    /// Those that count where nothing is left to chance: one of each order of the agents is all there is.
    firsts: Option<Vec<GameResult>>,
    /// Where the store has them.
    sources: Sources,
    /// How many there should be.
    pub wanted: u64,
    /// How many of those by the agents' own versions another build of the program than this one played.
    pub by_other_builds: u64,
    /// How many of them the store had already.
    pub from_store: u64,
    /// What each agent did wrong, by its number.
    pub faults: Vec<Faults>,
}

impl PlayedExperiment {
    /// How many games the store had already, and how many there are.
    pub fn from_store(&self) -> (u64, u64) {
        let finals = self.finale.iter().flatten().map(|(_, _, played)| played);
        let all = self.pairings.iter().chain(finals);
        all.fold((0, 0), |(had, games), played| (had + played.from_store, games + played.games))
    }
}

impl PlayedPairing {
    /// The games from which rows, tests and plots are taken. An experiment that has none of these holds no games.
    pub fn counted(&self) -> &[GameResult] {
        self.firsts.as_ref().unwrap_or(&self.held)
    }

    /// All games, where some are held.
    pub(super) fn all_held(&self) -> &[GameResult] {
        &self.held
    }

    /// All its games, to be read from the store where they were played.
    pub fn stored<'a>(&'a self, store: &'a Store) -> StoredGames<'a> {
        StoredGames { store, sources: &self.sources, games: self.wanted }
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
        progress: &mut dyn FnMut(&RunProgress<'_>),
    ) -> Result<PlayedExperiment, Error> {
        let pairings: Vec<&PlannedPairing> = experiment.pairings.iter().collect();
        let held =
            !(experiment.rows.is_empty() && experiment.tests.is_empty() && experiment.plots.is_empty());
        let played = self.pairings(&pairings, held, store, progress)?;
        let complete = played.iter().all(|pairing| pairing.games == pairing.wanted);
        let finale = match &experiment.round_robin {
            Some(round_robin) if complete => {
                self.finale(experiment, round_robin, &played, store, progress)?
            }
            _ => None,
        };
        let complete = complete && !self.runner.cancelled();
        Ok(PlayedExperiment { complete, pairings: played, finale })
    }

    fn pairings(
        &self,
        pairings: &[&PlannedPairing],
        held: bool,
        store: &mut Store,
        progress: &mut dyn FnMut(&RunProgress<'_>),
    ) -> Result<Vec<PlayedPairing>, Error> {
        let sources: Vec<Sources> = pairings
            .iter()
            .map(|planned| store.sources(&planned.pairing, self.any_version))
            .collect::<Result<_, _>>()?;
        let wanted: Vec<u64> = pairings.iter().map(|planned| planned.games(self.size)).collect();
        let had = self.play_missing(pairings, &sources, &wanted, store, progress)?;
        let each = sources.into_iter().zip(wanted).zip(pairings).zip(had);
        each.map(|(((of, wanted), planned), had)| gather(planned, of, wanted, had, held, store)).collect()
    }

    /// Plays what the store lacks; answers how many games of each pairing it had.
    fn play_missing(
        &self,
        pairings: &[&PlannedPairing],
        sources: &[Sources],
        wanted: &[u64],
        store: &mut Store,
        progress: &mut dyn FnMut(&RunProgress<'_>),
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
            progress(&RunProgress {
                done,
                games: wanted_in_all,
                pairing: &pairings[job].name,
                scores: so_far,
            });
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(had)
    }

    /// Lets the first of a round robin play for the title.
    fn finale(
        &self,
        experiment: &Experiment,
        round_robin: &RoundRobin,
        played: &[PlayedPairing],
        store: &mut Store,
        progress: &mut dyn FnMut(&RunProgress<'_>),
    ) -> Result<Option<Vec<(PlannedPairing, Vec<usize>, PlayedPairing)>>, Error> {
        let Some((top, games)) = round_robin.final_of else { return Ok(None) };
        let table = standings(round_robin, fixtures(round_robin, played));
        let first: Vec<usize> = table.iter().take(top).map(|standing| standing.agent).collect();
        let sizes = super::Sizes { quick: games, paper: Some(games), full: games };
        let mut finals = Vec::new();
        for (place, who) in &round_robin.fixtures {
            if who.iter().all(|agent| first.contains(agent)) {
                let model = &experiment.pairings[*place];
                let pairing = model.pairing.reseeded(model.pairing.seed().child("final"))?;
                let name = format!("final: {}", model.name);
                finals.push((PlannedPairing::of_round_robin(name, pairing, sizes), who.clone()));
            }
        }
        let planned: Vec<&PlannedPairing> = finals.iter().map(|(planned, _)| planned).collect();
        // A final has its own number of games, whatever size the rest has.
        let played = Run { size: Size::Full, ..*self }.pairings(&planned, false, store, progress)?;
        Ok(Some(
            finals.into_iter().zip(played).map(|((planned, who), games)| (planned, who, games)).collect(),
        ))
    }
}

/// How many games are read at a time.
const PAGE: u64 = 1 << 12;

/// What the store has of a pairing, summed up as it is read: however many games there are, no more than a page of them is
/// in memory, unless all are to be held.
fn gather(
    planned: &PlannedPairing,
    sources: Sources,
    wanted: u64,
    from_store: u64,
    hold: bool,
    store: &Store,
) -> Result<PlayedPairing, Error> {
    let mut all = Summing::new(planned);
    let mut repetitions = Repetitions::default();
    let mut held = Vec::new();
    for page in sources.pages(store, wanted, PAGE) {
        let page = page?;
        page.iter().for_each(|game| all.add(game));
        if let (Some(first), Some(last), false) = (page.first(), page.last(), repetitions.settled()) {
            let digests = sources.digests(store, first.number..last.number + 1)?;
            for game in &page {
                let digest = digests.get(&game.number);
                let digest = *digest.ok_or_else(|| Error::internal("a game of the store has no digest"))?;
                repetitions.add(&game.agents, &game.scores, digest);
            }
        }
        if hold {
            held.extend(page);
        }
    }
    let mut summary = all.finish();
    let (games, versions) = (summary.games, summary.versions.clone());
    let firsts = repetitions.counted().map(|firsts| -> Result<Vec<GameResult>, Error> {
        let mut found = Vec::new();
        let mut before = 0;
        for page in sources.pages(store, wanted, PAGE) {
            let page = page?;
            let here = |number: u64| page.get(usize::try_from(number.checked_sub(before)?).ok()?);
            found.extend(firsts.iter().filter_map(|first| here(first.number)).cloned());
            before += page.len() as u64;
        }
        Ok(found)
    });
    let firsts = firsts.transpose()?;
    if let Some(firsts) = &firsts {
        let mut counted = Summing::new(planned);
        firsts.iter().for_each(|game| counted.add(game));
        summary = counted.finish();
    }
    let by_other_builds = store.by_other_builds(sources.own, wanted)?;
    let faults = sources.faults(store, &planned.pairing, wanted)?;
    Ok(PlayedPairing {
        games,
        summary,
        versions,
        held,
        firsts,
        sources,
        wanted,
        by_other_builds,
        from_store,
        faults,
    })
}
