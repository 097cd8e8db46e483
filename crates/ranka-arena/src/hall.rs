//! The hall: all tables, the store behind them, and the few who may think at a time.

use crate::limits::Limits;
use crate::opening::{Opening, Policy, Prepared, Wish, table_name};
use crate::room::{Aside, Ending, Next, Room};
use ranka_core::{EndReason, Fault, InputError, RECORD_FORMAT, Record, Settings};
use ranka_lab::{KeptTable, Store};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Everything that the pages stand on.
pub(crate) struct Hall {
    pub(crate) limits: Limits,
    pub(crate) policy: Policy,
    store: Mutex<Store>,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// One permit for each search that may go on.
    pub(crate) searches: Arc<Semaphore>,
    /// One permit for each hint, analysis or look back.
    pub(crate) analyses: Arc<Semaphore>,
    /// One permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) runs: Arc<crate::runs::Runs>,
}

impl Hall {
    pub(crate) fn new(store: Store, limits: Limits, policy: Policy) -> Arc<Hall> {
        Arc::new(Hall {
            runs: Arc::new(crate::runs::Runs::new(store.path().to_owned())),
            store: Mutex::new(store),
            rooms: Mutex::default(),
            searches: Arc::new(Semaphore::new(limits.searches)),
            analyses: Arc::new(Semaphore::new(limits.analyses)),
            connections: Arc::new(Semaphore::new(limits.connections)),
            limits,
            policy,
        })
    }

    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lays a table.
    pub(crate) fn open(&self, wish: Wish) -> Result<Arc<Room>, InputError> {
        let lay = || {
            let (opening, prepared) = Opening::of(wish, self.policy)?;
            Room::new(table_name(), opening, prepared, "", None, Aside::default())
        };
        // An agent may have much to prepare: others are served meanwhile.
        let room = Arc::new(tokio::task::block_in_place(lay)?);
        self.admit(&room)?;
        self.keep(&room)?;
        Ok(room)
    }

    /// The table called `id`, from memory or from the store.
    pub(crate) fn room(&self, id: &str) -> Result<Option<Arc<Room>>, InputError> {
        if let Some(room) = self.rooms().get(id) {
            return Ok(Some(Arc::clone(room)));
        }
        let Some(kept) = self.store().table(id)? else { return Ok(None) };
        let room = Arc::new(tokio::task::block_in_place(|| revive(kept))?);
        self.admit(&room).map(Some)
    }

    /// Puts a table among those in memory, and gives the one that is there; one that nobody looks at makes room.
    fn admit(&self, room: &Arc<Room>) -> Result<Arc<Room>, InputError> {
        let mut rooms = self.rooms();
        // Two may have asked at once: the first one's table is the table.
        if let Some(first) = rooms.get(&room.id) {
            return Ok(Arc::clone(first));
        }
        if rooms.len() >= self.limits.tables {
            let Some(id) = rooms.iter().find(|(_, room)| !room.busy()).map(|(id, _)| id.clone()) else {
                return Err(InputError::new(format!(
                    "{} games are being played, and there is room for no more: try again later",
                    rooms.len()
                )));
            };
            rooms.remove(&id);
        }
        rooms.insert(room.id.clone(), Arc::clone(room));
        Ok(Arc::clone(room))
    }

    /// Writes a table down as it is now, unless that was done already.
    pub(crate) fn keep(&self, room: &Room) -> Result<(), InputError> {
        let mut play = room.play();
        if !play.needs_keeping() {
            return Ok(());
        }
        let kept = KeptTable {
            id: room.id.clone(),
            opening: serde_json::to_string(&room.opening).expect("an opening is text and numbers"),
            actions: play.table.actions().join(" "),
            ending: play
                .ending
                .as_ref()
                .map(|ending| serde_json::to_string(ending).expect("an ending is text and numbers")),
            aside: serde_json::to_string(&play.aside()).expect("what is kept aside is text and numbers"),
            changed: jiff::Timestamp::now().as_second(),
        };
        // The table stays locked meanwhile, so that an older state never overwrites a newer one.
        self.store().keep_table(&kept)?;
        play.kept();
        Ok(())
    }

    /// Lets agents and chance act until a person is to act.
    pub(crate) fn drive(self: &Arc<Hall>, room: &Arc<Room>) {
        if room.claim() {
            tokio::spawn(drive(Arc::clone(self), Arc::clone(room)));
        }
    }

    /// Somebody looks at a table.
    pub(crate) fn enter(self: &Arc<Hall>, room: &Arc<Room>) {
        room.present.fetch_add(1, Ordering::SeqCst);
        self.drive(room);
    }

