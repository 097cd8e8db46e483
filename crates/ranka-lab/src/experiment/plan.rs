//! From a file to what is to be played: names looked up, sweeps spread out, mistakes told with their line.

use super::checks;
use super::figure::{Figure, Term};
use super::file::{
    ExperimentFile, PairingEntry, PlotEntry, PositionEntry, RoundRobinEntry, RowEntry, Sizes, SweepValue,
    TestEntry, TestKind, When,
};
use super::reference_figures::{ReferenceEntry, ReferenceFigure, ReferenceTest, ReferenceTestEntry};
use super::round_robin::{Entrants, RoundRobin};
use super::trend::PlannedTrend;
use crate::{GameLimits, Origins, Pairing, Seating};
use ranka_core::{AnyAgent, AnyGame, Budget, Error, Meter, Seed, Sheet, labels, toml_mistake, unknown};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Enough to see that it works.
    Quick,
    /// As much as the paper.
    Paper,
    /// Enough for a verdict.
    Full,
    /// So many games a pairing.
    Games(u64),
}

impl Size {
    fn of(self, sizes: &Sizes) -> u64 {
        match self {
            Size::Quick => sizes.quick,
            Size::Paper => sizes.paper.unwrap_or(sizes.quick),
            Size::Full => sizes.full,
            Size::Games(games) => games,
        }
    }

    /// How much that is of an experiment, in words: only one that says how much a paper played has the paper's size.
    pub fn told(self, experiment: &Experiment) -> String {
        let of_a_paper = || experiment.pairings.iter().any(|pairing| pairing.sizes.paper.is_some());
        match self {
            Size::Quick => "--quick".to_owned(),
            Size::Paper if of_a_paper() => "the paper's size".to_owned(),
            Size::Paper => "default".to_owned(),
            Size::Full => "--full".to_owned(),
            Size::Games(games) => format!("--games {games}"),
        }
    }
}

/// An experiment that is ready to run.
pub struct Experiment {
    /// Its name, such as `kalah/table-1`, or the file's.
    pub name: String,
    /// The file's text.
    pub source: String,
    /// What it is called.
    pub title: String,
    /// What is asked.
    pub question: String,
    /// Where it stands in the paper.
    pub place: Option<String>,
    /// What the reader should know.
    pub note: Option<String>,
    /// What is played.
    pub pairings: Vec<PlannedPairing>,
    /// Everybody against everybody: what the standings need.
    pub round_robin: Option<RoundRobin>,
    /// The rows of the table.
    pub rows: Vec<PlannedRow>,
    /// Statistical tests.
    pub tests: Vec<PlannedTest>,
    /// Positions with an agent's choice.
    pub positions: Vec<PlannedPosition>,
    /// Plots.
    pub plots: Vec<PlannedPlot>,
}

/// A pairing with its place in the experiment.
pub struct PlannedPairing {
    /// What it is called.
    pub name: String,
    /// The games.
    pub pairing: Pairing,
    /// How many, by the size that is asked for.
    pub sizes: Sizes,
    /// Which agents play together; empty if everybody is alone.
    pub teams: Vec<Vec<usize>>,
    /// Whether the result is also computed.
    pub exact: bool,
    /// Whether it must come out even.
    pub control: bool,
    /// The curve that it belongs to, and its values on it.
    pub series: String,
    /// The values of the sweep, by key.
    pub sweep: BTreeMap<String, SweepValue>,
}

impl PlannedPairing {
    /// A pairing of a round robin: everybody for itself, sampled, on no curve.
    pub(super) fn of_round_robin(name: String, pairing: Pairing, sizes: Sizes) -> PlannedPairing {
        PlannedPairing {
            series: name.clone(),
            name,
            pairing,
            sizes,
            teams: Vec::new(),
            exact: false,
            control: false,
            sweep: BTreeMap::new(),
        }
    }

