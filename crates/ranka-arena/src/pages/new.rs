//! Laying a table: rules, seats, and where to begin.

use super::home::title;
use super::layout::page;
use super::{Answer, Failure};
use crate::clock::{MINUTES, SECONDS};
use crate::hall::Hall;
use crate::labelling;
use crate::levels::{self, Able, Estimate, dotted};
use crate::opening::{Policy, Sitter, Wanted, Wish};
use crate::visit::Visit;
use crate::words::Language;
use axum::extract::{Path, Query, State};
use axum::response::Redirect;
use axum::{Form, Json};
use maud::{Markup, html};
use ranka_core::{AgentInfo, AgentSpec, AnyGame, Error, GameEntry, MAX_SEATS, Param, ParamKind, Params};
use ranka_games::{Level, Strength};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// How long an agent lets people look between two of its own actions, in milliseconds.
const PACE: u64 = 450;

/// What a link may suggest.
#[derive(Deserialize)]
pub(crate) struct Suggested {
    #[serde(default)]
    position: String,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    agent: String,
}

/// The form.
pub(crate) async fn show(
    visit: Visit,
    Path(game): Path<String>,
    Query(mut suggested): Query<Suggested>,
) -> Answer<Markup> {
    if !is_harmless(&game, &suggested.agent) {
        suggested.agent.clear();
    }
    let entry = ranka_games::game(&game).map_err(|error| Failure::of(visit, &error))?;
    // An agent that cannot play by the usual rules is met under some that it can.
    if !suggested.agent.is_empty() && suggested.rules.is_empty() {
        let rules = tokio::task::block_in_place(|| levels::rules_for(entry, &suggested.agent, visit));
        rules.unwrap_or("").clone_into(&mut suggested.rules);
    }
    // What a link suggests wrongly it does not suggest.
    let rules = Params::parse(&suggested.rules, entry.options())
        .unwrap_or_else(|_| Params::defaults(entry.options()));
    let say = |text| visit.language.say(text);
    let name = title(entry, visit.language);
    let offered = Offered::of(entry, &suggested.rules, visit);
    let body = html! {
        h1 { (name) }
        p.lead { (say(entry.info().summary)) }
        form.new method="post" action="/new" data-game=(game) {
            input type="hidden" name="game" value=(game);
            input type="hidden" name="known" data-known=(game);
            section {
                h2 { (say("Seats")) }
                p.small { (say("You take the first seat of a person. For the others you get invitations to pass on.")) }
                label.inline-field { (say("Your name; empty for none")) input name="name" maxlength="24" autocomplete="nickname"; }
                // How many sit down is no small print.
                @for param in entry.options().iter().filter(|param| param.key == PLAYERS) {
                    label.inline { (say("Players")) select name={ "rule-" (PLAYERS) } {
                        @for count in entry.info().seats.0..=entry.info().seats.1 {
                            option value=(count) selected[rules.text(param.key) == count.to_string()] { (count) }
                        }
                    } }
                }
                div.seats { @for seat in 0..MAX_SEATS { (seat_row(entry, seat, &suggested.agent, &offered, visit.language)) } }
            }
            label.inline { (say("Clock")) select name="clock" {
                option value="" { (say("none")) }
                @for minutes in MINUTES { option value=(60 * minutes) { (visit.language.fill("{0} min for each person", [&minutes.to_string()])) } }
            } }
            label.inline { input type="checkbox" name="hints" value="on"; (say("Hints are allowed between people")) }
            details open[!suggested.rules.is_empty()] {
                summary { (say("Rules")) }
                div.params {
                    @for param in entry.options().iter().filter(|param| param.key != PLAYERS) { (rule_field(param, rules.text(param.key), visit.language)) }
                }
            }
            details open[!suggested.position.is_empty()] {
                summary { (say("Where to begin")) }
                label.wide { (say("Position in notation; empty for the usual start"))
                    textarea name="position" rows="3" spellcheck="false" { (suggested.position) } }
                label { (say("Seed; empty for a new deal")) input name="seed" inputmode="numeric" pattern="[0-9]*"; }
            }
            @if labelling::teachable(&game) {
                details {
                    summary { (say("Teach")) }
                    p { (say("Judge every action of your opponent; what you play yourself counts as good. The judgements become a table that an agent can play by.")) }
                    label { (say("Collection; empty to only play"))
                        input name="teaches" placeholder="mine" pattern="[A-Za-z0-9_\\-]*"; }
                }
            }
            p { button.primary id="begin" { (say("Begin")) } }
        }
        script type="application/json" id="catalogue" { (maud::PreEscaped(catalogue(entry, visit.language))) }
    };
    Ok(page(visit, name, &["new.js"], &body))
}

/// The rule that says how many play, where a game has one.
const PLAYERS: &str = "players";

