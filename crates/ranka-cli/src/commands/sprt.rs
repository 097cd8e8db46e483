//! `ranka sprt`

use crate::failure::{Done, Failure};
use crate::game_args::{GameArgs, ThreadArgs};
use crate::lab_args::{KeptArgs, StoreArgs, all_played, tell_left_out};
use crate::play_args::{Model, PlayArgs};
use crate::{interrupt, print, whereabouts};
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AnyAgent, Seed, WdlCounts, labels};
use ranka_lab::experiment::version_words;
use ranka_lab::stats::{LEVEL, Sprt, Tally};
use ranka_lab::words;
use ranka_lab::{AgentFaults, Course, Pairing, Ruling, Sequential, VersionCount};

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
    let course = sequential.run(&mut store, |course| {
        let [low, high] = course.test.bounds;
        bar.set_position(course.games);
        bar.set_message(format!(
            "LLR {:+.2} ({low:.2} to {high:.2}), score {}",
            course.test.llr,
            print::percent(course.tally.scores().mean())
        ));
    });
    bar.finish_and_clear();
    let course = course?;
    let sources = store.sources(&pairing, args.kept.any_version)?;
    let versions = VersionCount::of(&sources.results(&store, course.games)?);
    let faults = AgentFaults::of(pairing.agents(), &sources.faults(&store, &pairing, course.played)?);
    let had = had.iter().filter(|game| game.number < course.played).count();
    if args.json {
        print::json(&sequential.figures(&course, &versions, &faults))?;
    } else {
        let from_store = print::from_store((had as u64, course.played));
        print::text(&(report(&pairing, args, &course, &versions, &faults) + &from_store))?;
        whereabouts::tell(&args.store, &store, [(pairing.identity(), course.played)]);
    }
    all_played(&faults)?;
    match course.ruling() {
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

fn report(
    pairing: &Pairing,
    args: &Args,
    course: &Course,
    versions: &[VersionCount],
    faults: &[AgentFaults],
) -> String {
    let game = pairing.game();
    let rules = game.rules_short();
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    let agents = labels(pairing.agents());
    let [a, b] = [0, 1].map(|agent| agents[agent].as_str());
    let [elo0, elo1] = [args.elo0, args.elo1].map(|elo| {
        format!("{} {}", signed(elo), if args.model == Model::Normalized { "normalised Elo" } else { "Elo" })
    });
    let ruling = match course.ruling() {
        Ruling::H0 => format!("H0 accepted: {a} is {elo0} or less to {b} rather than {elo1} or more."),
        Ruling::H1 => format!("H1 accepted: {a} is {elo1} or more to {b} rather than {elo0} or less."),
        Ruling::Undecided if course.all_alike() => {
            format!("Undecided between {elo0} (H0) and {elo1} (H1). {}", words::all_alike(None))
        }
        Ruling::Undecided => format!("Undecided between {elo0} (H0) and {elo1} (H1): more games are needed."),
    };
    let scores = course.tally.scores();
    let [low, high] = scores.interval().map(|end| 100.0 * end);
    let elo = course.tally.elo(LEVEL);
    let [value, elo_low, elo_high] =
        [elo.value, elo.interval[0], elo.interval[1]].map(|elo| print::signed(elo, 0));
    let [lower, upper] = course.test.bounds.map(|bound| print::signed(bound, 2));
    let WdlCounts { wins, draws, losses } = course.results;
    let mut table = print::Table::plain();
    let mut row = |name: &str, text: String| table.row([name.to_owned(), text]);
    row(
        "games",
        format!(
            "{} of at most {}: {wins} won, {draws} drawn, {losses} lost{}",
            course.games,
            args.games,
            if course.all_alike() { format!(" ({} played)", course.played) } else { String::new() }
        ),
    );
    if let Tally::Pairs([nothing, half, one, more, two]) = course.tally {
        row(
            "pairs",
            format!("{nothing} with 0 points, {half} with ½, {one} with 1, {more} with 1½, {two} with 2"),
        );
    }
    row("LLR", format!("{} (H0 at {lower}, H1 at {upper})", print::signed(course.test.llr, 2)));
    row("model", format!("{} Elo, {}, regularised", args.model.name(), course.counts()));
    if course.games > 0 {
        row("score", format!("{:.2} % ({low:.1}–{high:.1} %)", 100.0 * scores.mean()));
        row("Elo", format!("{value} ({elo_low} to {elo_high})"));
    }
    if let Some(words) = version_words(&agents, versions) {
        row("versions", words);
    }
    let mut out = format!(
        "{}{rules}, {a} against {b}, seed {}\n\n{ruling}\n\n{}",
        game.info().title,
        args.play.seed,
        table.render("")
    );
    out += &print::small_print(pairing.agents());
    if !faults.is_empty() {
        out += &format!("\n{}", print::faults(faults));
    }
    if course.ruling() != Ruling::Undecided {
        out += "\nA test that stops early overstates the difference: to measure it, play a match of fixed length.\n";
    }
    if course.by_other_builds > 0 {
        out += &format!(
            "{} of the games were played by another build of this program; --fresh plays them again.\n",
            course.by_other_builds
        );
    }
    out
}

/// A difference as it was given.
fn signed(elo: f64) -> String {
    let decimals = if elo.fract() == 0.0 { 0 } else { 2 };
    print::signed(elo, decimals)
}
