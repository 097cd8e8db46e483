//! What people have taught: the table that their judgements make.

use super::layout::page;
use super::{Answer, Failure};
use crate::hall::Hall;
use crate::labelling;
use crate::visit::Visit;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use std::sync::Arc;

pub(crate) async fn show(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(collection): Path<String>,
) -> Answer<Markup> {
    let language = visit.language;
    let say = |text| language.say(text);
    let (table, [good, unsure, bad]) =
        labelling::taught(&hall, &collection).map_err(|error| Failure::of(visit, &error))?;
    let body = html! {
        h1 { (language.fill("What was taught: {0}", [&collection])) }
        p id="counts" { (language.fill("{0} good, {1} unsure, {2} bad", [&good.to_string(), &unsure.to_string(), &bad.to_string()])) }
        div.buttons {
            a.button href={ "/labels/" (collection) "/table.csv" } { (say("Save as CSV")) }
            @if table.size().1 > 0 {
                form method="post" action="/new" {
                    input type="hidden" name="game" value="tubstap";
                    input type="hidden" name="who1" value="uct";
                    input type="hidden" name="params1" value=(labelling::params_of(&collection));
                    button.primary id="play-taught" { (say("Play against an agent that knows this")) }
                }
            }
        }
        @if table.size().1 == 0 { p.error { (say("nothing was taught yet")) } }
        @if table.entries().next().is_some() { div.wide { table.facts {
            tr { th { (say("Unit")) } th.n { (say("HP after")) } th { (say("Attacks")) } th.n { (say("Damage")) } th.n { (say("Danger")) } th.n { (say("Membership")) } th.n { (say("Judged")) } }
            @for (features, _, count, membership) in table.entries() {
                @let [kind, hp, target, damage, danger] = features.numbers();
                tr { td { (say(labelling::kind_name(kind))) } td.n { (hp) } td { (say(labelling::kind_name(target))) } td.n { (damage) } td.n { (danger) }
                     td.n { (format!("{membership:.2}")) } td.n { (count) } }
            }
        } } }
    };
    Ok(page(visit, say("What was taught"), &[], &body))
}

pub(crate) async fn csv(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(collection): Path<String>,
) -> Answer<Response> {
    let (table, _) = labelling::taught(&hall, &collection).map_err(|error| Failure::of(visit, &error))?;
    let headers = [(CONTENT_TYPE, "text/csv"), (CONTENT_DISPOSITION, "attachment; filename=\"table.csv\"")];
    Ok((headers, table.write_csv()).into_response())
}
