//! The laboratory: the program's own calls, and its store.

use crate::agent::{Agent, limit};
use crate::cluster::{Exchange, Hands};
use crate::errors::{maybe_seed, raised};
use crate::game::Game;
use crate::own_agent::OwnMaker;
use crate::table::Table;
use crate::wait::interruptible;
use pyo3::prelude::*;
use pyo3::types::PyString;
use ranka_core::{AnyAgent, AnyGame, Budget, Error, Record, SMALL_FILE, Seed, read_text, standalone};
use ranka_lab::experiment::{Drawing, Experiment, Findings, PlayedExperiment, Run, Size, Tournament, draw};
use ranka_lab::export::GameRows;
use ranka_lab::papers::{self, Paper};
use ranka_lab::report::{Made, Report, Section, write_index};
use ranka_lab::stats::{EloModel, Sprt};
use ranka_lab::text::{self, TableForm};
use ranka_lab::{
    AgentFaults, GameLimits, GameResult, MatchResult, Pairing, Remote, Runner, Seating, Sequential, Store,
    VersionCount, run_match, run_stored_match,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What holds for all games, as keywords.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Conditions {
    seed: u64,
    seats: String,
    ply_cap: Option<u32>,
    budget: Option<String>,
    move_limit: Option<f64>,
    threads: Option<usize>,
}

impl Conditions {
    fn limits(&self) -> PyResult<GameLimits> {
        let usual = GameLimits::default();
        let budget = self.budget.as_deref().map(Budget::parse).transpose().map_err(raised)?;
        Ok(GameLimits {
            ply_cap: self.ply_cap.unwrap_or(usual.ply_cap),
            budget,
            move_limit: limit(self.move_limit)?,
        })
    }

    fn pairing(&self, game: &Arc<dyn AnyGame>, agents: Vec<AnyAgent>) -> PyResult<Pairing> {
        let seating = Seating::parse(&self.seats).map_err(raised)?;
        Pairing::new(game.clone(), agents, seating, Seed::new(self.seed), self.limits()?, &[]).map_err(raised)
    }

    fn hands<'a>(&self, exchange: Option<&'a Exchange>, cancel: &'a AtomicBool) -> Hands<'a> {
        hands(self.threads, exchange, cancel)
    }
}

/// Who plays: those at the exchange, or else so many threads.
fn hands<'a>(threads: Option<usize>, exchange: Option<&'a Exchange>, cancel: &'a AtomicBool) -> Hands<'a> {
    if let Some(exchange) = exchange {
        return Hands::Elsewhere(Remote { exchange: &exchange.inner, cut: exchange.cut, cancel });
    }
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    Hands::Here(Runner { threads, cancel })
}

/// Where results are kept and which count, as keywords.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Keeping {
    store: Option<PathBuf>,
    fresh: bool,
    any_version: bool,
    /// How many of the first games of a match are kept.
    most: Option<u64>,
}

impl Keeping {
    fn open(&self) -> PyResult<Store> {
        store_path(self.store.clone()).and_then(|path| Store::open(&path)).map_err(raised)
    }
}

/// The given store, `RANKA_STORE`, or that of the user's data folder: as the program chooses.
pub(crate) fn store_path(given: Option<PathBuf>) -> Result<PathBuf, Error> {
    let usual =
        || directories::ProjectDirs::from("", "", "ranka").map(|dirs| dirs.data_dir().join("store.sqlite"));
    let path = given.or_else(|| std::env::var_os("RANKA_STORE").map(PathBuf::from)).or_else(usual);
    path.ok_or_else(|| Error::input("no data folder is known: give store=FILE"))
}

/// Agents by name, as `ranka.agent` gives them, or as `ranka._agents.Players` wraps them.
fn prepare(game: &Arc<dyn AnyGame>, agents: &[Bound<'_, PyAny>]) -> PyResult<Vec<AnyAgent>> {
    let one = |agent: &Bound<'_, PyAny>| {
        if let Ok(spec) = agent.cast::<PyString>() {
            return game.agent(spec.to_str()?).map_err(raised);
        }
        if let Ok(agent) = agent.cast::<Agent>() {
            return agent.get().for_game(game.as_ref()).map_err(raised);
        }
        let name: String = agent.getattr("name")?.extract()?;
        let identity: String = agent.getattr("identity")?.extract()?;
        Ok(game.own_agent(&name, &identity, Arc::new(OwnMaker::new(agent, game.clone())?)))
    };
    agents.iter().map(one).collect()
}

/// The exchange of the cluster that `join` joins, where games are played elsewhere. It is called when everything else is
/// known to be right: a cluster may take long to reach.
fn joined<'py>(join: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, Exchange>>> {
    join.map(|join| Ok(join.call0()?.cast_into::<Exchange>()?)).transpose()
}

