//! Where shards are handed to whoever plays them elsewhere, and come back.
//!
//! One side is an [`Executor`] ([`Remote`]): it offers as many shards as there are hands, and offers another only when
//! one has come back and was kept. So however many hands there are, what waits here is bounded, and a slow store holds
//! everybody back. The other side, which moves shards to other machines, takes offers and gives parcels.

use crate::parcel::Parcel;
use crate::runner::Executor;
use crate::shards::{Ahead, Job, Shard, Shards};
use ranka_core::{Error, Finished};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A shard that somebody should play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardOffer {
    /// By what name it comes back.
    pub ticket: u64,
    /// What its pairing is made of, as [`Recipe`](crate::Recipe) writes it.
    pub recipe: Arc<str>,
    /// The number of the first game.
    pub first: u64,
    /// How many games.
    pub count: u64,
}

/// The counter between the two sides.
#[derive(Default)]
pub struct Exchange {
    counter: Mutex<Counter>,
    offered: Condvar,
    given: Condvar,
}

#[derive(Default)]
struct Counter {
    hands: usize,
    offers: VecDeque<ShardOffer>,
    parcels: VecDeque<(u64, Vec<u8>)>,
    failed: Option<Error>,
    tickets: u64,
    /// Tickets below this one are of no use any more.
    current: u64,
}

impl Exchange {
    /// One where nothing is offered yet.
    pub fn new() -> Exchange {
        Exchange::default()
    }

    fn counter(&self) -> MutexGuard<'_, Counter> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how many shards may be out at a time.
    pub fn set_hands(&self, hands: usize) {
        self.counter().hands = hands;
        self.given.notify_all();
    }

    /// Takes a shard to play; waits for one for so long.
    pub fn take(&self, wait: Duration) -> Option<ShardOffer> {
        let counter = self.counter();
        let waited = self.offered.wait_timeout_while(counter, wait, |counter| counter.offers.is_empty());
        let (mut counter, _) = waited.unwrap_or_else(PoisonError::into_inner);
        counter.offers.pop_front()
    }

    /// Gives the games of a shard, as [`Parcel::pack`] wrote them. What nobody waits for any more is dropped.
    pub fn give(&self, ticket: u64, games: Vec<u8>) {
        let mut counter = self.counter();
        if ticket >= counter.current {
            counter.parcels.push_back((ticket, games));
            self.given.notify_all();
        }
    }

    /// Says that it cannot go on.
    pub fn fail(&self, error: Error) {
        self.counter().failed.get_or_insert(error);
        self.given.notify_all();
    }

    /// Tickets below this one are of no use any more: whoever still plays them may stop.
    pub fn current(&self) -> u64 {
        self.counter().current
    }

    fn offer(&self, recipe: &Arc<str>, shard: &Shard<'_>) -> u64 {
        let mut counter = self.counter();
        let ticket = counter.tickets;
        counter.tickets += 1;
        let Shard { first, count, .. } = *shard;
        counter.offers.push_back(ShardOffer { ticket, recipe: Arc::clone(recipe), first, count });
        self.offered.notify_one();
        ticket
    }

    /// What has come back; waits for it, but not for long.
    fn parcels(&self) -> Result<VecDeque<(u64, Vec<u8>)>, Error> {
        let nothing = |counter: &mut Counter| counter.parcels.is_empty() && counter.failed.is_none();
        let waited = self.given.wait_timeout_while(self.counter(), TICK, nothing);
        let (mut counter, _) = waited.unwrap_or_else(PoisonError::into_inner);
        // What came before the failure is kept.
        if counter.parcels.is_empty() {
            counter.failed.take().map_or(Ok(VecDeque::new()), Err)
        } else {
            Ok(std::mem::take(&mut counter.parcels))
        }
    }

    /// Nothing that is out matters any more.
    fn abandon(&self) {
        let mut counter = self.counter();
        counter.current = counter.tickets;
        counter.offers.clear();
        counter.parcels.clear();
    }
}

/// How often it looks up to see whether it should stop.
const TICK: Duration = Duration::from_millis(40);

/// How shards are cut for hands elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// How long a shard should take.
    pub target: Duration,
    /// The most games of one: bounds what a parcel weighs.
    pub most: u64,
    /// Whether games may turn out not to be needed, as in a sequential test: then no more are handed out at once than
    /// were before.
    pub cautious: bool,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut { target: Duration::from_secs(2), most: 20_000, cautious: false }
    }
}

