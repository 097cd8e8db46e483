//! A live connection: what a person does comes in, what the person may see goes out.

use crate::hall::Hall;
use crate::labelling;
use crate::pages::without_ids;
use crate::play::Play;
use crate::review::{analyst, aside, attended};
use crate::room::Room;
use crate::seen::{Seen, SeenThought, Viewer};
use crate::visit::{Visit, log};
use crate::words::Language;
use axum::extract::ws::{Message, WebSocket};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use futures_util::{SinkExt as _, StreamExt as _};
use ranka_bots::net::TokenBucket;
use ranka_core::{Error, Seat, Seed, Settings};
use serde::Deserialize;
use serde_json::json;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// What a client may ask for.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
enum Asked {
    /// Takes an action, having seen so many.
    Act { at: usize, action: String },
    /// Takes the last one back.
    TakeBack,
    /// Gives up.
    Resign,
    /// What would an agent do?
    Hint,
    /// What would the board look like after an action?
    Preview { at: usize, action: String },
    /// What is to be thought of an agent's action; `skip` says nothing.
    Judge { at: usize, label: String },
}

/// Serves one connection until it ends.
pub(crate) async fn serve(hall: Arc<Hall>, place: Place, visit: Visit, packed: bool, socket: WebSocket) {
    let (room, viewer) = place;
    hall.enter(&room, visit.address);
    // Somebody's clock may begin to run with it.
    let _ = hall.change(&room, |_| Ok(()));
    converse(&hall, &room, viewer, visit, packed, socket).await;
    hall.leave(&room);
}

/// A table, and as whom somebody looks at it.
pub(crate) type Place = (Arc<Room>, Viewer);

async fn converse(
    hall: &Arc<Hall>,
    room: &Arc<Room>,
    viewer: Viewer,
    visit: Visit,
    packed: bool,
    socket: WebSocket,
) {
    let (out, mut from) = socket.split();
    let mut out = Sender { out, patience: hall.limits.patience, packed };
    let mut beat = tokio::time::interval(hall.limits.beat);
    let mut news = room.subscribe();
    news.mark_changed();
    let (answers, mut answered) = mpsc::channel::<String>(4);
    let per_second = hall.limits.messages;
    let mut rate = TokenBucket::new(per_second, 2 * per_second);
    let hinting = Arc::new(AtomicBool::new(false));
    let mut sent = Vec::new();
    loop {
        let text = tokio::select! {
            heard = news.changed() => match heard {
                // A page keeps what it was told; any other client is told everything each time.
                Ok(()) if packed => to_text(&Seen::of(room, viewer, visit).since(&mut sent)),
                Ok(()) => to_text(&Seen::of(room, viewer, visit)),
                Err(_) => return,
            },
            Some(answer) = answered.recv() => answer,
            _ = beat.tick() => beats(hall.limits.beat),
            () = time_is_over(room) => {
                let _ = hall.change(room, |_| Ok(()));
                room.announce();
                continue;
            }
            message = from.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    if !rate.allows(Instant::now()) {
                        let _ = out.send(refusal(visit, &Error::busy("too many messages: slow down"))).await;
                        return;
                    }
                    match obey(hall, room, viewer, visit, text.as_str(), &answers, &hinting) {
                        Ok(None) => continue,
                        Ok(Some(answer)) => answer,
                        Err(error) => refusal(visit, &error),
                    }
                }
                Some(Ok(Message::Binary(_))) => refusal(visit, &Error::input("messages are text")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    if !rate.allows(Instant::now()) { return }
                    continue;
                }
                Some(Ok(Message::Close(_))) | None => return,
                Some(Err(_)) => {
                    let _ = out.send(refusal(visit, &Error::input("the message is too long or broken"))).await;
                    return;
                }
            },
        };
        if out.send(text).await.is_err() {
            return;
        }
    }
}

/// Waits until the time of whoever is to act is over; without a clock for ever.
async fn time_is_over(room: &Room) {
    let deadline = room.play().deadline(&room.opening);
    match deadline {
        // No sooner than it is told to be over.
        Some(deadline) => tokio::time::sleep_until((deadline + Duration::from_millis(20)).into()).await,
        None => std::future::pending().await,
    }
}

fn to_text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what is sent is made of text and numbers")
}

fn refusal(visit: Visit, error: &Error) -> String {
    log(error);
    to_text(&json!({ "kind": "error", "message": visit.told(error) }))
}

/// Tells that the server is there, and when it will be told again: a page that hears nothing knows that it is not.
pub(crate) fn beats(every: Duration) -> String {
    to_text(&json!({ "kind": "beat", "every": every.as_millis() as u64 }))
}

/// The way to a client.
struct Sender<S> {
    out: S,
    patience: Duration,
    /// Whether the client asked for long messages to be deflated.
    packed: bool,
}

/// A shorter message is sent as it is.
const LONG: usize = 1000;

impl<S: futures_util::Sink<Message> + Unpin> Sender<S> {
    /// Sends, but not for ever: who does not listen is left.
    async fn send(&mut self, text: String) -> Result<(), ()> {
        let message = if self.packed && text.len() > LONG {
            Message::Binary(deflated(&text).into())
        } else {
            Message::Text(text.into())
        };
        let sent = tokio::time::timeout(self.patience, self.out.send(message)).await;
        sent.map_err(|_| ())?.map_err(|_| ())
    }
}

