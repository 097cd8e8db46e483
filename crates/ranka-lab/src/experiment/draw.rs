//! The plots of an experiment.

use super::estimate::Estimate;
use super::figure::{Figure, Teams, Term};
use super::file::When;
use super::findings::{Findings, in_words};
use super::plan::{Experiment, PlannedPlot, PlotKind};
use super::reliability::Reliability;
use super::run::PlayedExperiment;
use crate::GameResult;
use crate::plot::{
    Arrangement, AxisUnit, Caption, Cumulative, CumulativePoint, Curves, ErrorBar, Grid, Histogram,
    HistogramSample, Intervals, Point, Rate, Rates, Reference, ReferenceLine, Scatter, ScatterGroup, Series,
    Stacked, StackedBar, Strip, StripRow, XAxis,
};
use crate::stats::{self, LEVEL};
use ranka_core::{Chances, Error, Sheet, Wdl};

/// A drawn plot.
pub struct Drawing {
    /// Its title.
    pub title: String,
    /// The drawing.
    pub svg: String,
}

/// Draws all plots of an experiment.
pub fn draw(
    experiment: &Experiment,
    played: &PlayedExperiment,
    findings: &Findings,
) -> Result<Vec<Drawing>, Error> {
    let easel = Easel { experiment, played, findings };
    let drawn = experiment.plots.iter().map(|plot| {
        let svg = easel.draw(plot)?;
        Ok(Drawing { title: plot.title.clone(), svg })
    });
    drawn.collect()
}

struct Easel<'a> {
    experiment: &'a Experiment,
    played: &'a PlayedExperiment,
    findings: &'a Findings,
}

const BARS: &str = "bars: 95 % intervals";

