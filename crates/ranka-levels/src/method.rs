//! How strength is chosen from what is believed and from how the game stands.

use crate::{Ladder, Softmax};

/// Ways to keep a game open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// By what the other gave away: as much, and no further behind than a turn of the other's.
    Partner,
    /// By the present winning chance alone.
    Score,
    /// The Kalah paper's: as far between the worst and the best action as the other's actions lie.
    Select,
    /// The same by the formula as printed.
    SelectLiteral,
}

impl Method {
    pub(crate) const WORDS: &'static [&'static str] = &["partner", "score", "select", "select-literal"];

    pub(crate) fn named(word: &str) -> Method {
        match word {
            "score" => Method::Score,
            "select" => Method::Select,
            "select-literal" => Method::SelectLiteral,
            _ => Method::Partner,
        }
    }
}

/// What a choice of strength rests on.
pub(crate) struct Standing<'a> {
    /// What each action gives away.
    pub(crate) losses: &'a [f64],
    /// The winning chance of the best.
    pub(crate) best: f64,
    /// Whether everything lies open, so that each error of the other is seen.
    pub(crate) open: bool,
    /// The share of the point that everybody would have who is as good as all others.
    pub(crate) even: f64,
    /// The other's rank, as far as it is known.
    pub(crate) rank: f64,
    /// How far off that may be.
    pub(crate) doubt: f64,
    /// What the other would have given away in as many choices as were made here, less what was given away here.
    pub(crate) credit: f64,
    /// What the other gave away at a choice, on average.
    pub(crate) choice: f64,
    /// What the other gave away on average in a turn: in all that it decided before somebody else did.
    pub(crate) turn: f64,
}

/// How likely each action is to be taken by the partner's own method.
pub(crate) fn partner(ladder: &Ladder, standing: &Standing<'_>) -> Vec<f64> {
    let wanted = if standing.open { by_errors(standing) } else { by_lead(ladder, standing) };
    if wanted <= 0.0 {
        return sharp(standing.losses);
    }
    // Where errors are paid back, what was given too much is given less later; a lead is not told so precisely.
    let precision = if standing.open { PRECISION } else { PRECISION.min(wanted / 2.0) };
    near(standing.losses, wanted, precision, ladder.believed(standing.rank).bound)
}

/// What to give away where the other's errors are seen.
///
/// It gives back what the other gave away more than it did so far, and as much as the other did at a choice, for it is about
/// to make one. What a rank would give away here tells less: a choice of one's own is none of the other's, and a rank is
/// known too late. It falls behind by no more than what the other gives away in a turn, and a little; further behind it
/// plays its best.
fn by_errors(standing: &Standing<'_>) -> f64 {
    let ahead = standing.best - standing.even + standing.turn + MARGIN;
    (standing.choice + standing.credit).min(ahead)
}

/// What to give away where something is hidden: the winning chance tells better than a sum of single errors.
///
/// It gives as much as the other may be expected to while the game is even, less behind and more ahead. So it falls back
/// about as fast ahead as it gains, by the other's errors, behind; and whoever hardly errs is given hardly anything, for being
/// ahead of such a one is luck, which evens out by itself. Far ahead the other errs more than was thought.
fn by_lead(ladder: &Ladder, standing: &Standing<'_>) -> f64 {
    let ahead = (standing.best - standing.even) / LEAD;
    // Of somebody little known nothing is expected; soon the doubt is below one rank, and the square is small.
    let rank = standing.rank + standing.doubt * standing.doubt;
    ladder.believed(rank).mean_loss(standing.losses) * (1.0 + ahead.clamp(-1.0, MOST - 1.0))
}

/// How far behind it does not mind to be, besides what the other gives away in a turn.
const MARGIN: f64 = 0.05;
/// How far behind it gives nothing, and how far ahead twice what the other does, where it steers by the winning chance.
const LEAD: f64 = 0.1;
/// How often what the other does it gives at most.
const MOST: f64 = 4.0;
/// How precisely it gives away what it wants to; where something is hidden and that is little, half of that.
const PRECISION: f64 = 0.02;

