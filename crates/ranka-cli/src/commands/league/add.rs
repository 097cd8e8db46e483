//! `ranka league add`

use super::{HoldArgs, LeagueArgs};
use crate::commands::bot::told;
use crate::failure::Done;
use crate::{interrupt, print};
use ranka_bots::stdio::Launch;
use ranka_bots::stdio::check::{CheckResult, Patience, Problem, check};
use ranka_core::{AnyGame, Error};
use ranka_league::League;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
The folder is copied, without hidden files and what a build leaves behind, and the copy is tried; links that lead out of it \
are refused. Give the same name again for a changed bot: what the old version played stays, and the new one plays from the \
next run on. What is wrong with a bot is told with the section of docs/bot-protocol.md that it breaks, and it is \
not taken.

Examples:
  ranka league add --league my-league carol made
  ranka league add --league my-league bob made --cmd 'python3 bot.py'")]
pub(crate) struct Args {
    #[command(flatten)]
    league: LeagueArgs,
    /// What the bot is called in the league
    name: String,
    /// Its folder
    folder: PathBuf,
    /// The command that starts it in its folder [default: python3 bot.py or ./bot, whichever is there]
    #[arg(long, value_name = "COMMAND")]
    cmd: Option<String>,
    #[command(flatten)]
    hold: HoldArgs,
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    let league = args.league.open()?;
    if !args.folder.is_dir() {
        return Err(Error::input("there is no such folder").in_file(&args.folder).into());
    }
    // What is tried is the copy, which is what will be played.
    let handed = league.hand_in(&args.name, &args.folder)?;
    let cmd = command(args, &league, handed.folder())?;
    let limits = &league.config.limits;
    let launch = Launch::within(&cmd, false, Some(handed.folder()));
    let launch = launch.map_err(|error| left_out(args, &cmd, error))?;
    let launch = limits.hold(launch, args.hold.means()?);
    let ms = Duration::from_millis;
    let patience = Patience { start: ms(limits.start), turn: ms(limits.turn), leave: ms(2000) };
    let known = league.config.entrant.iter().find(|entrant| entrant.name == args.name);
    let games: Vec<Arc<dyn AnyGame>> = (league.games().iter())
        .filter(|game| known.is_none_or(|entrant| entrant.plays(game.game.info().name)))
        .map(|game| game.game.clone())
        .collect();
    let (mut wrong, mut tried) = (Wrong::default(), 0);
    let mut printed: Done = Ok(());
    let plays = check(&launch, &games, None, patience, &mut |what: &CheckResult| {
        tried += 1;
        if wrong.is_new(what) && printed.is_ok() {
            printed = print::text(&told(what));
        }
    })?;
    printed?;
    print::text(&wrong.again())?;
    let wrong = wrong.count();
    if wrong > 0 {
        let message = format!("{wrong} of {tried} went wrong, so {} is not taken into the league", args.name);
        return Err(Error::outside(message).into());
    }
    let some: &[&str] = if plays.len() < games.len() { &plays } else { &[] };
    if known.is_some() && !some.is_empty() {
        let message =
            format!("{} says that it plays only {}: write games = {some:?}", args.name, some.join(", "));
        return Err(Error::input(message).in_file(league.folder().join("league.toml")).into());
    }
    handed.take(&cmd, some)?;
    let only = if some.is_empty() { String::new() } else { format!(", for {} alone", some.join(" and ")) };
    print::text(&format!("{} is in the league{only}: {tried} of {tried} tries went well.\n", args.name))
}

/// A program that is in the folder, but not in its copy.
fn left_out(args: &Args, cmd: &str, error: Error) -> Error {
    if Launch::within(cmd, false, Some(&args.folder)).is_err() {
        return error;
    }
    let message = "what a build leaves behind (target, node_modules) and hidden files are not taken: \
                   put the program beside them";
    Error::new(error.kind(), format!("{error}; {message}"))
}

/// What went wrong: what is alike is told once.
#[derive(Default)]
struct Wrong {
    /// Each problem with the tries that had it.
    problems: Vec<(String, Vec<String>)>,
}

