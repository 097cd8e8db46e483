//! The learned evaluation: what a position is worth to each seat, without playing on. Numbers about lines
//! ([`observe`]), a small model of them ([`Model`]), and how it learns from games with itself ([`train`]).

mod features;
mod model;
mod train;

pub(crate) use features::Fitting;
pub use features::{INPUTS, Row, observe};
pub use model::Model;
pub(crate) use model::shares;
pub use train::{TrainingOptions, TrainingProgress, train};
