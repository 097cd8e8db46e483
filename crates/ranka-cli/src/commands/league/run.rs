//! `ranka league run`

use super::{HoldArgs, LeagueArgs, table};
use crate::failure::Done;
use crate::game_args::thread_count;
use crate::{interrupt, print};
use ranka_core::Wdl;
use ranka_league::{NightPlan, NightProgress, NightSummary};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
#[command(after_help = "\
Bots that were changed come in a new version; what is missing is played in pairs of games with swapped seats, and every \
game is kept as it comes: a run that was stopped, however, is gone on with by the next. By default as many games are \
played at a time as leave every bot a processor.

Examples:
  ranka league run --league my-league --for 10s
  ranka league run --league my-league --for 2h --threads 1")]
pub(crate) struct Args {
    #[command(flatten)]
    league: LeagueArgs,
    /// Begin no more games after this time, such as 90s, 30m or 2h [default: until nothing is missing]
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// How many games at a time [default: one for every two processors]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    hold: HoldArgs,
}

/// Reads a time as people write it.
fn duration(text: &str) -> Result<Duration, String> {
    let refuse = || "expected a number with s, m or h, such as 30m".to_owned();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(refuse()),
    };
    let number: u64 = number.parse().map_err(|_| refuse())?;
    number
        .checked_mul(seconds)
        .filter(|&seconds| seconds < 1 << 32)
        .map(Duration::from_secs)
        .ok_or_else(refuse)
}

pub(crate) fn run(args: &Args) -> Done {
    let begun = Instant::now();
    let cancel = interrupt::flag();
    let league = args.league.open()?;
    let _lock = league.lock()?;
    let mut store = league.store()?;
    super::tell_spoilt(&league)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let night = NightPlan {
        threads: args.threads.map_or_else(|| (processors / 2).max(1), NonZeroUsize::get),
        until: args.time.map(|time| begun + time),
        means: args.hold.means()?,
        cancel,
    };
    let summary = league.run(&night, &mut store, &mut |progress| print::note!("{}", line(progress)))?;
    print::text(&(told(&summary) + &table::text(&league, &store)?))?;
    interrupt::check()
}

fn line(progress: &NightProgress<'_>) -> String {
    let NightProgress { game, players: [one, other], finished, played } = progress;
    let seat = finished.record.numbers.iter().position(|&number| number == 0).unwrap_or(0);
    let word = match Wdl::of(finished.record.outcome[seat]) {
        Wdl::Win => "beats",
        Wdl::Draw => "draws with",
        Wdl::Loss => "loses to",
    };
    let reason = finished.record.end.reason.name();
    format!("{played:>5}  {game}: {} {word} {} ({reason})", one.name, other.name)
}

fn told(summary: &NightSummary) -> String {
    let mut out = String::new();
    for (name, version) in summary.new.iter().filter(|(_, version)| *version > 1) {
        out += &format!("{name} comes in version {version}.\n");
    }
    for (name, why) in &summary.broken {
        out += &format!("{name} sits out: {why}\n");
    }
    for (name, games) in &summary.hopeless {
        let games = games.join(" and ");
        out += &format!("{name} only ever fails at {games} and sits out there until it is changed.\n");
    }
    if summary.again > 0 {
        let games = print::counted(summary.again, "game");
        out += &format!("{games} played again after a forfeit by the wall clock alone.\n");
    }
    let played = print::counted(summary.played, "game");
    out + &format!("{played} played, {} missing.\n", summary.missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sits_out_is_named_once_with_the_games() {
        let hopeless = [("slow".to_owned(), vec!["Kalah", "Geister"])].into();
        let said = told(&NightSummary { played: 4, hopeless, ..NightSummary::default() });
        assert_eq!(
            said,
            "slow only ever fails at Kalah and Geister and sits out there until it is changed.\n4 games played, 0 missing.\n"
        );
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("2h", 7200), ("0s", 0)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "2", "h", "2 h", "2d", "-1s", "99999999999999999999h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
