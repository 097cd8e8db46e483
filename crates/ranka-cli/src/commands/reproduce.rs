//! `ranka reproduce`

use crate::failure::Done;
use crate::lab_args::{RunArgs, made};
use crate::{findings, interrupt, print};
use ranka_lab::experiment::Size;
use ranka_lab::papers::{self, Paper};
use ranka_lab::report::Report;
use serde_json::json;

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
            print::text(&heading(&paper))?;
        }
        let mut sections = Vec::new();
        for name in names.iter().take_while(|_| !interrupt::happened()) {
            let section = args.run.section(&paper, &paper.experiment(name)?, &mut store)?;
            if args.json {
                print::json(&section.findings)?;
            } else {
                print::text(&findings::text(&section.findings, args.run.table))?;
            }
            sections.push(section);
        }
        reports.push(Report { paper, sections, made: made() });
    }
    args.run.write(&reports)?;
    args.run.finish(&reports, &store, args.json)?;
    interrupt::check()
}

fn heading(paper: &Paper) -> String {
    use owo_colors::OwoColorize;
    format!("{}\n{}\n\n", paper.title.bold().underline(), paper.source)
}

fn list(chosen: &[(Paper, Vec<String>)], as_json: bool) -> Done {
    let mut table = print::Table::headed(["experiment", "title", "quick", "paper", "full"]).right(2..5);
    for (paper, names) in chosen {
        for name in names {
            let experiment = paper.experiment(name)?;
            let [quick, usual, full] =
                [Size::Quick, Size::Paper, Size::Full].map(|size| experiment.games(size));
            if as_json {
                print::json(&json!({
                    "name": experiment.name, "title": experiment.title,
                    "games": { "quick": quick, "paper": usual, "full": full },
                }))?;
            }
            table.row([
                experiment.name.clone(),
                experiment.title.clone(),
                quick.to_string(),
                usual.to_string(),
                full.to_string(),
            ]);
        }
    }
    if as_json { Ok(()) } else { print::text(&table.render("")) }
}
