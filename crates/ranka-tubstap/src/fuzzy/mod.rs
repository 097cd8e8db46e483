//! Fuzzy evaluation: what people think of an action, learnt from labelled examples.
//!
//! An action is seen as five numbers ([`Features`]). Every example says how good such an action was
//! ([`Label`]); the mean of the labels is its membership in the set of good actions ([`MembershipTable`]). What was
//! never seen is taken for what is nearest to it.

mod features;
mod label;
mod table;
mod taught;

mod synthetic;

mod shipped;

pub use features::Features;
pub use label::Label;
pub(crate) use shipped::CHOICES;
pub use shipped::{names, table};
pub use synthetic::{Synthetic, synthetic};
pub use table::{Decided, Membership, MembershipTable};