/// What is known of the cost of a job's games: nanoseconds a game, and of how many games at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// Nanoseconds a game.
    pub nanos: u64,
    /// The longest shard that was measured.
    pub games: u64,
}

impl Pace {
    /// Takes a measurement. A game alone says little, so the estimate moves half the way.
    pub fn measure(&mut self, games: u64, took: Duration) {
        let nanos = (took.as_nanos() as u64 / games.max(1)).max(1);
        self.nanos = if self.games == 0 { nanos } else { self.nanos.midpoint(nanos).max(1) };
        self.games = self.games.max(games);
    }
}

impl Cut {
    /// How many games the next shard has, where `first` have been handed out before and `left` are not handed out yet.
    pub fn games(&self, pace: Pace, first: u64, left: u64, hands: usize) -> u64 {
        let hands = hands.max(1) as u64;
        // The last shards get shorter, so that all hands end at about the same time.
        let even = (left / (2 * hands)).max(SHORTEST_NANOS.checked_div(pace.nanos).unwrap_or(1));
        let wanted = (self.target.as_nanos() as u64).checked_div(pace.nanos).unwrap_or(1);
        let wanted = wanted.min(GROWTH * pace.games).min(even).min(self.most);
        let wanted = if self.cautious { wanted.min(first / hands) } else { wanted };
        wanted.max(1)
    }
}

/// A shard is at most so many times as long as one that was measured: the first games may be the cheap ones.
const GROWTH: u64 = 8;

/// Shorter shards than this would spend themselves on being handed over.
const SHORTEST_NANOS: u64 = 100_000_000;

/// Plays games by whoever takes shards from an exchange.
#[derive(Clone, Copy)]
pub struct Remote<'a> {
    /// Where shards are handed out.
    pub exchange: &'a Exchange,
    /// How long they are.
    pub cut: Cut,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
}

/// Leaves an exchange as it would be found, however the work on it ends.
struct Tidy<'a>(&'a Exchange);

impl Drop for Tidy<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