/// A picture is mostly repetition: this makes a tenth of it.
fn deflated(text: &str) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::with_capacity(text.len() / 6), Compression::best());
    // Nothing can go wrong in memory.
    let _ = packer.write_all(text.as_bytes());
    packer.finish().unwrap_or_default()
}

/// Does what is asked for. Gives what is to be answered at once.
fn obey(
    hall: &Arc<Hall>,
    room: &Arc<Room>,
    viewer: Viewer,
    visit: Visit,
    text: &str,
    answers: &mpsc::Sender<String>,
    hinting: &Arc<AtomicBool>,
) -> Result<Option<String>, Error> {
    let asked: Asked =
        serde_json::from_str(text).map_err(|e| Error::input(format!("this is no message: {e}")))?;
    let Viewer::Seat(seat) = viewer else { return Err(Error::input("who only watches cannot act")) };
    match asked {
        Asked::Act { at, action } => return act(hall, room, seat, at, &action).map(|()| None),
        Asked::TakeBack => hall.change(room, |play| room.take_back(play, seat))?,
        Asked::Resign => hall.change(room, |play| play.resign(seat))?,
        Asked::Judge { at, label } => hall.change(room, |play| judge(hall, room, play, at, &label))?,
        Asked::Preview { at, action } => return Ok(preview(room, seat, visit.language, at, &action)),
        Asked::Hint => return hint(hall, room, seat, visit, answers, hinting).map(|()| None),
    }
    room.announce();
    hall.drive(room);
    Ok(None)
}

fn act(hall: &Arc<Hall>, room: &Arc<Room>, seat: Seat, at: usize, action: &str) -> Result<(), Error> {
    let before = room.opening.teaches.as_ref().map(|_| room.play().table.position());
    hall.change(room, |play| play.act(seat, at, action))?;
    room.announce();
    hall.drive(room);
    match before {
        // What people play themselves, they would play.
        Some(position) => labelling::keep(hall, &room.opening, &position, action, "good"),
        None => Ok(()),
    }
}

fn judge(hall: &Hall, room: &Room, play: &mut Play, at: usize, label: &str) -> Result<(), Error> {
    if play.aside.to_judge != Some(at) {
        return Err(Error::input("there is nothing to judge: look again"));
    }
    if label != "skip" {
        let action = play.table.actions().get(at).cloned().unwrap_or_default();
        labelling::keep(hall, &room.opening, &play.aside.judged_position, &action, label)?;
    }
    play.aside.to_judge = None;
    Ok(())
}

/// Draws what the board would look like. What can't be known, or comes too late, is not drawn.
fn preview(room: &Room, seat: Seat, language: Language, at: usize, action: &str) -> Option<String> {
    let play = room.play();
    let picture =
        (play.said.len() == at).then(|| play.table.preview(&language.look(seat), action)).flatten()?;
    Some(to_text(&json!({ "kind": "preview", "action": action, "picture": without_ids(&picture) })))
}

/// Lets the game's judge look at what the seat sees.
fn hint(
    hall: &Arc<Hall>,
    room: &Arc<Room>,
    seat: Seat,
    visit: Visit,
    answers: &mpsc::Sender<String>,
    hinting: &Arc<AtomicBool>,
) -> Result<(), Error> {
    if !room.opening.gives_hints() {
        return Err(Error::input("no hints are given at this table"));
    }
    let (start, actions, offers, at) = {
        let play = room.play();
        if play.table.actor() != ranka_core::Actor::Seat(seat) {
            return Err(Error::input("it is not your turn"));
        }
        (play.table.start(), play.table.actions(), play.table.offers(seat), play.said.len())
    };
    let helper = analyst(room.game.as_ref())?;
    if !hinting.swap(true, Ordering::SeqCst) {
        let (hall, room, answers) = (Arc::clone(hall), Arc::clone(room), answers.clone());
        let hinting = Arc::clone(hinting);
        let by = helper.short.clone();
        tokio::spawn(async move {
            // Not from the table's seed, from which follows what is hidden.
            let seed = Seed::new(at as u64).child("hint");
            let asked = {
                let room = Arc::clone(&room);
                move |cancel: &AtomicBool| {
                    // Counted, not timed: what is answered follows from what the seat knows and from nothing else.
                    let settings = Settings { cancel, ..Settings::default() };
                    let heard = actions.iter().map(String::as_str);
                    let mut table = attended(room.game.as_ref(), &helper, &start, heard, seed)?;
                    let mut latest = None;
                    let thought =
                        table.choose_aloud(&settings, &mut |thought| latest = Some(thought.clone()));
                    // When its time is up, what it knew by then stands.
                    let late = latest.filter(|_| cancel.load(Ordering::Relaxed));
                    thought.or_else(|fault| late.ok_or_else(|| helper.failed(&fault, None)))
                }
            };
            // When whoever asked has left, nobody waits for the answer.
            let thought = tokio::select! {
                thought = aside(&hall, visit.address, asked) => thought,
                () = answers.closed() => return,
            };
            hinting.store(false, Ordering::SeqCst);
            let answer = match thought {
                Ok(thought) => {
                    let by = (room.opening.game.as_str(), by.as_str());
                    let seen = SeenThought::of((at, seat), by, &thought, &offers);
                    to_text(&json!({ "kind": "hint", "thought": seen.speaking(visit.language) }))
                }
                Err(error) => refusal(visit, &error),
            };
            let _ = answers.send(answer).await;
        });
    }
    Ok(())
}