    /// How many games are played; deals are never divided.
    pub fn games(&self, size: Size) -> u64 {
        let deal = self.pairing.games_of_a_deal();
        size.of(&self.sizes).div_ceil(deal).saturating_mul(deal)
    }
}

/// A row of the table.
pub struct PlannedRow {
    /// The place of its pairing.
    pub pairing: usize,
    /// What it is called.
    pub label: String,
    /// The figure.
    pub figure: Figure,
    /// Which games count.
    pub when: When,
    /// What it is compared with.
    pub reference: Option<ReferenceFigure>,
    /// How wide an interval may be and still tell.
    pub tolerance: f64,
}

/// A test.
pub struct PlannedTest {
    /// What is tested.
    pub entry: TestEntry,
    /// The places of the pairings.
    pub pairings: Vec<usize>,
    /// The two measures, if it is of measures.
    pub terms: Option<[Term; 2]>,
    /// The curves of a sweep, if it is of them.
    pub trend: Option<PlannedTrend>,
    /// What came out elsewhere, for each pairing or for none.
    pub references: Vec<ReferenceTest>,
}

/// A position with an agent's choice.
pub struct PlannedPosition {
    /// What is asked.
    pub entry: PositionEntry,
    /// The game that it belongs to.
    pub game: Arc<dyn AnyGame>,
    /// Who is asked.
    pub agent: AnyAgent,
}

/// A plot with everything in it looked up.
pub struct PlannedPlot {
    /// Its title.
    pub title: String,
    /// What is drawn.
    pub kind: PlotKind,
}

/// What a plot shows. Pairings are given by their places.
#[allow(missing_docs)] // they are those of the file, looked up
pub enum PlotKind {
    Rates { figure: Figure, pairings: Vec<usize> },
    Curves { figure: Figure, x: String, x_label: String, log: bool },
    Histogram { term: Term, measure: String, pairing: usize, when: When },
    Scatter { terms: [Term; 2], measures: [String; 2], pairing: usize, when: When },
    Cumulative { pairing: usize, step: u64 },
    Strip { term: Term, pairing: usize, labels: Vec<String>, plies: [usize; 2], games: usize, when: When },
    Stacked { term: Term, pairing: usize, labels: Vec<String>, plies: [usize; 2], when: When },
    ByPly { term: Term, measure: String, pairings: Vec<usize>, plies: [usize; 2], when: When },
    Reliability { term: Term, measure: String, pairings: Vec<usize>, when: When },
    ComputedCurves(Sheet),
    ComputedGrid(Sheet),
}

/// How wide the interval of a share may be and still tell, when the file says nothing: five points to either side.
const TOLERANCE: f64 = 0.05;

impl Experiment {
    /// Reads an experiment. `name` is what it is called in messages.
    pub fn parse(name: &str, source: &str) -> Result<Experiment, Error> {
        Experiment::parse_seeded(name, source, None)
    }

    /// Reads an experiment, and takes this seed in place of the file's.
    pub fn parse_seeded(name: &str, source: &str, seed: Option<u64>) -> Result<Experiment, Error> {
        let mut file: ExperimentFile =
            toml::from_str(source).map_err(|e| toml_mistake(Some(name), source, e.message(), e.span()))?;
        file.take_published().map_err(|e| e.at(name))?;
        file.seed = seed.unwrap_or(file.seed);
        Planner { name, source, file: &file, games: RefCell::default() }.plan()
    }

    /// Whose figures it compares with.
    pub fn origins(&self) -> Origins {
        let figures = self.rows.iter().filter_map(|row| Some(row.reference.as_ref()?.origin));
        let tests = self.tests.iter().flat_map(|test| &test.references).map(|test| test.origin);
        figures.chain(tests).collect()
    }

    /// How many games it has at this size.
    pub fn games(&self, size: Size) -> u64 {
        self.pairings.iter().map(|pairing| pairing.games(size)).sum()
    }
}

