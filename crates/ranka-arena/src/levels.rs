//! Opponents by strength: what they are called, and who can play under which rules.

use crate::visit::Visit;
use crate::words::Language;
use ranka_core::{AnyGame, GameEntry};
use ranka_games::{Level, Strength};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

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

/// The strengths as marks on the scale of the ladder's ranks.
const MARKS: [(f64, Strength); 5] = [
    (1.0, Strength::Beginner),
    (3.0, Strength::Easy),
    (5.0, Strength::Medium),
    (7.0, Strength::Hard),
    (10.0, Strength::Champion),
];

/// How strong the partner takes somebody to be, on the scale of the ladder's ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) rank: f64,
    /// Its standard deviation.
    pub(crate) doubt: f64,
}

impl Estimate {
    /// From one game to the next somebody may have learned or be tired: so many ranks more of doubt.
    const BETWEEN_GAMES: f64 = 1.0;

    /// What `rank,doubt` says, if it makes sense.
    pub(crate) fn parse(text: &str) -> Option<Estimate> {
        let (rank, doubt) = text.split_once(',')?;
        let [rank, doubt] = [rank, doubt].map(|number| number.trim().parse::<f64>().ok());
        let (rank, doubt) = (rank?, doubt?);
        ((0.0..=10.0).contains(&rank) && (0.05..=10.0).contains(&doubt)).then_some(Estimate { rank, doubt })
    }

    /// The parameters of a partner that begins with it.
    pub(crate) fn params(self) -> String {
        let doubt = (self.doubt * self.doubt + Self::BETWEEN_GAMES * Self::BETWEEN_GAMES).sqrt();
        format!("opponent={:.2},doubt={doubt:.2}", self.rank)
    }

    /// The weakest and the strongest that it may well be, by name.
    pub(crate) fn between(self) -> (Strength, Strength) {
        let nearest = |rank: f64| {
            let off = |mark: &(f64, Strength)| (mark.0 - rank).abs();
            MARKS.into_iter().min_by(|one, other| off(one).total_cmp(&off(other))).expect("there are marks").1
        };
        (nearest(self.rank - self.doubt), nearest(self.rank + self.doubt))
    }
}

/// The marks of the scale, in the visitor's words.
pub(crate) fn marks(language: Language) -> Vec<(f64, &'static str)> {
    MARKS.into_iter().map(|(rank, strength)| (rank, title(strength, language))).collect()
}

/// The opponents that can play a game under its rules.
pub(crate) fn playable(game: &dyn AnyGame) -> Vec<Level> {
    let can = |level: &Level| level.agent(game).is_some();
    ranka_games::levels(game.info().name).into_iter().filter(can).collect()
}

/// Who can play a game under some rules.
#[derive(Clone, Debug)]
pub(crate) struct Able {
    /// Opponents by strength.
    pub(crate) levels: Vec<Level>,
    /// Agents as they are, without further parameters.
    pub(crate) agents: Vec<&'static str>,
}

/// So many games under their rules are remembered.
const REMEMBERED: usize = 64;

/// Who can play: to find out, all of them are prepared once, and some of them read tables or solve the board for that.
pub(crate) fn able(entry: &dyn GameEntry, game: &dyn AnyGame) -> Able {
    static KNOWN: Mutex<BTreeMap<(&'static str, String), Able>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (entry.info().name, game.rules_short());
    if let Some(able) = known().get(&key) {
        return able.clone();
    }
    let agents =
        entry.agents().iter().map(|agent| agent.name).filter(|name| game.agent(name).is_ok()).collect();
    let able = Able { levels: playable(game), agents };
    let mut known = known();
    while known.len() >= REMEMBERED {
        known.pop_first();
    }
    known.insert(key, able.clone());
    able
}

/// Rules under which an agent can be played against: the usual ones, or those of the game's paper on an adapting player.
pub(crate) fn rules_for(entry: &dyn GameEntry, agent: &str, visit: Visit) -> Option<&'static str> {
    let own = entry.info().adaptive.map(|(_, rules)| rules);
    let can = |rules: &&str| {
        visit.policy().open(entry.info().name, rules).is_ok_and(|game| game.agent(agent).is_ok())
    };
    std::iter::once("").chain(own).find(can)
}
