//! `ranka bot fuzz`

use crate::failure::Done;
use crate::print;
use ranka_bots::fuzz::{FuzzBudget, Parser, fuzz};
use ranka_bots::{geister, kgp, stdio, tubstap};
use ranka_core::{Error, Seed, unknown};
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Good lines are spoilt, and bytes come at random; a parser that panics or takes long fails, and its input is shown.

Examples:
  ranka bot fuzz
  ranka bot fuzz stdio --inputs 10000000")]
pub(crate) struct Args {
    /// Only this parser; all of them otherwise
    parser: Option<String>,
    /// How many inputs each parser is handed
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    inputs: u64,
    /// What the inputs follow from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Everything that reads what outsiders send.
const PARSERS: &[Parser] = &[stdio::PARSER, geister::PARSER, kgp::PARSER, tubstap::PARSER];

pub(crate) fn run(args: &Args) -> Done {
    let chosen = |parser: &&Parser| args.parser.as_ref().is_none_or(|name| name == parser.name);
    let chosen: Vec<&Parser> = PARSERS.iter().filter(chosen).collect();
    if let (true, Some(name)) = (chosen.is_empty(), &args.parser) {
        let known: Vec<&str> = PARSERS.iter().map(|parser| parser.name).collect();
        return Err(Error::input(unknown("parser", name, &known)).into());
    }
    let mut table = print::TextTable::headed(["parser", "inputs", "a second"]).right([1, 2]);
    for parser in chosen {
        let effort = FuzzBudget { inputs: args.inputs, time: Duration::MAX, seed: Seed::new(args.seed) };
        let report = fuzz(&(*parser).into(), &effort, |_| {});
        report.check()?;
        let speed = report.inputs as f64 / report.took.as_secs_f64();
        table.row([parser.name.to_owned(), args.inputs.to_string(), format!("{speed:.0}")]);
    }
    print::text(&table.render(""))
}
