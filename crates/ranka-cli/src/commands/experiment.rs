//! `ranka experiment`

use crate::failure::{Done, Failure};
use crate::lab_args::{RunArgs, made};
use crate::{interrupt, print};
use clap::Subcommand;
use ranka_core::{SMALL_FILE, read_text};
use ranka_lab::experiment::Experiment;
use ranka_lab::papers::{self, Paper};
use ranka_lab::report::Report;
use ranka_lab::text;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Run an experiment of your own, a TOML file
    Run(Run),
    /// Print the file of an experiment that comes with the program, to change and run it
    Show(Show),
    /// Print the JSON Schema of experiment files
    Schema,
}

#[derive(clap::Args)]
#[command(after_help = "\
docs/experiments.md tells the format; `ranka experiment show kalah/table-1-n3m3 > mine.toml` gives a file to start from.")]
struct Run {
    /// The file
    file: PathBuf,
    /// What all randomness follows from, instead of the file's seed
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    #[command(flatten)]
    run: RunArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Show {
    /// The experiment, as PAPER/EXPERIMENT
    #[arg(value_name = "PAPER/EXPERIMENT")]
    name: String,
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::Run(args) => run_file(args),
        What::Show(args) => show(args),
        What::Schema => print::json(&ranka_lab::experiment::schema()),
    }
}

fn run_file(args: &Run) -> Done {
    interrupt::flag();
    let name = args.file.display().to_string();
    let source = read_text(&args.file, SMALL_FILE)?;
    let experiment = Experiment::parse_seeded(&name, &source, args.seed)?;
    let mut store = args.run.open()?;
    let stem = args.file.file_stem().map_or_else(String::new, |stem| stem.display().to_string());
    let paper = Paper::of_one(&stem, &experiment);
    let section = args.run.section(&paper, &experiment, &mut store)?;
    if args.json {
        print::json(&section.findings)?
    } else {
        print::text(&text::findings(&section.findings, args.run.table))?
    }
    let reports = [Report { paper, sections: vec![section], made: made() }];
    args.run.write(&reports)?;
    args.run.finish(&reports, &store, args.json)?;
    interrupt::check()
}

fn show(args: &Show) -> Done {
    let chosen = papers::named(Some(&args.name))?;
    let [(paper, names)] = chosen.as_slice() else {
        return Err(Failure::usage("name one experiment, as PAPER/EXPERIMENT"));
    };
    let [name] = names.as_slice() else {
        let known = format!("{} has several experiments: {}", paper.name, names.join(", "));
        return Err(Failure::usage(&known));
    };
    let source = paper.experiments.iter().find(|(of, _)| of == name).map_or("", |(_, source)| source);
    print::text(source)
}
