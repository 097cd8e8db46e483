//! Agents written in Python under names of their own, and as programs that speak the bot protocol.

use crate::errors::raised;
use crate::own_agent::OwnMaker;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ranka_core::{AnyGame, Registered, ViewMaker, register};
use std::io;
use std::sync::Arc;

/// Offers an agent, as `ranka._agents.Players` wraps it, under `name` wherever agents are named.
#[pyfunction]
pub(crate) fn register_agent(name: &str, players: &Bound<'_, PyAny>) -> PyResult<()> {
    for entry in ranka_games::catalogue() {
        if entry.agents().iter().any(|agent| agent.name == name) {
            let game = entry.info().name;
            return Err(PyValueError::new_err(format!("{name}: {game} has an agent of that name")));
        }
    }
    let identity = players.getattr("identity")?.extract()?;
    let listens = players.getattr("listens")?.extract()?;
    let players = players.clone().unbind();
    let make = move |game: &dyn AnyGame| {
        let game = ranka_games::game(game.info().name)?.open(&game.rules())?;
        let players = Python::attach(|py| players.clone_ref(py));
        Ok(Arc::new(OwnMaker { players, game, listens }) as Arc<dyn ViewMaker>)
    };
    register(name, Registered { identity, make: Box::new(make) }).map_err(raised)
}

/// Plays as a bot on standard input and output until it is told to quit: the agent called `agent`, under `name`.
#[pyfunction]
pub(crate) fn serve_bot(py: Python<'_>, agent: &str, name: &str) -> PyResult<()> {
    let open = |game: &str, rules: &str| ranka_games::game(game)?.open(rules);
    let serve = || {
        let (input, mut output) = (io::stdin().lock(), io::stdout());
        ranka_bots::stdio::serve(&open, Some(agent), Some(name), input, &mut output)
    };
    py.detach(serve).map_err(raised)
}
