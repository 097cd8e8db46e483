//! Opponents by strength: what they are called, and who can play under which rules.

use crate::visit::Visit;
use crate::words::Language;
use ranka_core::{AnyGame, Entry};
use ranka_games::{Level, Strength};

/// The strength in the visitor's words.
pub(crate) fn title(strength: Strength, language: Language) -> &'static str {
    let english = match strength {
        Strength::Beginner => "Beginner",
        Strength::Easy => "Easy",
        Strength::Medium => "Medium",
        Strength::Hard => "Hard",
        Strength::Champion => "Champion",
        Strength::Adapts => "Adapts to you",
    };
    language.locale().say(english)
}

/// The same with its dots: a strength is seen before it is read.
pub(crate) fn dotted(strength: Strength, language: Language) -> String {
    let dots = strength.dots();
    match dots {
        0 => title(strength, language).to_owned(),
        _ => format!("{} {}{}", title(strength, language), "●".repeat(dots), "○".repeat(5 - dots)),
    }
}

/// The opponents that can play a game under its rules.
pub(crate) fn playable(game: &dyn AnyGame) -> Vec<&'static Level> {
    let can = |level: &&Level| game.agent(level.agent).is_ok();
    ranka_games::levels(game.info().name).iter().filter(can).collect()
}

/// The agents that can play a game under its rules as they are, without further parameters.
pub(crate) fn able(entry: &dyn Entry, game: &dyn AnyGame) -> Vec<&'static str> {
    entry.agents().iter().map(|agent| agent.name).filter(|name| game.agent(name).is_ok()).collect()
}

/// Rules under which an agent can be played against: the usual ones, or those that a level has for it.
pub(crate) fn rules_for(entry: &dyn Entry, agent: &str, visit: Visit) -> Option<&'static str> {
    let own = ranka_games::levels(entry.info().name).iter().map(|level| level.rules);
    let can = |rules: &&str| {
        visit.policy().open(entry.info().name, rules).is_ok_and(|game| game.agent(agent).is_ok())
    };
    std::iter::once("").chain(own).find(can)
}
