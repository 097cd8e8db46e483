//! Levels: finding them, and finding out how well an adapting player adapts (`docs/right-opponent.md`).

mod adapt;
mod calibrate;
mod seen;
mod slope;

pub use adapt::{Adapted, Adapting};
pub use calibrate::{Calibrated, Calibration, Rung};
pub use seen::{RankLook, look_at_ranks};
pub use slope::{Slope, fit_slope};
