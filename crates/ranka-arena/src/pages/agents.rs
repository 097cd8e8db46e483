//! Who plays: the agents of each game with their documentation.

use super::home::title;
use super::layout::page;
use super::{Answer, Failure};
use crate::visit::Visit;
use axum::extract::Path;
use maud::{Markup, html};
use ranka_core::{Entry, Kind, Param};

pub(crate) async fn all(visit: Visit) -> Markup {
    let say = |text| visit.language.say(text);
    let body = html! {
        h1 { (say("Agents")) }
        p.lead { (say("An agent is written name:key=value,key=value, here as on the command line.")) }
        @for entry in ranka_games::catalogue() {
            section {
                h2 { a href={ "/agents/" (entry.info().name) } { (title(entry.as_ref(), visit.language)) } }
                ul.list { @for (name, summary, _) in entry.agents() {
                    li { a href={ "/agents/" (entry.info().name) "#" (name) } { code { (name) } } " " (say(summary)) }
                } }
            }
        }
    };
    page(visit, say("Agents"), &[], &body)
}

pub(crate) async fn of(visit: Visit, Path(game): Path<String>) -> Answer<Markup> {
    let entry = ranka_games::game(&game).map_err(|error| Failure::input(visit, &error))?;
    let say = |text| visit.language.say(text);
    let name = title(entry, visit.language);
    let body = html! {
        h1 { (name) }
        @for (name, summary, params) in entry.agents() { (agent(entry, name, summary, &params, visit)) }
    };
    Ok(page(visit, &format!("{} · {name}", say("Agents")), &[], &body))
}

fn agent(entry: &dyn Entry, name: &str, summary: &'static str, params: &[Param], visit: Visit) -> Markup {
    let say = |text| visit.language.say(text);
    html! {
        section.agent id=(name) {
            h2 { code { (name) } }
            p { (say(summary)) }
            @if !params.is_empty() {
                div.wide { table {
                    tr { th { (say("Parameter")) } th { (say("Default")) } th { (say("May be")) } th { (say("What it does")) } }
                    @for param in params {
                        tr { td { code { (param.key) } } td { (param.default) } td.small { (range(&param.kind, visit)) } td { (say(param.help)) } }
                    }
                } }
            }
            @let rules = entry.info().adaptive.filter(|(agent, _)| *agent == name).map_or("", |(_, rules)| rules);
            p { a.button href={ "/new/" (entry.info().name) "?agent=" (name) "&rules=" (rules) } { (say("Play against it")) } }
        }
    }
}

fn range(kind: &Kind, visit: Visit) -> String {
    match kind {
        Kind::Int { min, max } => format!("{min}–{max}"),
        Kind::Real { min, max } => format!("{min}–{max}"),
        Kind::Choice(words) => words.join(", "),
        Kind::Text => visit.language.say("any text").to_owned(),
    }
}
