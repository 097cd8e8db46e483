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
const SCRIPT: &str = include_str!("../../static/export.js");

/// The animated page of a record.
pub(crate) async fn page(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name)): Path<(String, String)>,
) -> Answer<Response> {
    let (record, game) = found(&hall, visit, &source, &name)?;
    let drawn = tokio::task::block_in_place(|| Film::of(game.as_ref(), &record, visit.language));
    let film = drawn.map_err(|error| Failure::of(visit, &error))?;
    let agents = record.agents.iter().map(|agent| visit.policy().called(&record.game, agent));
    let agents = agents.collect::<Vec<_>>().join(" – ");
    let title = format!("{}: {agents}", name_in(game.info(), visit.language));
    // Where it is opened instead of saved it has no part in this site.
    let policy = format!("{POLICY}; frame-ancestors 'none'; sandbox allow-scripts");
    let headers = [
        (CONTENT_SECURITY_POLICY, policy),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}.html\"", record.game)),
    ];
    Ok((headers, Html(show(&film, &title, visit).into_string())).into_response())
}

/// The pictures of a game. They share most of what they are made of, so the parts are kept once.
pub(crate) struct Film {
    parts: Vec<String>,
    /// The parts of each picture.
    frames: Vec<Vec<usize>>,
    says: Vec<String>,
}

impl Film {
    pub(crate) fn of(game: &dyn AnyGame, record: &Record, language: Language) -> Result<Film, Error> {
        let mut film = Film { parts: Vec::new(), frames: Vec::new(), says: vec![String::new()] };
        let mut known = HashMap::new();
        let mut table = table_after(game, record, 0)?;
        film.add(&table.unveiled(&language.look(Seat::FIRST)), &mut known);
        for action in words(record) {
            let message =
                table.actor().seat().and_then(|seat| table.message(seat, action)).unwrap_or_default();
            film.says.push(said(&message, action, language));
            table.replay(action)?;
            film.add(&table.unveiled(&language.look(Seat::FIRST)), &mut known);
        }
        Ok(film)
    }

    fn add(&mut self, picture: &str, known: &mut HashMap<String, usize>) {
        let mut frame = Vec::new();
        let mut rest = picture;
        while !rest.is_empty() {
            // A part ends where the next element begins.
            let end = rest.get(1..).and_then(|later| later.find('<')).map_or(rest.len(), |at| at + 1);
            let (part, later) = rest.split_at(end);
            let next = known.len();
            let number = *known.entry(part.to_owned()).or_insert(next);
            if number == next {
                self.parts.push(part.to_owned());
            }
            frame.push(number);
            rest = later;
        }
        self.frames.push(frame);
    }

    /// The picture's number of the last frame.
    fn last(&self) -> usize {
        self.frames.len() - 1
    }

    /// Each picture as what is another in it than in the one before: from which part on, how many go, and which come.
    /// Where as many come as go, single parts may be less: place, part, place, part.
    fn coded(&self) -> Vec<Value> {
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

    /// As the script reads it. Inside a script element nothing may look like its end.
    fn json(&self) -> String {
        json!({ "parts": self.parts, "frames": self.coded(), "says": self.says })
            .to_string()
            .replace('<', "\\u003c")
    }
}

fn show(film: &Film, title: &str, visit: Visit) -> Markup {
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
                (player(film, visit.language))
            }
        }
    }
}

/// The board with what goes through its pictures.
pub(crate) fn player(film: &Film, language: Language) -> Markup {
    let say = |text| language.say(text);
    html! {
        div id="board" {}
        p id="says" role="status" {}
        div.slider {
            button id="back" aria-label=(say("One back")) { "◀" }
            input id="frame" type="range" min="0" max=(film.last()) value="0" aria-label=(say("Action"));
            button id="forth" aria-label=(say("One on")) { "▶" }
            button id="run" { (say("Play back")) }
        }
        script type="application/json" id="film" { (PreEscaped(film.json())) }
        script { (PreEscaped(SCRIPT)) }
    }
}
