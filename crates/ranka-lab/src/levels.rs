//! Levels: finding them, and finding out how well an adapting player adapts (`docs/right-opponent.md`).

mod adapt;
mod calibrate;
mod slope;

pub use adapt::{Adapted, Adapting};
pub use calibrate::{Calibrated, Calibration, Rung};
pub use slope::{Slope, fit_slope};