/// How far it is: done, of how many, and in words. Whoever waits tells it on.
#[derive(Default)]
struct Course(Mutex<(u64, u64, String)>);

impl Course {
    fn set(&self, done: u64, all: u64, words: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (done, all, words);
    }
}

/// Works while `progress` is told how far it is.
fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&AtomicBool, &Course) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let course = Course::default();
    let tell = || {
        let Some(progress) = progress else { return Ok(()) };
        let so_far = course.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        progress.call1(so_far).map(drop)
    };
    let done = interruptible(py, |cancel| work(cancel, &course), tell)?.map_err(raised)?;
    tell()?;
    Ok(done)
}

/// Whether anybody still waits for what comes of the games: to make it of millions takes long.
fn go_on(cancel: &AtomicBool) -> Result<(), Error> {
    if cancel.load(Ordering::Relaxed) { Err(Error::busy("it was stopped")) } else { Ok(()) }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Plays a match: figures as JSON, games as a table, records as JSON, and the program's text. With `keeping` games come
/// from and go to the store.
#[pyfunction]
#[pyo3(signature = (game, agents, games, conditions, progress, keeping=None, join=None))]
pub(crate) fn play_match(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    agents: Vec<Bound<'_, PyAny>>,
    games: u64,
    conditions: Conditions,
    progress: Option<&Bound<'_, PyAny>>,
    keeping: Option<Keeping>,
    join: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Table, Vec<String>, String)> {
    let game = &game.get().0;
    let pairing = conditions.pairing(game, prepare(game, &agents)?)?;
    let store = keeping.as_ref().map(Keeping::open).transpose()?;
    let exchange = joined(join)?;
    let exchange = exchange.as_ref().map(Bound::get);
    run(py, progress, |cancel, course| {
        let mut records: Vec<Record> = Vec::new();
        let runner = conditions.hands(exchange, cancel);
        let each = |so_far: &MatchResult, record: &Record| {
            let score = so_far.assessment.results(0).score().map_or_else(String::new, percent);
            course.set(so_far.assessment.games(), games, score);
            records.push(record.clone());
            Ok(())
        };
        let result = match keeping.zip(store) {
            Some((Keeping { fresh, any_version, most, .. }, mut store)) => {
                let most = most.unwrap_or(games);
                let keeping = ranka_lab::Keeping { store: &mut store, fresh, any_version, most };
                run_stored_match(&pairing, games, runner, keeping, each)?
            }
            None => run_match(&pairing, games, runner, each)?,
        };
        if let Err(stopped) = go_on(cancel) {
            // Even to let go of them takes long.
            thread::spawn(|| drop(records));
            return Err(stopped);
        }
        let versions: Arc<[u32]> = pairing.agents().iter().map(|agent| agent.version).collect();
        let results: Vec<GameResult> =
            (0..).zip(&records).map(|(number, record)| game_result(number, record, &versions)).collect();
        let table = Table::of(&[GameRows::played(&pairing, &results)])?;
        let lines =
            records.iter().map(|record| serde_json::to_string(record).expect("a record is text and numbers"));
        let text = text::plain(&text::match_result(&pairing, &result));
        Ok((result.figures(&pairing).to_string(), table, lines.collect(), text))
    })
}

fn game_result(number: u64, record: &Record, versions: &Arc<[u32]>) -> GameResult {
    GameResult {
        number,
        agents: record.numbers.clone(),
        versions: Arc::clone(versions),
        scores: record.outcome.clone(),
        plies: record.plies,
        reason: record.end.reason,
        blame: record.end.seat,
        measured: Vec::new(),
    }
}

/// Plays until a sequential test is decided: figures as JSON, the games that count as a table, and the program's text.
#[pyfunction]
#[pyo3(signature = (game, agents, test, games, conditions, keeping, progress, join=None))]
pub(crate) fn play_sprt(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    agents: Vec<Bound<'_, PyAny>>,
    test: (f64, f64, f64, f64, bool),
    games: u64,
    conditions: Conditions,
    keeping: Keeping,
    progress: Option<&Bound<'_, PyAny>>,
    join: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Table, String)> {
    let game = &game.get().0;
    let (elo0, elo1, alpha, beta, normalized) = test;
    let model = if normalized { EloModel::Normalized } else { EloModel::Logistic };
    let test = Sprt::new(model, elo0, elo1, alpha, beta).map_err(raised)?;
    let pairing = conditions.pairing(game, prepare(game, &agents)?)?;
    let mut store = keeping.open()?;
    let exchange = joined(join)?;
    let exchange = exchange.as_ref().map(Bound::get);
    run(py, progress, |cancel, course| {
        let Keeping { fresh, any_version, .. } = keeping;
        let runner = conditions.hands(exchange, cancel);
        let sequential = Sequential { pairing: &pairing, test, games, runner, fresh, any_version };
        let before = store.sources(&pairing, any_version)?;
        let before = if fresh { Vec::new() } else { before.results(&store, games)? };
        let found = sequential.run(&mut store, |so_far| {
            course.set(so_far.games, games, format!("LLR {:+.2}", so_far.test.llr));
        })?;
        go_on(cancel)?;
        let sources = store.sources(&pairing, any_version)?;
        let counted = sources.results(&store, found.games)?;
        let faults = AgentFaults::of(pairing.agents(), &sources.faults(&store, &pairing, found.played)?);
        let versions = VersionCount::of(&counted);
        let had = before.iter().filter(|game| game.number < found.played).count() as u64;
        let text = text::plain(&text::sequential(&sequential, &found, &versions, &faults, had));
        let figures = sequential.figures(&found, &versions, &faults);
        Ok((figures.to_string(), Table::of(&[GameRows::played(&pairing, &counted)])?, text))
    })
}

/// Findings as JSON, games as a table (none where none were played), plots as title and SVG, the program's text, and what
/// stands above it where a paper begins.
type Found = (String, Option<Table>, Vec<(String, String)>, String, String);

fn section(experiment: &Experiment, size: Size, played: &PlayedExperiment) -> Result<Section, Error> {
    let findings = Findings::of(experiment, size, played)?;
    let drawings = draw(experiment, played, &findings)?;
    Ok(Section { findings, drawings, source: experiment.source.clone() })
}

fn found(
    experiment: &Arc<Experiment>,
    section: &Section,
    played: PlayedExperiment,
    store: &Store,
    form: TableForm,
    heading: String,
) -> Result<Found, Error> {
    let drawing = |drawing: &Drawing| (drawing.title.clone(), standalone(&drawing.svg));
    let drawings = section.drawings.iter().map(drawing).collect();
    let table = || Table::played(experiment, played, store);
    let table = (!experiment.pairings.is_empty()).then(table).transpose()?;
    let findings = serde_json::to_string(&section.findings).expect("findings are text and numbers");
    let text = text::plain(&text::findings(&section.findings, form));
    Ok((findings, table, drawings, text, text::plain(&heading)))
}

/// Makes the folder of a report, if one is wanted: better now than when everything is played.
fn make_folder(out: Option<&(PathBuf, String)>) -> PyResult<()> {
    let Some((folder, _)) = out else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|e| raised(Error::writing(folder, e)))
}

