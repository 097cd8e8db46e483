//! `ranka reproduce`

use crate::failure::Done;
use crate::lab_args::{RunArgs, made};
use crate::{interrupt, print};
use ranka_lab::papers::{self, Paper};
use ranka_lab::report::Report;
use ranka_lab::text;

#[derive(clap::Args)]
#[command(after_help = "\
Games that the store has are not played again, so a run that was stopped goes on where it was. \
Without --quick, --full or --games as many games are played as in the paper.

Examples:
  ranka reproduce --list
  ranka reproduce kalah --quick
  ranka reproduce kalah/table-1-n3m3 --full
  ranka reproduce --full --out report")]
pub(crate) struct Args {
    /// The paper, or one of its experiments as PAPER/EXPERIMENT [default: all]
    #[arg(value_name = "PAPER[/EXPERIMENT]")]
    what: Option<String>,
    /// Only tell which experiments there are
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    run: RunArgs,
    /// Print one JSON object for each experiment
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let chosen = papers::named(args.what.as_deref())?;
    if args.list {
        return list(&chosen, args.json);
    }
    let mut store = args.run.open()?;
    let mut reports = Vec::new();
    for (paper, names) in chosen {
        if !args.json {
            print::text(&text::heading(&paper))?;
        }
        let mut sections = Vec::new();
        for name in names.iter().take_while(|_| !interrupt::happened()) {
            let section = args.run.section(&paper, &paper.experiment(name)?, &mut store)?;
            if args.json {
                print::json(&section.findings)?;
            } else {
                print::text(&text::findings(&section.findings, args.run.table))?;
            }
            sections.push(section);
        }
        reports.push(Report { paper, sections, made: made() });
    }
    args.run.write(&reports)?;
    args.run.finish(&reports, &store, args.json)?;
    interrupt::check()
}

fn list(chosen: &[(Paper, Vec<String>)], as_json: bool) -> Done {
    let listed = papers::listed(chosen)?;
    if as_json { listed.iter().try_for_each(print::json) } else { print::text(&text::listed(&listed)) }
}
