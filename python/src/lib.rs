//! The Python module behind the package `ranka`: thin over the same calls that the program makes.

mod batch;
mod errors;
mod network;

use pyo3::prelude::*;

/// The compiled half of the package `ranka`.
#[pymodule]
mod _ranka {
    #[pymodule_export]
    use crate::batch::{Batch, encoding_version};
    #[pymodule_export]
    use crate::network::Network;
}