impl Wrong {
    /// Takes down what came of a try, and tells whether it is a problem that was not there before.
    fn is_new(&mut self, tried: &CheckResult) -> bool {
        let Some(problem) = &tried.problem else { return false };
        let key = kind(problem);
        match self.problems.iter_mut().find(|(known, _)| *known == key) {
            Some((_, tries)) => {
                tries.push(tried.what.clone());
                false
            }
            None => {
                self.problems.push((key, vec![tried.what.clone()]));
                true
            }
        }
    }

    /// Where else each problem was met.
    fn again(&self) -> String {
        let more = self.problems.iter().filter(|(_, tries)| tries.len() > 1);
        let line = |(_, tries): &(String, Vec<String>)| {
            let (first, more) = (&tries[0], tries[1..].join("\n    "));
            let times =
                if tries.len() == 2 { "Once".to_owned() } else { format!("{} times", tries.len() - 1) };
            format!("{times} more the same as in \"{first}\":\n    {more}\n")
        };
        more.map(line).collect()
    }

    fn count(&self) -> usize {
        self.problems.iter().map(|(_, tries)| tries.len()).sum()
    }
}

/// A problem without what is another each time: which words it said, and how long it took.
fn kind(problem: &Problem) -> String {
    let unquoted = problem.message.split('"').step_by(2);
    let words: String = unquoted.flat_map(str::chars).filter(|c| !c.is_ascii_digit()).collect();
    format!("{} {words}", problem.section)
}

/// The command: as given, as it was, or as the folder suggests.
fn command(args: &Args, league: &League, folder: &Path) -> Result<String, Error> {
    let known = league.config.entrant.iter().find(|entrant| entrant.name == args.name);
    if let Some(entrant) = known {
        let Some(cmd) = &entrant.cmd else {
            return Err(Error::input(format!("{} is an agent of ours: choose another name", args.name)));
        };
        return match &args.cmd {
            Some(new) if new != cmd => {
                let message = format!("{} is started by {cmd:?}; change that in league.toml", args.name);
                Err(Error::input(message).in_file(league.folder()))
            }
            _ => Ok(cmd.clone()),
        };
    }
    let has = |name: &str| folder.join(name).is_file();
    let usual = [("bot.py", "python3 bot.py"), ("bot", "./bot"), ("bot.sh", "sh bot.sh")];
    let found = usual.into_iter().find(|(file, _)| has(file)).map(|(_, cmd)| cmd.to_owned());
    args.cmd.clone().or(found).ok_or_else(|| lost(&args.folder))
}

fn lost(folder: &Path) -> Error {
    Error::input("there is neither bot.py nor bot: say by --cmd how it is started").in_file(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_bots::stdio::check::ProtocolSection;

    #[test]
    fn problems_that_differ_in_words_and_times_are_alike() {
        let tried = |what: &str, section, message: &str| {
            let problem = Some(Problem { section, message: message.to_owned() });
            CheckResult { what: what.to_owned(), problem }
        };
        let mut wrong = Wrong::default();
        assert!(wrong.is_new(&tried(
            "a",
            ProtocolSection::Lines,
            "it says \"acton 4\", which means nothing"
        )));
        assert!(!wrong.is_new(&tried(
            "b",
            ProtocolSection::Lines,
            "it says \"acton set:BDFH\", which means nothing"
        )));
        assert!(wrong.is_new(&tried(
            "c",
            ProtocolSection::Turn,
            "it gives no action within 500 ms: it took 731 ms"
        )));
        assert!(!wrong.is_new(&tried(
            "d",
            ProtocolSection::Turn,
            "it gives no action within 500 ms: it took 1020 ms"
        )));
        assert!(!wrong.is_new(&CheckResult { what: "e".to_owned(), problem: None }));
        assert_eq!(wrong.count(), 4);
        assert!(wrong.again().starts_with("Once more the same as in \"a\":\n    b\n"), "{}", wrong.again());
    }
}
