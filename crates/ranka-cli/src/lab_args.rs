//! What the laboratory's commands ask for: how much, where the store is, how many threads.

use crate::game_args::ThreadArgs;
use crate::{interrupt, print, whereabouts};
use clap::Args;
use directories::ProjectDirs;
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::Error;
use ranka_lab::experiment::{Experiment, Findings, PlayedExperiment, Run, RunProgress, Size, draw};
use ranka_lab::papers::Paper;
use ranka_lab::report::{Made, Report, Section, write_index};
use ranka_lab::text::TableForm;
use ranka_lab::{AgentFaults, Pairing, Runner, Store};
use std::path::{Path, PathBuf};

/// The variable that says where the store is.
const STORE: &str = "RANKA_STORE";

/// Where results are kept.
#[derive(Args)]
pub(crate) struct StoreArgs {
    /// Where games are kept [default: store.sqlite in the user's data folder]
    #[arg(long, value_name = "FILE", env = STORE)]
    store: Option<PathBuf>,
}

impl StoreArgs {
    /// Opens it to play into it: from now on Ctrl-C ends cleanly. From one that is there and cannot be written, games are
    /// taken all the same.
    pub(crate) fn open_to_play(&self) -> Result<Store, Error> {
        interrupt::flag();
        Store::open_or_read(&self.path()?)
    }

    /// Opens it to look at it, which works also where it cannot be written. Looking makes no store: one that somebody
    /// has named must be there, and where the usual one is not there yet, there are no games.
    pub(crate) fn open_to_read(&self) -> Result<Store, Error> {
        let path = self.path()?;
        match path.try_exists() {
            Ok(false) if self.is_given() => Err(Error::storage(&path, "there is no such store")),
            Ok(false) => Store::in_memory(),
            _ => Store::open_or_read(&path),
        }
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<Store, Error> {
        Store::open(&self.path()?)
    }

    /// Whether it stands in the command: then others need it too, to find the same.
    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
            && self.store.as_ref().map(|path| path.as_os_str()) != std::env::var_os(STORE).as_deref()
    }

    /// Whether somebody has said where it is.
    pub(crate) fn is_chosen(&self) -> bool {
        self.store.is_some()
    }

    /// What another command needs to find the same store, with a space before it.
    pub(crate) fn option(&self) -> String {
        let given = self.store.as_ref().filter(|_| self.is_given());
        given.map_or_else(String::new, |path| format!(" --store {}", word(&path.display().to_string())))
    }

    pub(crate) fn path(&self) -> Result<PathBuf, Error> {
        let usual = || ProjectDirs::from("", "", "ranka").map(|dirs| dirs.data_dir().join("store.sqlite"));
        let path = self.store.clone().or_else(usual);
        path.ok_or_else(|| Error::input("no data folder is known: give --store FILE"))
    }
}

/// Which games of the store are taken.
#[derive(Args)]
pub(crate) struct KeptArgs {
    /// Play everything again instead of taking what the store has
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Where games by the agents' versions of today are missing, take those of other versions that the store has
    #[arg(long, conflicts_with = "fresh")]
    pub(crate) any_version: bool,
}

/// Says on stderr what the store has of these pairings by other versions of their agents, before it is played anew.
pub(crate) fn tell_left_out<'a>(
    store: &Store,
    pairings: impl IntoIterator<Item = (&'a Pairing, u64)>,
) -> Result<(), Error> {
    for (agents, games) in store.left_out(pairings)? {
        let (count, are, them) = (
            print::counted(games, "game"),
            if games == 1 { "is" } else { "are" },
            if games == 1 { "it" } else { "them" },
        );
        print::note!("{count} by {agents} {are} in the store and left out; --any-version takes {them} in.");
    }
    Ok(())
}

/// An error if a program outside never played a legal action. Of an agent of ours it is a result: it was given too little
/// time.
pub(crate) fn all_played<'a>(agents: impl IntoIterator<Item = &'a AgentFaults>) -> Result<(), Error> {
    let mut never = agents.into_iter().filter(|agent| agent.never_played).map(|agent| agent.agent.as_str());
    match never.next() {
        Some(agent) => Err(Error::outside(format!("{agent} never played a legal action"))),
        None => Ok(()),
    }
}

/// How an experiment is run.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// Few games, to see that it works
    #[arg(long, conflicts_with_all = ["full", "games"])]
    quick: bool,
    /// Enough games for a verdict
    #[arg(long, conflicts_with = "games")]
    full: bool,
    /// So many games a pairing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    #[command(flatten)]
    kept: KeptArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    store: StoreArgs,
    /// Write a report into this folder: a page, plots as SVG, findings as JSON, tables as CSV and LaTeX, games as CSV and Parquet
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The form of tables: auto, full (a line for each figure) or compact (a line for each pairing)
    #[arg(long, value_name = "FORM", default_value = "auto", value_parser = TableForm::parse)]
    pub(crate) table: TableForm,
}