/// Whether a link may suggest this agent: none that names a file or a program, for links can come from anybody.
pub(crate) fn is_harmless(game: &str, agent: &str) -> bool {
    agent.is_empty() || Policy { trusted: false }.check_agent(game, agent).is_ok()
}

/// Who can play under some rules.
struct Offered {
    levels: Vec<Level>,
    agents: Vec<&'static str>,
}

impl Offered {
    fn of(entry: &dyn GameEntry, rules: &str, visit: Visit) -> Offered {
        let name = entry.info().name;
        let open = |rules: &str| visit.policy().open(name, rules);
        // Rules that make no sense are refused when the table is laid.
        let Ok(game) = open(rules).or_else(|_| open("")) else {
            return Offered { levels: Vec::new(), agents: Vec::new() };
        };
        tokio::task::block_in_place(|| Offered::under(entry, game.as_ref(), visit))
    }

    fn under(entry: &dyn GameEntry, game: &dyn AnyGame, visit: Visit) -> Offered {
        let Able { levels, mut agents } = levels::able(entry, game);
        // Which program plays, or by which network, must be said first.
        let wants = |agent: &AgentInfo| agent.params.iter().any(Param::is_required);
        agents.extend(
            entry.agents().iter().filter(|agent| visit.trusted && wants(agent)).map(|agent| agent.name),
        );
        Offered { levels, agents }
    }
}

/// The values of the field that says who sits at a seat, of those who can play under the rules.
pub(crate) async fn playable(
    visit: Visit,
    Path(game): Path<String>,
    Query(rules): Query<Suggested>,
) -> Answer<Json<Value>> {
    let entry = ranka_games::game(&game).map_err(|error| Failure::of(visit, &error))?;
    let offered = Offered::of(entry, &rules.rules, visit);
    let levels = offered.levels.iter().map(|level| format!("{LEVEL}{}", level.strength.name()));
    let all: Vec<String> = levels.chain(offered.agents.iter().map(|name| (*name).to_owned())).collect();
    Ok(Json(json!(all)))
}

/// What stands before a strength where an agent could be named.
const LEVEL: &str = "level-";

fn seat_row(
    entry: &dyn GameEntry,
    seat: usize,
    agent: &str,
    offered: &Offered,
    language: Language,
) -> Markup {
    let say = |text| language.say(text);
    let AgentSpec { name: sparring, params } = AgentSpec::parse(agent);
    let named = offered.agents.contains(&sparring.as_str());
    html! {
        fieldset.seat data-seat=(seat) hidden[seat >= entry.info().seats.1] {
            legend { (language.fill("Seat {0}", [&(seat + 1).to_string()])) }
            label { (say("Who"))
                select name={ "who" (seat) } {
                    option value="person" selected[seat == 0] { (say("A person")) }
                    optgroup label=(say("By strength")) {
                        @for level in ranka_games::levels(entry.info().name) {
                            @let able = offered.levels.iter().any(|able| able.strength == level.strength);
                            option value={ (LEVEL) (level.strength.name()) } hidden[!able] disabled[!able]
                                selected[seat > 0 && !named && level.strength == Strength::Medium] { (dotted(level.strength, language)) }
                        }
                    }
                    optgroup label=(say("Agents with parameters")) {
                        @for agent in entry.agents() {
                            @let able = offered.agents.contains(&agent.name);
                            option value=(agent.name) hidden[!able] disabled[!able] selected[seat > 0 && named && agent.name == sparring] { (agent.name) }
                        }
                    }
                }
            }
            p.small.about {}
            details.spec {
                summary { (say("Parameters")) }
                div.built {}
                label { (say("All of them as key=value,…"))
                    input name={ "params" (seat) } value=(if seat > 0 { params.as_str() } else { "" }) spellcheck="false"; }
            }
        }
    }
}

fn rule_field(param: &Param, value: &str, language: Language) -> Markup {
    let name = format!("rule-{}", param.key);
    html! {
        label { span { (param.key) }
            @match param.kind {
                ParamKind::Choice(words) => {
                    select name=(name) { @for word in words { option value=(word) selected[*word == value] { (word) } } }
                }
                ParamKind::File(words) => {
                    input name=(name) value=(value) list={ (name) "-words" } spellcheck="false";
                    datalist id={ (name) "-words" } { @for word in words { option value=(word) {} } }
                }
                ParamKind::Int { min, max } => { input type="number" name=(name) min=(min) max=(max) value=(value); }
                ParamKind::Real { .. } | ParamKind::Text | ParamKind::Program => { input name=(name) value=(value) spellcheck="false"; }
            }
            small { (language.say(param.help)) }
        }
    }
}

