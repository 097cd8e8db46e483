//! The papers' experiments: start them, watch them, read what came out.

use super::layout::page;
use super::{Answer, Failure, own_experiments};
use crate::hall::Hall;
use crate::live::beats;
use crate::runs;
use crate::translated;
use crate::visit::Visit;
use axum::Form;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use ranka_core::Error;
use ranka_lab::experiment::{Experiment, Size};
use ranka_lab::papers::{self, Paper};
use ranka_lab::{KeptReport, Store};
use serde::Deserialize;
use std::sync::Arc;

/// The sizes: how the form names them, what their buttons say.
const SIZES: [(&str, &str, Size); 3] = [
    ("quick", "Quick", Size::Quick),
    ("paper", "As in the paper", Size::Paper),
    ("full", "For a verdict", Size::Full),
];

pub(crate) async fn list(visit: Visit, State(hall): State<Arc<Hall>>) -> Answer<Markup> {
    let say = |text| visit.language.say(text);
    let all = || -> Result<_, Error> {
        let mut all = Vec::new();
        for paper in papers::papers()? {
            let names: Vec<String> = paper.experiments.iter().map(|(name, _)| name.clone()).collect();
            let experiments = names
                .iter()
                .map(|name| Ok((name.clone(), paper.experiment(name)?)))
                .collect::<Result<Vec<_>, Error>>()?;
            all.push((paper, experiments));
        }
        Ok((all, hall.read(Store::reports)?))
    };
    let (all, reports) = all().map_err(|error| Failure::of(visit, &error))?;
    let body = html! {
        h1 { (say("Experiments")) }
        // Its plots are on the experiment's own page.
        div.brief { (running(visit)) }
        (who_may(visit))
        @if visit.trusted { (own_experiments::entrance(visit)) }
        @for (paper, experiments) in &all { (paper_part(paper, experiments, &reports, visit)) }
    };
    Ok(page(visit, say("Experiments"), &["run.js"], &body))
}

/// Who comes from afar is told why nothing can be started.
fn who_may(visit: Visit) -> Markup {
    html! {
        @if !visit.trusted { p.small id="only-here" { (visit.language.say(ONLY_HERE)) } }
    }
}

/// An experiment takes all the machine has, for hours.
pub(super) const ONLY_HERE: &str = "Experiments are started and stopped only at the machine on which this server runs, by who came with the address that it printed.";

/// Where the run that is going on is shown.
pub(super) fn running(visit: Visit) -> Markup {
    let say = |text| visit.language.say(text);
    html! {
        section.run id="run" hidden {
            div.run-head {
                h2 { a id="run-name" {} " " span.small id="run-size" data-quick=(say("Quick")) data-paper=(say("As in the paper")) data-full=(say("For a verdict")) {} }
                p.state id="run-state" role="status" data-running=(say("Running")) data-finished=(say("Finished")) data-stopped=(say("Stopped; what was played is kept")) {}
            }
            progress id="run-progress" max="1" value="0" aria-label=(say("Games played")) {}
            p.small.run-count { span id="run-count" data-of=(say("{0} of {1} games")) {} span id="run-left"
                data-moment=(say("a few seconds left")) data-seconds=(say("about {0} s left"))
                data-minutes=(say("about {0} min left")) data-hours=(say("about {0} h left")) {} }
            div.score id="run-scored" hidden {
                p { span id="run-pairing" {} " " strong id="run-score" {} }
                svg.score-bar id="run-bar" viewBox="0 0 320 34" role="img" aria-label=(say("Score with its interval")) {}
            }
            div.figures id="run-plots" {}
            div.buttons {
                @if visit.trusted { form method="post" action="/experiments/stop" { button id="run-stop" { (say("Stop")) } } }
                a.button id="run-report" hidden { (say("Read the report")) }
            }
        }
    }
}

