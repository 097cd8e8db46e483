//! Many games at once, with NumPy arrays that are written in place.

use crate::errors::{raised, seed};
use crate::game::{Game, open};
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ranka_core::{AnyBatch, AnyGame, BatchArrays, BatchOptions, Error, Layout, Seed};
use std::sync::{Mutex, PoisonError};

/// Many games of one kind, stepped at once.
///
/// `Batch("geister", 64, seed=1)` has 64 games; the first argument is a name or a `Game`. Its arrays are written in place by every `step`: `observations`
/// (games, planes, height, width), `masks` (games, actions), `actors`, `rewards` (games, seats) and `ends` (0 goes on,
/// 1 over, 2 cut off). A game that has ended is followed by a new one in its place. All randomness comes from the seed:
/// any number of threads gives the same bytes.
#[pyclass(module = "ranka")]
pub(crate) struct Batch {
    /// Opponents may be anything, so only one thread looks at them at a time.
    batch: Mutex<Box<dyn AnyBatch>>,
    layout: Layout,
    observations: Py<PyArrayDyn<f32>>,
    masks: Py<PyArray2<u8>>,
    actors: Py<PyArray1<i32>>,
    rewards: Py<PyArray2<f32>>,
    ends: Py<PyArray1<u8>>,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, games, seed=0, rules="", all_seats=false, ply_cap=None, opponents=Vec::new(), threads=None))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        games: usize,
        #[pyo3(from_py_with = seed)] seed: u64,
        rules: &str,
        all_seats: bool,
        ply_cap: Option<u32>,
        opponents: Vec<(String, usize)>,
        threads: Option<usize>,
    ) -> PyResult<Batch> {
        if games == 0 {
            return Err(PyValueError::new_err("a batch of 0 games: at least 1"));
        }
        let options = BatchOptions { games, seed: Seed::new(seed), all_seats, ply_cap, threads };
        let game = match game.cast::<Game>() {
            Ok(game) if rules.is_empty() => game.get().clone(),
            Ok(_) => return Err(PyValueError::new_err("a game has its rules already: give no others")),
            Err(_) => open(game.extract()?, rules)?,
        };
        // Opponents that are written in Python think when a game begins with their turn.
        let batch = py.detach(|| seated(game.0.as_ref(), options, &opponents)).map_err(raised)?;
        let layout = batch.layout().clone();
        let shape = [games, batch.observers(), layout.planes.len(), layout.height, layout.width];
        let shape: Vec<usize> =
            shape.into_iter().enumerate().filter(|&(i, _)| i != 1 || all_seats).map(|(_, n)| n).collect();
        let mut made = Batch {
            observations: PyArrayDyn::zeros(py, shape, false).unbind(),
            masks: PyArray2::zeros(py, [games, layout.actions()], false).unbind(),
            actors: PyArray1::zeros(py, games, false).unbind(),
            rewards: PyArray2::zeros(py, [games, batch.seats()], false).unbind(),
            ends: PyArray1::zeros(py, games, false).unbind(),
            batch: Mutex::new(batch),
            layout,
        };
        made.write(py, |batch, arrays| batch.observe(arrays))?;
        Ok(made)
    }

    /// Takes one action in every game.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        self.write(py, |batch, arrays| batch.step(actions, arrays))
    }

    /// One of the legal actions in each game, all alike likely, drawn from the batch's own seed: the same again in a batch
    /// that is made and asked again.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let actions = PyArray1::zeros(py, batch.games(), false);
        batch.sample(actions.try_readwrite()?.as_slice_mut()?).map_err(raised)?;
        Ok(actions)
    }

    /// What is observed in each game.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<f32>> {
        self.observations.bind(py).clone()
    }

    /// For each game and action whether it is legal.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        self.masks.bind(py).clone()
    }

    /// The seat that is to act in each game.
    #[getter]
    fn actors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.actors.bind(py).clone()
    }

    /// The scores of the seats in games that the last step ended.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        self.rewards.bind(py).clone()
    }

    /// Which games the last step ended.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.ends.bind(py).clone()
    }

    /// The names of the observation's planes.
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.layout.planes.clone()
    }

    /// The board's height and width, the planes of actions over it and the number of actions beyond.
    #[getter]
    fn action_layout(&self) -> (usize, usize, usize, usize) {
        let layout = &self.layout;
        (layout.height, layout.width, layout.action_planes, layout.loose_actions)
    }

    /// The position of one game, in text: the whole truth.
    fn position(&self, game: usize) -> PyResult<String> {
        let batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let games = batch.games();
        if game >= games {
            return Err(PyValueError::new_err(format!("game {game} of a batch of {games}")));
        }
        Ok(batch.position(game))
    }
}

impl Batch {
    fn write(
        &mut self,
        py: Python<'_>,
        step: impl FnOnce(&mut dyn AnyBatch, BatchArrays<'_>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        let mut observations = self.observations.bind(py).try_readwrite()?;
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let mut actors = self.actors.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut ends = self.ends.bind(py).try_readwrite()?;
        let arrays = BatchArrays {
            observations: observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            actors: actors.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            ends: ends.as_slice_mut()?,
        };
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut();
        py.detach(|| step(batch, arrays)).map_err(raised)
    }
}

fn seated(
    game: &dyn AnyGame,
    options: BatchOptions,
    opponents: &[(String, usize)],
) -> Result<Box<dyn AnyBatch>, Error> {
    let seated = opponents.iter().map(|(spec, places)| Ok((game.agent(spec)?, *places)));
    game.batch(options, &seated.collect::<Result<Vec<_>, Error>>()?)
}

/// The version of a game's encoding.
#[pyfunction]
#[pyo3(signature = (game, rules=""))]
pub(crate) fn encoding_version(game: &str, rules: &str) -> PyResult<u32> {
    let game = ranka_games::game(game).and_then(|entry| entry.open(rules)).map_err(raised)?;
    Ok(game.layout().version)
}
