//! The analysis board: any position, moves for both sides, and what the judge thinks of them.

use super::home::{name_in, title};
use super::layout::{asking, page};
use super::new::is_harmless;
use super::{refused, thoughts};
use crate::hall::Hall;
use crate::labelling;
use crate::opening::Policy;
use crate::review::{analyst, aside, time_for};
use crate::seen::{SeenThought, offered, said};
use crate::visit::Visit;
use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, stream};
use maud::{Markup, PreEscaped, html};
use ranka_core::{Actor, AnyGame, AnyTable, Error, GameEntry, Seat, Seed, Settings, Thought};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How long at least lies between two thoughts that are told of.
const BETWEEN: Duration = Duration::from_millis(150);

#[derive(Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    game: String,
    rules: String,
    position: String,
    agent: String,
    /// Whether to tell what is thought while it grows.
    growing: bool,
}

impl Default for Asked {
    fn default() -> Asked {
        let [game, rules, position, agent] = ["kalah", "", "", ""].map(str::to_owned);
        Asked { game, rules, position, agent, growing: false }
    }
}

impl Asked {
    /// The game with what the position shows, and a table at it.
    pub(super) fn open(&self, policy: Policy) -> Result<(Arc<dyn AnyGame>, Box<dyn AnyTable>), Error> {
        let game = policy.open(&self.game, self.rules.trim())?;
        let position = match self.position.trim() {
            "" | "start" => game.start(Seed::new(0)),
            position => position.to_owned(),
        };
        let game = game.for_position(&position)?;
        // What chance does follows from the position, so that the same is tried under the same luck.
        let seed = Seed::new(
            position.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte))),
        );
        let table = game.table(Some(&position), &vec![None; game.seats()], seed)?;
        Ok((game, table))
    }
}

pub(crate) async fn show(visit: Visit, Query(mut asked): Query<Asked>) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let opened = asked.open(visit.policy());
    if !is_harmless(&asked.game, &asked.agent) {
        asked.agent.clear();
    }
    let body = html! {
        @match &opened {
            Err(error) => { h1 { (say("Analysis")) } p.error role="alert" { (visit.told(error)) } }
            Ok((game, table)) => { (shown(game.as_ref(), table.as_ref(), &asked, visit)) }
        }
        details.edit open[opened.is_err()] {
            summary { (say("Another game or position")) }
            form.position method="get" action="/position" {
                label { (say("Game")) select name="game" {
                    @for entry in ranka_games::catalogue() {
                        option value=(entry.info().name) selected[entry.info().name == asked.game] { (title(entry.as_ref(), language)) }
                    }
                } }
                label { (say("Rules, key=value,…")) input name="rules" value=(asked.rules) spellcheck="false"; }
                label.wide { (say("Position in notation; empty for the start"))
                    textarea id="notation" name="position" rows="2" spellcheck="false" { (asked.position) } }
                p { button id="show" { (say("Show")) } }
            }
        }
    };
    page(visit, say("Analysis"), &["position.js"], &body)
}

