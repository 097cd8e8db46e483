//! Our errors as Python's.

use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use ranka_core::{Error, ErrorKind};

/// The exception of the right kind, with our message.
pub(crate) fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Input => PyValueError::new_err(text),
        ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        ErrorKind::Storage | ErrorKind::Outside => PyOSError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}
