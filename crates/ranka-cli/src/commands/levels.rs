//! `ranka levels`

use crate::failure::Done;
use crate::game_args::{GameArgs, ThreadArgs};
use crate::print::TextTable;
use crate::{interrupt, print};
use clap::Subcommand;
use ranka_core::{SMALL_FILE, Seed, read_text};
use ranka_lab::levels::{Adapted, Adapting, Calibrated, Calibration, fit_slope, look_at_ranks};
use ranka_levels::Ladder;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Find how the ten ranks of `level` must err to stand equally far apart, and print the game's levels.toml
    Calibrate(CalibrateArgs),
    /// Find what a unit of the judge's value is worth in winning chances
    Slope(SlopeArgs),
    /// Find how the errors of each rank look to others, for `seen` in levels.toml
    Seen(SeenArgs),
    /// Let an adapting player play matches, and tell how even they were and what it believed of its opponent
    Try(TryArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Players of many temperatures play those near them; from their ratings follow the temperatures of the ranks. What is \
printed is the file levels.toml of the game's crate, but for its version, which is raised.

Example:
  ranka levels calibrate kalah --games 400 --seed 1")]
struct CalibrateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The file that names judge and slope, such as a levels.toml [default: the game's]
    #[arg(long, value_name = "FILE")]
    ladder: Option<PathBuf>,
    /// How many games each pairing plays
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How many games each pairing of the ranks plays that were found; their ratings are those that are printed
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// The largest step between ranks, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 200.0)]
    step: f64,
    /// The hottest temperature that is tried
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    hottest: f64,
    /// The coldest temperature that is tried beside 0
    #[arg(long, value_name = "T", default_value_t = 0.005)]
    coldest: f64,
    /// How many temperatures are tried beside 0
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(2..=100))]
    tried: u64,
    /// What one action may give away, in temperatures: what is beyond never happens
    #[arg(long, value_name = "N", default_value_t = 3.0)]
    bound: f64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SlopeArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The judging agent [default: the game's]
    #[arg(long, value_name = "AGENT")]
    judge: Option<String>,
    /// Its values are expected scores
    #[arg(long)]
    score: bool,
    /// How many games it plays with itself
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(clap::Args)]
struct SeenArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How many games of each rank are watched
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(clap::Args)]
#[command(after_help = "\
In each match the player begins a game with what it believed of its opponent at the end of the one before. An opponent \
AGENT@N comes in the N-th game in place of the one before it.

Examples:
  ranka levels try kalah level:rank=3 --matches 20 --length 3
  ranka levels try kalah level:rank=3 level:rank=8@6 --with partner --matches 20 --length 10
  ranka levels try kalah random --with partner:method=score --matches 50 --length 1")]
struct TryArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The opponents, one after the other
    #[arg(required = true, value_name = "AGENT[@N]")]
    opponents: Vec<String>,
    /// The adapting player
    #[arg(long, value_name = "AGENT", default_value = "partner")]
    with: String,
    /// How many matches
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,
    /// How many games each match has
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    length: u64,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::Calibrate(args) => calibrate(args),
        What::Slope(args) => slope(args),
        What::Seen(args) => seen(args),
        What::Try(args) => adapt(args),
    }
}

fn calibrate(args: &CalibrateArgs) -> Done {
    let game = args.game.open()?;
    let own = ranka_games::ladder(game.info().name)?;
    let path = args.ladder.as_ref().map(|path| path.display().to_string());
    let ladder = match &path {
        None => own.clone(),
        Some(path) => Ladder::parse(&read_text(path, SMALL_FILE)?).map_err(|error| error.at(path))?,
    };
    let calibration = Calibration {
        game,
        ladder: path,
        games: args.games,
        check: args.check,
        seed: Seed::new(args.seed),
        ranks: 10,
        step: args.step,
        hottest: args.hottest,
        coldest: args.coldest,
        tried: args.tried as usize,
        bound: args.bound,
    };
    let found = calibration.run(&args.threads.runner())?;
    interrupt::check_without_store()?;
    match args.json {
        true => print::json(&found),
        false => print::text(&toml(args, &ladder, own.version, &found)),
    }
}