fn paper_part(
    paper: &Paper,
    experiments: &[(String, Experiment)],
    reports: &[KeptReport],
    visit: Visit,
) -> Markup {
    html! {
        section.paper id=(paper.name) {
            h2 { (visit.language.say(&paper.title)) }
            p.small { (visit.language.say(&paper.source)) }
            p { (visit.language.say(paper.summary.trim())) }
            ul.experiments {
                @for (name, experiment) in experiments {
                    li.card { (card(paper, name, experiment, reports, visit)) }
                }
            }
        }
    }
}

fn card(paper: &Paper, name: &str, experiment: &Experiment, reports: &[KeptReport], visit: Visit) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let full_name = format!("{}/{name}", paper.name);
    let report = reports.iter().find(|report| report.experiment == full_name);
    html! {
        h3 { a href={ "/experiments/" (full_name) } { (say(&experiment.title)) } @if let Some(place) = &experiment.place { span.small { " " (say(place)) } } }
        p { (say(experiment.question.trim())) }
        @let origins: Vec<&str> = experiment.origins().iter().map(|origin| say(origin.label())).collect();
        @if !origins.is_empty() { p.small.origins { (say("Compared with:")) " " (origins.join(", ")) } }
        @if let Some(report) = report {
            p.small {
                @let [agree, differ, few] = [0, 1, 2].map(|i| report.verdicts.get(i).copied().unwrap_or(0).to_string());
                span.agrees { (language.fill("{0} agree", [&agree])) } " · "
                span.differs { (language.fill("{0} differ", [&differ])) } " · "
                span.too-few { (language.fill("{0} with too few games", [&few])) } " · " (say(size_name(&report.size))) " · "
                a href={ "/report/" (full_name) } { (say("Read the report")) }
            }
        }
        @if visit.trusted {
            form.sizes method="post" action="/experiments" {
                input type="hidden" name="experiment" value=(full_name);
                @if experiment.games(Size::Full) == 0 {
                    button name="size" value="full" data-experiment=(full_name) { (say("Compute")) span.small { (say("without games")) } }
                } @else {
                    // The paper may have played less than a quick look does.
                    @let sizes = { let mut sizes = SIZES; sizes.sort_by_key(|(_, _, size)| experiment.games(*size)); sizes };
                    @for (value, label, size) in sizes {
                        button name="size" value=(value) data-experiment=(full_name) { (say(label)) span.small { (language.games(experiment.games(size))) } }
                    }
                }
            }
        }
    }
}

/// A report's size as its button says it.
fn size_name(size: &str) -> &str {
    let [(_, quick, _), (_, paper, _), (_, full, _)] = SIZES;
    match size {
        "--quick" => quick,
        "the paper's size" => paper,
        "default" => "Default size",
        "--full" => full,
        other => other,
    }
}

/// One experiment by itself, with the file that says what is done.
pub(crate) async fn one(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((paper, name)): Path<(String, String)>,
) -> Answer<Markup> {
    let say = |text| visit.language.say(text);
    if paper == runs::OWN {
        return Ok(own_experiments::running_page(visit, &hall, &name));
    }
    let look = || -> Result<_, Error> {
        let (paper, name) = runs::find(&format!("{paper}/{name}"))?;
        let experiment = paper.experiment(&name)?;
        Ok((paper, name, experiment, hall.read(Store::reports)?))
    };
    let (paper, name, experiment, reports) = look().map_err(|error| Failure::of(visit, &error))?;
    let body = html! {
        p.small { a href={ "/experiments#" (paper.name) } { (visit.language.say(&paper.title)) } }
        h1 { (visit.language.say(&experiment.title)) }
        (running(visit))
        div.card.alone { (card(&paper, &name, &experiment, &reports, visit)) }
        (who_may(visit))
        @if let Some(note) = &experiment.note { p { (visit.language.say(note.trim())) } }
        h2 { (say("What is done")) }
        p { (say("Change a copy of this file and run it with")) " " code { "ranka experiment run FILE" } "." }
        @if visit.trusted { p { a.button id="edit" href={ "/experiments/own?from=" (paper.name) "/" (name) } { (say("Change a copy here")) } } }
        pre tabindex="0" { (experiment.source) }
    };
    Ok(page(visit, visit.language.say(&experiment.title), &["run.js"], &body))
}

