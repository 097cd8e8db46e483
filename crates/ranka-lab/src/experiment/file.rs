//! The form of an experiment's file. These types are its schema: `docs/experiments.md` and `ranka experiment schema`
//! are made from them.

use super::reference_figures::{ReferenceEntry, ReferenceTestEntry};
use crate::{Origin, Seating};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// An experiment: one table or figure of a paper, or a question of your own. Keys that are not
/// listed here are errors.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExperimentFile {
    /// What it is called.
    pub title: String,
    /// What is asked, in a sentence or two.
    pub question: String,
    /// The game, by the name that `ranka games` tells.
    #[schemars(with = "String")]
    pub game: Spanned<String>,
    /// How many games each pairing plays.
    #[serde(default)]
    pub games: Sizes,
    /// Where it stands in the paper, such as `table 1`.
    #[serde(default)]
    pub place: Option<String>,
    /// What the reader should know: how it was done, where the paper is silent, how the result is to be read.
    #[serde(default)]
    pub note: Option<String>,
    /// Whose the reference figures are that do not say it themselves. Every one needs an origin, here or of its own.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Options of the rules that differ from the defaults, `key=value,…`.
    #[serde(default = "nothing")]
    #[schemars(with = "String")]
    pub rules: Spanned<String>,
    /// What all randomness follows from. Pairings of one experiment share their deals.
    #[serde(default = "one")]
    pub seed: u64,
    /// Who sits where: `swapped`, `fixed`, `permuted` or `random`.
    #[serde(default)]
    pub seats: Seating,
    /// A game that reaches this many plies is drawn.
    #[serde(default)]
    pub ply_cap: Option<u32>,
    /// How much agents may think about one action: `nodes=N`, `playouts=N` or `ms=N`. Without it their own parameters decide.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub budget: Option<Spanned<String>>,
    /// What is recorded of each game beside its result: measures of the game (`ranka agents GAME` lists them), or `note:NAME` for
    /// what agents note themselves.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub measures: Vec<Spanned<String>>,
    /// The figures of which every pairing gets a row in the table. See "Figures".
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub figures: Vec<Spanned<String>>,
    /// Who plays whom.
    #[serde(default)]
    pub pairing: Vec<PairingEntry>,
    /// Everybody plays everybody.
    #[serde(default)]
    pub round_robin: Option<RoundRobinEntry>,
    /// Further rows of the table.
    #[serde(default)]
    pub row: Vec<RowEntry>,
    /// Statistical tests.
    #[serde(default)]
    #[schemars(with = "Vec<TestEntry>")]
    pub test: Vec<Spanned<TestEntry>>,
    /// Positions in which an agent's choice is asked for.
    #[serde(default)]
    pub position: Vec<PositionEntry>,
    /// Plots.
    #[serde(default)]
    #[schemars(with = "Vec<PlotEntry>")]
    pub plot: Vec<Spanned<PlotEntry>>,
}

fn nothing() -> Spanned<String> {
    Spanned::new(0..0, String::new())
}

fn one() -> u64 {
    1
}

/// How many games a pairing plays, by the size that is asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table such as { quick = 40, full = 400 }"
)]
pub struct Sizes {
    /// With `--quick`: enough to see that it works.
    pub quick: u64,
    /// With neither: as many as the paper played. Without it as many as with `--quick`.
    #[serde(default)]
    pub paper: Option<u64>,
    /// With `--full`: enough for a verdict.
    pub full: u64,
}

/// Agents that play each other, or a family of such pairings that differ in a parameter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table [[pairing]] with name and agents"
)]
pub struct PairingEntry {
    /// What it is called; `{key}` stands for a value of the sweep.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The agents, one for each seat, `name:key=value,…`; the first is the one whose figures are told. `{key}` stands for
    /// a value of the sweep.
    #[schemars(with = "Vec<String>")]
    pub agents: Vec<Spanned<String>>,
    /// Values to go through, by key; of several keys all combinations.
    #[serde(default)]
    pub sweep: BTreeMap<String, Vec<SweepValue>>,
    /// The name of the curve that a sweep belongs to. Without it the name of the pairing with the sweep's values left out.
    #[serde(default)]
    pub series: Option<String>,
    /// Options of the rules, instead of the experiment's. `{key}` stands for a value of the sweep.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub rules: Option<Spanned<String>>,
    /// Who sits where, instead of the experiment's.
    #[serde(default)]
    pub seats: Option<Seating>,
    /// How many games, instead of the experiment's.
    #[serde(default)]
    pub games: Option<Sizes>,
    /// Which agents play together, by their numbers, such as `[[0, 1], [2, 3]]`: a team's score is the sum of its members'.
    #[serde(default)]
    pub teams: Vec<Vec<usize>>,
    /// Whether the result is also computed, for small games and agents that remember nothing.
    #[serde(default)]
    pub exact: bool,
    /// Whether it is a control run (an agent against itself), which must come out even.
    #[serde(default)]
    pub control: bool,
    /// What somebody else found.
    #[serde(default)]
    pub reference: Vec<ReferenceEntry>,
    /// The same, of a paper: how files said it before there were origins.
    #[serde(default)]
    #[schemars(extend("deprecated" = true))]
    pub published: Vec<ReferenceEntry>,
}

