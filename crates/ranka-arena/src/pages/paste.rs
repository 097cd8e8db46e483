//! Records from elsewhere, pasted or as a file: one is shown, of many a list.

use super::{Answer, Failure};
use crate::hall::Hall;
use crate::review::aside;
use crate::visit::Visit;
use axum::Form;
use axum::extract::State;
use axum::response::Redirect;
use maud::{Markup, html};
use ranka_core::{Error, Record};
use ranka_lab::{IMPORT, Replayer, imported_name};
use serde::Deserialize;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How many records are taken at a time.
const MOST: usize = 500;

/// Where they are pasted.
pub(super) fn form(visit: Visit, hall: &Hall) -> Markup {
    let say = |text| visit.language.say(text);
    let most = hall.limits.pasted;
    html! {
        form.paste id="paste" method="post" action="/paste" data-most=(most) {
            label.wide { span { (with_code(say("Records as `ranka record show --json` or `ranka record export` prints them, one or many"))) }
                textarea name="record" rows="5" spellcheck="false" required {} }
            label id="from-file" hidden { (say("Or a file, which may also be dropped here"))
                input type="file" accept=".jsonl,.json,.ndjson,.txt,application/json"; }
            p.error id="too-long" role="alert" hidden { (say("This file is longer than the server takes.")) }
            p { button { (say("Replay")) } }
        }
    }
}

/// A text in which what stands between backticks is typed into a terminal.
fn with_code(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Pasted {
    record: String,
}

/// Takes what was pasted into the store, all or nothing.
pub(crate) async fn take(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Form(pasted): Form<Pasted>,
) -> Answer<Redirect> {
    let policy = visit.policy();
    let checked = aside(&hall, visit.address, move |stop| {
        let mut replayer = Replayer::default();
        let mut records = Vec::new();
        for (place, record) in
            serde_json::Deserializer::from_str(pasted.record.trim()).into_iter::<Record>().enumerate()
        {
            let refuse =
                |error: Error| if place == 0 { error } else { error.at(format!("record {}", place + 1)) };
            let record = record.map_err(|e| refuse(Error::input(format!("this is no record: {e}"))))?;
            if place == MOST || stop.load(Ordering::Relaxed) {
                return Err(Error::input("these are more records than are taken at a time"));
            }
            policy.open(&record.game, &record.rules).map_err(refuse)?;
            replayer.check_foreign(&record).map_err(refuse)?;
            records.push(record);
        }
        if records.is_empty() {
            return Err(Error::input("there is no record in this"));
        }
        Ok(records)
    });
    let records = checked.await.map_err(|error| Failure::of(visit, &error))?;
    let kept = hall.write(|store| {
        if store.imported_count()? + records.len() as u64 > hall.limits.records {
            return Err(Error::busy("so many records were pasted already that the store takes no more"));
        }
        store.import(&records)
    });
    let kept = kept.map_err(|error| Failure::of(visit, &error))?;
    let numbers = || kept.iter().map(|(number, _)| *number);
    Ok(match (numbers().min(), numbers().max()) {
        (Some(first), Some(last)) if first < last => {
            Redirect::to(&format!("/watch/{IMPORT}?first={first}&last={last}"))
        }
        (first, _) => Redirect::to(&format!("/replay/{}", imported_name(first.unwrap_or_default()))),
    })
}
