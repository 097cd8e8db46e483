//! The rules of the table: what is answered to whom, apart from sockets and clocks.

use super::board::Board;
use super::message::Command;
use ranka_core::{Actor, End, EndReason, Outcome, Record, Seat, Table};
use ranka_geister::{Action, Geister, SetUp};

/// Lines to send, in order, each to a seat and without its ending.
pub(super) type Replies = Vec<(Seat, String)>;

const OK: &str = "OK ";
const NG: &str = "NG ";

/// One game between two clients.
pub(super) struct Referee {
    table: Table<Geister>,
    rules: String,
    board: Board,
    set_ups: [Option<SetUp>; 2],
    /// Whether a refused move in turn loses.
    strict: bool,
    log: String,
}

/// What became of a line.
pub(super) struct Heard {
    /// Whether it was accepted.
    pub(super) accepted: bool,
    /// What is sent.
    pub(super) replies: Replies,
}

impl Referee {
    /// A new game, in which whoever makes an illegal move loses if `strict`.
    pub(super) fn new(game: Geister, rules: String, strict: bool) -> Referee {
        Referee {
            table: super::kifu::new_table(game),
            rules,
            board: Board::default(),
            set_ups: [None; 2],
            strict,
            log: String::new(),
        }
    }

    /// Whose move it is, once both have set up and until the game is over.
    pub(super) fn turn(&self) -> Option<Seat> {
        let begun = self.set_ups.iter().all(Option::is_some);
        self.table.actor().seat().filter(|_| begun)
    }

    /// Whether a seat has said which of its ghosts are red.
    pub(super) fn is_set_up(&self, seat: Seat) -> bool {
        self.set_ups[seat.index()].is_some()
    }

    /// How it ended, and the scores.
    pub(super) fn end(&self) -> Option<&(End, Outcome)> {
        self.table.end()
    }

    /// Who has won: 0, 1, or 2 for a draw.
    pub(super) fn winner(&self) -> Option<u8> {
        let (_, outcome) = self.table.end()?;
        let wins = |seat: &Seat| outcome.score(*seat) == 1.0;
        Some(Seat::all(2).find(wins).map_or(2, |seat| seat.index() as u8))
    }

    /// How many moves were made.
    pub(super) fn moves(&self) -> u32 {
        self.table.state().ply()
    }

    /// Hears a line of a client. An empty one is none.
    pub(super) fn hear(&mut self, seat: Seat, line: &str) -> Heard {
        if line.is_empty() {
            return Heard { accepted: false, replies: Vec::new() };
        }
        let printable = line.chars().map(|c| if c.is_control() { '?' } else { c });
        self.log.extend(format!("player={},", seat.index()).chars().chain(printable).chain(['\n']));
        let in_turn = self.turn() == Some(seat);
        let command = Command::parse(line);
        let accepted = match &command {
            Some(Command::SetUp(Ok(set_up))) if !in_turn => self.set_up(seat, *set_up),
            Some(Command::Move(Some((ghost, direction)))) if in_turn => {
                let action = self.board.action(seat, *ghost, *direction);
                action.and_then(|action| self.act(seat, action))
            }
            _ => None,
        };
        match accepted {
            Some(mut replies) => {
                replies.extend(self.next());
                Heard { accepted: true, replies }
            }
            None => {
                let mut replies = vec![(seat, NG.to_owned())];
                if in_turn && self.strict {
                    let a_move = matches!(command, Some(Command::Move(_)));
                    let reason = if a_move { EndReason::Illegal } else { EndReason::Protocol };
                    replies.extend(self.lose(seat, reason, Some(line.to_owned())));
                }
                Heard { accepted: false, replies }
            }
        }
    }

    /// Hears something that is no line of text: refused like any other nonsense.
    pub(super) fn hear_nonsense(&mut self, seat: Seat, why: &str) -> Replies {
        let mut replies = vec![(seat, NG.to_owned())];
        if self.turn() == Some(seat) && self.strict {
            replies.extend(self.lose(seat, EndReason::Protocol, Some(why.to_owned())));
        }
        replies
    }