/// A value of a sweep: a number or a word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SweepValue {
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A word.
    Text(String),
}

/// Everybody plays everybody.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [round-robin] with agents")]
pub struct RoundRobinEntry {
    /// The agents.
    #[schemars(with = "Vec<String>")]
    pub agents: Vec<Spanned<String>>,
    /// What they are called, in the same order; without it as they are written.
    #[serde(default)]
    pub names: Vec<String>,
    /// Points for a win, a draw and a loss.
    #[serde(default = "tournament_points")]
    pub points: [f64; 3],
    /// How many of the first play a final among themselves.
    #[serde(default)]
    pub final_of: Option<usize>,
    /// How many games a pairing of the final has.
    #[serde(default)]
    pub final_games: Option<u64>,
}

fn tournament_points() -> [f64; 3] {
    [3.0, 1.0, 0.0]
}

/// A row of the table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [[row]] that names a pairing")]
pub struct RowEntry {
    /// The pairing, by its name.
    #[schemars(with = "String")]
    pub pairing: Spanned<String>,
    /// What the row is called.
    pub label: String,
    /// The figure. See "Figures".
    #[schemars(with = "String")]
    pub figure: Spanned<String>,
    /// Only games like this.
    #[serde(default)]
    pub when: When,
    /// What somebody else found.
    #[serde(default)]
    pub reference: Option<ReferenceEntry>,
    /// The same, of a paper: how files said it before there were origins.
    #[serde(default)]
    #[schemars(extend("deprecated" = true))]
    pub published: Option<ReferenceEntry>,
    /// How near is near enough, in the figure's own unit: a figure agrees only if half its interval, and its distance from the
    /// reference, are no more than this. Without it five points for shares, a tenth of the reference's value for others.
    #[serde(default)]
    pub tolerance: Option<f64>,
}

/// Which games count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table of conditions, such as { first = 0 }"
)]
pub struct When {
    /// Those in which this agent (or team), by its number, had the first seat.
    #[serde(default)]
    pub first: Option<usize>,
    /// Those that this agent (or team), by its number, won.
    #[serde(default)]
    pub winner: Option<usize>,
}

/// A statistical test.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [[test]] with kind")]
pub struct TestEntry {
    /// Which.
    pub kind: TestKind,
    /// The pairings, by their names; without it all.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub pairings: Vec<Spanned<String>>,
    /// The one measure of `rank`; for `trend` the sweep's key.
    #[serde(default)]
    pub x: Option<String>,
    /// The other measure; for `trend` the figure, without it the score.
    #[serde(default)]
    pub y: Option<String>,
    /// The level at which it decides.
    #[serde(default = "five_percent")]
    pub level: f64,
    /// What somebody else found, by pairing, in the same order.
    #[serde(default)]
    pub reference: Vec<ReferenceTestEntry>,
    /// The same, of a paper: how files said it before there were origins.
    #[serde(default)]
    #[schemars(extend("deprecated" = true))]
    pub published: Vec<ReferenceTestEntry>,
}

fn five_percent() -> f64 {
    0.05
}

/// A kind of test. All but `compare`, `rank` and `trend` ask whether the first agent (or team) and its opponent are equally strong; draws are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestKind {
    /// χ² goodness of fit of wins and losses to an even split.
    ChiSquare,
    /// The exact two-sided sign test (binomial) on decided games.
    Sign,
    /// The one-sided normal test that the first wins more: z = (W − L) / √(W + L).
    Normal,
    /// Whether the first two pairings named have the same score.
    Compare,
    /// Whether the measures `x` and `y` of a game rise together: Spearman's rank correlation over the games.
    Rank,
    /// Whether a figure rises or falls along a sweep: Mantel's test within deals, for each curve of the sweep. With one game
    /// a deal, won or lost, and deals not shared it is that of Cochran and Armitage. Only the order of the sweep's values
    /// counts; words are in the order of the file.
    Trend,
}