    /// Somebody looks no more. What nobody waits for is not thought to its end.
    pub(crate) fn leave(self: &Arc<Hall>, room: &Arc<Room>) {
        if room.present.fetch_sub(1, Ordering::SeqCst) == 1 {
            let (room, grace) = (Arc::clone(room), self.limits.grace);
            tokio::spawn(async move {
                tokio::time::sleep(grace).await;
                room.rest();
            });
        }
    }
}

/// A table as the store has it.
pub(crate) fn revive(kept: KeptTable) -> Result<Room, InputError> {
    let place = |e: serde_json::Error| InputError::new(format!("game {}: it was kept wrongly: {e}", kept.id));
    let opening: Opening = serde_json::from_str(&kept.opening).map_err(place)?;
    let ending: Option<Ending> =
        kept.ending.as_deref().map(serde_json::from_str).transpose().map_err(place)?;
    let prepared: Prepared = opening.prepare()?;
    let aside = serde_json::from_str(&kept.aside).map_err(place)?;
    Room::new(kept.id, opening, prepared, &kept.actions, ending, aside)
}

/// The record of a finished game.
pub(crate) fn record_of(room: &Room) -> Option<Record> {
    let play = room.play();
    let (outcome, _) = play.table.result()?;
    let agents = room
        .agents
        .iter()
        .map(|agent| agent.as_ref().map_or("person".to_owned(), |agent| agent.full.clone()));
    let end = match &play.ending {
        Some(ending) => ranka_core::End {
            reason: EndReason::named(&ending.reason)?,
            seat: ending.seat,
            detail: ending.detail.clone(),
        },
        None => ranka_core::End { reason: EndReason::Rules, seat: None, detail: None },
    };
    Some(Record {
        format: RECORD_FORMAT,
        game: room.opening.game.clone(),
        version: room.game.info().version,
        rules: room.game.rules(),
        seed: (room.opening.seed, 0, 0),
        agents: agents.collect(),
        numbers: (0..room.opening.seats.len()).collect(),
        budget: None,
        start: play.table.start(),
        actions: play.table.actions().join(" "),
        plies: play.table.plies(),
        end,
        outcome,
    })
}

/// How long an agent may think before people are told that it does: most answer sooner.
const UNNOTICED: Duration = Duration::from_millis(30);

async fn drive(hall: Arc<Hall>, room: Arc<Room>) {
    loop {
        let (mut thinker, stop, generation) = match room.next() {
            Next::Again => continue,
            Next::Wait => return changed(&hall, &room),
            Next::Think { thinker, stop, generation } => (thinker, stop, generation),
        };
        let (searches, think) = (Arc::clone(&hall.searches), hall.limits.think);
        let mut thought = tokio::spawn(async move {
            let permit = waited_for(searches, &stop).await;
            let thought = tokio::task::spawn_blocking(move || {
                let settings = Settings { move_limit: Some(think), cancel: &stop, ..Settings::default() };
                let answer = thinker.think(&settings, &mut |_| {});
                // What was cut short is no answer, even if the agent gives one.
                let stopped = stop.load(Ordering::Relaxed);
                (thinker, if stopped { Err(Fault::Cancelled) } else { answer })
            });
            let thought = thought.await;
            drop(permit);
            thought
        });
        let soon = tokio::time::timeout(UNNOTICED, &mut thought).await;
        let thought = match soon {
            Ok(thought) => thought,
            Err(_) => {
                changed(&hall, &room);
                thought.await
            }
        };
        // A panic outside the agent would be ours; the table then stands still, and others go on.
        let Ok(Ok((thinker, answer))) = thought else { return };
        let goes_on = room.thought(thinker, generation, answer);
        changed(&hall, &room);
        if !matches!(goes_on, Ok(true)) {
            return;
        }
        if room.opening.pace > 0 && room.agent_is_next() {
            tokio::time::sleep(Duration::from_millis(room.opening.pace)).await;
        }
    }
}

/// A permit, or nothing once nobody waits any more.
async fn waited_for(searches: Arc<Semaphore>, stop: &AtomicBool) -> Option<OwnedSemaphorePermit> {
    let mut permit = std::pin::pin!(searches.acquire_owned());
    loop {
        tokio::select! {
            permit = &mut permit => return permit.ok(),
            () = tokio::time::sleep(UNNOTICED) => if stop.load(Ordering::Relaxed) { return None },
        }
    }
}

/// Keeps what happened, and tells who looks.
pub(crate) fn changed(hall: &Hall, room: &Room) {
    if let Err(error) = hall.keep(room) {
        eprintln!("{error}");
    }
    room.announce();
}
