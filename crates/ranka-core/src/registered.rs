//! Agents that the embedding program offers by name, beside those that games have.

use crate::{AnyAgent, AnyGame, Error, ViewMaker};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Makes the players of a game.
type Make = dyn Fn(&dyn AnyGame) -> Result<Arc<dyn ViewMaker>, Error> + Send + Sync;

/// An agent of any game, under a name of its own.
pub struct Registered {
    /// What results change with, beside the name.
    pub identity: String,
    /// Makes its players for a game, or says why it does not play it.
    pub make: Box<Make>,
}

/// Whoever embeds Ranka has agents of its own for as long as it runs; games and experiments look them up by name only.
static REGISTERED: RwLock<BTreeMap<String, Arc<Registered>>> = RwLock::new(BTreeMap::new());

/// Offers an agent under `name`, instead of whoever had it, wherever [`AnyGame::agent`] is asked. An agent that a game
/// has keeps its name.
pub fn register(name: &str, agent: Registered) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(Error::input(format!("{name:?}: an agent's name has small letters, digits and hyphens")));
    }
    let mut all = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(name.to_owned(), Arc::new(agent));
    Ok(())
}

/// The names under which agents are offered.
pub fn registered() -> Vec<String> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
}

/// The agent with this name, for a game.
pub(crate) fn find(game: &dyn AnyGame, name: &str) -> Option<Result<AnyAgent, Error>> {
    let found = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()?;
    Some((found.make)(game).map(|maker| game.own_agent(name, &found.identity, maker)))
}
