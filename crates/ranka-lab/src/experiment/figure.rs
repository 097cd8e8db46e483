//! Figures: what is told of the games of a pairing. All of them are a sum over games divided by another.

use super::file::When;
use crate::GameResult;
use ranka_core::{Chances, Error, Meter, Per, Wdl, did_you_mean, unknown};
use std::fmt;
use std::ops::RangeInclusive;

/// A figure, read from its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Share(Outcome, usize),
    Mean(Term),
    Ratio(Vec<Term>, Vec<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Win,
    Draw,
    Loss,
    Score,
}

/// A measure, of one agent and of some plies if it is by them.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    measure: usize,
    per: Per,
    agent: usize,
    plies: RangeInclusive<usize>,
}

/// The grammar, as errors and `docs/experiments.md` tell it.
pub const GRAMMAR: &str = "win, draw, loss or score (of the first agent; win@1 of the second), \
    mean MEASURE, or ratio MEASURE + … / MEASURE + …; a MEASURE may have @AGENT and [FIRST..LAST] plies after it";

/// Teams of agents by their numbers; without teams everybody is one of its own.
#[derive(Clone, Copy, Debug)]
pub struct Teams<'a>(pub &'a [Vec<usize>]);

impl Teams<'_> {
    fn has(&self, team: usize, agent: usize) -> bool {
        if self.0.is_empty() { team == agent } else { self.0.get(team).is_some_and(|m| m.contains(&agent)) }
    }

    /// The score of a team in a game.
    pub fn score(&self, game: &GameResult, team: usize) -> f64 {
        let members = game.agents.iter().zip(&game.scores).filter(|&(&agent, _)| self.has(team, agent));
        members.map(|(_, score)| score).sum()
    }

    /// Whether a game counts.
    pub fn counts(&self, game: &GameResult, when: &When) -> bool {
        let first = when.first.is_none_or(|team| self.has(team, game.agents[0]));
        first && when.winner.is_none_or(|team| Wdl::of(self.score(game, team)) == Wdl::Win)
    }
}

impl Figure {
    /// Reads a figure of games in which `meter` was taken.
    pub fn parse(text: &str, meter: Option<&Meter>) -> Result<Figure, Error> {
        let words = text.trim();
        let (head, rest) = words.split_once(' ').unwrap_or((words, ""));
        let refuse = || {
            let kind = head.split('@').next().unwrap_or(head);
            let near = did_you_mean(kind, &["win", "draw", "loss", "score", "mean", "ratio"]);
            let expected = if near.is_empty() {
                format!(": expected {GRAMMAR}")
            } else {
                format!(" (expected {GRAMMAR})")
            };
            Error::input(format!("figure {text:?}{near}{expected}"))
        };
        let kind = match head {
            "mean" => Kind::Mean(Term::parse(rest, meter)?),
            "ratio" => {
                let (above, below) = rest.split_once('/').ok_or_else(refuse)?;
                let terms =
                    |text: &str| text.split('+').map(|t| Term::parse(t, meter)).collect::<Result<_, _>>();
                Kind::Ratio(terms(above)?, terms(below)?)
            }
            _ if rest.is_empty() => {
                let (name, agent) = agent_of(head)?;
                let outcome = match name {
                    "win" => Outcome::Win,
                    "draw" => Outcome::Draw,
                    "loss" => Outcome::Loss,
                    "score" => Outcome::Score,
                    _ => return Err(refuse()),
                };
                Kind::Share(outcome, agent.unwrap_or(0))
            }
            _ => return Err(refuse()),
        };
        Ok(Figure { text: words.to_owned(), kind })
    }

    /// The number of an agent or side that it names although there are only so many.
    pub(super) fn side(&self, agents: usize, sides: usize) -> Option<usize> {
        match &self.kind {
            Kind::Share(_, side) => Some(*side).filter(|&side| side >= sides),
            Kind::Mean(term) => Some(term.agent).filter(|&agent| agent >= agents),
            Kind::Ratio(above, below) => {
                above.iter().chain(below).map(|term| term.agent).find(|&agent| agent >= agents)
            }
        }
    }

    /// The score of the first agent or team.
    pub fn score() -> Figure {
        Figure { text: "score".to_owned(), kind: Kind::Share(Outcome::Score, 0) }
    }

    /// Whether it is a score, which is ½ between equals.
    pub fn is_even_score(&self) -> bool {
        matches!(self.kind, Kind::Share(Outcome::Score, _))
    }

    /// What it is by the computed chances of the first agent, as far as they tell.
    pub fn computed(&self, chances: &Chances) -> Option<f64> {
        let Kind::Share(outcome, agent) = self.kind else { return None };
        let chances = if agent == 0 { *chances } else { chances.reversed() };
        Some(match outcome {
            Outcome::Win => chances.win,
            Outcome::Draw => chances.draw,
            Outcome::Loss => chances.loss,
            Outcome::Score => chances.score(),
        })
    }

