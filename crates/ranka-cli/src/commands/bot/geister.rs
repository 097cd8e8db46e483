//! `ranka bot geister`

use super::net_args::{LogArgs, RecordsFile};
use crate::failure::{Done, Failure};
use crate::game_args::BudgetArgs;
use crate::{interrupt, print};
use clap::ValueEnum;
use ranka_bots::geister::{Client, MAX_TURN, PORTS, ServerGame};
use ranka_core::{Error, GameSeeds, Seat, Seed, Settings, WdlCounts};
use serde_json::json;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Game i is game i of `ranka match geister FIRST SECOND --seats fixed --rules plies=300` with the same seed: against \
another client of ours it is played move by move as there. With --swapped it is the second game of pair i.

A game is void, and counts for nobody, if the server ends it although the board is not decided, or breaks off.

Examples:
  ranka bot geister --agent purple-max:depth=5 --port 10000 --games 20
  ranka bot geister --agent naotti-1.1 --host example.org --port 10001 --records games.jsonl")]
pub(crate) struct Args {
    /// Who plays, name:key=value,… (`ranka agents geister` lists them)
    #[arg(long, value_name = "AGENT", default_value = "purple-max")]
    agent: String,
    /// The server's name or address
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// The server's port
    #[arg(long, value_name = "PORT", default_value_t = PORTS[0])]
    port: u16,
    /// Whose port that is [default: the first player's if it is even]
    #[arg(long, value_enum, value_name = "SEAT")]
    seat: Option<SeatName>,
    /// How many games
    #[arg(long, value_name = "N", default_value = "1")]
    games: NonZeroU64,
    /// How many games are played at a time
    #[arg(long, value_name = "N", default_value = "1")]
    parallel: NonZeroUsize,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// The first agent of the match has the second seat
    #[arg(long)]
    swapped: bool,
    #[command(flatten)]
    budget: BudgetArgs,
    /// The server's limit on moves
    #[arg(long, value_name = "N", default_value_t = MAX_TURN)]
    max_turn: u32,
    /// Seconds to go on trying while the server does not let us in
    #[arg(long, value_name = "SEC", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    patience: u64,
    /// Seconds that the server may be silent, while the other thinks
    #[arg(long, value_name = "SEC", default_value_t = 900, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    silence: u64,
    /// Add a record of each game to this file as it ends, as JSON lines
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SeatName {
    First,
    Second,
}

/// What became of the games.
#[derive(Default)]
struct Tally {
    counted: WdlCounts,
    void: u64,
}

impl Tally {
    fn count(&mut self, played: &ServerGame) {
        match played.verdict {
            Some(verdict) => self.counted.add(verdict),
            None => self.void += 1,
        }
    }
}

pub(crate) fn run(args: &Args) -> Done {
    let game = ranka_games::game("geister")?.open(&format!("plies={}", args.max_turn))?;
    let agent = game.agent(&args.agent)?;
    let log = args.log.open()?;
    let records = RecordsFile::open(args.records.as_deref())?;
    let seat = match args.seat {
        Some(SeatName::First) => Seat::FIRST,
        Some(SeatName::Second) => Seat::SECOND,
        None => Client::seat_of(args.port),
    };
    let stop = interrupt::flag();
    let client = Client {
        host: &args.host,
        port: args.port,
        seat,
        game: game.as_ref(),
        agent: &agent,
        number: seat.index() ^ usize::from(args.swapped),
        settings: Settings { cancel: stop, ..args.budget.settings() },
        patience: Duration::from_secs(args.patience),
        silence: Duration::from_secs(args.silence),
        log: &log,
    };
    let next = AtomicU64::new(0);
    let tally = Mutex::new((Tally::default(), None::<Error>));
    let work = || {
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= args.games.get() || stop.load(Ordering::Relaxed) {
                return;
            }
            let played = client.play(&GameSeeds::of(Seed::new(args.seed), pair, args.swapped.into()));
            let mut held = tally.lock().unwrap_or_else(PoisonError::into_inner);
            match played {
                Ok(played) => {
                    held.0.count(&played);
                    played.record.iter().for_each(|record| records.add(record));
                }
                Err(error) => {
                    // A server that lets nobody in lets nobody in next time: no more games are begun.
                    next.store(args.games.get(), Ordering::Relaxed);
                    held.1.get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..args.parallel.get().min(usize::try_from(args.games.get()).unwrap_or(usize::MAX)) {
            scope.spawn(work);
        }
    });
    let (tally, failed) = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    records.check()?;
    report(args, &agent.label, &tally)?;
    if interrupt::happened() {
        let games = tally.counted.games() + tally.void;
        return Err(Failure::Interrupted(format!("stopped after {games} of {} games", args.games)));
    }
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn report(args: &Args, agent: &str, tally: &Tally) -> Done {
    let Tally { counted: WdlCounts { wins: won, draws: drawn, losses: lost }, void } = *tally;
    let score = tally.counted.score();
    if args.json {
        return print::json(&json!({
            "agent": agent, "server": format!("{}:{}", args.host, args.port), "seed": args.seed,
            "won": won, "drawn": drawn, "lost": lost, "void": void,
            "score": score,
        }));
    }
    let mut table = print::TextTable::headed(["agent", "won", "drawn", "lost", "void", "score"]).right(1..6);
    let [won, drawn, lost, void] = [won, drawn, lost, void].map(|n| n.to_string());
    let score = score.map_or("–".to_owned(), print::percent);
    table.row([agent.to_owned(), won, drawn, lost, void, score]);
    print::text(&table.render(""))
}
