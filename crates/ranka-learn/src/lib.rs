//! Networks over the encodings of Ranka's games, small enough for a processor.
//!
//! A [`Network`] is a residual tower over the planes of an encoding with heads for policy, outcome and belief. It is read
//! from a file that says what it was made for and how ([`Header`]), and refused where it does not fit. Weights of the
//! tower are whole numbers, so the same file gives the same answers on every machine.
#![warn(missing_docs)]

mod agent;
mod dots;
mod eval;
mod evaluator;
mod file;
mod network;
#[cfg(feature = "onnx")]
mod onnx;
mod policy;
mod shipped;
pub mod train;

mod leaf_evaluator;

pub use agent::{NetworkAgent, Style, network_kind, params, with_onnx};
pub use eval::{Answer, Scratch};
pub use evaluator::Evaluator;
pub use file::{Header, NetworkShape, Trained};
pub use leaf_evaluator::{NetworkLeafEvaluator, Observed, ObservedEyes, SeatObservers};
pub use network::Network;
pub use policy::{NetworkPlayer, Weighed, softmax};
pub use shipped::{Population, Shipped};
