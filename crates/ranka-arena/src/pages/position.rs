//! A position by its notation, drawn and analysed.

use super::home::title;
use super::layout::page;
use super::new::is_harmless;
use super::{refused, thoughts};
use crate::hall::Hall;
use crate::labelling;
use crate::opening::Policy;
use crate::review::aside;
use crate::seen::{SeenThought, said};
use crate::visit::Visit;
use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, stream};
use maud::{Markup, PreEscaped, html};
use ranka_core::{AnyGame, AnyTable, Error, Seat, Seed, Settings, Thought};
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
        let table = game.table(Some(&position), &vec![None; game.seats()], Seed::new(0))?;
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
        h1 { (say("Positions")) }
        form.position method="get" action="/position" {
            label { (say("Game")) select name="game" {
                @for entry in ranka_games::catalogue() {
                    option value=(entry.info().name) selected[entry.info().name == asked.game] { (title(entry.as_ref(), language)) }
                }
            } }
            label { (say("Rules, key=value,…")) input name="rules" value=(asked.rules) spellcheck="false"; }
            label.wide { (say("Position in notation; empty for the start"))
                textarea name="position" rows="1" spellcheck="false" { (asked.position) } }
            p { button id="show" { (say("Show")) } }
        }
        @match &opened {
            Err(error) => { p.error role="alert" { (visit.told(error)) } }
            Ok((game, table)) => { (shown(game.as_ref(), table.as_ref(), &asked, visit)) }
        }
    };
    page(visit, say("Positions"), &["position.js"], &body)
}

fn shown(game: &dyn AnyGame, table: &dyn AnyTable, asked: &Asked, visit: Visit) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let seat = table.actor().seat().unwrap_or(Seat::FIRST);
    let offers = table.offers(seat);
    let position = table.position();
    let agent = if asked.agent.is_empty() { game.info().sparring } else { &asked.agent };
    html! {
        div.table data-position=(position) data-game=(asked.game) data-rules=(game.rules_short()) {
            section.board-side {
                div.board id="board" { (PreEscaped(table.unveiled(&language.look(seat)))) }
                p.ask id="ask" role="status" aria-live="polite" {
                    @match table.actor() {
                        ranka_core::Actor::Seat(seat) => { (language.fill("Seat {0} is to act", [&(seat.index() + 1).to_string()])) }
                        ranka_core::Actor::Chance => { (say("Chance is to act")) }
                        ranka_core::Actor::Over => { (say("The game is over")) }
                    }
                }
            }
            aside.panel {
                form.analyse id="analyse" {
                    label { (say("Analyse with")) input name="agent" value=(agent) list="agents" spellcheck="false"; }
                    datalist id="agents" { @if let Ok(entry) = ranka_games::game(&asked.game) { @for agent in entry.agents() { option value=(agent.name) {} } } }
                    button.primary disabled[table.actor().seat().is_none()] { (say("Analyse")) }
                }
                p.error id="error" role="alert" hidden {}
                (thoughts::place(language, |other| table.colour(seat, other), ""))
                h2 { (say("Actions")) " " span.small { (offers.len()) } }
                ul.actions { @for offer in &offers {
                    @let after = game.step(&position, &offer.action).map(|next| next.position);
                    li {
                        @if let Ok(after) = after {
                            a href={ "/position?game=" (asked.game) "&rules=" (query(&game.rules_short())) "&position=" (query(&after)) } title=(said(&offer.message, &offer.action, language)) { (offer.action) }
                        } @else { (offer.action) }
                    }
                } }
                div.buttons {
                    a.button href={ "/new/" (asked.game) "?rules=" (query(&game.rules_short())) "&position=" (query(&position)) } { (say("Play on from here")) }
                }
            }
        }
    }
}

/// A text as part of an address.
fn query(text: &str) -> String {
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
    let mut heard = match think(&hall, visit.policy(), asked) {
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
    policy: Policy,
    asked: Asked,
) -> Result<impl Stream<Item = Result<Value, Error>> + Unpin + use<>, Error> {
    let (game, table) = asked.open(policy)?;
    policy.check_agent(&asked.game, &asked.agent)?;
    let seat = table.actor().seat().ok_or_else(|| Error::input("no seat is to act here"))?;
    let (position, offers) = (table.position(), table.offers(seat));
    let (teller, heard) = mpsc::unbounded_channel();
    let hall = Arc::clone(hall);
    let thinking = tokio::spawn(async move {
        let (teacher, aloud) = (Arc::clone(&hall), teller.clone());
        let done = aside(&hall, move |cancel| {
            let settings = Settings { cancel, ..Settings::default() };
            let agent = labelling::agent(&teacher, game.as_ref(), &asked.agent)?;
            let (mut told, mut latest) = (None::<Instant>, None);
            let write =
                |thought: &Thought<String>| json!({ "thought": SeenThought::of(0, seat, thought, &offers) });
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
