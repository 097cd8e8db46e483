//! Our errors as Python's.

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use ranka_core::{Error, ErrorKind};

/// `errno.ENOENT`, the same on every system that Python runs on.
const NO_SUCH_FILE: i32 = 2;

/// The exception of the right kind, with our message. Its `exit_code` is that of a program which ends by it.
pub(crate) fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    let missing = error.kind() == ErrorKind::Storage && error.file().is_some_and(|file| !file.exists());
    let raised = match error.kind() {
        _ if missing => PyFileNotFoundError::new_err(text),
        ErrorKind::Input => PyValueError::new_err(text),
        ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        ErrorKind::Storage | ErrorKind::Outside => PyOSError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    };
    Python::attach(|py| {
        // Without it whoever asks takes the code of exceptions that are not ours.
        let _ = raised.value(py).setattr("exit_code", error.kind().exit_code());
        if missing {
            let _ = raised.value(py).setattr("errno", NO_SUCH_FILE);
        }
    });
    raised
}

/// A seed, or what is wrong with it.
pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    given.extract().map_err(|_| {
        PyValueError::new_err(format!("seed {given}: expected a whole number from 0 to {}", u64::MAX))
    })
}

/// The same where there may be none.
pub(crate) fn maybe_seed(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if given.is_none() { Ok(None) } else { seed(given).map(Some) }
}

/// A whole number from `least` on, or what is wrong with it.
pub(crate) fn count<N>(what: &str, given: &Bound<'_, PyAny>, least: u64) -> PyResult<N>
where
    N: TryFrom<u64>,
{
    let wrong = || format!("{what} {given}: expected a whole number from {least} on");
    let read = match given.extract::<u64>() {
        Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => {
            return Err(PyTypeError::new_err(wrong()));
        }
        read => read.ok().filter(|&number| number >= least),
    };
    read.and_then(|number| N::try_from(number).ok()).ok_or_else(|| PyValueError::new_err(wrong()))
}

/// A seat's number.
pub(crate) fn seat_number(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("seat", given, 0)
}

/// The same where there may be none.
pub(crate) fn maybe_seat_number(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    maybe_count("seat", given, 0)
}

/// An action's number.
pub(crate) fn action_number(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("action number", given, 0)
}

/// The same where there may be none.
pub(crate) fn maybe_count<N>(what: &str, given: &Bound<'_, PyAny>, least: u64) -> PyResult<Option<N>>
where
    N: TryFrom<u64>,
{
    if given.is_none() { Ok(None) } else { count(what, given, least).map(Some) }
}
