//! Who plays: the agents of each game with their documentation.

use super::home::title;
use super::layout::page;
use super::{Answer, Failure};
use crate::visit::Visit;
use axum::extract::Path;
use maud::{Markup, html};
use ranka_core::{AgentInfo, GameEntry, Param, ParamKind};

pub(crate) async fn all(visit: Visit) -> Markup {
    let say = |text| visit.language.say(text);
    let body = html! {
        h1 { (say("Agents")) }
        p.lead { (say("An agent is written name:key=value,key=value, here as on the command line.")) }
        @for entry in ranka_games::catalogue() {
            section {
                h2 { a href={ "/agents/" (entry.info().name) } { (title(entry.as_ref(), visit.language)) } }
                ul.list { @for agent in entry.agents() {
                    li { a href={ "/agents/" (entry.info().name) "#" (agent.name) } { code { (agent.name) } } " " (say(agent.summary)) }
                } }
            }
        }
    };
    page(visit, say("Agents"), &[], &body)
}

pub(crate) async fn of(visit: Visit, Path(game): Path<String>) -> Answer<Markup> {
    let entry = ranka_games::game(&game).map_err(|error| Failure::of(visit, &error))?;
    let say = |text| visit.language.say(text);
    let name = title(entry, visit.language);
    let body = html! {
        h1 { (name) }
        @for shown in entry.agents() { (agent(entry, &shown, visit)) }
    };
    Ok(page(visit, &format!("{} · {name}", say("Agents")), &[], &body))
}

fn agent(entry: &dyn GameEntry, agent: &AgentInfo, visit: Visit) -> Markup {
    let AgentInfo { name, version, summary, ref params } = *agent;
    let say = |text| visit.language.say(text);
    html! {
        section.agent id=(name) {
            h2 { code { (name) } " " small { (visit.language.fill("version {0}", [&version.to_string()])) } }
            p { (say(summary)) }
            @if !params.is_empty() {
                div.wide { table {
                    tr { th { (say("Parameter")) } th { (say("Default")) } th { (say("May be")) } th { (say("What it does")) } }
                    @for param in params {
                        tr { td { code { (param.key) } } td { (param.default) } td.small { (range(&param.kind, visit)) } td { (say(param.help)) } }
                    }
                } }
            }
            // Which program or file plays must be said first.
            @if !params.iter().any(Param::is_required) {
                p { a.button href={ "/new/" (entry.info().name) "?agent=" (name) } { (say("Play against it")) } }
            }
        }
    }
}

fn range(kind: &ParamKind, visit: Visit) -> String {
    match kind {
        ParamKind::Int { min, max } => format!("{min}–{max}"),
        ParamKind::Real { min, max } => format!("{min}–{max}"),
        ParamKind::Choice(words) => words.join(", "),
        ParamKind::Text => visit.language.say("any text").to_owned(),
        ParamKind::File(words) => {
            let words = words.iter().copied().filter(|word| !word.is_empty());
            words.chain([visit.language.say("a file")]).collect::<Vec<_>>().join(", ")
        }
        ParamKind::Program => visit.language.say("a program").to_owned(),
    }
}
