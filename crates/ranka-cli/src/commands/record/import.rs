//! `ranka record import`

use super::{Format, geister, tubstap};
use crate::failure::{Done, Failure};
use crate::lab_args::StoreArgs;
use crate::print;
use ranka_core::{Error, LARGE_FILE, Lines, Record};
use ranka_lab::{IMPORT, Replayer};
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Every record is replayed first. If one of them is malformed, does not play out as it says or was stopped before it had a \
result, nothing of the file is kept. A record that is there already is not kept twice.

Examples:
  ranka match kalah minimax random --records games.jsonl
  ranka record import games.jsonl
  ranka record import game.txt --format tubstap
  ranka record import log-2026-01-09-14-05-31-007.txt --format geister-log")]
pub(super) struct Args {
    /// The file
    file: PathBuf,
    /// Its form: jsonl, tubstap or geister-log
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", hide_possible_values = true)]
    format: Format,
    #[command(flatten)]
    store: StoreArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How many mistakes of a file are told.
const MOST_MISTAKES: usize = 10;

pub(super) fn run(args: &Args) -> Done {
    let (records, not_kept) = match args.format {
        Format::Jsonl => (read_all(&args.file)?, Vec::new()),
        Format::Tubstap => {
            let (record, not_kept) = tubstap::read(&args.file)?;
            (vec![checked(record, &args.file)?], not_kept)
        }
        Format::GeisterLog => (vec![checked(geister::read(&args.file)?, &args.file)?], Vec::new()),
        _ => return Err(Failure::usage("import: --format is jsonl, tubstap or geister-log")),
    };
    let told = args.store.open()?.import(&records)?;
    let numbers: Vec<i64> = told.iter().filter(|(_, new)| *new).map(|(number, _)| *number).collect();
    let known = told.len() - numbers.len();
    if args.json {
        let told =
            json!({ "imported": numbers.len(), "known": known, "numbers": numbers, "not_kept": not_kept });
        return print::json(&told);
    }
    let mut out = match numbers.as_slice() {
        [] => "No new games".to_owned(),
        [one] => format!("1 game imported: {IMPORT}/{one}"),
        [first, .., last] => format!("{} games imported: {IMPORT}/{first} to {IMPORT}/{last}", numbers.len()),
    };
    if known > 0 {
        out += &format!("; {known} {} there already", if known == 1 { "was" } else { "were" });
    }
    if !not_kept.is_empty() {
        out += &format!("; a record has no place for {}", not_kept.join(", "));
    }
    print::text(&format!("{out}.\n"))
}

/// A record that was made of another program's file.
fn checked(record: Record, path: &Path) -> Result<Record, Error> {
    Replayer::default().check_foreign(&record).map_err(|e| e.in_file(path))?;
    Ok(record)
}

/// All records of a file, checked; or everything that is wrong with it.
fn read_all(path: &Path) -> Result<Vec<Record>, Error> {
    let mut replayer = Replayer::default();
    let mut records = Vec::new();
    let (mut mistakes, mut more) = (Vec::new(), 0u64);
    each_line(path, |name, record| {
        match record
            .and_then(|record| replayer.check_foreign(&record).map_err(|e| e.at(name)).map(|()| record))
        {
            Ok(record) if mistakes.is_empty() => records.push(record),
            Ok(_) => {}
            Err(mistake) if mistakes.len() < MOST_MISTAKES => {
                mistakes.push(mistake.to_string());
                records = Vec::new();
            }
            Err(_) => more += 1,
        }
        Ok(())
    })?;
    if mistakes.is_empty() {
        return Ok(records);
    }
    if more > 0 {
        mistakes.push(format!("… and {more} more"));
    }
    Err(Error::input(format!("{}\nnothing of the file was kept", mistakes.join("\n"))))
}

/// The most bytes of one record.
const LONGEST_RECORD: usize = 16 << 20;

/// Tells of each line of a file its place, and the record in it or what is wrong.
pub(super) fn each_line(
    path: &Path,
    mut tell: impl FnMut(&str, Result<Record, Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    let file = File::open(path).map_err(|e| Error::reading(path, &e))?;
    let input = BufReader::with_capacity(1 << 16, file);
    let mut lines = Lines::new(input, path.display().to_string(), LONGEST_RECORD);
    let mut bytes = 0;
    while let Some(line) = lines.read()? {
        bytes += line.len() as u64 + 1;
        if bytes > LARGE_FILE {
            let most = LARGE_FILE >> 20;
            return Err(Error::input(format!("it has more than {most} MiB, too many records for one file"))
                .in_file(path));
        }
        if !line.trim_ascii().is_empty() {
            let record = serde_json::from_slice(line);
            let name = lines.place();
            tell(&name, record.map_err(|e| Error::input(format!("this is no record: {e}")).at(&name)))?;
        }
    }
    Ok(())
}
