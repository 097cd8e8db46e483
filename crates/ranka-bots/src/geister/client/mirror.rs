//! Our own table, at which the game is played after that at the server, with colours supposed where they are
//! hidden.

use super::super::board::{Board, Direction, GhostPlace, Sight, letter};
use super::super::kifu;
use super::read_set_up;
use ranka_core::{
    Actor, EndReason, Error, Fault, Game as _, Notation as _, Params, Seat, Settings, Table, TableAgents,
};
use ranka_geister::{Action, Geister, SetUp, Square};

/// What we tell our own table of the other's set-up; no agent sees it, and what comes to light corrects it.
const SUPPOSED: &str = "set:ABCD";

pub(super) struct Mirror {
    table: Box<dyn TableAgents>,
    seat: Seat,
    /// Where the ghosts are; of the enemy's colours it knows nothing.
    board: Board,
    set_up: Option<SetUp>,
    /// The moves so far.
    moves: Vec<Action>,
    /// The move that we have sent and not yet seen on the board.
    sent: Option<Action>,
    /// Whether the server has refused one of our lines.
    pub(super) refused: bool,
}

impl Mirror {
    pub(super) fn new(table: Box<dyn TableAgents>, seat: Seat) -> Mirror {
        let board = Board::default();
        Mirror { table, seat, board, set_up: None, moves: Vec::new(), sent: None, refused: false }
    }

    /// Lets the agent set up.
    pub(super) fn set_up(&mut self, settings: &Settings<'_>) -> Result<SetUp, Fault> {
        let broken = |e: Error| Fault::Crash(e.to_string());
        if self.seat == Seat::SECOND {
            self.table.act(SUPPOSED).map_err(broken)?;
        }
        let choice = self.table.choose(settings)?.choice;
        self.table.act(&choice).map_err(broken)?;
        if self.seat == Seat::FIRST {
            self.table.act(SUPPOSED).map_err(broken)?;
        }
        let set_up = read_set_up(&choice).ok_or_else(|| Fault::Protocol(format!("{choice} is no set-up")))?;
        self.board.set_up(self.seat, set_up);
        self.set_up = Some(set_up);
        Ok(set_up)
    }

    /// Lets the agent choose its move.
    pub(super) fn choose(&mut self, settings: &Settings<'_>) -> Result<(usize, Direction), Fault> {
        let choice = self.table.choose(settings)?.choice;
        let illegal = || Fault::Protocol(format!("{choice} is no move"));
        let action = read_move(&choice).ok_or_else(illegal)?;
        let spoken = self.board.spoken(self.seat, action).ok_or_else(illegal)?;
        self.sent = Some(action);
        Ok(spoken)
    }

    /// Plays after what has happened since the last time, so that the board is as the server shows it and it
    /// is our turn.
    pub(super) fn follow(&mut self, sight: &Sight) -> Result<(), Error> {
        for (seat, action) in self.happened(sight)? {
            self.suppose(seat, action, sight)?;
            self.table.act(&text(action)).map_err(|e| e.from_outside().at("the server's board"))?;
            self.board.apply(seat, action);
            self.moves.push(action);
        }
        self.sent = None;
        match self.table.actor() {
            Actor::Seat(seat) if seat == self.seat => Ok(()),
            Actor::Over => {
                let reason = self.table.result().map_or("nothing", |(_, reason)| reason);
                Err(Error::outside(format!("it goes on although our own table has ended, by {reason}")))
            }
            _ => Err(Error::outside("it asks for a move although nobody has moved since ours")),
        }
    }

    /// The game to its end, of which the server has told `sight` and our score.
    pub(super) fn record(
        &self,
        sight: &Sight,
        score: f64,
        rules: &str,
    ) -> Result<(Table<Geister>, String), Error> {
        let reds = (0..8).filter(|&ghost| sight.enemy[ghost].1 == Some(true)).map(letter);
        let mut set_ups = [self.set_up; 2];
        // A game that ended before it began lacks a set-up.
        set_ups[self.seat.other().index()] = SetUp::of(&reds.collect::<String>()).ok();
        let mut moves = self.moves.clone();
        moves.extend(self.happened(sight)?.into_iter().map(|(_, action)| action));
        let set_ups = set_ups.into_iter().map_while(|set_up| set_up.map(Action::SetUp));
        let actions: Vec<Action> = set_ups.chain(moves.iter().copied()).collect();
        let mut options = Params::parse(rules, Geister::options())?;
        if score == 0.5 && !moves.is_empty() {
            // The server's limit is what it says it is.
            options = options.with(&[("plies", moves.len().to_string())])?;
        }
        let mut table = kifu::replay(&Geister::new(&options)?, &actions)?;
        match table.end() {
            Some((_, outcome)) if outcome.score(self.seat) == score => {}
            Some(_) => return Err(Error::outside("the server's word is not what its board says")),
            None if score == 0.0 && self.refused => {
                table.stop(
                    EndReason::Illegal,
                    Some(self.seat),
                    Some("the server refused our move".to_owned()),
                );
            }
            // Who has won by a fault of the other cannot be told from whom the server's stale timer has
            // struck.
            None => {
                let why = "the server ended it although the board is not decided";
                table.stop(EndReason::Cancelled, None, Some(why.to_owned()));
            }
        }
        Ok((table, options.full()))
    }

