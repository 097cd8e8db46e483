//! The hall: all tables, the store behind them, and the few who may think at a time.

use crate::league::live::LiveLeague;
use crate::opening::{Opening, Policy, Prepared, Sitter, Wish, secret, table_name};
use crate::play::{Course, Play};
use crate::room::{Next, Room};
use crate::server_limits::ServerLimits;
use crate::turns::{Turn, Turns};
use crate::visit::Key;
use ranka_core::{End, Error, ErrorKind, Fault, RECORD_FORMAT, Record, Seat, Settings};
use ranka_lab::{KeptTable, Store};
use std::collections::HashMap;
use std::collections::btree_map::Entry;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::block_in_place;

/// What people are told of something that the store refuses.
pub(crate) const NOT_KEPT: &str = "What happened last could not be kept, so it did not happen. Try again.";

/// Everything that the pages stand on.
pub(crate) struct Hall {
    pub(crate) limits: ServerLimits,
    /// What proves that a visitor sits at this machine; nothing where nobody is trusted.
    pub(crate) key: Option<Key>,
    /// What writes, one after the other.
    writer: Mutex<Store>,
    /// What only reads, which nobody who writes keeps waiting.
    reader: Mutex<Store>,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// One turn for each search that may go on.
    pub(crate) searches: Arc<Turns>,
    /// One turn for each hint, analysis or look back.
    pub(crate) analyses: Arc<Turns>,
    /// One turn for each proof of a puzzle.
    pub(crate) proofs: Arc<Turns>,
    /// One permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) runs: Arc<crate::runs::Runs>,
    /// The league that is shown, if one is.
    pub(crate) league: OnceLock<LiveLeague>,
}

impl Hall {
    pub(crate) fn new(store: Store, limits: ServerLimits, key: Option<Key>) -> Result<Arc<Hall>, Error> {
        Ok(Arc::new(Hall {
            runs: Arc::new(crate::runs::Runs::new(store.path().to_owned())),
            reader: Mutex::new(Store::open(store.path())?),
            writer: Mutex::new(store),
            rooms: Mutex::default(),
            searches: Turns::new(limits.searches),
            analyses: Turns::new(limits.analyses),
            proofs: Turns::new(limits.analyses),
            connections: Arc::new(Semaphore::new(limits.connections)),
            limits,
            key,
            league: OnceLock::new(),
        }))
    }