/// A position in which an agent's choice is asked for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table [[position]] with name and position"
)]
pub struct PositionEntry {
    /// What it shows.
    pub name: String,
    /// The position, as a state or as the view of the seat to move, in the game's notation.
    #[schemars(with = "String")]
    pub position: Spanned<String>,
    /// The agent.
    #[schemars(with = "String")]
    pub agent: Spanned<String>,
    /// Choices that are right; any if there are none.
    #[serde(default)]
    pub expect: Vec<String>,
    /// Choices that would be wrong.
    #[serde(default)]
    pub avoid: Vec<String>,
    /// Where the position stands.
    #[serde(default)]
    pub place: Option<String>,
}

/// A plot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case", tag = "kind")]
pub enum PlotEntry {
    /// A dot with its interval for each pairing, beside the reference and the computed value.
    Rates {
        /// What it shows.
        title: String,
        /// The figure.
        figure: String,
        /// The pairings, by their names; without it all.
        #[serde(default)]
        pairings: Vec<String>,
    },
    /// A figure over the values of a sweep, one curve for each family of pairings.
    Curves {
        /// What it shows.
        title: String,
        /// The figure.
        figure: String,
        /// The sweep's key.
        x: String,
        /// What the key means, with its unit.
        #[serde(default)]
        x_label: Option<String>,
        /// Whether the axis is logarithmic.
        #[serde(default)]
        log: bool,
    },
    /// How often each value of a measure occurs.
    Histogram {
        /// What it shows.
        title: String,
        /// The measure, as in a figure: `rounds`, `cards-left@1`.
        measure: String,
        /// The pairing, by its name.
        pairing: String,
        /// Only games like this.
        #[serde(default)]
        when: When,
    },
    /// One measure against another, a dot for each game.
    Scatter {
        /// What it shows.
        title: String,
        /// The measure to the right.
        x: String,
        /// The measure upwards.
        y: String,
        /// The pairing, by its name.
        pairing: String,
        /// Only games like this.
        #[serde(default)]
        when: When,
    },
    /// The wins of two agents as the games go on.
    Cumulative {
        /// What it shows.
        title: String,
        /// The pairing, by its name.
        pairing: String,
        /// A point for so many games.
        step: u64,
    },
    /// A measure ply by ply, a strip for each of some games and one for all; the measure's values are small whole numbers.
    Strip {
        /// What it shows.
        title: String,
        /// The measure, by ply, or by ply and seat with `@agent`.
        measure: String,
        /// The pairing, by its name.
        pairing: String,
        /// What each value means, from 0 on.
        labels: Vec<String>,
        /// The first and the last ply, counted from 1.
        plies: [usize; 2],
        /// How many games are shown one by one.
        #[serde(default)]
        games: usize,
        /// Only games like this.
        #[serde(default)]
        when: When,
    },
    /// How often each value of a measure occurs, ply by ply, as stacked bars; the measure's values are small whole numbers.
    Stacked {
        /// What it shows.
        title: String,
        /// The measure, by ply, or by ply and seat with `@agent`.
        measure: String,
        /// The pairing, by its name.
        pairing: String,
        /// What each value means, from 0 on; a value with an empty label is left out.
        labels: Vec<String>,
        /// The first and the last ply, counted from 1.
        plies: [usize; 2],
        /// Only games like this.
        #[serde(default)]
        when: When,
    },
    /// The mean of a measure ply by ply, a curve for each pairing.
    ByPly {
        /// What it shows.
        title: String,
        /// The measure, by ply, or by ply and seat with `@agent`.
        measure: String,
        /// The pairings, by their names; without it all.
        #[serde(default)]
        pairings: Vec<String>,
        /// The first and the last ply, counted from 1.
        plies: [usize; 2],
        /// Only games like this.
        #[serde(default)]
        when: When,
    },
    /// What an agent said of its chances beside what it scored then: for each tenth the means, a curve for each pairing.
    /// Every deal weighs the same.
    Reliability {
        /// What it shows.
        title: String,
        /// The measure that tells chances from 0 to 1, by ply and seat: `chance`, `chance@1`.
        measure: String,
        /// The pairings, by their names; without it all.
        #[serde(default)]
        pairings: Vec<String>,
        /// Only games like this.
        #[serde(default)]
        when: When,
    },
    /// A table that the game computes without playing, as curves over its first column.
    ComputedCurves {
        /// What it shows.
        title: String,
        /// The computed table, by its name.
        table: String,
    },
    /// A table that the game computes without playing, as a heat map.
    ComputedGrid {
        /// What it shows.
        title: String,
        /// The computed table, by its name.
        table: String,
    },
}

impl TestKind {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            TestKind::ChiSquare => "χ² against an even split",
            TestKind::Sign => "exact sign test on decided games",
            TestKind::Normal => "one-sided normal test on decided games",
            TestKind::Compare => "same score in both (Welch, by deal)",
            TestKind::Rank => "rank correlation over games (Spearman)",
            TestKind::Trend => "trend over the sweep (Mantel, by deal)",
        }
    }
}