/// The board, on which both sides are moved, and beside it what was tried and what the judge thinks of it.
fn shown(game: &dyn AnyGame, table: &dyn AnyTable, asked: &Asked, visit: Visit) -> Markup {
    let language = visit.language;
    let side = Seat::FIRST;
    let say = |text| language.say(text);
    let called = |seat: Seat| match table.side(seat).as_str() {
        "" => language.fill("Seat {0}", [&(seat.index() + 1).to_string()]),
        side => language.say(side).to_owned(),
    };
    let sides: Vec<String> = Seat::all(game.seats()).map(called).collect();
    let agents = ranka_games::game(&asked.game).map(GameEntry::agents).unwrap_or_default();
    html! {
        div.table id="analysis" data-position=(table.position()) data-game=(asked.game) data-rules=(game.rules_short()) data-seats=(json!(sides).to_string())
            data-start=(say("Start")) data-over=(say("The game is over")) data-to-act=(say("{0} is to act")) {
            section.board-side {
                div.board-head {
                    h1.quiet { (say("Analysis")) " · " (name_in(game.info(), language)) }
                    div.board-tools { button id="turn" { (say("Turn the board")) } }
                }
                div.board id="board" tabindex="-1" data-again=(say("touch again to play")) { (PreEscaped(table.unveiled(&language.look(side)))) }
                p.news id="news" role="log" aria-live="polite" aria-label=(say("What happened")) {}
                (asking(language))
                div.slider {
                    button id="first" aria-label=(say("To the start")) { "|◀" }
                    button id="back" aria-label=(say("One back")) { "◀" }
                    button id="forth" aria-label=(say("One on")) { "▶" }
                    label.inline { input type="checkbox" id="live" checked; (say("Show what the judge thinks")) }
                }
            }
            aside.panel {
                p.error id="error" role="alert" hidden {}
                (thoughts::place(language, |other| table.colour(side, other), &sides[0], game.seats(), ""))
                h2 { (say("Moves")) }
                ol.moves.tried id="tried" {}
                p.small id="nothing-tried" { (say("Make moves for both sides on the board. Whatever you try after going back becomes a branch.")) }
                details {
                    summary { (say("Another judge")) }
                    form.analyse id="analyse" {
                        label { (say("Analyse with")) input name="agent" value=(asked.agent) placeholder=(analyst(game).map(|agent| agent.short).unwrap_or_default()) list="agents" spellcheck="false"; }
                        datalist id="agents" { @for agent in agents { option value=(agent.name) {} } }
                        button.primary { (say("Analyse")) }
                    }
                }
                div.buttons {
                    a.button id="play-on" href={ "/new/" (asked.game) "?rules=" (query(&game.rules_short())) "&position=" (query(&table.position())) } { (say("Play on from here")) }
                    button id="copy-position" data-done=(say("Copied")) data-failed=(say("This browser does not let a page copy")) { (say("Copy the position")) }
                }
            }
        }
    }
}

/// A position, and what is tried in it.
#[derive(Deserialize)]
pub(crate) struct Tried {
    from: Asked,
    /// Nothing to see the position as it is.
    action: Option<String>,
    /// From whose side.
    #[serde(default)]
    side: usize,
}

/// The board after an action of whoever is to act, and what can be done then. Chance acts by itself.
pub(crate) async fn board(visit: Visit, Json(tried): Json<Tried>) -> Response {
    match tokio::task::block_in_place(|| after(&tried, visit)) {
        Ok(shown) => Json(shown).into_response(),
        Err(error) => refused(visit, &error),
    }
}

fn after(tried: &Tried, visit: Visit) -> Result<Value, Error> {
    let language = visit.language;
    let (game, mut table) = tried.from.open(visit.policy())?;
    let (mut says, mut steps) = (String::new(), Vec::new());
    if let Some(action) = &tried.action {
        let seat = table.actor().seat().ok_or_else(|| Error::input("no seat is to act here"))?;
        says = said(&table.message(seat, action).unwrap_or_default(), action, language);
        steps = table.motion(seat, action);
        table.act(action)?;
    }
    while table.actor() == Actor::Chance {
        table.draw();
    }
    let side = Seat::new(tried.side.min(game.seats() - 1));
    let turn = table.actor().seat();
    let offers = turn.map(|seat| offered(table.offers(seat), language)).unwrap_or_default();
    let asks: Vec<&str> = turn
        .map_or_else(Vec::new, |seat| table.asks(seat).into_iter().map(|ask| language.say(ask)).collect());
    Ok(json!({
        "position": table.position(), "picture": table.unveiled(&language.look(side)), "turn": turn.map(Seat::index),
        "offers": offers, "asks": asks, "says": says, "steps": steps,
        "verdict": language.tell(&table.verdict_for_all()),
    }))
}

/// The part of an address that names a position.
pub(super) fn way(game: &str, rules: &str, position: &str) -> String {
    format!("game={game}&rules={}&position={}", query(rules), query(position))
}

