//! A table with its clients and their clocks.
//!
//! Each client is served by the thread that reads from it; whichever thread has something to say holds the
//! table's lock. There are no timers: a thread whose client is silent looks at the clock itself, so nothing
//! can strike after its turn.

use super::super::referee::{Referee, Replies};
use super::outbox::Outbox;
use super::{GeisterServer, House, LINGER, held, name};
use crate::net::TokenBucket;
use ranka_core::{EndReason, Record, Seat};
use std::fmt;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// The original server's clock counts whole seconds and strikes one later than it says.
const GRACE: Duration = Duration::from_secs(1);

/// How much nonsense is put up with.
const NONSENSE: TokenBucket = TokenBucket::new(10, 100);

pub(super) struct TableCell {
    number: u64,
    inner: Mutex<Inner>,
}

struct Inner {
    referee: Referee,
    clients: [Option<Outbox>; 2],
    peers: [Option<SocketAddr>; 2],
    /// Somebody is on the way to the second chair, or sits on it.
    paired: bool,
    /// The only client has left before another came.
    abandoned: bool,
    /// Since when who is asked has been asked: both for their set-ups, or one for a move.
    asked: Option<Instant>,
    /// What is left of each player's budget.
    left: [Duration; 2],
    timeout: Duration,
    wait: Duration,
    nonsense: [TokenBucket; 2],
    ended: Option<Instant>,
}

impl TableCell {
    pub(super) fn new(number: u64, server: &GeisterServer) -> TableCell {
        let options = &server.options;
        let inner = Inner {
            referee: Referee::new(server.game, server.rules.clone(), options.ng_terminate),
            clients: [None, None],
            peers: [None, None],
            paired: false,
            abandoned: false,
            asked: None,
            left: [options.budget; 2],
            timeout: options.timeout,
            wait: options.wait,
            nonsense: [NONSENSE; 2],
            ended: None,
        };
        TableCell { number, inner: Mutex::new(inner) }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn is_abandoned(&self) -> bool {
        held(&self.inner).abandoned
    }

    /// Promises the second chair to somebody, unless the table is abandoned.
    pub(super) fn expect_another(&self) -> bool {
        let mut inner = held(&self.inner);
        inner.paired = !inner.abandoned;
        inner.paired
    }

    pub(super) fn sit(&self, seat: Seat, outbox: Outbox, peer: SocketAddr) {
        let mut inner = held(&self.inner);
        inner.clients[seat.index()] = Some(outbox);
        inner.peers[seat.index()] = Some(peer);
        if inner.clients.iter().all(Option::is_some) {
            inner.asked = Some(Instant::now());
        }
        // Who came while the other was leaving finds the game over.
        if let Some(word) = inner.referee.final_word(seat) {
            inner.tell(&[(seat, word)]);
        }
    }

    /// `seat` hears no more than what it is told already.
    pub(super) fn rise(&self, seat: Seat) {
        held(&self.inner).clients[seat.index()] = None;
    }

    /// A line of `seat`. Like all that follow, it answers whether the client stays.
    pub(super) fn hear(&self, house: &House<'_>, seat: Seat, line: &str) -> bool {
        thread::sleep(held(&self.inner).too_soon(seat));
        let mut inner = held(&self.inner);
        if inner.is_late(seat) {
            drop(inner);
            return self.watch(house, seat);
        }
        let turn = inner.referee.turn();
        let heard = inner.referee.hear(seat, line);
        if !heard.accepted {
            return self.refuse(house, &mut inner, seat, format_args!("{line:?}"), &heard.replies);
        }
        inner.advance_clock(turn);
        self.answer(house, &mut inner, &heard.replies)
    }

    /// Something of `seat` that is no line.
    pub(super) fn hear_nonsense(&self, house: &House<'_>, seat: Seat, why: &str) -> bool {
        let mut inner = held(&self.inner);
        let replies = inner.referee.hear_nonsense(seat, why);
        self.refuse(house, &mut inner, seat, format_args!("because {why}"), &replies)
    }

    /// Nothing of `seat`: perhaps its time is up.
    pub(super) fn watch(&self, house: &House<'_>, seat: Seat) -> bool {
        let mut inner = held(&self.inner);
        let late = inner.is_late(seat);
        let replies = if late { inner.referee.lose(seat, EndReason::Timeout, None) } else { Vec::new() };
        self.answer(house, &mut inner, &replies)
    }

    /// `seat` is gone.
    pub(super) fn leave(&self, house: &House<'_>, seat: Seat, why: &str) -> bool {
        let mut inner = held(&self.inner);
        inner.clients[seat.index()] = None;
        self.blame(house, &mut inner, seat, EndReason::Disconnected, why);
        false
    }

    /// The server closes.
    pub(super) fn close(&self, house: &House<'_>) -> bool {
        let mut inner = held(&self.inner);
        if inner.paired {
            inner.referee.cancel();
            self.answer(house, &mut inner, &Vec::new());
        }
        false
    }

    /// Something of `seat` was refused. Who says too much of that kind has said enough.
    fn refuse(
        &self,
        house: &House<'_>,
        inner: &mut Inner,
        seat: Seat,
        what: fmt::Arguments<'_>,
        replies: &Replies,
    ) -> bool {
        if inner.nonsense[seat.index()].allows(Instant::now()) {
            house.log.note(inner.peer(seat), format_args!("is refused {what}"));
            return self.answer(house, inner, replies);
        }
        if inner.ended.is_some() {
            return self.answer(house, inner, &Vec::new());
        }
        self.blame(house, inner, seat, EndReason::Protocol, "too many lines that are no answer")
    }

    /// Ends the game by a fault of `seat`; a table at which nobody else sits is given up.
    fn blame(&self, house: &House<'_>, inner: &mut Inner, seat: Seat, reason: EndReason, why: &str) -> bool {
        if inner.paired {
            let replies = inner.referee.lose(seat, reason, Some(why.to_owned()));
            return self.answer(house, inner, &replies);
        }
        inner.abandoned = true;
        inner.clients[seat.index()] = None;
        house.closed.fetch_add(1, Ordering::Relaxed);
        false
    }

    /// Sends what there is to say, and tells whether clients stay. A game that has just ended is kept first:
    /// whoever hears of the end finds the table free.
    fn answer(&self, house: &House<'_>, inner: &mut Inner, replies: &Replies) -> bool {
        let now = Instant::now();
        if inner.ended.is_none() && inner.referee.end().is_some() {
            inner.ended = Some(now);
            self.keep(house, inner);
        }
        inner.tell(replies);
        // Here the original server closes, and only here.
        if inner.referee.end().is_some_and(|(end, _)| end.reason == EndReason::Timeout) {
            inner.clients.iter().flatten().for_each(Outbox::close);
        }
        inner.ended.is_none_or(|ended| now < ended + LINGER)
    }

    fn keep(&self, house: &House<'_>, inner: &Inner) {
        let remote = |peer: SocketAddr| format!("remote:{}", peer.ip());
        let agents = inner.peers.map(|peer| peer.map_or_else(|| "remote".to_owned(), remote));
        let record = inner.referee.record((0, self.number, 0), agents);
        // As much as one move can have: all that is saved up, and its own time.
        let most = house.server.options.budget + house.server.options.timeout;
        let record = record.map(|record| Record { move_limit: Some(most.as_millis() as u64), ..record });
        let (Some(record), Some(winner)) = (record, inner.referee.winner()) else { return };
        let result = match winner {
            2 => "nobody wins".to_owned(),
            winner => {
                let seat = Seat::new(winner.into());
                format!("{} wins ({})", name(seat), inner.peer(seat))
            }
        };
        let detail = record.end.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail:?})"));
        let (reason, moves) = (record.end.reason.name(), inner.referee.moves());
        house.log.note(
            format_args!("table {}", self.number),
            format_args!("{result}, winner={winner}, by {reason}{detail}, {moves} moves"),
        );
        house.keep(self.number, &record, &inner.referee.log());
    }
}

