//! `ranka tournament`

use crate::failure::Done;
use crate::game_args::{GameArgs, ThreadArgs};
use crate::lab_args::{self, KeptArgs, StoreArgs};
use crate::play_args::PlayArgs;
use crate::{interrupt, print, whereabouts};
use ranka_core::Error;
use ranka_lab::experiment::{Findings, Run, Size, Tournament, draw};
use ranka_lab::papers::Paper;
use ranka_lab::report::{Report, Section};
use ranka_lab::text;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Every pairing of the agents is played; where more than two sit at a table, every choice of that many. \
Ratings (Davidson's model, which is Bradley and Terry's with draws; in Elo, their mean is 0) are for games of two; with \
draws they lie further apart than the Elo of matches; the cross table tells the score in percent \
against each other agent. Games that the store has are not played again, so a tournament that was stopped goes on \
where it was, and a further agent only costs its own games.

Examples:
  ranka tournament kalah minimax:depth=6 minimax:depth=3 select-q random --rules houses=3,seeds=3 --games 200
  ranka tournament kalah minimax minimax:depth=2 random --final-of 2 --final-games 20
  ranka tournament labyrinth distance static saboteur random --rules players=3 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The agents, at least one for each seat, each name:key=value,…
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,
    /// How many games each pairing plays
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = games())]
    games: u64,
    /// Points for a win, a draw and a loss
    #[arg(long, value_name = "WIN,DRAW,LOSS", default_value = "3,1,0", value_parser = points, allow_hyphen_values = true)]
    points: [f64; 3],
    /// Let the first K play a final among themselves
    #[arg(long, value_name = "K")]
    final_of: Option<usize>,
    /// How many games each pairing of the final plays [default: 2]
    #[arg(long, value_name = "N", requires = "final_of", value_parser = games())]
    final_games: Option<u64>,
    #[command(flatten)]
    play: PlayArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    kept: KeptArgs,
    /// Write a report into this folder: a page, findings as JSON, the table as CSV and LaTeX, games as CSV and Parquet
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn games() -> clap::builder::RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(1..=1_000_000_000)
}

fn points(text: &str) -> Result<[f64; 3], String> {
    let refuse = || "expected three numbers, for a win, a draw and a loss, such as 3,1,0".to_owned();
    let number = |part: &str| part.trim().parse().ok().filter(|points: &f64| points.is_finite());
    let points: Vec<f64> = text.split(',').map(number).collect::<Option<_>>().ok_or_else(refuse)?;
    points.try_into().map_err(|_| refuse())
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::flag();
    let game = args.game.open()?;
    let agents = args.agents.iter().map(|spec| game.agent(spec)).collect::<Result<_, _>>()?;
    let tournament = Tournament {
        game,
        agents,
        games: args.games,
        points: args.points,
        final_of: args.final_of,
        final_games: args.final_games,
        seating: args.play.seats,
        seed: args.play.seed,
        limits: args.play.limits(),
    };
    let experiment = tournament.plan()?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|e| Error::writing(folder, e))?;
    }
    let size = Size::Games(args.games);
    let run = Run {
        size,
        runner: args.threads.runner(),
        fresh: args.kept.fresh,
        any_version: args.kept.any_version,
    };
    let mut store = args.store.open_to_play()?;
    let played = lab_args::play(&run, &experiment, &mut store)?;
    let found = Findings::of(&experiment, size, &played)?;
    if args.json {
        print::json(&found)?;
    } else {
        print::text(&text::findings(&found, text::TableForm::Auto))?;
        let pairings = found.pairings.iter().map(|pairing| (pairing.id.as_str(), pairing.games));
        whereabouts::tell(&args.store, &store, pairings);
    }
    let all_played = lab_args::all_played(&found.faults);
    if let Some(folder) = &args.out {
        let paper = Paper::of_one("tournament", &experiment);
        let drawings = draw(&experiment, &played, &found)?;
        let section = Section { findings: found, drawings, source: String::new() };
        section.write_games(&folder.join(&paper.name), &experiment, &played, &store)?;
        let reports = [Report { paper, sections: vec![section], made: lab_args::made() }];
        lab_args::write_reports(folder, &reports)?;
    }
    all_played?;
    interrupt::check()
}