/// The agents and their parameters, for the script that builds the form.
fn catalogue(entry: &dyn GameEntry, language: Language) -> String {
    let param = |param: &Param| {
        let kind = match param.kind {
            ParamKind::Int { min, max } => json!({ "int": [min, max] }),
            ParamKind::Real { min, max } => json!({ "real": [min, max] }),
            ParamKind::Choice(words) => json!({ "choice": words }),
            ParamKind::Text => json!("text"),
            ParamKind::File(words) => json!({ "file": words }),
            ParamKind::Program => json!("program"),
        };
        json!({ "key": param.key, "kind": kind, "default": param.default, "help": language.say(param.help) })
    };
    let agent = |agent: &AgentInfo| {
        let params: Vec<Value> = agent.params.iter().map(param).collect();
        json!({ "name": agent.name, "summary": language.say(agent.summary), "params": params })
    };
    let agents: Vec<Value> = entry.agents().iter().map(agent).collect();
    // Inside a script element nothing may look like its end.
    json!(agents).to_string().replace('<', "\\u003c")
}

/// Lays the table and leads the first person to a seat.
pub(crate) async fn open(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Form(form): Form<HashMap<String, String>>,
) -> Answer<Redirect> {
    let wish = wish(visit.policy(), &form).map_err(|error| Failure::of(visit, &error))?;
    let room = hall.open(wish, visit.policy()).map_err(|error| Failure::of(visit, &error))?;
    let own = room.opening.seats.iter().find_map(|sitter| match sitter {
        Sitter::Person(secret) => Some(format!("/t/{}/{secret}", room.id)),
        _ => None,
    });
    Ok(Redirect::to(&own.unwrap_or_else(|| format!("/t/{}", room.id))))
}

/// What somebody wants to be called: a few characters that can be seen.
pub(super) fn called(name: &str) -> Option<String> {
    let shown: String = name.chars().filter(|c| !c.is_control()).take(24).collect();
    Some(shown.trim().to_owned()).filter(|name| !name.is_empty())
}

/// A strength by its name.
pub(super) fn strength(name: &str) -> Result<Strength, Error> {
    Strength::of_name(name).ok_or_else(|| {
        let known = Strength::ALL.map(Strength::name);
        Error::input(ranka_core::unknown("strength", name, &known))
    })
}

fn wish(policy: Policy, form: &HashMap<String, String>) -> Result<Wish, Error> {
    let field = |name: &str| form.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let name = field("game").ok_or_else(|| Error::input("no game is named"))?;
    let entry = ranka_games::game(name)?;
    let options = entry.options();
    let chosen = options.iter().filter_map(|param| {
        let value = field(&format!("rule-{}", param.key))?;
        (value != param.default).then(|| format!("{}={value}", param.key))
    });
    let level = match field("level") {
        None => None,
        Some(level) => Some(strength(level)?),
    };
    let rules = match field("rules") {
        Some(rules) => rules.to_owned(),
        None => chosen.collect::<Vec<_>>().join(","),
    };
    let mut game = policy.open(name, &rules)?;
    if let Some(position) = field("position") {
        game = game.for_position(position)?;
    }
    let seat = |seat: usize| -> Result<Wanted, Error> {
        Ok(match (field(&format!("who{seat}")), field(&format!("params{seat}"))) {
            (None, _) if seat == 0 => Wanted::Person,
            (None, _) => Wanted::Level(level.unwrap_or(Strength::Medium)),
            (Some("person"), _) => Wanted::Person,
            (Some(agent), params) => match (agent.strip_prefix(LEVEL), params) {
                (Some(level), _) => Wanted::Level(strength(level)?),
                (None, None) => Wanted::Agent(agent.to_owned()),
                (None, Some(params)) => Wanted::Agent(format!("{agent}:{params}")),
            },
        })
    };
    let teaches = field("teaches").map(str::to_owned);
    if let Some(collection) = &teaches
        && !labelling::is_name(collection)
    {
        return Err(Error::input(format!("collection {collection:?}: use letters, digits, - and _")));
    }
    if teaches.is_some() && !labelling::teachable(name) {
        return Err(Error::input(format!("{name}: its agents cannot be taught")));
    }
    let seed = field("seed").map(|text| {
        text.parse().map_err(|_| Error::input(format!("seed {text:?}: expected a whole number from 0")))
    });
    let pace = field("pace")
        .map(|text| text.parse().map_err(|_| Error::input(format!("pace {text:?}: expected milliseconds"))));
    Ok(Wish {
        game: name.to_owned(),
        rules,
        seats: (0..game.seats()).map(seat).collect::<Result<_, _>>()?,
        here: None,
        position: field("position").map(str::to_owned),
        seed: seed.transpose()?,
        pace: pace.transpose()?.unwrap_or(PACE).min(5_000),
        hints: field("hints").is_some(),
        clock: field("clock").and_then(|text| text.parse().ok()).filter(|seconds| SECONDS.contains(seconds)),
        name: field("name").and_then(called),
        teaches,
        known: field("known").and_then(Estimate::parse),
    })
}
