//! Experiments that are run from the page, one at a time, in the background.

use crate::translated;
use crate::visit::{Visit, log};
use ranka_core::Error;
use ranka_lab::experiment::{Experiment, Findings, PlayedExperiment, Run, Size, draw};
use ranka_lab::papers::{self, Paper};
use ranka_lab::report::{Made, Report, Section};
use ranka_lab::{KeptReport, Runner, Scores, Store};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often the plots of a run that goes on are drawn again.
const REDRAWN: Duration = Duration::from_secs(3);

/// The run that is going on, or the last one.
pub(crate) struct Runs {
    store: PathBuf,
    current: Mutex<Option<Current>>,
    told: watch::Sender<Option<Told>>,
}

struct Current {
    cancel: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

/// Lets the next run start, however this one ends.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// How far a run is, as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Told {
    /// `PAPER/EXPERIMENT`.
    pub(crate) experiment: String,
    /// `quick`, `paper` or `full`.
    pub(crate) size: String,
    pub(crate) done: u64,
    pub(crate) games: u64,
    /// The pairing that is being played.
    pub(crate) pairing: String,
    /// The score of its first agent in this run with its interval, in percent.
    pub(crate) score: Option<[f64; 3]>,
    /// Seconds that are left by the speed so far.
    pub(crate) left: Option<f64>,
    /// The plots as far as they can be drawn.
    pub(crate) plots: Vec<String>,
    /// `running`, `finished`, `stopped`, or what went wrong.
    pub(crate) state: String,
    /// What went wrong.
    #[serde(skip)]
    pub(crate) error: Option<Error>,
}

impl Told {
    /// The same as a visitor may read it.
    pub(crate) fn to(&self, visit: Visit) -> Told {
        let state = self.error.as_ref().map_or_else(|| self.state.clone(), |error| visit.told(error));
        let plots = self.plots.iter().map(|plot| translated::page(plot, visit.language)).collect();
        Told { state, plots, pairing: translated::text(&self.pairing, visit.language), ..self.clone() }
    }
}

