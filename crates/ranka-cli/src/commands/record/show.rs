//! `ranka record show`

use super::chosen::{Chosen, short_agent};
use super::list::heading;
use crate::failure::Done;
use crate::lab_args::StoreArgs;
use crate::print::{self, TextTable};
use ranka_core::{Actor, Error, Record, Seat};
use ranka_lab::Replayer;
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka record show 3fa4/12
  ranka record show import/1 --positions
  ranka record show 3fa4/12 --json")]
pub(super) struct Args {
    /// The game, as IDENTITY/NUMBER or import/NUMBER
    #[arg(value_name = "ID/N")]
    name: String,
    /// Show the position after each action
    #[arg(long)]
    positions: bool,
    #[command(flatten)]
    store: StoreArgs,
    /// Print the record, one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Done {
    let (name, record) = Chosen::one(&args.store.open_to_read()?, &args.name)?;
    if args.json {
        return print::json(&record);
    }
    print::text(&text(&name, &record, args.positions).map_err(|e| e.at(&name))?)
}

fn text(name: &str, record: &Record, positions: bool) -> Result<String, Error> {
    let (seed, deal, order) = record.seed;
    let mut out = format!("{name}: {}", heading(&record.game, &record.rules));
    let _ = writeln!(out, ", seed {seed}, deal {deal}, its game {order}\n");
    let mut table = TextTable::headed(["seat", "agent", "score"]).right([0, 2]);
    for (seat, (agent, &score)) in record.agents.iter().zip(&record.outcome).enumerate() {
        let agent = print::versioned(&short_agent(&record.game, agent), record.version_of(Seat::new(seat)));
        table.row([seat.to_string(), agent, print::number(score)]);
    }
    out += &table.render("");
    let _ = write!(out, "\n{} plies; ended by: {}", record.plies, record.end.reason.name());
    if let Some(seat) = record.end.seat {
        let _ = write!(out, " of seat {seat}");
    }
    if let Some(answer) = &record.end.answer {
        let _ = write!(out, ", who answered {answer}");
    }
    if let Some(detail) = &record.end.detail {
        let _ = write!(out, " ({detail})");
    }
    out += ".\n";
    if positions {
        let _ = writeln!(out, "\nstart  {}", record.start);
    }
    let _ = write!(out, "\n{}", actions(record, positions)?);
    Ok(out)
}

/// Every action with who took it.
fn actions(record: &Record, positions: bool) -> Result<String, Error> {
    let game = Replayer::default().game(record)?;
    let mut headings = vec!["", "who", "action"];
    headings.extend(positions.then_some("position"));
    let mut table = TextTable::headed(headings).right([0]);
    let mut now = game.moves(&record.start, None)?;
    for (i, action) in record.actions.split_whitespace().enumerate() {
        let who = match now.actor {
            Actor::Seat(seat) => {
                let agent = record.agents.get(seat.index()).map_or("", String::as_str);
                format!("{} {}", seat.index(), short_agent(&record.game, agent))
            }
            other => other.to_string(),
        };
        now = game.step(&now.position, action).map_err(|e| e.at(format!("action {}", i + 1)))?;
        let mut cells = vec![(i + 1).to_string(), who, action.to_owned()];
        cells.extend(positions.then(|| now.position.clone()));
        table.row(cells);
    }
    Ok(table.render(""))
}