/// A text as part of an address.
pub(super) fn query(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte => out += &format!("%{byte:02X}"),
        }
        out
    })
}

/// What an agent thinks of a position: one JSON object, or for who asks for that a line for each time that it knows more.
pub(crate) async fn analyse(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Json(asked): Json<Asked>,
) -> Response {
    let growing = asked.growing;
    let mut heard = match think(&hall, visit, asked) {
        Ok(heard) => heard,
        Err(error) => return refused(visit, &error),
    };
    let mut last = match heard.next().await {
        Some(Ok(first)) => first,
        Some(Err(error)) => return refused(visit, &error),
        None => return refused(visit, &Error::internal("the analysis broke off")),
    };
    if growing {
        let lines = stream::iter([last]).chain(heard.filter_map(async |thought| thought.ok()));
        let lines = lines.map(|thought| Ok::<_, Infallible>(format!("{thought}\n")));
        return ([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response();
    }
    while let Some(thought) = heard.next().await {
        match thought {
            Ok(thought) => last = thought,
            Err(error) => return refused(visit, &error),
        }
    }
    Json(last).into_response()
}

/// What the agent tells of while it thinks, for who asks for that, and at last what it comes to. It stops when nobody
/// listens any more, or when its time is up: then what it knew by then is the last.
fn think(
    hall: &Arc<Hall>,
    visit: Visit,
    mut asked: Asked,
) -> Result<impl Stream<Item = Result<Value, Error>> + Unpin + use<>, Error> {
    let policy = visit.policy();
    let (game, table) = asked.open(policy)?;
    // Who was asked for by name thinks as long as the name says.
    let mut budget = None;
    if asked.agent.trim().is_empty() {
        asked.agent = analyst(game.as_ref())?.short;
        budget = Some(time_for(asked.growing, hall.limits.analysis));
    }
    policy.check_agent(&asked.game, &asked.agent)?;
    let seat = table.actor().seat().ok_or_else(|| Error::input("no seat is to act here"))?;
    let (position, offers) = (table.position(), table.offers(seat));
    let (teller, heard) = mpsc::unbounded_channel();
    let hall = Arc::clone(hall);
    let thinking = tokio::spawn(async move {
        let (teacher, aloud) = (Arc::clone(&hall), teller.clone());
        let done = aside(&hall, visit.address, move |cancel| {
            let settings = Settings { budget, cancel, ..Settings::default() };
            let agent = labelling::agent(&teacher, game.as_ref(), &asked.agent)?;
            let (mut told, mut latest) = (None::<Instant>, None);
            let write = |thought: &Thought<String>| {
                let by = (asked.game.as_str(), agent.short.as_str());
                let seen = SeenThought::of((0, seat), by, thought, &offers);
                json!({ "thought": seen.speaking(visit.language) })
            };
            let mut report = |thought: &Thought<String>| {
                let thought = write(thought);
                if asked.growing && told.is_none_or(|at| at.elapsed() > BETWEEN) {
                    told = Some(Instant::now());
                    let _ = aloud.send(Ok(thought.clone()));
                }
                latest = Some(thought);
            };
            match game.analyse(&position, &agent, Seed::new(0), &settings, &mut report) {
                Ok(thought) => Ok(write(&thought)),
                // Its time is up, but what it knew by then stands.
                Err(error) if cancel.load(Ordering::Relaxed) => latest.ok_or(error),
                Err(error) => Err(error),
            }
        });
        let _ = teller.send(done.await);
    });
    let state = (heard, Thinking(thinking));
    Ok(Box::pin(stream::unfold(state, async |(mut heard, thinking)| {
        heard.recv().await.map(|thought| (thought, (heard, thinking)))
    })))
}

/// Ends a task when nobody waits for it any more.
struct Thinking(JoinHandle<()>);

impl Drop for Thinking {
    fn drop(&mut self) {
        self.0.abort();
    }
}
