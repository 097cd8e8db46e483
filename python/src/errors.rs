//! Our errors as Python's.

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use ranka_core::{Error, ErrorKind};

/// The exception of the right kind, with our message. Its `exit_code` is that of a program which ends by it.
pub(crate) fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    let raised = match error.kind() {
        ErrorKind::Input => PyValueError::new_err(text),
        ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        ErrorKind::Storage | ErrorKind::Outside => PyOSError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    };
    Python::attach(|py| {
        // Without it whoever asks takes the code of exceptions that are not ours.
        let _ = raised.value(py).setattr("exit_code", error.kind().exit_code());
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