impl Runs {
    pub(crate) fn new(store: PathBuf) -> Runs {
        Runs { store, current: Mutex::default(), told: watch::channel(None).0 }
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears how far it is.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<Told>> {
        self.told.subscribe()
    }

    /// Stops the run that is going on. What was played stays in the store.
    pub(crate) fn stop(&self) {
        if let Some(current) = self.current().as_ref() {
            current.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Starts an experiment of a paper.
    pub(crate) fn start(self: &Arc<Runs>, name: &str, size: Size) -> Result<(), Error> {
        let (paper, short) = find(name)?;
        let experiment = paper.experiment(&short)?;
        self.begin(paper, experiment, size)
    }

    /// Starts an experiment that somebody wrote, and tells its name.
    pub(crate) fn start_own(self: &Arc<Runs>, source: &str, size: Size) -> Result<String, Error> {
        let experiment = own(source)?;
        let name = experiment.name.clone();
        self.begin(Paper::of_one(OWN, &experiment), experiment, size)?;
        Ok(name)
    }

    fn begin(self: &Arc<Runs>, paper: Paper, experiment: Experiment, size: Size) -> Result<(), Error> {
        let mut current = self.current();
        if current.as_ref().is_some_and(|run| !run.over.load(Ordering::SeqCst)) {
            return Err(Error::busy("an experiment is running already: stop it or wait for its end"));
        }
        let (cancel, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        *current = Some(Current { cancel: Arc::clone(&cancel), over: Arc::clone(&over) });
        drop(current);
        let told = Told {
            experiment: experiment.name.clone(),
            size: size_word(size).to_owned(),
            done: 0,
            games: experiment.games(size),
            pairing: String::new(),
            score: None,
            left: None,
            plots: Vec::new(),
            state: "running".to_owned(),
            error: None,
        };
        self.told.send_replace(Some(told));
        let runs = Arc::clone(self);
        std::thread::spawn(move || {
            let _over = Over(over);
            let (state, error) = match runs.work(&paper, &experiment, size, &cancel) {
                Ok(()) if cancel.load(Ordering::Relaxed) => ("stopped", None),
                Ok(()) => ("finished", None),
                Err(error) => ("", Some(error)),
            };
            if let Some(error) = &error {
                log(error);
            }
            runs.tell(|told| (told.state, told.error) = (state.to_owned(), error));
        });
        Ok(())
    }

    fn tell(&self, change: impl FnOnce(&mut Told)) {
        self.told.send_modify(|told| {
            if let Some(told) = told {
                change(told);
            }
        });
    }

    fn work(
        &self,
        paper: &Paper,
        experiment: &Experiment,
        size: Size,
        cancel: &AtomicBool,
    ) -> Result<(), Error> {
        let mut store = Store::open(&self.store)?;
        // One core stays free for the people who play meanwhile.
        let threads = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1);
        let run = Run { size, runner: Runner { threads, cancel }, fresh: false, any_version: false };
        let begun = Instant::now();
        let mut first = None;
        let mut drawn = begun;
        let mut reader = Store::open(&self.store)?;
        let played = run.play(experiment, &mut store, &mut |progress| {
            let first = *first.get_or_insert(progress.done);
            let speed = (progress.done - first) as f64 / begun.elapsed().as_secs_f64();
            let left = (progress.games - progress.done) as f64 / speed;
            let score = Some(interval(progress.scores));
            self.tell(|told| {
                (told.done, told.games, told.pairing) =
                    (progress.done, progress.games, progress.pairing.to_owned());
                (told.score, told.left) = (score, left.is_finite().then_some(left));
            });
            if drawn.elapsed() > REDRAWN {
                // What cannot be drawn yet is drawn later.
                let plots = so_far(experiment, size, &mut reader).unwrap_or_default();
                self.tell(|told| told.plots = plots);
                drawn = Instant::now();
            }
        })?;
        let findings = Findings::of(experiment, size, &played)?;
        let drawings = draw(experiment, &played, &findings)?;
        self.tell(|told| told.plots = drawings.iter().map(|drawing| without_style(&drawing.svg)).collect());
        let report = self.written(paper, experiment, size, &played, &store)?;
        let verdicts = report.sections.iter().flat_map(Section::verdicts).collect();
        store.keep_report(&KeptReport {
            experiment: experiment.name.clone(),
            size: size.told(experiment),
            verdicts,
            made: jiff::Timestamp::now().as_second(),
            page: report.html(),
        })
    }
}

impl Runs {
    /// The folder with what the reports link to, beside the store.
    fn folder(&self) -> PathBuf {
        self.store.with_extension("reports")
    }

    /// The report, and on the disk the files that it links to.
    fn written(
        &self,
        paper: &Paper,
        experiment: &Experiment,
        size: Size,
        played: &PlayedExperiment,
        store: &Store,
    ) -> Result<Report, Error> {
        let findings = Findings::of(experiment, size, played)?;
        let drawings = draw(experiment, played, &findings)?;
        let section = Section { findings, drawings, source: experiment.source.clone() };
        let command = match paper.name.as_str() {
            OWN => "ranka experiment run FILE".to_owned(),
            _ => format!("ranka reproduce {}", experiment.name),
        };
        let command = format!("{command} {}", size_flag(size));
        section.write_games(&self.folder().join(&paper.name), experiment, played, store)?;
        let made = Made::now(command.trim_end().to_owned());
        let report = Report { paper: paper.clone(), sections: vec![section], made };
        report.write_files(&self.folder())?;
        Ok(report)
    }

    /// A file that a report links to. Of a report of a paper that was kept without its files, they are written now.
    pub(crate) fn file(&self, paper: &str, file: &str) -> Result<Vec<u8>, Error> {
        let plain = |name: &str| {
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) && !name.starts_with('.')
        };
        let nothing = || Error::not_found("there is no such file: run the experiment again");
        if !plain(paper) || !plain(file) {
            return Err(nothing());
        }
        let path = self.folder().join(paper).join(file);
        if !path.exists() && paper != OWN {
            self.write_again(paper, file)?;
        }
        std::fs::read(&path).map_err(|_| nothing())
    }

    fn write_again(&self, paper: &str, file: &str) -> Result<(), Error> {
        let mut store = Store::open(&self.store)?;
        for report in store.reports()? {
            let Some((of, name)) = report.experiment.split_once('/') else { continue };
            let rest = file.strip_prefix(name).filter(|rest| rest.starts_with(['.', '-']));
            if of != paper || rest.is_none() {
                continue;
            }
            let (paper, short) = find(&report.experiment)?;
            let experiment = paper.experiment(&short)?;
            let sizes = [Size::Quick, Size::Paper, Size::Full];
            let size =
                sizes.into_iter().find(|size| size.told(&experiment) == report.size).unwrap_or(Size::Quick);
            let played = kept(&experiment, size, &mut store)?;
            self.written(&paper, &experiment, size, &played, &store)?;
        }
        Ok(())
    }
}

/// What stands for a paper before the names of experiments of one's own.
pub(crate) const OWN: &str = "own";

/// An experiment from the text of its file; it is called by its title.
pub(crate) fn own(source: &str) -> Result<Experiment, Error> {
    let title = toml::from_str::<toml::Table>(source).ok();
    let title = title.as_ref().and_then(|file| file.get("title")?.as_str()).unwrap_or_default();
    let words: Vec<String> = (title.split(|c: char| !c.is_ascii_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let slug: String = words.join("-").chars().take(60).collect();
    Experiment::parse(&format!("{OWN}/{}", if slug.is_empty() { "experiment" } else { &slug }), source)
}

/// What the store has of an experiment.
fn kept(experiment: &Experiment, size: Size, store: &mut Store) -> Result<PlayedExperiment, Error> {
    let stopped = Runner { threads: 1, cancel: &AtomicBool::new(true) };
    let nothing_more = Run { size, runner: stopped, fresh: false, any_version: false };
    nothing_more.play(experiment, store, &mut |_| {})
}

/// A plot for a page whose security policy allows no style but our sheet's.
fn without_style(svg: &str) -> String {
    without(&without(svg, "<style>", "</style>"), " style=\"", "\"")
}

/// A text without what stands between two others, and without them.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(from) {
        out.push_str(before);
        rest = inside.split_once(to).map_or("", |(_, after)| after);
    }
    out + rest
}

/// The plots of what the store has.
fn so_far(experiment: &Experiment, size: Size, store: &mut Store) -> Result<Vec<String>, Error> {
    let played = kept(experiment, size, store)?;
    let findings = Findings::of(experiment, size, &played)?;
    Ok(draw(experiment, &played, &findings)?.iter().map(|drawing| without_style(&drawing.svg)).collect())
}

/// A size as the forms name it.
const fn size_word(size: Size) -> &'static str {
    match size {
        Size::Quick => "quick",
        Size::Paper => "paper",
        Size::Full => "full",
        Size::Games(_) => "some",
    }
}

fn size_flag(size: Size) -> String {
    match size {
        Size::Quick => "--quick".to_owned(),
        Size::Paper => String::new(),
        Size::Full => "--full".to_owned(),
        Size::Games(games) => format!("--games {games}"),
    }
}

fn interval(scores: &Scores) -> [f64; 3] {
    let [low, high] = scores.interval();
    [scores.mean(), low, high].map(|share| 100.0 * share)
}

/// The paper and the experiment's own name that `PAPER/EXPERIMENT` means.
pub(crate) fn find(name: &str) -> Result<(Paper, String), Error> {
    let mut found = papers::named(Some(name))?;
    match found.pop() {
        Some((paper, names)) if names.len() == 1 && name.contains('/') => Ok((paper, names[0].clone())),
        _ => Err(Error::input(format!("{name}: expected PAPER/EXPERIMENT"))),
    }
}