impl Easel<'_> {
    fn draw(&self, plot: &PlannedPlot) -> Result<String, Error> {
        let caption = |x_label: &str, y_label: &str, note: String| Caption {
            title: plot.title.clone(),
            x_label: x_label.to_owned(),
            y_label: y_label.to_owned(),
            note,
        };
        Ok(match &plot.kind {
            PlotKind::Rates { figure, pairings } => {
                let rows = pairings.iter().map(|&place| self.rate(figure, place)).collect();
                let note = format!("{}; {BARS}.", self.games_in_words(pairings, &When::default()));
                let caption = caption(&label(figure), "", note);
                Rates { caption, unit: unit(figure), rows, level: even(figure) }.svg()
            }
            PlotKind::Curves { figure, x, x_label, log } => {
                self.curves(figure, x, *log, |note| caption(x_label, &label(figure), note))?
            }
            PlotKind::Histogram { term, measure, pairing, when } => {
                let values: Vec<f64> =
                    self.games(*pairing, when).filter_map(|game| term.value(game)).collect();
                let note = self.small_print(*pairing, when, values.len());
                let sample = HistogramSample { label: measure.clone(), values };
                let caption = caption(measure, "games", note);
                Histogram {
                    caption,
                    unit: AxisUnit::Number,
                    sample,
                    other: None,
                    arrangement: Arrangement::SideBySide,
                }
                .svg()
            }
            PlotKind::Scatter { terms: [x, y], measures, pairing, when } => {
                let both = |game: &GameResult| Some((x.value(game)?, y.value(game)?));
                let points: Vec<(f64, f64)> = self.games(*pairing, when).filter_map(both).collect();
                let note = self.small_print(*pairing, when, points.len());
                let groups = vec![ScatterGroup { label: String::new(), points }];
                Scatter { caption: caption(&measures[0], &measures[1], note), groups }.svg()
            }
            PlotKind::Cumulative { pairing, step } => self.cumulative(*pairing, *step, caption),
            PlotKind::Strip { term, pairing, labels, plies, games, when } => {
                let all: Vec<&GameResult> = self.games(*pairing, when).collect();
                let rows = |game: &&GameResult| StripRow {
                    label: format!("game {}", game.number),
                    cells: codes(term, game, *plies, labels.len()),
                };
                let note = self.small_print(*pairing, when, all.len());
                if *games == 0 {
                    let stacked = shares(&all, term, *plies, labels);
                    let caption = caption("ply", "share of games", note);
                    return Ok(Stacked {
                        caption,
                        unit: AxisUnit::Percent,
                        parts: labels.clone(),
                        bars: stacked,
                    }
                    .svg());
                }
                let shown = all.iter().take(*games).map(rows).collect();
                let caption = caption("ply", "", note);
                Strip {
                    caption,
                    categories: labels.clone(),
                    rows: shown,
                    aggregate: Some("these".to_owned()),
                }
                .svg()
            }
            PlotKind::Stacked { term, pairing, labels, plies, when } => {
                let all: Vec<&GameResult> = self.games(*pairing, when).collect();
                let kept: Vec<usize> = (0..labels.len()).filter(|&code| !labels[code].is_empty()).collect();
                let mut bars = shares(&all, term, *plies, labels);
                for bar in &mut bars {
                    bar.values = kept.iter().map(|&code| bar.values[code]).collect();
                }
                let parts = kept.iter().map(|&code| labels[code].clone()).collect();
                let note = self.small_print(*pairing, when, all.len());
                let caption = caption("ply", "share of games", note);
                Stacked { caption, unit: AxisUnit::Percent, parts, bars }.svg()
            }
            PlotKind::ByPly { term, measure, pairings, plies, when } => {
                let series = pairings.iter().map(|&place| self.by_ply(term, place, *plies, when)).collect();
                let note = format!("{}; bands: 95 % intervals.", self.games_in_words(pairings, when));
                Curves {
                    caption: caption("ply", measure, note),
                    unit: AxisUnit::Number,
                    x_axis: XAxis::Linear,
                    intervals: Intervals::Bands,
                    series,
                    level: None,
                    diagonal: None,
                }
                .svg()
            }
            PlotKind::Reliability { term, measure, pairings, when } => {
                let told: Vec<(usize, Reliability)> =
                    pairings.iter().map(|&place| (place, self.reliability(term, place, when))).collect();
                let series = told.iter().map(|(place, told)| {
                    let planned = &self.experiment.pairings[*place];
                    let (seats, seed) = (planned.pairing.agents().len(), planned.pairing.seed());
                    Series {
                        label: planned.name.clone(),
                        points: told.points(seats, seed),
                        ..Series::default()
                    }
                });
                let note = format!("{}; {BARS}, by deal.", self.games_in_words(pairings, when));
                let note = match told.iter().map(|(_, told)| told.outside).sum::<usize>() {
                    0 => note,
                    outside => format!("{note} {outside} values outside 0 to 1 are left out."),
                };
                Curves {
                    caption: caption(measure, "score", note),
                    unit: AxisUnit::Number,
                    x_axis: XAxis::Linear,
                    intervals: Intervals::Bars,
                    series: series.collect(),
                    level: None,
                    diagonal: Some("as it was said".to_owned()),
                }
                .svg()
            }
            PlotKind::ComputedCurves(sheet) => {
                computed_curves(sheet, |x| caption(x, "", "computed".to_owned()))
            }
            PlotKind::ComputedGrid(sheet) => computed_grid(sheet, caption("", "", "computed".to_owned())),
        })
    }

    fn games(&self, pairing: usize, when: &When) -> impl Iterator<Item = &GameResult> {
        let teams = Teams(&self.experiment.pairings[pairing].teams);
        let when = *when;
        self.played.pairings[pairing].counted().iter().filter(move |game| teams.counts(game, &when))
    }

    /// How many games of each pairing are shown, and which, in words.
    fn games_in_words(&self, pairings: &[usize], when: &When) -> String {
        let counts = || pairings.iter().map(|&place| self.games(place, when).count());
        let shown = match (counts().min(), counts().max()) {
            (Some(fewest), Some(most)) if fewest == most => format!("n = {most} games each"),
            (Some(fewest), Some(most)) => format!("n = {fewest} to {most} games"),
            _ => "no games".to_owned(),
        };
        let mut of: Vec<String> =
            pairings.iter().map(|&place| in_words(&self.experiment.pairings[place], when)).collect();
        of.dedup();
        of.retain(|words| !words.is_empty());
        if of.is_empty() { shown } else { format!("{shown}: {}", of.join("; ")) }
    }

    fn small_print(&self, pairing: usize, when: &When, n: usize) -> String {
        let planned = &self.experiment.pairings[pairing];
        let when = in_words(planned, when);
        let when = if when.is_empty() { when } else { format!(": {when}") };
        format!("{}{when}; n = {n} games.", planned.name)
    }

    /// The figure of a pairing, with what others found and what was computed of it.
    fn rate(&self, figure: &Figure, place: usize) -> Rate {
        let planned = &self.experiment.pairings[place];
        let games = self.played.pairings[place].counted();
        let all = When::default();
        let measured = Estimate::of(planned, games, figure, &all);
        let row = self.experiment.rows.iter().find(|row| {
            row.pairing == place && row.figure.to_string() == figure.to_string() && row.when == all
        });
        let reference = row.and_then(|row| row.reference.as_ref()).map(|known| {
            let share = figure.in_percent().then_some(known.n).flatten();
            let interval = share.map(|n| stats::wilson((known.value * n as f64).round() as u64, n, LEVEL));
            Reference { origin: known.origin, estimate: ErrorBar { value: known.value, interval } }
        });
        let computed = self.findings.pairings[place].exact;
        Rate {
            label: planned.name.clone(),
            measured: measured.value.map(|value| ErrorBar { value, interval: Some(measured.interval) }),
            reference,
            exact: computed.and_then(|[win, draw, loss]| figure.computed(&Chances { win, draw, loss })),
        }
    }

    fn curves(
        &self,
        figure: &Figure,
        x: &str,
        log: bool,
        caption: impl Fn(String) -> Caption,
    ) -> Result<String, Error> {
        let swept: Vec<usize> = (0..self.experiment.pairings.len())
            .filter(|&place| self.experiment.pairings[place].sweep.contains_key(x))
            .collect();
        let value = |place: usize| &self.experiment.pairings[place].sweep[x];
        let in_numbers = swept.iter().all(|&place| value(place).number().is_some());
        let mut words: Vec<String> = Vec::new();
        let mut series: Vec<Series> = Vec::new();
        for &place in &swept {
            let text = value(place).to_string();
            let at = match value(place).number().filter(|_| in_numbers) {
                Some(number) => number,
                None => words.iter().position(|word| *word == text).unwrap_or_else(|| {
                    words.push(text);
                    words.len() - 1
                }) as f64,
            };
            let name = &self.experiment.pairings[place].series;
            let of = match series.iter().position(|known| known.label == *name) {
                Some(of) => of,
                None => {
                    series.push(Series { label: name.clone(), ..Series::default() });
                    series.len() - 1
                }
            };
            let Rate { measured, reference, exact, .. } = self.rate(figure, place);
            series[of].points.extend(measured.map(|y| Point { x: at, y }));
            series[of].references.extend(reference.map(|reference| (at, reference)));
            series[of].exact.extend(exact.map(|y| (at, y)));
        }
        for line in &mut series {
            line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
            line.exact.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let x_axis = match (in_numbers, log) {
            (false, _) => XAxis::Categories(words),
            (true, true) => XAxis::Logarithmic,
            (true, false) => XAxis::Linear,
        };
        let note = format!("{}; {BARS}.", self.games_in_words(&swept, &When::default()));
        let (caption, unit, level) = (caption(note), unit(figure), even(figure));
        Ok(Curves { caption, unit, x_axis, intervals: Intervals::Bars, series, level, diagonal: None }.svg())
    }

    fn cumulative(
        &self,
        pairing: usize,
        step: u64,
        caption: impl Fn(&str, &str, String) -> Caption,
    ) -> String {
        let planned = &self.experiment.pairings[pairing];
        let teams = Teams(&planned.teams);
        let mut points = vec![CumulativePoint { games: 0, wins: [0; 2] }];
        let mut wins = [0u64; 2];
        let games = self.played.pairings[pairing].all_held();
        for (count, game) in (1..).zip(games) {
            for (side, wins) in wins.iter_mut().enumerate() {
                *wins += u64::from(Wdl::of(teams.score(game, side)) == Wdl::Win);
            }
            if count % step == 0 || count == games.len() as u64 {
                points.push(CumulativePoint { games: count, wins });
            }
        }
        let agents = planned.pairing.agents();
        let sides = [0, 1].map(|side| agents.get(side).map_or_else(String::new, |agent| agent.label.clone()));
        let note = format!("{}; n = {} games, a point every {step}.", planned.name, games.len());
        Cumulative { caption: caption("games", "wins", note), sides, points, difference: true }.svg()
    }

    fn reliability(&self, term: &Term, place: usize, when: &When) -> Reliability {
        let pairing = &self.experiment.pairings[place].pairing;
        let mut told = Reliability::default();
        for game in self.games(place, when) {
            let (deal, _) = pairing.deal(game.number);
            if let Some(scored) = term.score(game) {
                term.each(game, |_, said| told.add(deal, said, scored));
            }
        }
        told
    }

    fn by_ply(&self, term: &Term, place: usize, [first, last]: [usize; 2], when: &When) -> Series {
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); last + 1];
        for game in self.games(place, when) {
            term.each(game, |ply, x| {
                if let Some(of) = values.get_mut(ply) {
                    of.push(x);
                }
            });
        }
        let plies = (first..=last).filter(|&ply| !values[ply].is_empty());
        let points = plies.map(|ply| {
            let sample = stats::Sample::of(&values[ply]);
            let interval = stats::mean_against(sample, 0.0, LEVEL).interval;
            Point { x: ply as f64, y: ErrorBar { value: sample.mean, interval: Some(interval) } }
        });
        Series {
            label: self.experiment.pairings[place].name.clone(),
            points: points.collect(),
            ..Series::default()
        }
    }
}