#[derive(Deserialize)]
pub(crate) struct Start {
    experiment: String,
    size: String,
}

pub(crate) async fn start(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Form(start): Form<Start>,
) -> Answer<Redirect> {
    if !visit.trusted {
        return Err(Failure::forbidden(visit, ONLY_HERE));
    }
    let size = SIZES.iter().find(|(name, _, _)| *name == start.size).map(|&(_, _, size)| size);
    let size =
        size.ok_or_else(|| Error::input(format!("size {:?}: expected quick, paper or full", start.size)));
    let started = size.and_then(|size| hall.runs.start(&start.experiment, size));
    started.map_err(|error| Failure::of(visit, &error))?;
    Ok(Redirect::to(&format!("/experiments/{}", start.experiment)))
}

pub(crate) async fn stop(visit: Visit, State(hall): State<Arc<Hall>>) -> Answer<Redirect> {
    if !visit.trusted {
        return Err(Failure::forbidden(visit, ONLY_HERE));
    }
    hall.runs.stop();
    Ok(Redirect::to("/experiments"))
}

/// The last report of an experiment. Its style is in it, so that it can be saved; scripts it has none.
pub(crate) async fn report(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((paper, name)): Path<(String, String)>,
) -> Answer<Response> {
    let kept = hall
        .read(|store| store.report(&format!("{paper}/{name}")))
        .map_err(|error| Failure::of(visit, &error))?;
    let kept = kept.ok_or_else(|| Failure::missing(visit, "This experiment has no report yet."))?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";
    // It was written to stand by itself; here it has the visitor's theme and a way back.
    let themed = format!("<html lang=\"{}\" data-theme=\"{}\">", visit.language.code(), visit.theme.name());
    let page = kept.page.replacen("<html lang=\"en\">", &themed, 1);
    let page = page.replacen("href=\"index.html\"", "href=\"/experiments\"", 1);
    let page = translated::page(&page, visit.language);
    Ok(([(CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

/// What a report links to: tables, games, plots.
pub(crate) async fn report_file(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((paper, folder, file)): Path<(String, String, String)>,
) -> Answer<Response> {
    if folder != paper {
        return Err(Failure::missing(visit, "There is no such page."));
    }
    let read = tokio::task::block_in_place(|| hall.runs.file(&paper, &file));
    let bytes = read.map_err(|error| Failure::of(visit, &error))?;
    let kind = match file.rsplit_once('.').map_or("", |(_, end)| end) {
        "csv" => "text/csv; charset=utf-8",
        "tex" => "application/x-tex; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    // A plot brings its own style.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    Ok(([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, policy)], bytes).into_response())
}

/// How far the run is, as it goes.
pub(crate) async fn live(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let permit = hall.connect().map_err(|error| Failure::of(visit, &error))?;
    Ok(upgrade.max_message_size(1024).on_upgrade(async move |socket| {
        tell(&hall, visit, socket).await;
        drop(permit);
    }))
}

async fn tell(hall: &Hall, visit: Visit, mut socket: WebSocket) {
    let mut news = hall.runs.subscribe();
    news.mark_changed();
    let mut beat = tokio::time::interval(hall.limits.beat);
    let patience = hall.limits.patience;
    loop {
        tokio::select! {
            _ = beat.tick() => {
                let sent = tokio::time::timeout(patience, socket.send(Message::Text(beats(hall.limits.beat).into()))).await;
                if !matches!(sent, Ok(Ok(()))) { return }
            }
            heard = news.changed() => {
                if heard.is_err() { return }
                let told = news.borrow_and_update().as_ref().map(|told| told.to(visit));
                let text = serde_json::to_string(&told).expect("progress is text and numbers");
                let sent = tokio::time::timeout(patience, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) { return }
                // Often enough for the eye.
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            }
            message = socket.recv() => if !matches!(message, Some(Ok(_))) { return },
        }
    }
}