/// The file that a game's crate ships.
fn toml(args: &CalibrateArgs, ladder: &Ladder, version: u32, found: &Calibrated) -> String {
    let name = args.game.name();
    let mut text = format!(
        "# How `level` and `partner` judge this game, and how each rank errs (docs/right-opponent.md).\n\
         version = {}\njudge = {:?}\nslope = {:?}\nshrink = {:?}\nworlds = {}\npatience = {}\nchampions = {:?}\nanalysts = {:?}\nsolvers = {:?}\n\
         experiment = \"ranka levels calibrate {name} --games {} --check {} --seed {} --step {} --hottest {} --coldest {} --tried {} --bound {}\"\n",
        version + 1,
        ladder.judge,
        ladder.slope,
        ladder.shrink,
        ladder.worlds,
        ladder.patience,
        ladder.champions,
        ladder.analysts,
        ladder.solvers,
        args.games,
        args.check,
        args.seed,
        args.step,
        args.hottest,
        args.coldest,
        args.tried,
        args.bound,
    );
    let _ = writeln!(
        text,
        "\n# What was tried: temperature, rating, its standard error; {:.0} Elo a rank.",
        found.step
    );
    for rung in &found.curve {
        let _ = writeln!(text, "# {:<8} {:>6.0} ± {:.0}", rung.temperature, rung.elo, rung.error);
    }
    if !found.scores.is_empty() {
        let _ = writeln!(text, "\n# The score of each rank, in percent, against ranks 1 to 10.");
    }
    for row in &found.scores {
        let cell =
            |score: &Option<f64>| score.map_or("   –".to_owned(), |score| format!("{:4.0}", 100.0 * score));
        let _ = writeln!(text, "# {}", row.iter().map(cell).collect::<Vec<_>>().join(" "));
    }
    for rank in &found.ranks {
        let _ = write!(
            text,
            "\n[[rank]]\ntemperature = {:?}\nbound = {:?}\nelo = {:.1}\nerror = {:.1}\n",
            rank.temperature, rank.bound, rank.elo, rank.error
        );
    }
    text
}

fn slope(args: &SlopeArgs) -> Done {
    let game = args.game.open()?;
    let ladder = ranka_games::ladder(game.info().name)?;
    let judge = args.judge.as_deref().unwrap_or(&ladder.judge);
    let (seed, runner) = (Seed::new(args.seed), args.threads.runner());
    let found = fit_slope(&game, judge, args.score, args.games, seed, &runner)?;
    interrupt::check_without_store()?;
    print::text(&format!(
        "slope {:.4} ± {:.4} ({} games of {judge})\n",
        found.slope, found.error, found.games
    ))
}

fn seen(args: &SeenArgs) -> Done {
    let game = args.game.open()?;
    let ranks = ranka_games::ladder(game.info().name)?.rank.len() as u64;
    let looks = look_at_ranks(&game, ranks, args.games, Seed::new(args.seed), &args.threads.runner())?;
    interrupt::check_without_store()?;
    let mut text = String::new();
    for look in looks {
        let _ = writeln!(
            text,
            "seen = {:<8.4} # rank {}, × or ÷ {:.2} after a game",
            look.seen, look.rank, look.spread
        );
    }
    print::text(&text)
}

fn adapt(args: &TryArgs) -> Done {
    let game = args.game.open()?;
    let opponent = |(place, spec): (usize, &String)| match spec.rsplit_once('@') {
        Some((agent, game)) if game.parse::<u64>().is_ok_and(|n| n > 0) => {
            (game.parse::<u64>().unwrap_or(1) - 1, agent.to_owned())
        }
        _ => (if place == 0 { 0 } else { u64::MAX }, spec.clone()),
    };
    let adapting = Adapting {
        game,
        partner: args.with.clone(),
        opponents: args.opponents.iter().enumerate().map(opponent).collect(),
        length: args.length,
        matches: args.matches,
        seed: Seed::new(args.seed),
    };
    let games = adapting.run(&args.threads.runner())?;
    interrupt::check_without_store()?;
    match args.json {
        true => print::json(&games),
        false => print::text(&told(&games)),
    }
}

fn told(games: &[Adapted]) -> String {
    let headings = ["game", "score", "±", "believed rank", "spread", "given a move", "theirs", "lost late"];
    let mut table = TextTable::headed(headings).right(0..headings.len());
    for (number, game) in (1..).zip(games) {
        let (score, error) = mean_and_error(&game.scores);
        let (rank, rank_error) = mean_and_error(&game.ranks);
        let spread = rank_error * (game.ranks.len() as f64).sqrt();
        let late = game.late.iter().filter(|&&late| late).count() as f64 / game.late.len().max(1) as f64;
        table.row([
            number.to_string(),
            format!("{score:.3}"),
            format!("{:.3}", 1.96 * error),
            format!("{rank:.2}"),
            format!("{spread:.2}"),
            format!("{:.4}", mean_and_error(&game.given).0),
            format!("{:.4}", mean_and_error(&game.theirs).0),
            format!("{:.1} %", 100.0 * late),
        ]);
    }
    table.render("")
}

/// The mean, and its standard error.
fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, (squares / (n - 1.0).max(1.0) / n).sqrt())
}