impl RunArgs {
    /// Opens the store, and makes the report's folder: better now than when everything is played.
    pub(crate) fn open(&self) -> Result<Store, Error> {
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder).map_err(|e| Error::writing(folder, e))?;
        }
        self.store.open_to_play()
    }

    /// How much is played.
    pub(crate) fn size(&self) -> Size {
        match self.games {
            Some(games) => Size::Games(games),
            None if self.quick => Size::Quick,
            None if self.full => Size::Full,
            None => Size::Paper,
        }
    }

    /// Plays what is missing of an experiment and tells what was found, with the plots if a report is wanted.
    pub(crate) fn section(
        &self,
        paper: &Paper,
        experiment: &Experiment,
        store: &mut Store,
    ) -> Result<Section, Error> {
        let played = self.play(experiment, store)?;
        let findings = Findings::of(experiment, self.size(), &played)?;
        let drawings = match self.out {
            Some(_) => draw(experiment, &played, &findings)?,
            None => Vec::new(),
        };
        let section = Section { findings, drawings, source: experiment.source.clone() };
        if let Some(folder) = &self.out {
            section.write_games(&folder.join(&paper.name), experiment, &played, store)?;
        }
        Ok(section)
    }

    /// Says where the games are that these reports tell of. An error if a program outside never played.
    pub(crate) fn finish(&self, reports: &[Report], store: &Store, json: bool) -> Result<(), Error> {
        let findings = || reports.iter().flat_map(|report| &report.sections).map(|section| &section.findings);
        if !json {
            let pairings = findings().flat_map(|findings| &findings.pairings);
            whereabouts::tell(
                &self.store,
                store,
                pairings.map(|pairing| (pairing.id.as_str(), pairing.games)),
            );
        }
        all_played(findings().flat_map(|findings| &findings.faults))
    }

    /// Writes the reports, if they are wanted, and says where.
    pub(crate) fn write(&self, reports: &[Report]) -> Result<(), Error> {
        self.out.as_ref().map_or(Ok(()), |folder| write_reports(folder, reports))
    }

    /// Plays what is missing of an experiment, with a bar that tells how it goes.
    pub(crate) fn play(&self, experiment: &Experiment, store: &mut Store) -> Result<PlayedExperiment, Error> {
        let run = Run {
            size: self.size(),
            runner: self.threads.runner(),
            fresh: self.kept.fresh,
            any_version: self.kept.any_version,
        };
        play(&run, experiment, store)
    }
}

/// Writes reports into a folder, and says where.
pub(crate) fn write_reports(folder: &Path, reports: &[Report]) -> Result<(), Error> {
    for report in reports {
        report.write(folder)?;
    }
    write_index(folder, reports)?;
    print::note!("The report is in {}.", folder.join("index.html").display());
    Ok(())
}

/// How a report came to be: by this command.
pub(crate) fn made() -> Made {
    let words = std::env::args().skip(1).map(|text| word(&text));
    Made::now(std::iter::once("ranka".to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// A word of a command.
fn word(text: &str) -> String {
    if text.contains([' ', '"', '\'']) { format!("{text:?}") } else { text.to_owned() }
}

/// Plays what is missing of an experiment, with a bar that tells how it goes.
pub(crate) fn play(
    run: &Run<Runner<'_>>,
    experiment: &Experiment,
    store: &mut Store,
) -> Result<PlayedExperiment, Error> {
    if !run.any_version && !run.fresh {
        let pairings = experiment.pairings.iter();
        tell_left_out(store, pairings.map(|planned| (&planned.pairing, planned.games(run.size))))?;
    }
    let bar = progress_bar(experiment.games(run.size));
    let mut begun = false;
    let played = run.play(experiment, store, &mut |progress| {
        if !std::mem::replace(&mut begun, true) {
            // What the store had costs no time, so it must not count for the rate.
            bar.reset_eta();
        }
        show(&bar, progress);
    });
    bar.finish_and_clear();
    played
}

/// A bar on stderr; nothing unless stderr is a terminal.
fn progress_bar(games: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:24} {pos}/{len} games, {per_sec}, {eta} left · {wide_msg}");
    ProgressBar::new(games).with_style(style.expect("the template is well formed"))
}

fn show(bar: &ProgressBar, progress: &RunProgress<'_>) {
    let [low, high] = progress.scores.interval().map(print::percent);
    bar.set_length(progress.games);
    bar.set_position(progress.done);
    bar.set_message(format!(
        "{} {} ({low}–{high})",
        progress.pairing,
        print::percent(progress.scores.mean())
    ));
}
