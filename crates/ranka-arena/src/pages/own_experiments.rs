//! Experiments of one's own: a file that is edited on the page, or simply one agent against another.

use super::experiments::{ONLY_HERE, running};
use super::home::title;
use super::layout::page;
use super::{Answer, Failure};
use crate::hall::Hall;
use crate::runs::{self, OWN};
use crate::visit::Visit;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use ranka_core::Error;
use ranka_lab::experiment::Size;
use serde::Deserialize;
use std::sync::Arc;

/// Where one's own experiments begin, on the page of all.
pub(super) fn entrance(visit: Visit) -> Markup {
    let say = |text| visit.language.say(text);
    html! {
        section.own {
            h2 { (say("One agent against another")) }
            form.versus id="versus" method="post" action="/experiments/match" {
                label { (say("Game")) select name="game" { @for entry in ranka_games::catalogue() {
                    option value=(entry.info().name) { (title(entry.as_ref(), visit.language)) }
                } } }
                label { "A" input name="a" required spellcheck="false" value="level:rank=7"; }
                label { "B" input name="b" required spellcheck="false" value="random"; }
                label { (say("Games")) input name="games" type="number" min="2" max="1000000" value="200"; }
                button.primary { (say("Begin")) }
            }
            p { a href="/experiments/own" { (say("Write an experiment of your own")) } }
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct From {
    from: Option<String>,
}

/// A file to begin with: that of a paper, or a small one.
pub(crate) async fn edit(visit: Visit, Query(from): Query<From>) -> Answer<Markup> {
    if !visit.trusted {
        return Err(Failure::forbidden(visit, ONLY_HERE));
    }
    let source = match &from.from {
        None => Ok(versus("kalah", "minimax:depth=3", "random", 200)),
        Some(name) => runs::find(name).and_then(|(paper, name)| Ok(paper.experiment(&name)?.source)),
    };
    let source = source.map_err(|error| Failure::of(visit, &error))?;
    Ok(editor(visit, &source, None))
}

/// The editor; what is wrong stands at its line.
fn editor(visit: Visit, source: &str, error: Option<&Error>) -> Markup {
    let say = |text| visit.language.say(text);
    let told = error.map(|error| visit.told(error));
    let line = told.as_deref().and_then(line_of);
    let body = html! {
        h1 { (say("An experiment of your own")) }
        p { (say("What the keys mean is told in docs/experiments.md and by")) " " code { "ranka experiment schema" } "." }
        @if let Some(told) = &told {
            div.error id="error" role="alert" {
                p { (told.lines().next().unwrap_or_default()) }
                @if let Some(line) = line { p { code { (line) " │ " (source.lines().nth(line - 1).unwrap_or_default()) } } }
            }
        }
        form.toml method="post" action="/experiments/own" {
            label { (say("The file"))
                textarea id="source" name="source" rows="24" spellcheck="false" data-line=[line] { (source) } }
            div.buttons {
                button.primary name="size" value="quick" { (say("Quick")) }
                button name="size" value="full" { (say("For a verdict")) }
            }
        }
    };
    page(visit, say("An experiment of your own"), &["toml.js"], &body)
}

/// The line that a message names.
fn line_of(told: &str) -> Option<usize> {
    let rest = told.split("line ").nth(1)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|&line| line > 0)
}

#[derive(Deserialize)]
pub(crate) struct Written {
    source: String,
    size: String,
}

pub(crate) async fn start(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Form(written): Form<Written>,
) -> Answer<Response> {
    if !visit.trusted {
        return Err(Failure::forbidden(visit, ONLY_HERE));
    }
    let source = written.source.replace("\r\n", "\n");
    let size = if written.size == "full" { Size::Full } else { Size::Quick };
    Ok(match runs::own(&source).and_then(|_| hall.runs.start_own(&source, size)) {
        Ok(name) => Redirect::to(&format!("/experiments/{name}")).into_response(),
        Err(error) => (super::status(&error), editor(visit, &source, Some(&error))).into_response(),
    })
}

#[derive(Deserialize)]
pub(crate) struct Versus {
    game: String,
    a: String,
    b: String,
    games: u64,
}

/// One agent against another, as the file of an experiment.
fn versus(game: &str, a: &str, b: &str, games: u64) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let name = format!("{a} against {b}");
    format!(
        "title = {}\nquestion = \"Who is stronger?\"\ngame = {}\ngames = {{ quick = {games}, full = {games} }}\nfigures = [\"score\", \"win\", \"draw\"]\n\n\
         [[pairing]]\nname = {}\nagents = [{}, {}]\n",
        quoted(&name),
        quoted(game),
        quoted(&name),
        quoted(a),
        quoted(b),
    )
}

pub(crate) async fn start_match(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Form(asked): Form<Versus>,
) -> Answer<Response> {
    if !visit.trusted {
        return Err(Failure::forbidden(visit, ONLY_HERE));
    }
    let source = versus(asked.game.trim(), asked.a.trim(), asked.b.trim(), asked.games.clamp(2, 1_000_000));
    Ok(match hall.runs.start_own(&source, Size::Full) {
        Ok(name) => Redirect::to(&format!("/experiments/{name}")).into_response(),
        Err(error) => (super::status(&error), editor(visit, &source, Some(&error))).into_response(),
    })
}

/// An experiment of one's own while it runs, and afterwards.
pub(super) fn running_page(visit: Visit, hall: &Hall, name: &str) -> Markup {
    let say = |text| visit.language.say(text);
    let kept = hall.read(|store| store.report(&format!("{OWN}/{name}"))).ok().flatten();
    let body = html! {
        h1 { (name) }
        (running(visit))
        @if kept.is_some() { p { a.button href={ "/report/" (OWN) "/" (name) } { (say("Read the report")) } } }
        p { a href="/experiments" { (say("All experiments")) } }
    };
    page(visit, name, &["run.js"], &body)
}