struct Planner<'a> {
    name: &'a str,
    source: &'a str,
    file: &'a ExperimentFile,
    games: RefCell<BTreeMap<String, Arc<dyn AnyGame>>>,
}

impl Planner<'_> {
    fn plan(&self) -> Result<Experiment, Error> {
        let file = self.file;
        let game = self.game(&file.rules)?;
        if file.pairing.is_empty()
            && file.round_robin.is_none()
            && file.position.is_empty()
            && file.plot.is_empty()
        {
            return Err(Error::input(
                "there is nothing to do: give [[pairing]], [round-robin], [[position]] or [[plot]]",
            )
            .at(self.name));
        }
        let mut pairings = Vec::new();
        let mut rows = Vec::new();
        for entry in &file.pairing {
            self.spread(entry, &mut pairings, &mut rows)?;
        }
        let round_robin = match &file.round_robin {
            Some(round_robin) => Some(self.round_robin(round_robin, &game, &mut pairings)?),
            None => None,
        };
        let names: Vec<&str> = pairings.iter().map(|pairing| pairing.name.as_str()).collect();
        if let Some(twice) = (1..names.len()).find(|&i| names[..i].contains(&names[i])) {
            let message = format!("two pairings are called {:?}: names must differ", names[twice]);
            return Err(Error::input(message).at(self.name));
        }
        for entry in &file.row {
            rows.push(self.row(entry, &pairings)?);
        }
        let mut tests = Vec::new();
        for entry in &file.test {
            tests.push(self.test(entry, game.as_ref(), &pairings)?);
        }
        let mut positions = Vec::new();
        for entry in &file.position {
            positions.push(self.position(entry, &game)?);
        }
        let mut plots = Vec::new();
        for entry in &file.plot {
            plots.push(self.plot(entry, &game, &pairings)?);
        }
        Ok(Experiment {
            name: self.name.to_owned(),
            source: self.source.to_owned(),
            title: file.title.clone(),
            question: file.question.clone(),
            place: file.place.clone(),
            note: file.note.clone(),
            pairings,
            round_robin,
            rows,
            tests,
            positions,
            plots,
        })
    }

    /// The error with the file's name and the line.
    fn at(&self, span: &Range<usize>, error: Error) -> Error {
        let line = 1 + self.source.bytes().take(span.start).filter(|&b| b == b'\n').count();
        error.at(format!("{}, line {line}", self.name))
    }

    /// The game under these rules, the same for all who ask: what is computed of it is computed once.
    fn game(&self, rules: &Spanned<String>) -> Result<Arc<dyn AnyGame>, Error> {
        if let Some(game) = self.games.borrow().get(rules.get_ref()) {
            return Ok(game.clone());
        }
        let entry = ranka_games::game(self.file.game.get_ref());
        let entry = entry.map_err(|e| self.at(&self.file.game.span(), e))?;
        let game = entry.open(rules.get_ref()).map_err(|e| self.at(&rules.span(), e))?;
        self.games.borrow_mut().insert(rules.get_ref().clone(), game.clone());
        Ok(game)
    }

    fn measures(&self, game: &dyn AnyGame) -> Result<(Vec<String>, Option<Meter>), Error> {
        for name in &self.file.measures {
            game.meter(&[name.get_ref().clone()]).map_err(|e| self.at(&name.span(), e))?;
        }
        let names: Vec<String> = self.file.measures.iter().map(|name| name.get_ref().clone()).collect();
        let meter = (!names.is_empty()).then(|| game.meter(&names)).transpose()?;
        Ok((names, meter))
    }

    fn limits(&self) -> Result<GameLimits, Error> {
        let mut limits = GameLimits::default();
        if let Some(cap) = self.file.ply_cap {
            if cap == 0 {
                return Err(Error::input("ply-cap: expected at least 1").at(self.name));
            }
            limits.ply_cap = cap;
        }
        if let Some(budget) = &self.file.budget {
            limits.budget = Some(Budget::parse(budget.get_ref()).map_err(|e| self.at(&budget.span(), e))?);
        }
        Ok(limits)
    }

    fn pairing(
        &self,
        game: &Arc<dyn AnyGame>,
        agents: Vec<AnyAgent>,
        seating: Seating,
        span: &Range<usize>,
    ) -> Result<Pairing, Error> {
        let (measures, _) = self.measures(game.as_ref())?;
        let pairing =
            Pairing::new(game.clone(), agents, seating, Seed::new(self.file.seed), self.limits()?, &measures);
        pairing.map_err(|e| self.at(span, e))
    }

    /// All pairings of an entry, one for each combination of its sweep's values, with their rows.
    fn spread(
        &self,
        entry: &PairingEntry,
        pairings: &mut Vec<PlannedPairing>,
        rows: &mut Vec<PlannedRow>,
    ) -> Result<(), Error> {
        let sizes = entry.games.unwrap_or(self.file.games);
        let here =
            |e: Error| self.at(&entry.name.span(), e.at(format!("pairing {:?}", entry.name.get_ref())));
        checks::sizes(&sizes).map_err(here)?;
        checks::sweep(entry, entry.rules.as_ref().unwrap_or(&self.file.rules).get_ref()).map_err(here)?;
        let combinations = combinations(&entry.sweep);
        for reference in &entry.reference {
            if !combinations.iter().any(|values| reference.fits(values)) {
                let span = reference.figure.as_ref().map_or(entry.name.span(), Spanned::span);
                let message =
                    "reference: its `at` fits no value of the sweep: take it out, or sweep over that value";
                return Err(self.at(&span, Error::input(message)));
            }
        }
        for values in combinations {
            let name = self.filled(&entry.name, &values)?;
            let rules = entry.rules.as_ref().unwrap_or(&self.file.rules);
            let rules = Spanned::new(rules.span(), self.filled(rules, &values)?);
            let game = self.game(&rules)?;
            let mut agents = Vec::new();
            for agent in &entry.agents {
                let made = game.agent(&self.filled(agent, &values)?);
                agents.push(made.map_err(|e| self.at(&agent.span(), e))?);
            }
            let seating = entry.seats.unwrap_or(self.file.seats);
            let span = entry.agents.first().map_or(entry.name.span(), Spanned::span);
            let pairing = self.pairing(&game, agents, seating, &span)?;
            checks::teams(&entry.teams, pairing.agents().len()).map_err(here)?;
            let equals = pairing.agents().windows(2).all(|two| two[0].identity == two[1].identity);
            if entry.control && !equals {
                return Err(here(Error::input("a control is of an agent against itself")));
            }
            self.rows_of(entry, &values, pairings.len(), &name, &pairing, rows)?;
            let series = entry.series.clone().unwrap_or_else(|| plain_series(entry.name.get_ref()));
            pairings.push(PlannedPairing {
                name,
                pairing,
                sizes,
                teams: entry.teams.clone(),
                exact: entry.exact,
                control: entry.control,
                series,
                sweep: values,
            });
        }
        Ok(())
    }

    /// The rows that every pairing has, and those for which there is a reference.
    fn rows_of(
        &self,
        entry: &PairingEntry,
        values: &BTreeMap<String, SweepValue>,
        place: usize,
        name: &str,
        pairing: &Pairing,
        rows: &mut Vec<PlannedRow>,
    ) -> Result<(), Error> {
        let fitting = || entry.reference.iter().filter(|reference| reference.fits(values));
        let mut known: Vec<(String, ReferenceFigure)> = Vec::new();
        for reference in fitting() {
            let span = reference.figure.as_ref().map_or(entry.name.span(), Spanned::span);
            known.extend(self.references(reference).map_err(|e| self.at(&span, e))?);
        }
        let mut figures: Vec<(String, Range<usize>)> =
            self.file.figures.iter().map(|figure| (figure.get_ref().clone(), figure.span())).collect();
        if figures.is_empty() {
            figures.push(("score".to_owned(), entry.name.span()));
        }
        // Counts bring nothing beyond the figures asked for; a figure of its own brings its row.
        for figure in fitting().filter_map(|reference| reference.figure.as_ref()) {
            if !figures.iter().any(|(text, _)| text == figure.get_ref()) {
                figures.push((figure.get_ref().clone(), figure.span()));
            }
        }
        for (text, span) in figures {
            let figure = Figure::parse(&text, pairing.meter()).map_err(|e| self.at(&span, e))?;
            let sides =
                checks::sides(Some(&figure), &When::default(), pairing.agents().len(), entry.teams.len());
            sides.map_err(|e| self.at(&span, e))?;
            let mut references = known.iter().filter(|(of, _)| *of == text).map(|(_, reference)| reference);
            let (reference, another) = (references.next().cloned(), references.next());
            if another.is_some() {
                let message = format!("reference: {text} of {name:?} is given twice");
                return Err(self.at(&span, Error::input(message)));
            }
            if let Some(reference) = &reference {
                checks::reference(&figure, reference).map_err(|e| self.at(&span, e))?;
            }
            let tolerance = tolerance(&figure, reference.as_ref());
            let (label, when) = (name.to_owned(), When::default());
            rows.push(PlannedRow { pairing: place, label, figure, when, reference, tolerance });
        }
        Ok(())
    }

    /// The reference figures of an entry, by their texts.
    fn references(&self, entry: &ReferenceEntry) -> Result<Vec<(String, ReferenceFigure)>, Error> {
        match (&entry.figure, entry.value, entry.counts) {
            (None, None, Some(counts)) => {
                let n = checks::counts(counts)?;
                let [win, draw, loss] = <[u64; 3]>::from(counts).map(|count| count as f64 / n as f64);
                let shares = [("win", win), ("draw", draw), ("loss", loss), ("score", win + draw / 2.0)];
                let figure = |(text, value): (&str, f64)| {
                    Ok((text.to_owned(), entry.with(value, Some(n), self.file)?))
                };
                shares.into_iter().map(figure).collect()
            }
            (Some(text), Some(value), None) => {
                Ok(vec![(text.get_ref().clone(), entry.with(value, entry.n, self.file)?)])
            }
            _ => Err(Error::input("reference: give either counts, or figure and value")),
        }
    }

    fn round_robin(
        &self,
        round_robin: &RoundRobinEntry,
        game: &Arc<dyn AnyGame>,
        pairings: &mut Vec<PlannedPairing>,
    ) -> Result<RoundRobin, Error> {
        let span = round_robin.agents.first().map_or(0..0, Spanned::span);
        let refuse = |e: Error| self.at(&span, e.at("round-robin"));
        let mut agents = Vec::new();
        for agent in &round_robin.agents {
            agents.push(game.agent(agent.get_ref()).map_err(|e| self.at(&agent.span(), e))?);
        }
        let names: Vec<String> =
            if round_robin.names.is_empty() { labels(&agents) } else { round_robin.names.clone() };
        checks::sizes(&self.file.games).map_err(refuse)?;
        let RoundRobinEntry { points, final_of, final_games, .. } = *round_robin;
        let entrants = Entrants { agents, names, points, final_of, final_games };
        let (measures, _) = self.measures(game.as_ref())?;
        let limits = self.limits()?;
        let seed = Seed::new(self.file.seed);
        let pair = |agents| Pairing::new(game.clone(), agents, self.file.seats, seed, limits, &measures);
        RoundRobin::plan(entrants, game.seats(), self.file.games, pair, pairings).map_err(refuse)
    }

    fn row(&self, entry: &RowEntry, pairings: &[PlannedPairing]) -> Result<PlannedRow, Error> {
        let pairing = self.find(&entry.pairing, pairings)?;
        let meter = pairings[pairing].pairing.meter();
        let figure =
            Figure::parse(entry.figure.get_ref(), meter).map_err(|e| self.at(&entry.figure.span(), e))?;
        let reference = match &entry.reference {
            None => None,
            Some(reference) => {
                let alone =
                    reference.counts.is_none() && reference.figure.is_none() && reference.at.is_empty();
                let (Some(value), true) = (reference.value, alone) else {
                    let message = "reference: a row has a value, and n, origin and place if they are known";
                    return Err(self.at(&entry.figure.span(), Error::input(message)));
                };
                let known = reference.with(value, reference.n, self.file);
                Some(known.map_err(|e| self.at(&entry.figure.span(), e))?)
            }
        };
        let tolerance = entry.tolerance.unwrap_or_else(|| tolerance(&figure, reference.as_ref()));
        let planned = &pairings[pairing];
        let sound = checks::tolerance(tolerance)
            .and_then(|()| {
                reference.as_ref().map_or(Ok(()), |reference| checks::reference(&figure, reference))
            })
            .and_then(|()| {
                let (agents, teams) = (planned.pairing.agents().len(), planned.teams.len());
                checks::sides(Some(&figure), &entry.when, agents, teams)
            });
        sound.map_err(|e| self.at(&entry.figure.span(), e))?;
        Ok(PlannedRow { pairing, label: entry.label.clone(), figure, when: entry.when, reference, tolerance })
    }

    fn test(
        &self,
        entry: &Spanned<TestEntry>,
        game: &dyn AnyGame,
        pairings: &[PlannedPairing],
    ) -> Result<PlannedTest, Error> {
        let places = self.find_all(&entry.get_ref().pairings, pairings)?;
        let planned = self.test_of(entry.get_ref(), places, game, pairings);
        planned.map_err(|e| self.at(&entry.span(), e.at("test")))
    }

    fn test_of(
        &self,
        entry: &TestEntry,
        places: Vec<usize>,
        game: &dyn AnyGame,
        pairings: &[PlannedPairing],
    ) -> Result<PlannedTest, Error> {
        let reference = |&ReferenceTestEntry { statistic, significant, origin }: &ReferenceTestEntry| {
            if statistic.is_some_and(|statistic| !statistic.is_finite()) {
                return Err(Error::input("reference: a statistic must be a number"));
            }
            Ok(ReferenceTest { statistic, significant, origin: self.file.origin(origin)? })
        };
        let references: Vec<ReferenceTest> =
            entry.reference.iter().map(reference).collect::<Result<_, _>>()?;
        checks::level(entry.level)?;
        if entry.kind == TestKind::Compare && entry.pairings.len() != 2 {
            return Err(Error::input("compare: name two pairings"));
        }
        let (_, meter) = self.measures(game)?;
        let term = |text: &String| Term::parse(text, meter.as_ref());
        let (mut terms, mut trend) = (None, None);
        match (entry.kind, &entry.x, &entry.y) {
            (TestKind::Rank, Some(x), Some(y)) => terms = Some([term(x)?, term(y)?]),
            (TestKind::Rank, ..) => return Err(Error::input("rank: name x and y")),
            (TestKind::Trend, Some(key), figure) => {
                let figure = figure.as_ref().map(|text| Figure::parse(text, meter.as_ref()));
                let figure = figure.transpose()?.unwrap_or_else(Figure::score);
                trend = Some(PlannedTrend::plan(key, figure, &places, pairings)?);
            }
            (TestKind::Trend, None, _) => {
                return Err(Error::input("trend: name x, the sweep's key"));
            }
            (_, None, None) => {}
            _ => return Err(Error::input("x and y are for rank and trend")),
        }
        let tested = trend.as_ref().map_or(places.len(), PlannedTrend::curves);
        if !references.is_empty() && references.len() != tested {
            let of = if trend.is_some() { "curves" } else { "pairings" };
            let message = format!("{} references for {tested} {of}", references.len());
            return Err(Error::input(message));
        }
        Ok(PlannedTest { entry: entry.clone(), pairings: places, terms, trend, references })
    }

    fn position(&self, entry: &PositionEntry, game: &Arc<dyn AnyGame>) -> Result<PlannedPosition, Error> {
        let game = game.for_position(entry.position.get_ref()).unwrap_or_else(|_| game.clone());
        let agent = game.agent(entry.agent.get_ref()).map_err(|e| self.at(&entry.agent.span(), e))?;
        Ok(PlannedPosition { entry: entry.clone(), game, agent })
    }

    fn find(&self, name: &Spanned<String>, pairings: &[PlannedPairing]) -> Result<usize, Error> {
        find(name.get_ref(), pairings).map_err(|e| self.at(&name.span(), e))
    }

    fn find_all(&self, names: &[Spanned<String>], pairings: &[PlannedPairing]) -> Result<Vec<usize>, Error> {
        if names.is_empty() {
            return Ok((0..pairings.len()).collect());
        }
        names.iter().map(|name| self.find(name, pairings)).collect()
    }

    fn plot(
        &self,
        entry: &Spanned<PlotEntry>,
        game: &Arc<dyn AnyGame>,
        pairings: &[PlannedPairing],
    ) -> Result<PlannedPlot, Error> {
        let planned = self.plot_of(entry.get_ref().clone(), game.as_ref(), pairings);
        planned.map_err(|e| self.at(&entry.span(), e.at("plot")))
    }

    fn plot_of(
        &self,
        entry: PlotEntry,
        game: &dyn AnyGame,
        pairings: &[PlannedPairing],
    ) -> Result<PlannedPlot, Error> {
        let (_, meter) = self.measures(game)?;
        let figure = |text: &str| Figure::parse(text, meter.as_ref());
        let term = |text: &str| Term::parse(text, meter.as_ref());
        let by_ply = |text: &str| {
            let read = term(text)?;
            let refuse = || Error::input(format!("measure {text:?}: it is not recorded by ply"));
            read.by_ply().then_some(read).ok_or_else(refuse)
        };
        match &entry {
            PlotEntry::Strip { plies, .. }
            | PlotEntry::Stacked { plies, .. }
            | PlotEntry::ByPly { plies, .. } => {
                checks::plies(*plies)?;
            }
            _ => {}
        }
        let find = |name: &str| find(name, pairings);
        let find_all = |names: &[String]| match names {
            [] => Ok((0..pairings.len()).collect()),
            names => names.iter().map(|name| find(name)).collect::<Result<_, _>>(),
        };
        let (title, kind) = match entry {
            PlotEntry::Rates { title, figure: f, pairings: names } => {
                (title, PlotKind::Rates { figure: figure(&f)?, pairings: find_all(&names)? })
            }
            PlotEntry::Curves { title, figure: f, x, x_label, log } => {
                if !pairings.iter().any(|pairing| pairing.sweep.contains_key(&x)) {
                    let near = checks::near_key(&x, pairings);
                    return Err(Error::input(format!("no pairing sweeps over {x:?}{near}")));
                }
                let x_label = x_label.unwrap_or_else(|| x.clone());
                (title, PlotKind::Curves { figure: figure(&f)?, x, x_label, log })
            }
            PlotEntry::Histogram { title, measure, pairing, when } => {
                let (term, pairing) = (term(&measure)?, find(&pairing)?);
                (title, PlotKind::Histogram { term, measure, pairing, when })
            }
            PlotEntry::Scatter { title, x, y, pairing, when } => {
                let (terms, pairing) = ([term(&x)?, term(&y)?], find(&pairing)?);
                (title, PlotKind::Scatter { terms, measures: [x, y], pairing, when })
            }
            PlotEntry::Cumulative { title, pairing, step } => {
                (title, PlotKind::Cumulative { pairing: find(&pairing)?, step: step.max(1) })
            }
            PlotEntry::Strip { title, measure, pairing, labels, plies, games, when } => {
                let (term, pairing) = (by_ply(&measure)?, find(&pairing)?);
                (title, PlotKind::Strip { term, pairing, labels, plies, games, when })
            }
            PlotEntry::Stacked { title, measure, pairing, labels, plies, when } => {
                let (term, pairing) = (by_ply(&measure)?, find(&pairing)?);
                (title, PlotKind::Stacked { term, pairing, labels, plies, when })
            }
            PlotEntry::ByPly { title, measure, pairings: names, plies, when } => {
                let (term, pairings) = (by_ply(&measure)?, find_all(&names)?);
                (title, PlotKind::ByPly { term, measure, pairings, plies, when })
            }
            PlotEntry::Reliability { title, measure, pairings: names, when } => {
                let (term, pairings) = (term(&measure)?, find_all(&names)?);
                if !term.by_ply_and_seat() {
                    let message = format!("measure {measure:?}: it is not recorded by ply and seat");
                    return Err(Error::input(message));
                }
                (title, PlotKind::Reliability { term, measure, pairings, when })
            }
            PlotEntry::ComputedCurves { title, table } => {
                (title, PlotKind::ComputedCurves(game.computed_table(&table)?))
            }
            PlotEntry::ComputedGrid { title, table } => {
                (title, PlotKind::ComputedGrid(game.computed_table(&table)?))
            }
        };
        Ok(PlannedPlot { title, kind })
    }

    /// The text with the sweep's values in it.
    fn filled(&self, text: &Spanned<String>, values: &BTreeMap<String, SweepValue>) -> Result<String, Error> {
        let mut filled = text.get_ref().clone();
        for (key, value) in values {
            filled = filled.replace(&format!("{{{key}}}"), &value.to_string());
        }
        if let Some((_, rest)) = filled.split_once('{') {
            let key = rest.split('}').next().unwrap_or(rest);
            let message = format!("{:?}: {{{key}}} is not swept over", text.get_ref());
            return Err(self.at(&text.span(), Error::input(message)));
        }
        Ok(filled)
    }
}