/// Writes reports, each with an index of all.
fn write_reports(folder: &Path, reports: &[Report]) -> Result<(), Error> {
    reports.iter().try_for_each(|report| report.write(folder))?;
    write_index(folder, reports)
}

fn play_planned(
    run: &Run<Hands<'_>>,
    experiment: &Experiment,
    store: &mut Store,
    course: &Course,
) -> Result<PlayedExperiment, Error> {
    run.play(experiment, store, &mut |progress| {
        let words = format!("{} {}", progress.pairing, percent(progress.scores.mean()));
        course.set(progress.done, progress.games, words);
    })
}

/// Plays a round robin.
#[pyfunction]
#[pyo3(signature = (game, agents, games, points, final_of, final_games, conditions, keeping, progress, out=None, join=None))]
pub(crate) fn play_tournament(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    agents: Vec<Bound<'_, PyAny>>,
    games: u64,
    points: [f64; 3],
    final_of: Option<usize>,
    final_games: Option<u64>,
    conditions: Conditions,
    keeping: Keeping,
    progress: Option<&Bound<'_, PyAny>>,
    out: Option<(PathBuf, String)>,
    join: Option<&Bound<'_, PyAny>>,
) -> PyResult<Found> {
    let game = &game.get().0;
    let agents = prepare(game, &agents)?;
    let (seating, limits) = (Seating::parse(&conditions.seats).map_err(raised)?, conditions.limits()?);
    let seed = conditions.seed;
    let tournament = Tournament {
        game: game.clone(),
        agents,
        games,
        points,
        final_of,
        final_games,
        seating,
        seed,
        limits,
    };
    let experiment = Arc::new(tournament.plan().map_err(raised)?);
    make_folder(out.as_ref())?;
    let mut store = keeping.open()?;
    let exchange = joined(join)?;
    let exchange = exchange.as_ref().map(Bound::get);
    run(py, progress, |cancel, course| {
        let Keeping { fresh, any_version, .. } = keeping;
        let runner = conditions.hands(exchange, cancel);
        let run = Run { size: Size::Games(games), runner, fresh, any_version };
        let played = play_planned(&run, &experiment, &mut store, course)?;
        go_on(cancel)?;
        let section = section(&experiment, run.size, &played)?;
        let paper = Paper::of_one("tournament", &experiment);
        if let Some((folder, _)) = &out {
            section.write_games(&folder.join(&paper.name), &experiment, &played, &store)?;
        }
        let found = found(&experiment, &section, played, &store, TableForm::Auto, String::new())?;
        if let Some((folder, command)) = out {
            write_reports(&folder, &[Report { paper, sections: vec![section], made: Made::now(command) }])?;
        }
        Ok(found)
    })
}

