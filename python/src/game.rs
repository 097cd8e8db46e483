//! Games with their options chosen.

use crate::errors::{count, raised, seat_number, seed};
use crate::state::State;
use crate::view::View;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple};
use ranka_core::{AnyGame, GameSeeds, MAX_SEATS, Seat, Seed};
use std::fmt::Write as _;
use std::sync::Arc;

/// A game with its options chosen. Made by `ranka.game`.
#[pyclass(module = "ranka", frozen)]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) Arc<dyn AnyGame>);

/// A game by its name, with its options as keywords.
///
/// >>> import ranka
/// >>> ranka.game("kalah", houses=3, seeds=3)
/// ranka.game('kalah', rules='houses=3,seeds=3')
#[pyfunction]
#[pyo3(signature = (name, *, rules="", **options))]
pub(crate) fn game(name: &str, rules: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    let mut all = rules.to_owned();
    for (key, value) in options.into_iter().flatten() {
        let comma = if all.is_empty() { "" } else { "," };
        let value = match value.cast::<PyBool>() {
            Ok(on) => if on.is_true() { "on" } else { "off" }.to_owned(),
            Err(_) => value.str()?.to_string(),
        };
        // As one value, whatever is in it: a file's name may have a comma.
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(all, "{comma}{}=\"{value}\"", key.str()?.to_string().replace('_', "-"));
    }
    open(name, &all)
}

pub(crate) fn open(name: &str, rules: &str) -> PyResult<Game> {
    ranka_games::game(name).and_then(|entry| entry.open(rules)).map(Game).map_err(raised)
}

/// The names of all games.
///
/// >>> import ranka
/// >>> ranka.games()
/// ['kalah', 'geister', 'labyrinth', 'tantrix', 'tubstap']
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    ranka_games::catalogue().iter().map(|entry| entry.info().name).collect()
}

/// A seat by its number.
pub(crate) fn seat(number: usize) -> PyResult<Seat> {
    let refuse = || PyValueError::new_err(format!("seat {number}: a game has at most {MAX_SEATS} seats"));
    (number < MAX_SEATS).then(|| Seat::new(number)).ok_or_else(refuse)
}

fn deal_number(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    count("deal", given, 0)
}

#[pymethods]
impl Game {
    /// The game's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.info().name
    }

    /// The game's name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.info().title
    }

    /// What makes the game hard.
    #[getter]
    fn summary(&self) -> &'static str {
        self.0.info().summary
    }

    /// All options, as `key=value,…`.
    #[getter]
    fn rules(&self) -> String {
        self.0.rules()
    }

    /// How many play.
    #[getter]
    fn seats(&self) -> usize {
        self.0.seats()
    }

    /// Whether every seat sees everything.
    #[getter]
    fn open_information(&self) -> bool {
        self.0.open_information()
    }

    /// The agent that plays against people when they name none.
    #[getter]
    fn sparring(&self) -> &'static str {
        self.0.info().sparring
    }

    /// The agents that play it: name and what they do.
    fn agents(&self) -> PyResult<Vec<(String, &'static str)>> {
        let entry = ranka_games::game(self.name()).map_err(raised)?;
        let own = entry.agents().into_iter().map(|agent| (agent.name.to_owned(), agent.summary));
        let registered = ranka_core::registered().into_iter().map(|name| (name, "registered in Python"));
        Ok(own.chain(registered).collect())
    }

    /// Planes, rows and columns of an observation.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let layout = self.0.layout();
        (layout.planes.len(), layout.height, layout.width)
    }

    /// The names of an observation's planes.
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.0.layout().planes
    }

    /// How many numbered actions there are, legal or not.
    #[getter]
    fn action_count(&self) -> usize {
        self.0.layout().actions()
    }

    /// The symmetries of its arrays beside standing still, each as two arrays of indices: for a flattened observation and
    /// for anything with a number for each action, such that `mirrored = observation.ravel()[indices]`.
    fn symmetries<'py>(
        &self,
        py: Python<'py>,
    ) -> Vec<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>)> {
        let array = |from: Vec<u32>| PyArray1::from_vec(py, from.into_iter().map(i64::from).collect());
        let all = self.0.symmetries().into_iter();
        all.map(|symmetry| (array(symmetry.observation), array(symmetry.actions))).collect()
    }

    /// The state before the first action: that of game `deal` of a match or a batch with this seed.
    #[pyo3(signature = (seed=0, deal=0))]
    fn start(
        &self,
        #[pyo3(from_py_with = seed)] seed: u64,
        #[pyo3(from_py_with = deal_number)] deal: u64,
    ) -> State {
        let seeds = GameSeeds::of(Seed::new(seed), deal, 0);
        State { game: self.0.clone(), inner: self.0.dealt(&seeds) }
    }

    /// The state that a position in notation tells; what chance draws from there follows from the seed.
    #[pyo3(signature = (notation, seed=0))]
    fn state(&self, notation: &str, #[pyo3(from_py_with = seed)] seed: u64) -> PyResult<State> {
        let inner = self.0.state(notation, Seed::new(seed)).map_err(raised)?;
        Ok(State { game: self.0.clone(), inner })
    }

    /// What a seat sees, from its notation.
    #[pyo3(name = "view")]
    fn read_view(&self, notation: &str, #[pyo3(from_py_with = seat_number)] seat: usize) -> PyResult<View> {
        let inner = self.0.view(notation, self::seat(seat)?).map_err(raised)?;
        Ok(View { game: self.0.clone(), inner })
    }

    /// The seed of an agent in a game of a match: with it, `Agent.think` decides as there. `deal` and `order` say which
    /// game it is (with swapped seats of two, game 2·deal + order), `number` which of the match's agents.
    #[staticmethod]
    fn agent_seed(seed: u64, deal: u64, order: u64, number: usize) -> u64 {
        GameSeeds::of(Seed::new(seed), deal, order).agent(number).value()
    }

    fn __repr__(&self) -> String {
        let rules = self.0.rules_short();
        let rules = if rules.is_empty() { rules } else { format!(", rules='{rules}'") };
        format!("ranka.game('{}'{rules})", self.name())
    }

    fn __eq__(&self, other: &Game) -> bool {
        (self.name(), self.0.identity()) == (other.name(), other.0.identity())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, [self.name().to_owned(), self.0.identity()])?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, String))> {
        let reopen = py.import("ranka._ranka")?.getattr("_reopen")?;
        Ok((reopen, (self.name(), self.0.rules())))
    }
}

/// For unpickling.
#[pyfunction]
pub(crate) fn _reopen(name: &str, rules: &str) -> PyResult<Game> {
    open(name, rules)
}
