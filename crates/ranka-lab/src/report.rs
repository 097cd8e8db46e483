//! Reports: what a paper's experiments found, as pages that stand alone.

mod latex;
mod page;
mod style;
mod table;

pub use table::dictionary;

use crate::Store;
use crate::experiment::{Drawing, Experiment, Findings, PlayedExperiment, Verdict};
use crate::export::{GameRows, columns_csv, write_csv, write_parquet};
use crate::papers::Paper;
use ranka_core::{Error, standalone};
use std::fs;
use std::path::Path;

/// How a report came to be, so that it can be had again.
#[derive(Clone, Debug)]
pub struct Made {
    /// The command.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// What it ran on.
    pub machine: String,
    /// When.
    pub when: String,
}

impl Made {
    /// By this program, here and now.
    pub fn now(command: String) -> Made {
        let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
            let line = info.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let machine = format!(
            "{}, {threads} threads, {} {}",
            processor.unwrap_or_else(|| "unknown processor".to_owned()),
            std::env::consts::OS,
            std::env::consts::ARCH
        );
        let when = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string();
        Made { command, version: env!("CARGO_PKG_VERSION").to_owned(), machine, when }
    }
}

/// An experiment in a report.
pub struct Section {
    /// What it found.
    pub findings: Findings,
    /// Its plots.
    pub drawings: Vec<Drawing>,
    /// The file that says what was done.
    pub source: String,
}

impl Section {
    /// The experiment's name without its paper's.
    fn short_name(&self) -> String {
        let name = &self.findings.name;
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        name.strip_suffix(".toml").unwrap_or(name).to_owned()
    }

    /// Writes all games with their measures as `NAME.csv` and `NAME.parquet` into `folder`, if there are any, and as
    /// `NAME-columns.csv` what their columns mean.
    pub fn write_games(
        &self,
        folder: &Path,
        experiment: &Experiment,
        played: &PlayedExperiment,
        store: &Store,
    ) -> Result<(), Error> {
        fs::create_dir_all(folder).map_err(|e| Error::writing(folder, e))?;
        let both = experiment.pairings.iter().zip(&played.pairings);
        let rows: Vec<GameRows<'_>> =
            both.map(|(planned, played)| GameRows::planned(planned, played.stored(store))).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let name = self.short_name();
        put(&folder.join(format!("{name}-columns.csv")), &columns_csv(&rows)?)?;
        write_csv(&folder.join(format!("{name}.csv")), &rows)?;
        write_parquet(&folder.join(format!("{name}.parquet")), &rows)
    }

    /// How many rows agree, differ, and have too few games; positions are counted with them.
    pub fn verdicts(&self) -> [usize; 3] {
        let rows = self.findings.rows.iter().map(|row| row.verdict);
        let all: Vec<Verdict> = rows.chain(self.findings.positions.iter().map(|p| p.verdict)).collect();
        [Verdict::Agrees, Verdict::Differs, Verdict::TooFew]
            .map(|which| all.iter().filter(|&&verdict| verdict == which).count())
    }
}

/// A paper's report.
pub struct Report {
    /// The paper; an experiment of one's own has one with only a title.
    pub paper: Paper,
    /// Its experiments.
    pub sections: Vec<Section>,
    /// How it came to be.
    pub made: Made,
}

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        page::report(self)
    }

    /// Writes the page as `NAME.html` into `folder`, and beside it in a folder of that name the plots, tables and
    /// findings.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        self.write_files(folder)?;
        put(&folder.join(format!("{}.html", self.paper.name)), &self.html())
    }

    /// Writes only what the page links to: plots, tables and findings, into the folder of the paper's name in `folder`.
    pub fn write_files(&self, folder: &Path) -> Result<(), Error> {
        let beside = folder.join(&self.paper.name);
        fs::create_dir_all(&beside).map_err(|e| Error::writing(&beside, e))?;
        for section in &self.sections {
            let short = section.short_name();
            for (number, drawing) in (1..).zip(&section.drawings) {
                put(&beside.join(format!("{short}-{number}.svg")), &standalone(&drawing.svg))?;
            }
            let path = beside.join(format!("{short}-table.csv"));
            put(&path, &table::csv(&section.findings).map_err(|e| Error::writing(&path, e))?)?;
            put(&beside.join(format!("{short}-table.tex")), &latex::tables(&section.findings, &short))?;
            let findings = serde_json::to_string_pretty(&section.findings);
            put(&beside.join(format!("{short}.json")), &findings.expect("findings are text and numbers"))?;
        }
        Ok(())
    }
}

/// Writes `index.html`, which leads to the reports.
pub fn write_index(folder: &Path, reports: &[Report]) -> Result<(), Error> {
    put(&folder.join("index.html"), &page::index(reports))
}

fn put(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|e| Error::writing(path, e))
}