/// How likely each action is for somebody who wants to give away about `wanted`, and not more than `bound`.
fn near(losses: &[f64], wanted: f64, precision: f64, bound: f64) -> Vec<f64> {
    let wanted = wanted.min(bound);
    let apart = |loss: f64| (loss - wanted).abs();
    let nearest =
        losses.iter().filter(|&&loss| loss <= bound).map(|&loss| apart(loss)).fold(f64::INFINITY, f64::min);
    let weight =
        |&loss: &f64| if loss > bound { 0.0 } else { libm::exp((nearest - apart(loss)) / precision) };
    let mut weights: Vec<f64> = losses.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The same by the score alone: whatever brings the winning chance back to even.
pub(crate) fn by_score(standing: &Standing<'_>) -> Vec<f64> {
    let ahead = standing.best - standing.even;
    if ahead <= 0.0 {
        return sharp(standing.losses);
    }
    Softmax { temperature: 10.0, bound: ahead }.cooled(standing.losses, ahead / 2.0).weights(standing.losses)
}

fn sharp(losses: &[f64]) -> Vec<f64> {
    Softmax { temperature: 0.0, bound: 0.0 }.weights(losses)
}

/// The place of the action that the paper's formula wants, for values from −1 to 1.
pub(crate) fn selected(literal: bool, alpha: f64, values: &[f64]) -> usize {
    let (low, high) = range(values);
    let wanted = if literal { alpha * (high + 2.0) + low } else { alpha * (high - low) + low };
    let apart = |place: usize| (values[place] - wanted).abs();
    (1..values.len()).fold(0, |best, next| if apart(next) < apart(best) { next } else { best })
}

/// How far between the worst and the best an action lies; nothing where all are alike.
pub(crate) fn shown(values: &[f64], place: usize) -> Option<f64> {
    let (low, high) = range(values);
    (high > low).then(|| (values[place] - low) / (high - low))
}

fn range(values: &[f64]) -> (f64, f64) {
    let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
    values.iter().fold((low, high), |(low, high), &value| (low.min(value), high.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rank;

    const LOSSES: [f64; 5] = [0.0, 0.02, 0.1, 0.3, 0.6];

    fn ladder() -> Ladder {
        let rank = |temperature: f64| Rank {
            temperature,
            bound: 3.0 * temperature,
            elo: 0.0,
            error: 1.0,
            seen: None,
        };
        Ladder::of_ranks([0.3, 0.15, 0.07, 0.03, 0.0].map(rank))
    }

    fn even(best: f64, rank: f64, doubt: f64) -> Standing<'static> {
        Standing {
            losses: &LOSSES,
            best,
            open: true,
            even: 0.5,
            rank,
            doubt,
            credit: 0.0,
            choice: 0.0,
            turn: 0.0,
        }
    }

    fn mean(standing: &Standing<'_>) -> f64 {
        partner(&ladder(), standing).iter().zip(LOSSES).map(|(weight, loss)| weight * loss).sum()
    }

    #[test]
    fn what_was_given_is_given_back_and_far_behind_it_plays_its_best() {
        for rank in [1.0, 2.0, 3.5] {
            let theirs = ladder().believed(rank).mean_loss(&LOSSES);
            let given = |best, credit| {
                mean(&Standing { credit, choice: theirs, turn: theirs, ..even(best, rank, 0.5) })
            };
            // To the nearest action that there is.
            assert!(given(0.5, 0.0) <= theirs + 0.05, "rank {rank}");
            assert_eq!(given(0.1, 1.0), 0.0, "far behind it plays its best");
            assert_eq!(given(0.9, -1.0), 0.0, "who gave away more than the other gives nothing");
            assert!(given(0.9, 0.2) > given(0.9, 0.0), "what the other gave away more is given back");
        }
        // One action gives away no more than the other's rank may, whatever there is to give back.
        let standing = Standing { credit: 9.0, ..even(1.0, 3.0, 0.0) };
        assert_eq!(partner(&ladder(), &standing)[3..], [0.0, 0.0]);
    }

    /// Where a turn is one of many decisions, as in TUBSTAP, it must fall behind before the other's, or it ends ahead.
    #[test]
    fn it_falls_behind_by_what_the_other_gives_away_in_a_turn() {
        let behind = |turn| mean(&Standing { credit: 0.05, choice: 0.06, turn, ..even(0.3, 1.0, 0.5) });
        assert_eq!(behind(0.06), 0.0);
        assert!(behind(0.36) > 0.05, "{}", behind(0.36));
    }

    /// It is the other's own play that tells what is coming, and not what its rank would do here.
    #[test]
    fn who_gave_nothing_is_given_nothing() {
        assert_eq!(mean(&even(0.6, 1.0, 0.5)), 0.0);
    }

    #[test]
    fn what_is_hidden_is_given_back_by_the_lead() {
        let given = |best, rank, doubt| -> f64 {
            let standing = Standing { open: false, ..even(best, rank, doubt) };
            partner(&ladder(), &standing).iter().zip(LOSSES).map(|(weight, loss)| weight * loss).sum()
        };
        let theirs = ladder().believed(2.0).mean_loss(&LOSSES);
        assert!((given(0.5, 2.0, 0.0) - theirs).abs() < 0.03, "as much as the other while it is even");
        assert_eq!(given(0.4, 1.0, 0.0), 0.0, "nothing behind");
        assert!(given(0.8, 1.0, 0.1) > 2.0 * given(0.5, 1.0, 0.1), "the lead goes back to the weak");
        assert!(given(0.8, 5.0, 0.1) < 0.02, "but not to the strong, whose luck it was not");
        assert!(given(0.8, 2.0, 2.0) < given(0.8, 2.0, 0.1), "nor to somebody little known");
    }

    #[test]
    fn the_score_alone_brings_the_chance_back_to_even() {
        let standing = even(0.7, 9.0, 0.0);
        assert_eq!(by_score(&standing)[3..], [0.0, 0.0]);
        assert_eq!(by_score(&Standing { best: 0.4, ..standing })[0], 1.0);
    }

    /// Both formulas on the values 1, 0 and −1, worked out by hand.
    #[test]
    fn the_papers_formulas() {
        let values = [1.0, 0.0, -1.0];
        assert_eq!([0.0, 0.5, 1.0].map(|alpha| selected(false, alpha, &values)), [2, 1, 0]);
        assert_eq!([0.0, 0.3, 1.0].map(|alpha| selected(true, alpha, &values)), [2, 1, 0]);
        assert_eq!((shown(&values, 1), shown(&[0.3, 0.3], 0)), (Some(0.5), None));
    }
}
