//! Experiments: files that say what is compared, and what was published of it.

mod figure;
mod file;
mod plan;
mod run;
mod standings;

pub use figure::{Figure, GRAMMAR, Teams, Term};
pub use file::{ExperimentFile, Sizes, SweepValue, TestKind, When};
pub use plan::{
    Experiment, League, PlannedPairing, PlannedPlot, PlannedPosition, PlannedRow, PlannedTest, PlotKind,
    PublishedFigure, Size,
};
pub use run::{Played, PlayedPairing, Progress, Run};
pub use standings::{Standing, standings};