impl Executor for Remote<'_> {
    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn play(
        &self,
        jobs: &[Job<'_>],
        mut sink: impl FnMut(usize, Vec<(u64, Finished)>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let _tidy = Tidy(self.exchange);
        let recipes: Vec<Arc<str>> = jobs.iter().map(|job| job.pairing.recipe().text().into()).collect();
        let paces = RefCell::new(vec![Pace::default(); jobs.len()]);
        let hands = || self.exchange.counter().hands;
        let size = |Ahead { job, first, left }| self.cut.games(paces.borrow()[job], first, left, hands());
        let mut shards = Shards::new(jobs, size).peekable();
        let mut out: HashMap<u64, (usize, Shard<'_>)> = HashMap::new();
        while !self.cancelled() {
            // Nobody may be there yet.
            while out.len() < hands() {
                let Some((job, shard)) = shards.next() else { break };
                out.insert(self.exchange.offer(&recipes[job], &shard), (job, shard));
            }
            if out.is_empty() && shards.peek().is_none() {
                break;
            }
            for (ticket, bytes) in self.exchange.parcels()? {
                // The same shard may come twice, from a machine that was thought lost.
                let Some((job, shard)) = out.remove(&ticket) else { continue };
                let Parcel { games, took } = Parcel::open(&bytes, &shard)?;
                paces.borrow_mut()[job].measure(shard.count, took);
                if sink(job, games)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameLimits, Pairing, Recipe, Runner, Seating};
    use ranka_core::Seed;
    use std::thread;

    static GO_ON: AtomicBool = AtomicBool::new(false);
    const GAMES: u64 = 300;

    fn pairing() -> Pairing {
        let game = ranka_games::game("kalah").unwrap().open("houses=4,seeds=3").unwrap();
        let agents = ["minimax:depth=2", "random"].map(|agent| game.agent(agent).unwrap()).to_vec();
        Pairing::new(game, agents, Seating::Swapped, Seed::new(5), GameLimits::default(), &[]).unwrap()
    }

    fn play(executor: impl Executor, pairing: &Pairing) -> Result<Vec<(u64, String)>, Error> {
        let all = 0..GAMES;
        let mut games = Vec::new();
        executor.play(&[Job { pairing, missing: vec![all] }], |_, played| {
            games.extend(played.into_iter().map(|(number, game)| (number, game.record.actions)));
            Ok(ControlFlow::Continue(()))
        })?;
        games.sort();
        Ok(games)
    }

    /// Somebody elsewhere, who knows only what is offered; `each` may spoil what is given.
    fn serve(exchange: &Exchange, over: &AtomicBool, mut each: impl FnMut(&Exchange, ShardOffer, Vec<u8>)) {
        exchange.set_hands(4);
        while !over.load(Ordering::Relaxed) {
            let Some(offer) = exchange.take(Duration::from_millis(5)) else { continue };
            let pairing = Recipe::read(&offer.recipe).unwrap().make(|_, _| None).unwrap();
            let shard = Shard { pairing: &pairing, first: offer.first, count: offer.count };
            let parcel =
                Parcel { games: shard.run(&GO_ON), took: Duration::from_millis(40) * offer.count as u32 };
            each(exchange, offer, parcel.pack(&pairing));
        }
    }

    fn played_with(
        each: impl FnMut(&Exchange, ShardOffer, Vec<u8>) + Send,
    ) -> Result<Vec<(u64, String)>, Error> {
        let (exchange, over) = (Exchange::new(), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| serve(&exchange, &over, each));
            let remote = Remote { exchange: &exchange, cut: Cut::default(), cancel: &GO_ON };
            let played = play(remote, &pairing());
            over.store(true, Ordering::Relaxed);
            played
        })
    }

    #[test]
    fn the_same_games_come_back_in_any_order_and_also_twice() {
        let here = play(Runner { threads: 2, cancel: &GO_ON }, &pairing()).unwrap();
        assert_eq!(here.len() as u64, GAMES);
        let mut held: Vec<(u64, Vec<u8>)> = Vec::new();
        let there = played_with(move |exchange, offer, games| {
            assert_eq!((offer.first % 2, offer.count % 2), (0, 0), "a deal is never divided");
            held.push((offer.ticket, games));
            // The last comes first, and again.
            if held.len() == 4 || offer.first + offer.count == GAMES {
                for (ticket, games) in held.drain(..).rev() {
                    exchange.give(ticket, games.clone());
                    exchange.give(ticket, games);
                }
            }
        });
        assert_eq!(there.unwrap(), here);
    }

    #[test]
    fn what_is_damaged_or_cannot_go_on_is_an_error() {
        let said = played_with(|exchange, offer, mut games| {
            games.truncate(games.len() / 2);
            exchange.give(offer.ticket, games);
        });
        assert!(said.err().unwrap().to_string().contains("came back damaged"));
        let said = played_with(|exchange, _, _| exchange.fail(Error::outside("everybody went home")));
        assert_eq!(said.err().unwrap().to_string(), "everybody went home");
    }

    #[test]
    fn what_is_out_is_bounded_and_of_no_use_after_the_end() {
        let (exchange, cancel) = (Exchange::new(), AtomicBool::new(false));
        exchange.set_hands(3);
        thread::scope(|scope| {
            let remote = Remote { exchange: &exchange, cut: Cut::default(), cancel: &cancel };
            let playing = scope.spawn(move || play(remote, &pairing()).map(|games| games.len()));
            let taken: Vec<u64> =
                (0..3).map(|_| exchange.take(Duration::from_secs(60)).unwrap().ticket).collect();
            assert_eq!(exchange.take(Duration::from_millis(200)), None);
            assert_eq!(exchange.current(), taken[0]);
            cancel.store(true, Ordering::Relaxed);
            assert_eq!(playing.join().unwrap().unwrap(), 0);
            assert_eq!(exchange.current(), taken[2] + 1);
            // What comes too late is dropped.
            exchange.give(taken[0], vec![0]);
            assert!(exchange.counter().parcels.is_empty());
        });
    }

    #[test]
    fn shards_follow_the_cost_of_a_game() {
        let cut = Cut::default();
        let plenty = 1_000_000_000;
        let of = |nanos, games| Pace { nanos, games };
        assert_eq!(cut.games(Pace::default(), 0, plenty, 8), 1, "nothing is known");
        assert_eq!(cut.games(of(1_000, 10), 0, plenty, 8), 80, "it grows step by step");
        assert_eq!(cut.games(of(1_000, 1_000_000), 0, plenty, 8), cut.most);
        assert_eq!(cut.games(of(10_000_000, 1_000), 0, plenty, 8), 200, "two seconds");
        assert_eq!(cut.games(of(10_000_000_000, 10), 0, plenty, 8), 1);
        assert_eq!(cut.games(of(10_000_000, 1_000), 0, 160, 8), 10, "the last are shorter");
        assert_eq!(cut.games(of(1_000_000, 1_000), 0, 160, 8), 100, "but not too short");
        let cautious = Cut { cautious: true, ..cut };
        assert_eq!(cautious.games(of(10_000_000, 1_000), 80, plenty, 8), 10);
    }
}
