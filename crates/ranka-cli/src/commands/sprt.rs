//! `ranka sprt`

use crate::failure::{Done, Failure};
use crate::game_args::{GameArgs, ThreadArgs};
use crate::lab_args::{KeptArgs, StoreArgs, all_played, tell_left_out};
use crate::play_args::{Model, PlayArgs};
use crate::{interrupt, print, whereabouts};
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AnyAgent, Seed};
use ranka_lab::stats::Sprt;
use ranka_lab::text;
use ranka_lab::{AgentFaults, Pairing, Ruling, Sequential, VersionCount};

#[derive(clap::Args)]
#[command(after_help = "\
The test is asked after every game, or after every pair of games that share their deal, and playing stops as soon \
as it is decided. It decides by the games in their order: the same command stops at the same game with any number \
of threads, also when it was stopped in between. H0 says that A is ELO0 stronger than B, H1 that it is ELO1.

The exit code is the verdict: 0 if H1 is accepted, 10 if H0 is, 11 if MAX games did not decide, 130 after Ctrl-C, 3 if a \
bot never played a legal action.

Examples:
  ranka sprt kalah minimax:depth=4 minimax:depth=3 --elo0 0 --elo1 30
  ranka sprt kalah minimax:depth=4,unit=turn minimax:depth=4 --elo0=-10 --elo1 0 --games 50000
  ranka sprt kalah minimax random --elo0 0 --elo1 100 --alpha 0.01 --beta 0.01 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The agent that is tested
    a: String,
    /// The agent that it is tested against
    b: String,
    /// H0: the difference is this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,
    /// H1: the difference is this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,
    /// Which Elo these are: logistic, or normalized as in fastchess and OpenBench
    #[arg(long, value_enum, value_name = "MODEL", default_value_t)]
    model: Model,
    /// How probable it may be to accept H1 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    alpha: f64,
    /// How probable it may be to accept H0 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    beta: f64,
    /// The most games
    #[arg(long, value_name = "MAX", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    #[command(flatten)]
    play: PlayArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    kept: KeptArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::flag();
    let test = Sprt::new(args.model.into(), args.elo0, args.elo1, args.alpha, args.beta)?;
    let game = args.game.open()?;
    let agents: Vec<AnyAgent> =
        [&args.a, &args.b].into_iter().map(|spec| game.agent(spec)).collect::<Result<_, _>>()?;
    let PlayArgs { seats, seed, .. } = args.play;
    let pairing = Pairing::new(game, agents, seats, Seed::new(seed), args.play.limits(), &[])?;
    let sequential = Sequential {
        pairing: &pairing,
        test,
        games: args.games,
        runner: args.threads.runner(),
        fresh: args.kept.fresh,
        any_version: args.kept.any_version,
    };
    let mut store = args.store.open_to_play()?;
    if !args.kept.any_version && !args.kept.fresh {
        tell_left_out(&store, [(&pairing, args.games)])?;
    }
    let sources = store.sources(&pairing, args.kept.any_version)?;
    let had = if args.kept.fresh { Vec::new() } else { sources.results(&store, args.games)? };
    let bar = progress_bar();
    let status = sequential.run(&mut store, |status| {
        let [low, high] = status.test.bounds;
        bar.set_position(status.games);
        bar.set_message(format!(
            "LLR {:+.2} ({low:.2} to {high:.2}), score {}",
            status.test.llr,
            print::percent(status.tally.scores().mean())
        ));
    });
    bar.finish_and_clear();
    let status = status?;
    let sources = store.sources(&pairing, args.kept.any_version)?;
    let versions = VersionCount::of(&sources.results(&store, status.games)?);
    let faults = AgentFaults::of(pairing.agents(), &sources.faults(&store, &pairing, status.played)?);
    let had = had.iter().filter(|game| game.number < status.played).count();
    if args.json {
        print::json(&sequential.figures(&status, &versions, &faults))?;
    } else {
        print::text(&text::sequential(&sequential, &status, &versions, &faults, had as u64))?;
        whereabouts::tell(&args.store, &store, [(pairing.identity(), status.played)]);
    }
    all_played(&faults)?;
    match status.ruling() {
        Ruling::H1 => Ok(()),
        Ruling::H0 => Err(Failure::Ruling(Ruling::H0)),
        Ruling::Undecided => interrupt::check().and(Err(Failure::Ruling(Ruling::Undecided))),
    }
}

/// What is known so far, on stderr; nothing unless stderr is a terminal. Nobody knows how long it will take.
fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {pos} games, {per_sec} · {wide_msg}");
    ProgressBar::no_length().with_style(style.expect("the template is well formed"))
}