fn label(figure: &Figure) -> String {
    match figure.to_string().as_str() {
        "win" => "games won".to_owned(),
        "draw" => "games drawn".to_owned(),
        "loss" => "games lost".to_owned(),
        other => other.strip_prefix("mean ").unwrap_or(other).to_owned(),
    }
}

fn unit(figure: &Figure) -> AxisUnit {
    if figure.in_percent() { AxisUnit::Percent } else { AxisUnit::Number }
}

fn even(figure: &Figure) -> Option<ReferenceLine> {
    figure.is_even_score().then(|| ReferenceLine { value: 0.5, label: "even".to_owned() })
}

/// The code at each ply from 1 on, where it is one of `count`.
fn codes(term: &Term, game: &GameResult, [first, last]: [usize; 2], count: usize) -> Vec<Option<usize>> {
    let mut cells = vec![None; last];
    term.each(game, |ply, x| {
        if (first..=last).contains(&ply) && x >= 0.0 && (x as usize) < count {
            cells[ply - 1] = Some(x as usize);
        }
    });
    cells
}

/// The share of each code among the games that have one, ply by ply.
fn shares(games: &[&GameResult], term: &Term, plies: [usize; 2], labels: &[String]) -> Vec<StackedBar> {
    let mut counts = vec![vec![0u64; labels.len()]; plies[1] + 1];
    for game in games {
        for (ply, code) in (1..).zip(codes(term, game, plies, labels.len())) {
            if let Some(code) = code {
                let of: &mut Vec<u64> = &mut counts[ply];
                of[code] += 1;
            }
        }
    }
    let bar = |ply: usize| {
        let all = counts[ply].iter().sum::<u64>().max(1) as f64;
        StackedBar { label: ply.to_string(), values: counts[ply].iter().map(|&n| n as f64 / all).collect() }
    };
    (plies[0]..=plies[1]).map(bar).collect()
}

fn computed_curves(sheet: &Sheet, caption: impl Fn(&str) -> Caption) -> String {
    let x = sheet.columns.first().map_or("", String::as_str);
    let series = sheet.columns.iter().enumerate().skip(1).map(|(column, name)| Series {
        label: name.clone(),
        exact: sheet.rows.iter().filter_map(|row| Some((*row.first()?, *row.get(column)?))).collect(),
        ..Series::default()
    });
    Curves {
        caption: caption(x),
        unit: AxisUnit::Number,
        x_axis: XAxis::Linear,
        intervals: Intervals::Bars,
        series: series.collect(),
        level: None,
        diagonal: None,
    }
    .svg()
}

fn computed_grid(sheet: &Sheet, caption: Caption) -> String {
    let number = |x: &f64| x.is_finite().then_some(*x);
    Grid {
        caption,
        unit: AxisUnit::Number,
        columns: sheet.columns.clone(),
        rows: (0..sheet.rows.len()).map(|row| row.to_string()).collect(),
        values: sheet.rows.iter().map(|row| row.iter().map(number).collect()).collect(),
        centre: None,
    }
    .svg()
}
