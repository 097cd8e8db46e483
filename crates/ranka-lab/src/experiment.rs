//! Experiments: files that say what is compared, and with which reference figures.

mod checks;
mod draw;
mod estimate;
mod faults;
mod figure;
mod file;
mod findings;
mod plan;
mod reference;
mod reference_figures;
mod reliability;
mod round_robin;
mod run;
mod standings;
mod summary;
mod test_findings;
mod trend;

pub use draw::{Drawing, draw};
pub use estimate::Estimate;
pub use figure::{Figure, GRAMMAR, Teams, Term};
pub use file::{ExperimentFile, Sizes, SweepValue, TestKind, When};
pub use findings::{
    Findings, PairingFinding, PositionFinding, RatingFinding, RoundRobinFinding, RowFinding, Verdict,
    version_words,
};
pub use plan::{
    Experiment, PlannedPairing, PlannedPlot, PlannedPosition, PlannedRow, PlannedTest, PlotKind, Size,
};
pub use reference::reference;
pub use reference_figures::{ReferenceFigure, ReferenceTest};
pub use round_robin::{RoundRobin, Tournament};
pub use run::{PlayedExperiment, PlayedPairing, Run, RunProgress};
pub use standings::Standing;
pub use test_findings::TestFinding;
pub use trend::PlannedTrend;

/// The JSON Schema of experiment files.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ExperimentFile)
}
