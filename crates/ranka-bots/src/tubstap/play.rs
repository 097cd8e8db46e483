//! One game: who is asked for what, and told what.

use super::peer::Peer;
use super::server::Options;
use super::wire::{map_line, read_action, write_action};
use crate::net::{Log, Loss};
use ranka_core::{EndReason, Notation, Seat, Table};
use ranka_tubstap::{Action, RecordedAct, State, Tubstap};
use std::time::{Duration, Instant};

/// How long a client may take to hear that a game is over. Not every client listens to that.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// A game in progress.
pub(super) struct Play<'a, 'b> {
    pub(super) options: &'b Options,
    pub(super) log: &'b Log,
    pub(super) who: &'b str,
    pub(super) players: [usize; 2],
    pub(super) peers: &'b mut [Peer<'a>; 2],
    /// The half-turn, and what it has taken so far.
    pub(super) turn: (u32, Duration),
}

impl<'a> Play<'a, '_> {
    fn peer(&mut self, seat: Seat) -> &mut Peer<'a> {
        &mut self.peers[self.players[seat.index()]]
    }

    fn ask(&mut self, seat: Seat, command: &str) -> Result<String, (Seat, Loss)> {
        let patience = self.options.patience;
        self.peer(seat).ask(command, patience).map_err(|loss| (seat, loss))
    }

    /// Tells both who and what they play. In the first game of a pairing the names are known already.
    pub(super) fn begin(&mut self, start: &State, again: bool) -> Result<(), (Seat, Loss)> {
        for seat in Seat::all(2) {
            if again {
                let patience = self.options.patience;
                self.peer(seat).introduce(patience).map_err(|loss| (seat, loss))?;
            }
        }
        for seat in Seat::all(2) {
            let opponent = self.peer(seat.other()).name.clone();
            self.ask(seat, &format!("opponent {opponent}"))?;
        }
        let map = map_line(&self.options.game.map, start);
        for seat in Seat::all(2) {
            self.ask(seat, &format!("MAP {map}"))?;
            self.ask(seat, &format!("Color {seat}"))?;
        }
        Ok(())
    }

    /// Asks for one action, carries it out and tells the other.
    pub(super) fn step(&mut self, table: &mut Table<Tubstap>, seat: Seat) -> Result<(), (Seat, Loss)> {
        let begun = Instant::now();
        let answer = self.ask(seat, "Genmove")?;
        self.count(table.state().turn(), seat, begun.elapsed());
        let refuse = |reason, why: String| Err((seat, Loss::new(reason, why)));
        let act: Action = match read_action(&answer) {
            Ok(RecordedAct::Taken(taken)) => taken.act,
            Ok(RecordedAct::Surrender) => return refuse(EndReason::Resigned, "surrendered".to_owned()),
            Err(error) => return refuse(EndReason::Protocol, error.to_string()),
        };
        let before = table.state().clone();
        if table.act(act).is_err() {
            let why = table.game().refusal(&before, act);
            return refuse(EndReason::Illegal, format!("{act}: {why}"));
        }
        let told = format!("play {}", write_action(RecordedAct::now(&before, act)));
        match self.ask(seat.other(), &told) {
            // A game that is decided stays decided.
            Err(_) if table.actor().is_over() => Ok(()),
            told => told.map(drop),
        }
    }

    /// Counts the time of a turn, and tells once of a turn that takes too long.
    fn count(&mut self, turn: u32, seat: Seat, took: Duration) {
        if self.turn.0 != turn {
            self.turn = (turn, Duration::ZERO);
        }
        let limit = self.options.time;
        let before = self.turn.1;
        self.turn.1 += took;
        if before <= limit && self.turn.1 > limit {
            let name = self.peer(seat).name.clone();
            self.log.note(self.who, format_args!("{name} takes longer than {limit:?} for half-turn {turn}"));
        }
    }

    /// Tells both that it is over; says whether both have heard.
    pub(super) fn finish(&mut self) -> bool {
        let limit = self.options.patience.min(LAST_WORDS);
        let heard = self.peers.each_mut().map(|peer| peer.ask("gameover", limit).is_ok());
        heard == [true; 2]
    }
}
