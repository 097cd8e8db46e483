//! Reference figures: what somebody else found, with the name of who it was.

use super::file::{ExperimentFile, SweepValue};
use crate::Origin;
use ranka_core::{Error, WdlCounts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A figure that the measured one is compared with.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Reference")]
pub struct ReferenceEntry {
    /// Which figure. Not needed beside `counts`, which give win, draw, loss and score at once.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub figure: Option<Spanned<String>>,
    /// Its value.
    #[serde(default)]
    pub value: Option<f64>,
    /// From how many games it comes. Without it the value is taken as exact.
    #[serde(default)]
    pub n: Option<u64>,
    /// Wins, draws and losses.
    #[serde(default)]
    #[schemars(with = "Option<[u64; 3]>")]
    pub counts: Option<WdlCounts>,
    /// For a sweep: the value of the sweep that it belongs to, by key.
    #[serde(default)]
    pub at: BTreeMap<String, SweepValue>,
    /// Whose it is, instead of the file's `origin`.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Where it stands. Without it a paper's figure stands where the experiment does.
    #[serde(default)]
    pub place: Option<String>,
}

/// What came out of the test elsewhere.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "ReferenceTest")]
pub struct ReferenceTestEntry {
    /// The statistic, if it is told.
    #[serde(default)]
    pub statistic: Option<f64>,
    /// Whether it was significant.
    pub significant: bool,
    /// Whose it is, instead of the file's `origin`.
    #[serde(default)]
    pub origin: Option<Origin>,
}

/// A reference figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReferenceFigure {
    /// Its value.
    pub value: f64,
    /// From how many games; nothing if it is exact.
    pub n: Option<u64>,
    /// Whose it is.
    pub origin: Origin,
    /// Where it stands.
    pub place: Option<String>,
}

/// What came out of a test elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReferenceTest {
    /// The statistic, if it is told.
    pub statistic: Option<f64>,
    /// Whether it was significant.
    pub significant: bool,
    /// Whose it is.
    pub origin: Origin,
}

impl ExperimentFile {
    /// Takes what files from before there were origins call `published` for reference figures of the paper.
    pub(super) fn take_published(&mut self) -> Result<(), Error> {
        for pairing in &mut self.pairing {
            for mut entry in pairing.published.drain(..) {
                entry.origin.get_or_insert(Origin::Paper);
                pairing.reference.push(entry);
            }
        }
        for test in self.test.iter_mut().map(Spanned::as_mut) {
            for mut entry in test.published.drain(..) {
                entry.origin.get_or_insert(Origin::Paper);
                test.reference.push(entry);
            }
        }
        for row in &mut self.row {
            let Some(mut entry) = row.published.take() else { continue };
            entry.origin.get_or_insert(Origin::Paper);
            if row.reference.replace(entry).is_some() {
                let message = format!("row {:?}: give reference or published, not both", row.label);
                return Err(Error::input(message));
            }
        }
        Ok(())
    }

    /// Whose a figure is that itself says `own`.
    pub(super) fn origin(&self, own: Option<Origin>) -> Result<Origin, Error> {
        own.or(self.origin).ok_or_else(|| {
            Error::input(
                "reference: whose figure is it? Give origin = \"paper\", \"solver\" or \"trial\", \
                 here or once at the top of the file",
            )
        })
    }
}

impl ReferenceEntry {
    /// The figure with this value, as the file means it.
    pub(super) fn with(
        &self,
        value: f64,
        n: Option<u64>,
        file: &ExperimentFile,
    ) -> Result<ReferenceFigure, Error> {
        let origin = file.origin(self.origin)?;
        // The experiment's own place is one in the paper.
        let usual = file.place.as_ref().filter(|_| origin == Origin::Paper);
        Ok(ReferenceFigure { value, n, origin, place: self.place.as_ref().or(usual).cloned() })
    }

    /// Whether it belongs to these values of a sweep.
    pub(super) fn fits(&self, values: &BTreeMap<String, SweepValue>) -> bool {
        let same = |(key, value): (&String, &SweepValue)| {
            values.get(key).is_some_and(|known| known.to_string() == value.to_string())
        };
        self.at.iter().all(same)
    }
}