impl fmt::Display for SweepValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepValue::Int(n) => write!(f, "{n}"),
            SweepValue::Real(x) => write!(f, "{x}"),
            SweepValue::Text(text) => f.write_str(text),
        }
    }
}

impl SweepValue {
    /// The value as a number; nothing for a word.
    pub fn number(&self) -> Option<f64> {
        match self {
            SweepValue::Int(n) => Some(*n as f64),
            SweepValue::Real(x) => Some(*x),
            SweepValue::Text(_) => None,
        }
    }
}

/// How far off a figure may be if the file says nothing: where its unit is not a share of games, a tenth of the
/// reference.
fn tolerance(figure: &Figure, reference: Option<&ReferenceFigure>) -> f64 {
    let value = reference.map_or(1.0, |reference| reference.value.abs());
    if figure.in_percent() { TOLERANCE } else { (value / 10.0).max(f64::MIN_POSITIVE) }
}

/// The place of the pairing called `name`.
fn find(name: &str, pairings: &[PlannedPairing]) -> Result<usize, Error> {
    let known: Vec<&str> = pairings.iter().map(|pairing| pairing.name.as_str()).collect();
    let found = known.iter().position(|&known| known == name);
    found.ok_or_else(|| Error::input(unknown("pairing", name, &known)))
}

/// A name without the parts in braces.
fn plain_series(name: &str) -> String {
    let mut plain = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.trim_matches([' ', '=', ',']).to_owned()
}

/// All combinations of the values; of no keys the one that has none.
fn combinations(sweep: &BTreeMap<String, Vec<SweepValue>>) -> Vec<BTreeMap<String, SweepValue>> {
    sweep.iter().fold(vec![BTreeMap::new()], |combined, (key, values)| {
        let with = |known: &BTreeMap<String, SweepValue>, value: &SweepValue| {
            let mut known = known.clone();
            known.insert(key.clone(), value.clone());
            known
        };
        combined.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect()
    })
}
