//! `ranka record replay`

use super::chosen::Chosen;
use super::import::each_line;
use crate::failure::Done;
use crate::lab_args::StoreArgs;
use crate::print;
use ranka_core::{Error, Record};
use ranka_lab::Replayer;
use serde_json::json;
use std::path::Path;

#[derive(clap::Args)]
#[command(after_help = "\
A game that ended by the rules must end with its last action and with the same scores; one that ended otherwise must \
be legal up to there. The first record that does not replay is told, with exit code 2.

Examples:
  ranka record replay 3fa4/12
  ranka record replay --all
  ranka record replay games.jsonl")]
pub(super) struct Args {
    /// A game as IDENTITY/NUMBER, a pairing, import, or a file of records as JSON lines
    #[arg(value_name = "ID|FILE", required_unless_present = "all", conflicts_with = "all")]
    what: Option<String>,
    /// Every game of the store
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    store: StoreArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Done {
    let mut replayer = Replayer::default();
    let mut count = 0u64;
    let mut check = |name: &str, record: Record| -> Result<(), Error> {
        count += 1;
        replayer.check(&record).map_err(|e| e.at(name))
    };
    match args.what.as_deref() {
        Some(file) if Path::new(file).is_file() => {
            each_line(Path::new(file), |name, record| record.and_then(|record| check(name, record)))?;
        }
        Some(name) => {
            let store = args.store.open_to_read()?;
            Chosen::find(&store, name)?.each(&store, check)?;
        }
        None => {
            let store = args.store.open_to_read()?;
            for pairing in store.pairings()? {
                Chosen::Played(pairing, None).each(&store, &mut check)?;
            }
            Chosen::Imported(None).each(&store, check)?;
        }
    }
    if args.json {
        return print::json(&json!({ "replayed": count }));
    }
    let words = if count == 1 { "1 record replays" } else { &format!("{count} records replay") };
    print::text(&format!("{words} as written.\n"))
}
