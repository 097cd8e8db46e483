//! A game as one file that plays by itself: every picture, and the few lines that go through them.

use super::home::name_in;
use super::replay::{found, table_after, words};
use super::{Answer, Failure};
use crate::hall::Hall;
use crate::seen::said;
use crate::visit::Visit;
use crate::words::Language;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use ranka_core::{AnyGame, Error, Record, Seat};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// What the file may do: run what is in it, and fetch nothing.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("../../static/export.css");
const SCRIPT: &str = concat!(include_str!("../../static/film.js"), include_str!("../../static/export.js"));

/// The animated page of a record.
pub(crate) async fn page(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name)): Path<(String, String)>,
) -> Answer<Response> {
    let (record, game) = found(&hall, visit, &source, &name)?;
    let mut film = Film::default();
    let drawn = tokio::task::block_in_place(|| film.draw(game.as_ref(), &record, visit.language));
    let reel = drawn.map_err(|error| Failure::of(visit, &error))?;
    let agents = record.agents.iter().map(|agent| visit.policy().called(&record.game, agent));
    let agents = agents.collect::<Vec<_>>().join(" – ");
    let title = format!("{}: {agents}", name_in(game.info(), visit.language));
    // Where it is opened instead of saved it has no part in this site.
    let policy = format!("{POLICY}; frame-ancestors 'none'; sandbox allow-scripts");
    let headers = [
        (CONTENT_SECURITY_POLICY, policy),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}.html\"", record.game)),
    ];
    Ok((headers, Html(show(&film, &reel, &title, visit).into_string())).into_response())
}

/// The pictures of games. They share most of what they are made of, so the parts are kept once.
#[derive(Default)]
pub(crate) struct Film {
    parts: Vec<String>,
    known: HashMap<String, usize>,
}

/// The pictures of one game, with who did what before each.
pub(crate) struct Reel {
    /// The parts of each picture.
    frames: Vec<Vec<usize>>,
    pub(crate) says: Vec<String>,
    /// Nobody before the first picture, and where chance acted.
    pub(crate) by: Vec<Option<usize>>,
    /// The colour of each seat on the board.
    pub(crate) colours: Vec<&'static str>,
    /// Why it ended as it did, by its rules; empty if it was ended otherwise.
    pub(crate) verdict: String,
}

impl Film {
    /// Draws a game.
    pub(crate) fn draw(
        &mut self,
        game: &dyn AnyGame,
        record: &Record,
        language: Language,
    ) -> Result<Reel, Error> {
        let mut table = table_after(game, record, 0)?;
        let look = language.look(Seat::FIRST);
        let mut frames = vec![self.frame(&table.unveiled(&look))];
        let (mut says, mut by) = (vec![String::new()], vec![None]);
        for action in words(record) {
            let seat = table.actor().seat();
            let message = seat.and_then(|seat| table.message(seat, action)).unwrap_or_default();
            says.push(said(&message, action, language));
            by.push(seat.map(Seat::index));
            table.replay(action)?;
            frames.push(self.frame(&table.unveiled(&look)));
        }
        let colours = Seat::all(record.agents.len()).map(|seat| table.colour(Seat::FIRST, seat)).collect();
        let verdict = language.tell(&table.verdict_for_all());
        Ok(Reel { frames, says, by, colours, verdict })
    }

    fn frame(&mut self, picture: &str) -> Vec<usize> {
        let mut frame = Vec::new();
        let mut rest = picture;
        while !rest.is_empty() {
            // A part ends where the next element begins.
            let end = rest.get(1..).and_then(|later| later.find('<')).map_or(rest.len(), |at| at + 1);
            let (part, later) = rest.split_at(end);
            let next = self.known.len();
            let number = *self.known.entry(part.to_owned()).or_insert(next);
            if number == next {
                self.parts.push(part.to_owned());
            }
            frame.push(number);
            rest = later;
        }
        frame
    }

    /// What the pictures are made of.
    pub(crate) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// As the script reads it. Inside a script element nothing may look like its end.
    fn json(&self, reel: &Reel) -> String {
        json!({ "parts": self.parts, "frames": reel.coded(), "says": reel.says })
            .to_string()
            .replace('<', "\\u003c")
    }
}

impl Reel {
    /// The picture's number of the last frame.
    fn last(&self) -> usize {
        self.frames.len() - 1
    }

    /// Each picture as what is another in it than in the one before: from which part on, how many go, and which come.
    /// Where as many come as go, single parts may be less: place, part, place, part.
    pub(crate) fn coded(&self) -> Vec<Value> {
        let mut coded = Vec::with_capacity(self.frames.len());
        let mut before: &[usize] = &[];
        for frame in &self.frames {
            let shorter = frame.len().min(before.len());
            let same = frame.iter().zip(before).take_while(|(part, old)| part == old).count();
            let ends = frame.iter().rev().zip(before.iter().rev()).take(shorter - same);
            let same_end = ends.take_while(|(part, old)| part == old).count();
            let (go, come) = (before.len() - same - same_end, &frame[same..frame.len() - same_end]);
            let other = frame.iter().zip(before).enumerate().filter(|(_, (part, old))| part != old);
            let single: Vec<usize> = other.flat_map(|(place, (&part, _))| [place, part]).collect();
            let singly = frame.len() == before.len() && single.len() < come.len();
            coded.push(if singly {
                json!({ "set": single })
            } else {
                json!({ "from": same, "go": go, "come": come })
            });
            before = frame;
        }
        coded
    }
}

fn show(film: &Film, reel: &Reel, title: &str, visit: Visit) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(visit.language.code()) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                (player(film, reel, visit.language))
            }
        }
    }
}

/// The board with what goes through its pictures.
fn player(film: &Film, reel: &Reel, language: Language) -> Markup {
    let say = |text| language.say(text);
    html! {
        div id="board" {}
        p id="says" role="status" {}
        div.slider {
            button id="back" aria-label=(say("One back")) { "◀" }
            input id="frame" type="range" min="0" max=(reel.last()) value="0" aria-label=(say("Action"));
            button id="forth" aria-label=(say("One on")) { "▶" }
            button id="run" { (say("Play back")) }
        }
        script type="application/json" id="film" { (PreEscaped(film.json(reel))) }
        script { (PreEscaped(SCRIPT)) }
    }
}