    /// Whether its values are shares of games (win, draw, loss), each 0 or 1.
    pub fn is_share(&self) -> bool {
        matches!(self.kind, Kind::Share(Outcome::Win | Outcome::Draw | Outcome::Loss, _))
    }

    /// Whether it is told in percent.
    pub fn in_percent(&self) -> bool {
        matches!(self.kind, Kind::Share(..))
    }

    /// What one game adds to the sum above and to the sum below.
    pub fn of(&self, game: &GameResult, teams: Teams<'_>) -> (f64, f64) {
        match &self.kind {
            Kind::Share(outcome, team) => {
                let score = teams.score(game, *team);
                let sure = |yes: bool| f64::from(u8::from(yes));
                let result = Wdl::of(score);
                let value = match outcome {
                    Outcome::Win => sure(result == Wdl::Win),
                    Outcome::Draw => sure(result == Wdl::Draw),
                    Outcome::Loss => sure(result == Wdl::Loss),
                    Outcome::Score => score,
                };
                (value, 1.0)
            }
            Kind::Mean(term) => term.sum(game),
            Kind::Ratio(above, below) => {
                let total = |terms: &[Term]| terms.iter().map(|term| term.sum(game).0).sum();
                (total(above), total(below))
            }
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Term {
    /// Reads `MEASURE`, `MEASURE@AGENT`, `MEASURE@AGENT[FIRST..LAST]`.
    pub fn parse(text: &str, meter: Option<&Meter>) -> Result<Term, Error> {
        let text = text.trim();
        let refuse = |why: &str| Error::input(format!("measure {text:?}: {why}"));
        let (rest, plies) = match text.split_once('[') {
            None => (text, 1..=usize::MAX),
            Some((rest, window)) => {
                let ends = window.strip_suffix(']').and_then(|window| window.split_once(".."));
                let ends = ends.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
                let (first, last) = ends
                    .filter(|&(first, last)| 1 <= first && first <= last)
                    .ok_or_else(|| refuse("expected plies as [FIRST..LAST], counted from 1"))?;
                (rest, first..=last)
            }
        };
        let (name, agent) = agent_of(rest.trim())?;
        let known: Vec<&str> = meter.iter().flat_map(|m| m.names.iter().map(String::as_str)).collect();
        let Some(measure) = known.iter().position(|&known| known == name) else {
            return Err(match known.is_empty() {
                true => refuse("the experiment records no measures: name it under `measures`"),
                false => Error::input(unknown("recorded measure", name, &known)),
            });
        };
        let per = meter.map_or(Per::Game, |m| m.per[measure]);
        let windowed = plies != (1..=usize::MAX);
        match per {
            Per::Game | Per::Ply if agent.is_some() => Err(refuse("it is of everybody, not of an agent")),
            Per::Game | Per::Seat if windowed => Err(refuse("it is not recorded by ply")),
            _ => Ok(Term { measure, per, agent: agent.unwrap_or(0), plies }),
        }
    }

    /// Whether it is recorded by ply.
    pub fn by_ply(&self) -> bool {
        matches!(self.per, Per::Ply | Per::PlySeat)
    }

    /// Whether it is recorded by ply, and of an agent.
    pub fn by_ply_and_seat(&self) -> bool {
        matches!(self.per, Per::PlySeat)
    }

    /// The score of its agent in a game, if it played.
    pub fn score(&self, game: &GameResult) -> Option<f64> {
        let seat = game.agents.iter().position(|&agent| agent == self.agent)?;
        game.scores.get(seat).copied()
    }

    /// The sum of its numbers in a game, and how many there were.
    fn sum(&self, game: &GameResult) -> (f64, f64) {
        let mut total = (0.0, 0.0);
        self.each(game, |_, x| total = (total.0 + x, total.1 + 1.0));
        total
    }

    /// Its one number in a game; the sum of those of several plies, nothing if there is none.
    pub fn value(&self, game: &GameResult) -> Option<f64> {
        let (sum, count) = self.sum(game);
        (count > 0.0).then_some(sum)
    }

    /// Goes through its numbers in a game with their plies, counted from 1 (0 if it is not by ply).
    pub fn each(&self, game: &GameResult, mut tell: impl FnMut(usize, f64)) {
        let Some(numbers) = game.measured.get(self.measure) else { return };
        let seats = game.agents.len();
        let seat = game.agents.iter().position(|&agent| agent == self.agent);
        let mut tell = |ply: usize, x: Option<&f64>| {
            if let Some(&x) = x.filter(|x| !x.is_nan()) {
                tell(ply, x);
            }
        };
        match self.per {
            Per::Game => tell(0, numbers.first()),
            Per::Seat => tell(0, seat.and_then(|seat| numbers.get(seat))),
            Per::Ply => {
                for (ply, x) in (1..).zip(numbers).filter(|(ply, _)| self.plies.contains(ply)) {
                    tell(ply, Some(x));
                }
            }
            Per::PlySeat => {
                for (ply, row) in (1..).zip(numbers.chunks(seats)) {
                    if self.plies.contains(&ply) {
                        tell(ply, seat.and_then(|seat| row.get(seat)));
                    }
                }
            }
        }
    }
}

/// Splits `name@agent`.
fn agent_of(text: &str) -> Result<(&str, Option<usize>), Error> {
    let Some((name, agent)) = text.split_once('@') else { return Ok((text, None)) };
    let number = agent.parse().ok().filter(|&n: &usize| n < ranka_core::MAX_SEATS);
    let number =
        number.ok_or_else(|| Error::input(format!("{text:?}: {agent:?} is not the number of an agent")))?;
    Ok((name, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::EndReason;

    fn meter() -> Meter {
        let game = ranka_games::game("kalah").unwrap().open("").unwrap();
        let names = ["plies", "margin", "value"].map(str::to_owned);
        game.meter(&names).unwrap()
    }

    /// Agent 1 had the first seat and won by 4 after three plies, of which the first and the last were its own.
    fn game() -> GameResult {
        let value = vec![0.5, f64::NAN, f64::NAN, 7.0, 0.25, f64::NAN];
        GameResult {
            number: 3,
            agents: vec![1, 0],
            versions: [1, 2].into(),
            scores: vec![1.0, 0.0],
            plies: 3,
            reason: EndReason::Rules,
            blame: None,
            measured: vec![vec![3.0], vec![4.0, -4.0], value],
        }
    }

    fn of(text: &str) -> (f64, f64) {
        Figure::parse(text, Some(&meter())).unwrap().of(&game(), Teams(&[]))
    }

    #[test]
    fn figures_follow_the_agent_and_not_the_seat() {
        assert_eq!([of("win"), of("loss"), of("score")], [(0.0, 1.0), (1.0, 1.0), (0.0, 1.0)]);
        assert_eq!([of("win@1"), of("score@1"), of("draw")], [(1.0, 1.0), (1.0, 1.0), (0.0, 1.0)]);
        assert_eq!([of("mean margin"), of("mean margin@1")], [(-4.0, 1.0), (4.0, 1.0)]);
        assert_eq!([of("mean value"), of("mean value@1")], [(7.0, 1.0), (0.75, 2.0)]);
        assert_eq!([of("mean value@1[1..2]"), of("mean value@0[1..1]")], [(0.5, 1.0), (0.0, 0.0)]);
        assert_eq!(of("ratio margin@1 + plies / plies"), (7.0, 3.0));
        let score = |text: &str| Term::parse(text, Some(&meter())).unwrap().score(&game());
        assert_eq!(["value", "value@1", "value@2"].map(score), [Some(0.0), Some(1.0), None]);
    }

    #[test]
    fn teams_share_their_scores() {
        let mut game = game();
        (game.agents, game.scores) = (vec![2, 0, 3, 1], vec![0.5, 0.0, 0.5, 0.0]);
        let teams = [vec![0, 1], vec![2, 3]];
        let figure = |text: &str| Figure::parse(text, None).unwrap().of(&game, Teams(&teams)).0;
        assert_eq!(
            [figure("score"), figure("score@1"), figure("win@1"), figure("loss")],
            [0.0, 1.0, 1.0, 1.0]
        );
        let counts = |first, winner| Teams(&teams).counts(&game, &When { first, winner });
        assert!(counts(Some(1), Some(1)) && !counts(Some(0), None) && !counts(None, Some(0)));
    }

    #[test]
    fn what_is_no_figure_is_refused_with_a_reason() {
        let why = |text: &str| Figure::parse(text, Some(&meter())).unwrap_err().to_string();
        assert!(
            why("wins").starts_with("figure \"wins\": did you mean win? (expected win, draw, loss or score")
        );
        assert!(
            why("scor@1").contains("did you mean score?") && why("meen plies").contains("did you mean mean?")
        );
        assert!(why("elo").starts_with("figure \"elo\": expected win, draw, loss or score"));
        assert!(why("mean pleis").contains("plies"));
        assert!(why("mean plies@0").contains("of everybody"));
        assert!(why("mean margin[1..2]").contains("not recorded by ply"));
        assert!(why("mean value[2..1]").contains("[FIRST..LAST]"));
        assert!(why("win@x").contains("not the number of an agent"));
        assert!(why("ratio plies").contains("expected"));
        assert!(Figure::parse("mean plies", None).unwrap_err().to_string().contains("records no measures"));
    }
}
