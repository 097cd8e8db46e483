//! Plots: pure functions from small data to an SVG that can be pasted into a paper.
//!
//! Every kind is a struct of plain data with a function `svg`. What is measured is a filled mark with its
//! interval, a reference figure a hollow one whose shape tells its origin, what is known exactly a line in ink; colour
//! never speaks alone. Values that cannot be drawn (not a number, infinite) are left out, and the note says how many. The
//! drawings use the colours of the page that shows them; [`ranka_core::standalone`] makes them fit for print.
//!
//! They are drawn with [`ranka_core::Svg`] and not with the crate `plotters`, whose SVG knows only whole
//! pixels and fixed colours, and neither dashes, textures, groups nor titles: what makes these plots readable
//! without colours, by ear and in both themes would have had to be written around it.
//!
//! ```
//! use ranka_lab::Origin;
//! use ranka_lab::plot::{Caption, ErrorBar, ReferenceLine, Rate, Rates, Reference, AxisUnit};
//! let plot = Rates {
//!     caption: Caption {
//!         title: "Score against the first player".into(),
//!         x_label: "score".into(),
//!         y_label: String::new(),
//!         note: "n = 2,100 games; bars: 95 % intervals.".into(),
//!     },
//!     unit: AxisUnit::Percent,
//!     rows: vec![Rate {
//!         label: "UCT, 1,000 playouts".into(),
//!         measured: Some(ErrorBar { value: 0.5236, interval: Some([0.503, 0.544]) }),
//!         reference: Some(Reference {
//!             origin: Origin::Paper,
//!             estimate: ErrorBar { value: 0.541, interval: None },
//!         }),
//!         exact: None,
//!     }],
//!     level: Some(ReferenceLine { value: 0.5, label: "even".into() }),
//! };
//! assert!(plot.svg().starts_with("<svg"));
//! ```

mod cumulative;
mod curves;
mod end_labels;
mod estimates;
mod grid;
mod histogram;
mod marks;
mod rates;
mod scale;
mod scatter;
mod sheet;
mod sieve;
mod stacked;
mod strip;
mod text;

pub use cumulative::{Cumulative, CumulativePoint};
pub use curves::{Curves, Intervals, Point, Series, XAxis};
pub use grid::Grid;
pub use histogram::{Arrangement, Histogram, HistogramSample};
pub use rates::{Rate, Rates};
pub use scale::AxisUnit;
pub use scatter::{Scatter, ScatterGroup};
pub use stacked::{Stacked, StackedBar};
pub use strip::{Strip, StripRow};
pub use text::{shorten, width, wrap};

use crate::Origin;

/// The words around a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What the plot shows.
    pub title: String,
    /// What runs to the right, with its unit.
    pub x_label: String,
    /// What runs upwards, with its unit.
    pub y_label: String,
    /// The small print: how many games, what the intervals are.
    pub note: String,
}

/// A value and from where to where it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBar {
    /// The value.
    pub value: f64,
    /// Its interval; an infinite end is drawn as an arrow.
    pub interval: Option<[f64; 2]>,
}

/// What somebody else found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Who it was.
    pub origin: Origin,
    /// What was found.
    pub estimate: ErrorBar,
}

/// A value that all others compare with, drawn as a dashed line.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Where the line is.
    pub value: f64,
    /// What it stands for.
    pub label: String,
}
