//! States: the whole truth of a game, with its past.

use crate::errors::{action_number, maybe_seat_number, maybe_seed, raised, seat_number};
use crate::game::{Game, seat};
use crate::view::View;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use ranka_core::{Actor, AnyGame, AnyState, Error, Look, Seed, standalone};
use std::sync::Arc;

/// A position with its past: the whole truth. It never changes; `apply` gives another one.
///
/// Actions are text in the game's notation, or numbers: those of the acting seat's encoding, for chance the place in `legal()`.
///
/// >>> import ranka
/// >>> state = ranka.game("kalah").start(seed=1)
/// >>> state.actor, state.legal()
/// (0, ['1', '2', '3', '4', '5', '6'])
/// >>> state.apply("3").actor
/// 0
#[pyclass(module = "ranka", frozen)]
pub(crate) struct State {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) inner: Arc<dyn AnyState>,
}

impl State {
    fn next(&self, inner: Result<Arc<dyn AnyState>, Error>) -> PyResult<State> {
        Ok(State { game: Arc::clone(&self.game), inner: inner.map_err(raised)? })
    }

    /// The seat that was asked for, or that is to act.
    fn seat(&self, number: Option<usize>) -> PyResult<ranka_core::Seat> {
        let chosen = match number {
            Some(number) => seat(number)?,
            None => self
                .inner
                .actor()
                .seat()
                .ok_or_else(|| PyValueError::new_err("no seat is to act: say which seat is meant"))?,
        };
        let seats = self.inner.seats();
        if chosen.index() >= seats {
            return Err(PyValueError::new_err(format!("seat {chosen}: this position has {seats} seats")));
        }
        Ok(chosen)
    }
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// The seat that is to act; None where chance is or the game is over.
    #[getter]
    fn actor(&self) -> Option<usize> {
        self.inner.actor().seat().map(|seat| seat.index())
    }

    /// Whether chance is to act.
    #[getter]
    fn is_chance(&self) -> bool {
        self.inner.actor() == Actor::Chance
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.actor().is_over()
    }

    /// How many play.
    #[getter]
    fn seats(&self) -> usize {
        self.inner.seats()
    }

    /// The legal actions, in notation.
    fn legal(&self) -> Vec<String> {
        self.inner.legal()
    }

    /// The numbers of the legal actions that have one, in the same order.
    fn legal_indices(&self) -> Vec<usize> {
        self.inner.legal_indices()
    }

    /// What chance can do and how probable each is; empty where it is not to act.
    fn chances(&self) -> Vec<(String, f64)> {
        let probabilities = self.inner.probabilities();
        if probabilities.is_empty() {
            Vec::new()
        } else {
            self.inner.legal().into_iter().zip(probabilities).collect()
        }
    }

    /// The number of an action.
    fn index(&self, action: &str) -> PyResult<usize> {
        self.inner.index(action).map_err(raised)
    }

    /// The action with this number, legal or not.
    fn action(&self, #[pyo3(from_py_with = action_number)] index: usize) -> PyResult<String> {
        self.inner.action(index).map_err(raised)
    }

    /// The state after an action, given in notation or by its number.
    fn apply(&self, action: &Bound<'_, PyAny>) -> PyResult<State> {
        match action.cast::<PyString>() {
            Ok(text) => self.next(self.inner.after(text.to_str()?)),
            Err(_) => self.next(self.inner.after_index(action_number(action)?)),
        }
    }

    /// How a seat sees an action that is about to be taken; None if the action is hidden from it.
    fn seen(
        &self,
        action: &str,
        #[pyo3(from_py_with = seat_number)] seat: usize,
    ) -> PyResult<Option<String>> {
        self.inner.seen(action, self.seat(Some(seat))?).map_err(raised)
    }

    /// The state after chance has acted: as in the game that was started, or drawn from a seed.
    #[pyo3(signature = (seed=None))]
    fn draw(&self, #[pyo3(from_py_with = maybe_seed)] seed: Option<u64>) -> PyResult<State> {
        self.next(self.inner.drawn(seed.map(Seed::new)))
    }

    /// The score of each seat, from 0 to 1, once the game is over.
    #[getter]
    fn outcome(&self) -> Option<Vec<f64>> {
        self.inner.outcome()
    }

    /// The position in notation.
    #[getter]
    fn notation(&self) -> String {
        self.inner.notation()
    }

    /// The position at which the past begins, in notation.
    #[getter]
    fn start(&self) -> String {
        self.inner.start()
    }

    /// What was done since, chance's actions included.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.inner.history()
    }

    /// How many of these actions the seats took.
    #[getter]
    fn plies(&self) -> u32 {
        self.inner.plies()
    }

    /// What a seat sees; without a number the seat that is to act.
    #[pyo3(signature = (seat=None))]
    fn view(&self, #[pyo3(from_py_with = maybe_seat_number)] seat: Option<usize>) -> PyResult<View> {
        let seat = self.seat(seat)?;
        let inner = Arc::clone(&self.inner).view(seat).map_err(raised)?;
        Ok(View { game: Arc::clone(&self.game), inner })
    }

    /// What a seat observes, as an array of planes, rows and columns.
    #[pyo3(signature = (seat=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = maybe_seat_number)] seat: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let seat = self.seat(seat)?;
        observed(py, self.game.as_ref(), |out| self.inner.observe(seat, out))
    }

    /// For each numbered action whether it is legal, 0 or 1.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mut mask = vec![0; self.game.layout().actions()];
        self.inner.mask(&mut mask);
        Ok(PyArray1::from_vec(py, mask.into_iter().map(|legal| legal as i8).collect()))
    }

    /// The whole truth as SVG, from a seat's side.
    #[pyo3(signature = (seat=0))]
    fn picture(&self, #[pyo3(from_py_with = seat_number)] seat: usize) -> PyResult<String> {
        Ok(standalone(&self.inner.picture(&Look::from(self.seat(Some(seat))?))))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.picture(0)
    }

    fn __str__(&self) -> String {
        self.inner.notation()
    }

    fn __repr__(&self) -> String {
        format!("<{} {}>", self.game.info().name, self.inner.notation())
    }

    fn __eq__(&self, other: &State) -> bool {
        self.inner.equals(other.inner.as_ref())
    }

    fn __hash__(&self) -> u64 {
        self.inner.hash_code()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Game, String, u64, Vec<String>))> {
        let replay = py.import("ranka._ranka")?.getattr("_replay")?;
        Ok((replay, (self.game(), self.inner.start(), self.inner.chance().value(), self.inner.history())))
    }
}

/// For unpickling.
#[pyfunction]
pub(crate) fn _replay(
    game: &Bound<'_, Game>,
    start: &str,
    chance: u64,
    history: Vec<String>,
) -> PyResult<State> {
    let game = Arc::clone(&game.get().0);
    let mut inner = game.state(start, Seed::new(chance)).map_err(raised)?;
    for action in history {
        inner = inner.after(&action).map_err(raised)?;
    }
    Ok(State { game, inner })
}

/// An observation as an array.
pub(crate) fn observed<'py>(
    py: Python<'py>,
    game: &dyn AnyGame,
    write: impl FnOnce(&mut [f32]),
) -> PyResult<Bound<'py, PyArray3<f32>>> {
    let layout = game.layout();
    let mut numbers = vec![0.0; layout.observation_len()];
    write(&mut numbers);
    PyArray1::from_vec(py, numbers).reshape([layout.planes.len(), layout.height, layout.width])
}