    /// Ends the game: `seat` is to blame.
    pub(super) fn lose(&mut self, seat: Seat, reason: EndReason, detail: Option<String>) -> Replies {
        if self.end().is_some() {
            return Vec::new();
        }
        self.begin_as_far_as_possible();
        self.table.stop(reason, Some(seat), detail);
        self.final_words()
    }

    /// Ends the game: nobody is to blame, and nobody is told.
    pub(super) fn cancel(&mut self) {
        if self.end().is_none() {
            self.begin_as_far_as_possible();
            self.table.stop(EndReason::Cancelled, None, None);
        }
    }

    /// What a seat is told at the end.
    pub(super) fn final_word(&self, seat: Seat) -> Option<String> {
        self.final_words().into_iter().find_map(|(to, word)| (to == seat).then_some(word))
    }

    /// The game as it was played, once it has ended.
    pub(super) fn record(&self, place: (u64, u64, u64), agents: [String; 2]) -> Option<Record> {
        super::kifu::record(&self.table, self.rules.clone(), place, agents, [0, 1])
    }

    /// Every line that was heard, as the original server logs it, and who has won.
    pub(super) fn log(&self) -> String {
        let mut log = self.log.clone();
        if let (Some((end, _)), Some(winner)) = (self.end(), self.winner()) {
            log += &last_lines(end, winner);
        }
        log
    }

    fn set_up(&mut self, seat: Seat, set_up: SetUp) -> Option<Replies> {
        if self.is_set_up(seat) || self.end().is_some() {
            return None;
        }
        self.set_ups[seat.index()] = Some(set_up);
        self.board.set_up(seat, set_up);
        if self.set_ups.iter().all(Option::is_some) {
            self.begin_as_far_as_possible();
        }
        Some(vec![(seat, OK.to_owned())])
    }

    /// Our rules have the first player set up first; a game that never began has that much.
    fn begin_as_far_as_possible(&mut self) {
        while let (Actor::Seat(seat), 0..=1) = (self.table.actor(), self.table.plies()) {
            let Some(set_up) = self.set_ups[seat.index()] else { return };
            if self.table.act(Action::SetUp(set_up)).is_err() {
                return;
            }
        }
    }

    fn act(&mut self, seat: Seat, action: Action) -> Option<Replies> {
        self.table.act(action).ok()?;
        let answer = match self.board.apply(seat, action) {
            None => OK,
            Some(true) => "OKR",
            Some(false) => "OKB",
        };
        Some(vec![(seat, answer.to_owned())])
    }

    /// What follows upon an accepted line.
    fn next(&self) -> Replies {
        match self.turn() {
            Some(seat) => vec![(seat, format!("MOV?{}", self.board.sight(seat, false).write()))],
            None if self.end().is_some() => self.final_words(),
            None => Vec::new(),
        }
    }

    /// The winner hears first; of a draw, the first player.
    fn final_words(&self) -> Replies {
        let told = |seat: Seat, word: &str| (seat, format!("{word}{}", self.board.sight(seat, true).write()));
        match self.winner() {
            Some(2) => Seat::all(2).map(|seat| told(seat, "DRW:")).collect(),
            Some(winner) => {
                let winner = Seat::new(winner.into());
                vec![told(winner, "WON:"), told(winner.other(), "LST:")]
            }
            None => Vec::new(),
        }
    }
}

/// The end of a log. The original server says nothing where the rules did not end the game; we say why, and
/// who has won.
pub(super) fn last_lines(end: &End, winner: u8) -> String {
    let why = match (end.reason, end.seat) {
        (EndReason::Rules, _) => String::new(),
        (reason, Some(seat)) => format!("reason={},player={seat}\n", reason.name()),
        (reason, None) => format!("reason={}\n", reason.name()),
    };
    format!("{why}winner={winner}\n")
}