    /// Looks something up in the store. However long that takes, the server's workers go on.
    pub(crate) fn read<T>(&self, ask: impl FnOnce(&Store) -> T) -> T {
        block_in_place(|| ask(&self.reader.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Writes into the store. However long that takes, the server's workers go on.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut Store) -> T) -> T {
        block_in_place(|| work(&mut self.writer.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// A place for one more connection.
    pub(crate) fn connect(&self) -> Result<OwnedSemaphorePermit, Error> {
        let permit = Arc::clone(&self.connections).try_acquire_owned();
        permit.map_err(|_| Error::busy("The arena is full: try again later."))
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lays a table for a visitor of whom this is believed.
    pub(crate) fn open(&self, wish: Wish, policy: Policy) -> Result<Arc<Room>, Error> {
        let name = wish.name.clone();
        let lay = || {
            let (opening, prepared) = Opening::of(wish, self, policy)?;
            Room::new(table_name(), opening, prepared, None)
        };
        // An agent may have much to prepare: others are served meanwhile.
        let room = Arc::new(block_in_place(lay)?);
        let first = room.opening.seats.iter().position(|sitter| matches!(sitter, Sitter::Person(_)));
        room.play().aside.names.extend(first.zip(name));
        self.admit(&room)?;
        // A table that is not kept is no table.
        self.keep(&room, &mut room.play()).inspect_err(|_| drop(self.rooms().remove(&room.id)))?;
        Ok(room)
    }

    /// The table called `id`, from memory or from the store.
    pub(crate) fn room(&self, id: &str) -> Result<Option<Arc<Room>>, Error> {
        if let Some(room) = self.rooms().get(id) {
            return Ok(Some(Arc::clone(room)));
        }
        let Some(kept) = self.read(|store| store.table(id))? else { return Ok(None) };
        let room = Arc::new(block_in_place(|| self.revive(kept))?);
        self.admit(&room).map(Some)
    }

    /// A table as the store has it.
    fn revive(&self, kept: KeptTable) -> Result<Room, Error> {
        let place = |e: serde_json::Error| {
            Error::new(ErrorKind::Storage, format!("game {}: it was kept wrongly: {e}", kept.id))
        };
        let opening: Opening = serde_json::from_str(&kept.opening).map_err(place)?;
        let ending = kept.ending.as_deref().map(serde_json::from_str).transpose().map_err(place)?;
        let aside = serde_json::from_str(&kept.aside).map_err(place)?;
        let actions = kept.actions.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let prepared: Prepared = opening.prepare(self)?;
        Room::new(kept.id, opening, prepared, Some(Course { actions, ending, aside }))
    }

    /// Puts a table among those in memory, and gives the one that is there; one that nobody looks at makes room.
    fn admit(&self, room: &Arc<Room>) -> Result<Arc<Room>, Error> {
        let mut rooms = self.rooms();
        // Two may have asked at once: the first one's table is the table.
        if let Some(first) = rooms.get(&room.id) {
            return Ok(Arc::clone(first));
        }
        if rooms.len() >= self.limits.tables {
            // Whoever holds a table may still change it: there must not be another one of its name meanwhile.
            let free = |room: &Arc<Room>| Arc::strong_count(room) == 1 && !room.busy();
            let Some(id) = rooms.iter().find(|(_, room)| free(room)).map(|(id, _)| id.clone()) else {
                return Err(Error::busy(format!(
                    "{} games are being played, and there is room for no more: try again later",
                    rooms.len()
                )));
            };
            rooms.remove(&id);
        }
        rooms.insert(room.id.clone(), Arc::clone(room));
        Ok(Arc::clone(room))
    }

    /// Does something at a table, and writes it down before anybody can see it. What cannot be written down has not
    /// happened, and everybody is told so.
    pub(crate) fn change<T>(
        &self,
        room: &Room,
        act: impl FnOnce(&mut Play) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (done, kept) = block_in_place(|| -> Result<_, Error> {
            let mut play = room.play();
            play.look_at_the_clock(&room.opening);
            let done = act(&mut play);
            // Without a clock what was refused has changed nothing.
            if room.opening.clock.is_none() {
                return Ok((done?, self.keep(room, &mut play)));
            }
            play.press_the_clock(&room.opening);
            let kept = self.keep(room, &mut play);
            Ok((done?, kept))
        })?;
        kept.inspect_err(|_| room.announce())?;
        Ok(done)
    }

    /// Writes a table down as it is now, unless that was done already.
    fn keep(&self, room: &Room, play: &mut Play) -> Result<(), Error> {
        let course = play.course();
        if play.kept.as_ref() == Some(&course) {
            return Ok(());
        }
        let kept = KeptTable {
            id: room.id.clone(),
            opening: to_json(&room.opening),
            actions: course.actions.join(" "),
            ending: course.ending.as_ref().map(to_json),
            aside: to_json(&course.aside),
            changed: jiff::Timestamp::now().as_second(),
        };
        if let Err(error) = self.write(|store| store.keep_table(&kept)) {
            // Where the store is concerns nobody but who runs the server.
            eprintln!("{error}");
            room.restore(play)?;
            return Err(Error::new(ErrorKind::Storage, NOT_KEPT));
        }
        (play.kept, play.troubled) = (Some(course), false);
        Ok(())
    }

    /// Takes an invitation. Gives the secret of the seat, which is made only now; nothing if somebody was faster.
    pub(crate) fn sit_down(
        &self,
        room: &Room,
        seat: Seat,
        name: Option<String>,
    ) -> Result<Option<String>, Error> {
        let secret = self.change(room, |play| match play.aside.taken.entry(seat.index()) {
            Entry::Occupied(_) => Ok(None),
            Entry::Vacant(free) => {
                let secret = free.insert(secret()).clone();
                play.aside.names.extend(name.map(|name| (seat.index(), name)));
                Ok(Some(secret))
            }
        })?;
        room.announce();
        Ok(secret)
    }

    /// Lets agents and chance act until a person is to act.
    pub(crate) fn drive(self: &Arc<Hall>, room: &Arc<Room>) {
        if room.claim() {
            tokio::spawn(drive(Arc::clone(self), Arc::clone(room)));
        }
    }

    /// Somebody looks at a table: its agents think in their turn.
    pub(crate) fn enter(self: &Arc<Hall>, room: &Arc<Room>, visitor: IpAddr) {
        *room.visitor() = visitor;
        room.present.fetch_add(1, Ordering::SeqCst);
        self.drive(room);
    }

    /// Somebody looks no more. What nobody waits for is not thought to its end.
    pub(crate) fn leave(self: &Arc<Hall>, room: &Arc<Room>) {
        if room.present.fetch_sub(1, Ordering::SeqCst) == 1 {
            // Waiting for it does not keep the table here.
            let (room, grace) = (Arc::downgrade(room), self.limits.grace);
            tokio::spawn(async move {
                tokio::time::sleep(grace).await;
                if let Some(room) = room.upgrade() {
                    room.rest();
                }
            });
        }
    }
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what is kept of a table is text and numbers")
}

/// What a record calls a person.
pub(crate) const PERSON: &str = "person";

/// The record of a finished game, in which agents that think longer than `limit` lose.
pub(crate) fn record_of(room: &Room, limit: Duration) -> Option<Record> {
    let play = room.play();
    let (outcome, _) = play.table.result()?;
    let agents =
        room.agents.iter().map(|agent| agent.as_ref().map_or(PERSON.to_owned(), |agent| agent.full.clone()));
    let end = play.ending.clone().unwrap_or(End::rules());
    let versions = room.agents.iter().map(|agent| agent.as_ref().map_or(0, |agent| agent.version));
    Some(Record {
        format: RECORD_FORMAT,
        game: room.opening.game.clone(),
        version: room.game.info().version,
        rules: room.game.rules(),
        seed: (room.opening.seed, 0, 0),
        agents: agents.collect(),
        numbers: (0..room.opening.seats.len()).collect(),
        versions: versions.collect(),
        budget: None,
        ply_cap: None,
        move_limit: Some(limit.as_millis() as u64),
        start: play.table.start(),
        actions: play.table.actions().join(" "),
        plies: play.table.plies(),
        end,
        outcome,
    })
}

/// How long everybody is given to be sent what happened before the next thing does: each is shown by itself.
const BREATH: Duration = Duration::from_millis(4);

/// How long an agent may think before people are told that it does: most answer sooner.
const UNNOTICED: Duration = Duration::from_millis(30);

async fn drive(hall: Arc<Hall>, room: Arc<Room>) {
    loop {
        let Ok(next) = hall.change(&room, |play| Ok(room.next(play))) else { return room.release() };
        let (mut thinker, stop, generation) = match next {
            Next::Again => continue,
            Next::Wait => return room.announce(),
            Next::Think { thinker, stop, generation } => (thinker, stop, generation),
        };
        tokio::time::sleep(BREATH).await;
        let (searches, think, visitor) = (Arc::clone(&hall.searches), hall.limits.think, *room.visitor());
        let mut thought = tokio::spawn(async move {
            let turn = waited_for(&searches, visitor, &stop).await;
            let thought = tokio::task::spawn_blocking(move || {
                let settings = Settings { move_limit: Some(think), cancel: &stop, ..Settings::default() };
                let answer = thinker.think(&settings, &mut |_| {});
                // What was cut short is no answer, even if the agent gives one.
                let stopped = stop.load(Ordering::Relaxed);
                (thinker, if stopped { Err(Fault::Cancelled) } else { answer })
            });
            let thought = thought.await;
            drop(turn);
            thought
        });
        let soon = tokio::time::timeout(UNNOTICED, &mut thought).await;
        let thought = match soon {
            Ok(thought) => thought,
            Err(_) => {
                room.announce();
                thought.await
            }
        };
        // A panic outside the agent would be ours; the table then stands still, and others go on.
        let Ok(Ok((thinker, answer))) = thought else { return };
        let goes_on = hall.change(&room, |play| room.thought(play, thinker, generation, answer));
        room.announce();
        // What cannot be kept is not tried again before somebody does something.
        if !matches!(goes_on, Ok(true)) {
            return room.release();
        }
        if room.opening.pace > 0 && room.agent_is_next() {
            tokio::time::sleep(Duration::from_millis(room.opening.pace)).await;
        }
    }
}

/// A turn, or nothing once nobody waits any more.
async fn waited_for(searches: &Arc<Turns>, visitor: IpAddr, stop: &AtomicBool) -> Option<Turn> {
    let mut turn = std::pin::pin!(searches.wait(visitor));
    loop {
        tokio::select! {
            turn = &mut turn => return turn,
            () = tokio::time::sleep(UNNOTICED) => if stop.load(Ordering::Relaxed) { return None },
        }
    }
}