    /// What must have happened for the board to look like this: our move if we have sent one, and a move of
    /// the enemy's. Either may be missing, at the end of a game.
    fn happened(&self, sight: &Sight) -> Result<Vec<(Seat, Action)>, Error> {
        let ours = self.sent.map(|action| vec![(self.seat, action)]);
        for mut moves in ours.into_iter().chain([Vec::new()]) {
            let mut board = self.board.clone();
            for &(seat, action) in &moves {
                board.apply(seat, action);
            }
            if let Some(action) = self.enemy_move(&board, sight) {
                board.apply(self.seat.other(), action);
                moves.push((self.seat.other(), action));
            }
            if board.sight(self.seat, false).places() == sight.places() {
                return Ok(moves);
            }
        }
        Err(Error::outside("its board does not follow from the one before"))
    }

    /// The move that brought an enemy's ghost to where it is shown.
    fn enemy_move(&self, board: &Board, sight: &Sight) -> Option<Action> {
        let before = board.sight(self.seat, false).enemy;
        let moved = before.iter().zip(&sight.enemy).find(|((before, _), (shown, _))| before != shown);
        match moved.map(|((before, _), (shown, _))| (*before, *shown)) {
            Some((GhostPlace::On(from), GhostPlace::On(to))) => Some(Action::Step { from, to }),
            Some((GhostPlace::On(from), GhostPlace::Escaped)) => Some(Action::Escape { from }),
            _ => None,
        }
    }

    /// Before our capture is played after: what we take has the colour that the server shows.
    fn suppose(&mut self, seat: Seat, action: Action, sight: &Sight) -> Result<(), Error> {
        let Action::Step { to, .. } = action else { return Ok(()) };
        let Some(ghost) = self.board.ghost_on(self.seat.other(), to).filter(|_| seat == self.seat) else {
            return Ok(());
        };
        let red = sight.enemy[ghost].1;
        let red = red.ok_or_else(|| Error::outside("it does not tell the colour of what we took"))?;
        let position = coloured(&self.table.view(self.seat), to, red);
        self.table.suppose(&position).map_err(|e| e.from_outside().at("the server's colours"))
    }
}

/// A view in our notation with colours for the ghosts that have none: the one on `square` is red or not, the
/// others somehow.
fn coloured(view: &str, square: Square, red: bool) -> String {
    let (rows, rest) = view.split_once(' ').unwrap_or((view, ""));
    let captured = rest.split(' ').nth(1).unwrap_or("");
    let hidden = if rows.contains('U') { 'U' } else { 'u' };
    let as_owner = |c: char| if hidden == 'U' { c.to_ascii_uppercase() } else { c };
    let (r, b) = (as_owner('r'), as_owner('b'));
    let taken = captured.chars().filter(|&c| c == r).count();
    let mut reds_left = 4usize.saturating_sub(taken + usize::from(red));
    let mut index = 0;
    let colours = rows.chars().map(|c| {
        let here = index;
        index += match c.to_digit(10) {
            Some(run) => run as usize,
            None if c == '/' => 0,
            None => 1,
        };
        match c {
            c if c != hidden => c,
            _ if here == square.index() => {
                if red {
                    r
                } else {
                    b
                }
            }
            _ if reds_left > 0 => {
                reds_left -= 1;
                r
            }
            _ => b,
        }
    });
    let coloured: String = colours.collect();
    format!("{coloured} {rest}")
}

/// A move in our notation.
fn text(action: Action) -> String {
    // Notation does not depend on the options.
    Geister { plies: 1 }.write_action(action)
}

fn read_move(text: &str) -> Option<Action> {
    let action = Geister { plies: 1 }.read_action(text).ok()?;
    (!matches!(action, Action::SetUp(_))).then_some(action)
}