/// The experiments of a paper, or of all, or of a file, with their papers.
fn chosen(
    paper: Option<&str>,
    file: Option<PathBuf>,
    seed: Option<u64>,
) -> Result<Vec<(Paper, Vec<Arc<Experiment>>)>, Error> {
    let Some(file) = file else {
        let named = papers::named(paper)?.into_iter();
        let planned = |(paper, names): (Paper, Vec<String>)| {
            let each =
                names.iter().map(|name| paper.experiment(name).map(Arc::new)).collect::<Result<_, _>>()?;
            Ok((paper, each))
        };
        return named.map(planned).collect();
    };
    let source = read_text(&file, SMALL_FILE)?;
    let experiment = Experiment::parse_seeded(&file.display().to_string(), &source, seed)?;
    let stem = file.file_stem().map_or_else(String::new, |stem| stem.display().to_string());
    Ok(vec![(Paper::of_one(&stem, &experiment), vec![Arc::new(experiment)])])
}

fn size_of(size: &str, games: Option<u64>) -> PyResult<Size> {
    match (games, size) {
        (Some(games), _) => Ok(Size::Games(games)),
        (None, "quick") => Ok(Size::Quick),
        (None, "paper") => Ok(Size::Paper),
        (None, "full") => Ok(Size::Full),
        (None, other) => {
            let known = ["quick", "paper", "full"];
            Err(raised(Error::input(ranka_core::unknown("size", other, &known))))
        }
    }
}

/// Plays experiments: those of a paper by name, or one in a TOML file. With `out` a report is written into that folder,
/// made by the command that it names. `seed` takes the place of the file's, `form` is that of tables in the text.
#[pyfunction]
#[pyo3(signature = (paper, file, size, games, threads, keeping, progress, out=None, join=None, seed=None, form="auto"))]
pub(crate) fn play_experiment(
    py: Python<'_>,
    paper: Option<&str>,
    file: Option<PathBuf>,
    size: &str,
    games: Option<u64>,
    threads: Option<usize>,
    keeping: Keeping,
    progress: Option<&Bound<'_, PyAny>>,
    out: Option<(PathBuf, String)>,
    join: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = maybe_seed)] seed: Option<u64>,
    form: &str,
) -> PyResult<Vec<Found>> {
    let (size, form) = (size_of(size, games)?, TableForm::parse(form).map_err(raised)?);
    let own = file.is_some();
    let chosen = py.detach(|| chosen(paper, file, seed)).map_err(raised)?;
    make_folder(out.as_ref())?;
    let mut store = keeping.open()?;
    let exchange = joined(join)?;
    let exchange = exchange.as_ref().map(Bound::get);
    run(py, progress, |cancel, course| {
        let Keeping { fresh, any_version, .. } = keeping;
        let run = Run { size, runner: hands(threads, exchange, cancel), fresh, any_version };
        let (mut all, mut reports) = (Vec::new(), Vec::new());
        for (paper, experiments) in chosen {
            let mut sections = Vec::new();
            let mut heading = if own { String::new() } else { text::heading(&paper) };
            for experiment in &experiments {
                let played = play_planned(&run, experiment, &mut store, course)?;
                go_on(cancel)?;
                let section = section(experiment, size, &played)?;
                if let Some((folder, _)) = &out {
                    section.write_games(&folder.join(&paper.name), experiment, &played, &store)?;
                }
                let heading = std::mem::take(&mut heading);
                all.push(found(experiment, &section, played, &store, form, heading)?);
                sections.push(section);
            }
            if let Some((_, command)) = &out {
                reports.push(Report { paper, sections, made: Made::now(command.clone()) });
            }
        }
        if let Some((folder, _)) = &out {
            write_reports(folder, &reports)?;
        }
        Ok(all)
    })
}

/// The experiments of a paper, or of all, as the program lists them: in words, and each as JSON.
#[pyfunction]
pub(crate) fn listed_experiments(paper: Option<&str>) -> PyResult<(String, Vec<String>)> {
    let listed = papers::named(paper).and_then(|chosen| papers::listed(&chosen)).map_err(raised)?;
    let json = |one| serde_json::to_string(one).expect("a list is text and numbers");
    Ok((text::plain(&text::listed(&listed)), listed.iter().map(json).collect()))
}
