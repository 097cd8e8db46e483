//! Ranka's agents by name.

use crate::errors::{raised, seed};
use crate::thought::Thought;
use crate::view::View;
use crate::wait::interruptible;
use pyo3::prelude::*;
use ranka_core::{AgentSpec, AnyAgent, AnyGame, Budget, Error, Seed, Settings, registered, unknown};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// An agent of Ranka by its name, `name:key=value,…`. Made by `ranka.agent`.
#[pyclass(module = "ranka", frozen)]
pub(crate) struct Agent {
    spec: String,
    /// Prepared for the games that it was asked about.
    prepared: Mutex<HashMap<(&'static str, String), AnyAgent>>,
}

/// An agent of Ranka, by name and parameters.
///
/// >>> import ranka
/// >>> state = ranka.game("kalah").start()
/// >>> ranka.agent("minimax:depth=4,ties=first").think(state.view()).choice
/// '6'
#[pyfunction]
pub(crate) fn agent(spec: &str) -> PyResult<Agent> {
    let name = AgentSpec::parse(spec).name;
    let kinds = ranka_games::catalogue().iter().flat_map(|entry| entry.agents());
    let mut known: Vec<String> = kinds.map(|kind| kind.name.to_owned()).chain(registered()).collect();
    if !known.contains(&name) {
        known.sort_unstable();
        known.dedup();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        return Err(raised(Error::input(unknown("agent", &name, &known))));
    }
    Ok(Agent { spec: spec.to_owned(), prepared: Mutex::default() })
}

impl Agent {
    pub(crate) fn for_game(&self, game: &dyn AnyGame) -> Result<AnyAgent, Error> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (game.info().name, game.identity());
        if let Some(agent) = prepared.get(&key) {
            return Ok(agent.clone());
        }
        let agent = game.agent(&self.spec)?;
        prepared.insert(key, agent.clone());
        Ok(agent)
    }
}

#[pymethods]
impl Agent {
    /// Name and parameters, as given.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// What it would do: seated anew with this seed and told all that the view's seat was told.
    #[pyo3(signature = (view, *, seed=0, budget=None, move_limit=None))]
    fn think(
        &self,
        py: Python<'_>,
        view: &Bound<'_, View>,
        #[pyo3(from_py_with = seed)] seed: u64,
        budget: Option<&str>,
        move_limit: Option<f64>,
    ) -> PyResult<Thought> {
        let budget = budget.map(Budget::parse).transpose().map_err(raised)?;
        let move_limit = limit(move_limit)?;
        let view = view.get();
        let agent = self.for_game(view.game.as_ref()).map_err(raised)?;
        let think = |cancel: &_| {
            let settings = Settings { budget, move_limit, cancel, ..Settings::default() };
            view.inner.think(&agent, Seed::new(seed), &settings, &mut |_| {})
        };
        let thought = interruptible(py, think, || Ok(()))?;
        thought.map(Thought::from).map_err(raised)
    }

    fn __repr__(&self) -> String {
        format!("ranka.agent('{}')", self.spec)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str,))> {
        Ok((py.import("ranka._ranka")?.getattr("agent")?, (self.spec.as_str(),)))
    }
}

/// A limit in seconds.
pub(crate) fn limit(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds: f64| {
        Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero()).ok_or_else(|| {
            pyo3::exceptions::PyValueError::new_err(format!("move_limit {seconds}: expected seconds above 0"))
        })
    };
    seconds.map(read).transpose()
}
