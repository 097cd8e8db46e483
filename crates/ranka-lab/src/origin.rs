//! Whose figure it is that a measured one is compared with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Where a reference figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It stands in the paper, or follows by arithmetic from what stands there.
    Paper,
    /// An independent program computed it.
    Solver,
    /// An independent program measured it in games of its own.
    Trial,
}

impl Origin {
    /// What columns, rows and legends call it.
    pub const fn label(self) -> &'static str {
        match self {
            Origin::Paper => "paper",
            Origin::Solver => "independent solver",
            Origin::Trial => "independent trial",
        }
    }
}

/// The origins of a table's reference figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(BTreeSet<Origin>);

impl FromIterator<Origin> for Origins {
    fn from_iter<I: IntoIterator<Item = Origin>>(origins: I) -> Origins {
        Origins(origins.into_iter().collect())
    }
}

impl Origins {
    /// What the column of the figures is called: their origin if they share one. Nothing if there are none.
    pub fn heading(&self) -> Option<&'static str> {
        match (self.0.first(), self.mixed()) {
            (Some(only), false) => Some(only.label()),
            (first, _) => first.map(|_| "reference"),
        }
    }

    /// Whether they differ, so that every row has to say its own.
    pub fn mixed(&self) -> bool {
        self.0.len() > 1
    }

    /// Each of them once.
    pub fn iter(&self) -> impl Iterator<Item = Origin> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_called_by_its_origin_unless_they_are_mixed() {
        let of = |origins: &[Origin]| origins.iter().copied().collect::<Origins>();
        assert_eq!(of(&[]).heading(), None);
        assert_eq!(of(&[Origin::Paper, Origin::Paper]).heading(), Some("paper"));
        assert_eq!(of(&[Origin::Solver]).heading(), Some("independent solver"));
        assert_eq!(of(&[Origin::Trial]).heading(), Some("independent trial"));
        let mixed = of(&[Origin::Trial, Origin::Paper]);
        assert_eq!((mixed.heading(), mixed.mixed()), (Some("reference"), true));
    }
}
