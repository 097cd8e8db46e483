//! `ranka record export`

use super::chosen::{ALL, Chosen};
use super::{Format, tantrix, tubstap};
use crate::failure::{Done, Failure};
use crate::lab_args::StoreArgs;
use clap::ValueEnum as _;
use ranka_bots::geister::write_log;
use ranka_core::{Error, Record};
use ranka_lab::export::{GameRows, csv_to, write_csv, write_parquet};
use ranka_lab::{NewFile, Store, StoredPairing};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
CSV and Parquet have one row a game: the pairing, who sat where and scored what, why it ended and who was to blame, and \
every measure that was recorded. What is an agent's is called agent0.…, what is a seat's seat0.…; measures by ply are a \
list in JSON. docs/experiments.md tells every column. A log of \
Tantrix has for each ply the hand, situation, legal placements, choice, lines, draw, spaces and sides, and what was \
recorded of the search.

Examples:
  ranka record export 3fa4 > games.jsonl
  ranka record export 3fa4 --to games.parquet
  ranka record export 3fa4 --format tantrix-log --to logs.jsonl
  ranka record export 3fa4/12 --format tubstap --to game.txt")]
pub(super) struct Args {
    /// A pairing or one of its games, as IDENTITY[/NUMBER], or import[/NUMBER]
    #[arg(value_name = "ID")]
    id: String,
    /// Where to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// The form of the file [default: what the file's name ends with, else jsonl]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    #[command(flatten)]
    store: StoreArgs,
}

impl Args {
    fn format(&self) -> Format {
        let ending = self.to.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
        let by_ending = || ending.and_then(|ending| Format::from_str(ending, true).ok());
        self.format.or_else(by_ending).unwrap_or(Format::Jsonl)
    }
}

pub(super) fn run(args: &Args) -> Done {
    let store = args.store.open_to_read()?;
    let chosen = Chosen::find(&store, &args.id)?;
    match args.format() {
        Format::Jsonl => lines(args, &store, &chosen, |_, record| {
            let mut line = serde_json::to_vec(record).expect("a record is made of text and numbers");
            line.push(b'\n');
            Ok(line)
        }),
        Format::TantrixLog => {
            let kept = match &chosen {
                Chosen::Played(pairing, _) => Some((pairing, store.results(pairing.key, ALL)?)),
                Chosen::Imported(_) => None,
            };
            lines(args, &store, &chosen, |name, record| {
                let kept = kept.as_ref().and_then(|(pairing, games)| {
                    let (_, deal, order) = record.seed;
                    let number = deal * pairing.deal + order;
                    games.iter().find(|game| game.number == number).map(|game| (*pairing, game))
                });
                tantrix::line(name, record, kept).map_err(|e| e.at(name))
            })
        }
        Format::Csv | Format::Parquet => match &chosen {
            Chosen::Played(pairing, None) => table(args, &store, pairing),
            _ => Err(Failure::usage(&format!("{}: CSV and Parquet are of the games of a pairing", args.id))),
        },
        Format::Tubstap => {
            let (name, record) = Chosen::one(&store, &args.id)?;
            let bytes = tubstap::write(&record).map_err(|e| e.at(name))?;
            whole(args, &bytes)
        }
        Format::GeisterLog => {
            let (name, record) = Chosen::one(&store, &args.id)?;
            let log = write_log(&record).map_err(|e| e.at(name))?;
            whole(args, log.as_bytes())
        }
        Format::TubstapResults => {
            let mut results = tubstap::Results::default();
            chosen.each(&store, |name, record| results.count(&record).map_err(|e| e.at(name)))?;
            whole(args, results.csv().as_bytes())
        }
    }
}

/// A line for each game.
fn lines(
    args: &Args,
    store: &Store,
    chosen: &Chosen,
    line: impl Fn(&str, &Record) -> Result<Vec<u8>, Error>,
) -> Done {
    let mut out = Out::new(args.to.as_deref())?;
    let mut failed = Ok(());
    chosen.each(store, |name, record| {
        if failed.is_ok() {
            failed = out.write(&line(name, &record)?);
        }
        Ok(())
    })?;
    failed?;
    out.finish()
}

fn table(args: &Args, store: &Store, pairing: &StoredPairing) -> Done {
    let games = store.results(pairing.key, ALL)?;
    let rows = [GameRows::stored(pairing, &games)?];
    match (args.format(), &args.to) {
        (Format::Parquet, Some(path)) => Ok(write_parquet(path, &rows)?),
        (Format::Parquet, None) => Err(Failure::usage("Parquet is no text: give --to FILE")),
        (_, Some(path)) => Ok(write_csv(path, &rows)?),
        (_, None) => Ok(csv_to(std::io::stdout().lock(), &rows)??),
    }
}

fn whole(args: &Args, bytes: &[u8]) -> Done {
    let mut out = Out::new(args.to.as_deref())?;
    out.write(bytes)?;
    out.finish()
}

/// Where it goes: a file, which appears when it is complete, or stdout.
enum Out {
    File(NewFile),
    Stdout(std::io::BufWriter<std::io::Stdout>),
}

impl Out {
    fn new(path: Option<&Path>) -> Result<Out, Error> {
        Ok(match path {
            Some(path) => Out::File(NewFile::create(path)?),
            None => Out::Stdout(std::io::BufWriter::new(std::io::stdout())),
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Done {
        match self {
            Out::File(file) => Ok(file.write_all(bytes).map_err(|e| file.failed(e))?),
            Out::Stdout(out) => Ok(out.write_all(bytes)?),
        }
    }

    fn finish(self) -> Done {
        match self {
            Out::File(file) => Ok(file.finish()?),
            Out::Stdout(mut out) => Ok(out.flush()?),
        }
    }
}