impl Inner {
    fn tell(&self, replies: &[(Seat, String)]) {
        for (seat, line) in replies {
            if let Some(outbox) = &self.clients[seat.index()] {
                outbox.line(line);
            }
        }
    }

    fn peer(&self, seat: Seat) -> String {
        self.peers[seat.index()].map_or_else(|| "nobody".to_owned(), |peer| peer.to_string())
    }

    /// How long an answer of `seat` is still to be left waiting.
    fn too_soon(&self, seat: Seat) -> Duration {
        let asked = self.asked.filter(|_| self.referee.turn() == Some(seat));
        asked.map_or(Duration::ZERO, |asked| self.wait.saturating_sub(asked.elapsed()))
    }

    /// Whether `seat` owes an answer and its time is up.
    fn is_late(&self, seat: Seat) -> bool {
        let owes = match self.referee.turn() {
            Some(turn) => turn == seat,
            None => !self.referee.is_set_up(seat) && self.referee.end().is_none(),
        };
        let limit = self.left[seat.index()] + self.timeout + self.wait + GRACE;
        owes && self.asked.is_some_and(|asked| asked.elapsed() > limit)
    }

    /// An answer was accepted: whose move it was pays for it in whole seconds, and the next one's time
    /// begins.
    fn advance_clock(&mut self, turn: Option<Seat>) {
        if let (Some(seat), Some(asked)) = (turn, self.asked) {
            let spent = Duration::from_secs(asked.elapsed().as_secs());
            let left = &mut self.left[seat.index()];
            *left = left.saturating_sub(spent);
        }
        if self.referee.turn().is_some() {
            self.asked = Some(Instant::now());
        }
    }
}
