//! Logs of the original server: every line that it was sent, and who has won.

use super::board::Board;
use super::message::Command;
use super::referee::{Referee, last_lines};
use super::{MAX_TURN, game};
use ranka_core::{
    EndReason, Error, Game as _, Notation as _, Params, Position as _, RECORD_FORMAT, Record, Rng, Seat,
    Seed, Table,
};
use ranka_geister::{Action, Geister};

/// A game before the set-ups. Nothing is dealt in Geister, so no seed matters.
pub(super) fn new_table(game: Geister) -> Table<Geister> {
    let seed = Seed::new(0);
    Table::new(game, game.start(&mut Rng::new(seed)), seed)
}

/// A game after these actions.
pub(super) fn replay(game: &Geister, actions: &[Action]) -> Result<Table<Geister>, Error> {
    let mut table = new_table(*game);
    for (i, &action) in actions.iter().enumerate() {
        table.act(action).map_err(|_| {
            let why = game.refusal(table.state(), action);
            Error::input(format!("action {}: {} is not legal: {why}", i + 1, game.write_action(action)))
        })?;
    }
    Ok(table)
}

/// A table's game as a record, once it has ended.
pub(super) fn record(
    table: &Table<Geister>,
    rules: String,
    seed: (u64, u64, u64),
    agents: [String; 2],
    numbers: [usize; 2],
) -> Option<Record> {
    let (end, outcome) = table.end()?;
    let game = table.game();
    let actions: Vec<String> = table.actions().iter().map(|&action| game.write_action(action)).collect();
    Some(Record {
        format: RECORD_FORMAT,
        game: Geister::INFO.name.to_owned(),
        version: Geister::INFO.version,
        rules,
        seed,
        agents: agents.to_vec(),
        numbers: numbers.to_vec(),
        budget: None,
        start: game.write_state(table.start()),
        actions: actions.join(" "),
        plies: table.plies(),
        end: end.clone(),
        outcome: outcome.scores().to_vec(),
    })
}

/// The log that the original server would have written of a game; what it would have left out at the end is
/// added.
pub fn write_log(record: &Record) -> Result<String, Error> {
    if record.game != Geister::INFO.name {
        return Err(Error::input(format!("a game of {} has no log of a Geister server", record.game)));
    }
    let game = Geister::new(&Params::parse(&record.rules, Geister::options())?)?;
    if game.read_state(&record.start)? != game.start(&mut Rng::new(Seed::new(0))) {
        return Err(Error::input("a log begins with the set-ups, and this game does not"));
    }
    let table = record.replay(&game)?;
    let mut state = *table.start();
    let mut board = Board::default();
    let mut log = String::new();
    for &action in table.actions() {
        let Some(seat) = state.actor().seat() else { break };
        let line = match (action, board.spoken(seat, action)) {
            (Action::SetUp(set_up), _) => Command::set_up(set_up),
            (_, Some((ghost, direction))) => Command::going(ghost, direction),
            (_, None) => return Err(Error::input("the record moves a ghost that is not there")),
        };
        log += &format!("player={},{line}\n", seat.index());
        state.apply(action);
        board.apply(seat, action);
    }
    let winner = [1.0, 0.0].iter().position(|&score| record.outcome.first() == Some(&score)).unwrap_or(2);
    Ok(log + &last_lines(&record.end, winner as u8))
}

/// What a log says beside what the players said.
#[derive(Default)]
struct Log<'a> {
    /// Place, player, line.
    said: Vec<(usize, Seat, &'a str)>,
    reason: Option<(EndReason, Option<Seat>)>,
    winner: Option<u8>,
}

/// Reads a log of the original server or of ours and plays it after. Lines that were refused are in it too.
pub fn read_log(text: &str) -> Result<Record, Error> {
    let log = Log::parse(text)?;
    // A refused move has lost, unless the server let the player try again: then the game went on after it.
    let lenient = log.play(false)?;
    let strict = log.play(true)?;
    let mut referee = if lenient.moves() > strict.moves() { lenient } else { strict };
    if referee.end().is_none() {
        match (log.reason, log.winner) {
            (Some((EndReason::Rules | EndReason::PlyCap, _)), _) | (None, Some(_)) => {
                let why = "the log names a winner, but by the rules the game is not over";
                return Err(Error::input(why));
            }
            (Some((reason, Some(seat))), _) => {
                referee.lose(seat, reason, None);
            }
            // The original server says nothing of time-outs and of players who left.
            (Some((_, None)) | None, _) => referee.cancel(),
        }
    }
    if log.winner.is_some_and(|winner| referee.winner() != Some(winner)) {
        return Err(Error::input("the log names another winner than its moves do"));
    }
    let nobody = || "unknown".to_owned();
    referee.record((0, 0, 0), [nobody(), nobody()]).ok_or_else(|| Error::input("the game has not ended"))
}

impl Log<'_> {
    fn parse(text: &str) -> Result<Log<'_>, Error> {
        let mut log = Log::default();
        for (i, line) in text.lines().enumerate() {
            let refuse = |why: &str| Error::input(format!("line {}: {why}", i + 1));
            let player = |text: &str| match text {
                "0" => Ok(Seat::FIRST),
                "1" => Ok(Seat::SECOND),
                _ => Err(refuse("the players are 0 and 1")),
            };
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            match key {
                "player" => {
                    let (seat, said) = value.split_once(',').ok_or_else(|| refuse("what did it say?"))?;
                    log.said.push((i + 1, player(seat)?, said));
                }
                "winner" => {
                    let winner = ["0", "1", "2"].iter().position(|known| *known == value);
                    let winner = winner.ok_or_else(|| refuse("winner is 0, 1 or 2 (nobody)"))?;
                    log.winner = Some(winner as u8);
                }
                "reason" => {
                    let (name, seat) = value.split_once(",player=").unwrap_or((value, ""));
                    let reason = EndReason::named(name).ok_or_else(|| refuse("there is no such reason"))?;
                    let seat = if seat.is_empty() { None } else { Some(player(seat)?) };
                    log.reason = Some((reason, seat));
                }
                "" => {}
                _ => return Err(refuse("expected player=, reason= or winner=")),
            }
        }
        if log.said.is_empty() {
            return Err(Error::input("the log has no player= lines"));
        }
        Ok(log)
    }

    fn play(&self, strict: bool) -> Result<Referee, Error> {
        let (rules, text) = game(self.limit())?;
        let mut referee = Referee::new(rules, text, strict);
        for &(place, seat, said) in &self.said {
            let before_the_game = referee.turn().is_none() && referee.end().is_none();
            let heard = referee.hear(seat, said);
            let repeats_letters =
                matches!(Command::parse(said), Some(Command::SetUp(Err(_)))) && said.len() == 8;
            if before_the_game && !heard.accepted && repeats_letters && !referee.is_set_up(seat) {
                // The original server accepts it, and then plays by no rules of ours.
                let why = format!("line {place}: {said} does not name four different ghosts");
                return Err(Error::input(why));
            }
        }
        Ok(referee)
    }

    /// The limit on moves under which the game comes out as the log says. There is no telling it but by a
    /// draw.
    fn limit(&self) -> u32 {
        let by_rules = self.reason.is_none();
        let moves = game(10_000).map_or(0, |(rules, text)| {
            let mut referee = Referee::new(rules, text, false);
            self.said.iter().for_each(|&(_, seat, said)| {
                referee.hear(seat, said);
            });
            referee.moves()
        });
        if self.winner == Some(2) && by_rules && moves > 0 {
            moves
        } else {
            MAX_TURN.max(moves + 1).min(10_000)
        }
    }
}
