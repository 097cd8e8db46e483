//! The scores of a number of games, their mean with its interval, and the rating difference they speak for.

use super::compare::Sample;
use super::distributions::LEVEL;
use super::proportion::wilson_of;
use ranka_core::WdlCounts;
use serde::Serialize;

/// The scores that somebody made in a number of games, each in `0..=1`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    games: u64,
    sum: f64,
    squares: f64,
}

impl Scores {
    /// The scores of so many wins, draws and losses between two.
    pub fn of(counts: impl Into<WdlCounts>) -> Scores {
        let counts: WdlCounts = counts.into();
        let (won, drawn) = (counts.wins as f64, counts.draws as f64);
        Scores { games: counts.games(), sum: won + drawn / 2.0, squares: won + drawn / 4.0 }
    }

    /// The scores of so many results each, from the worst to the best, in equal steps from 0 to 1.
    pub(super) fn of_counts(counts: &[u64]) -> Scores {
        let best = (counts.len() - 1) as f64;
        let mut scores = Scores::default();
        for (points, &count) in counts.iter().enumerate() {
            let score = points as f64 / best;
            scores.games = scores.games.saturating_add(count);
            scores.sum += count as f64 * score;
            scores.squares += count as f64 * score * score;
        }
        scores
    }

    /// Adds the score of one game.
    pub fn add(&mut self, score: f64) {
        self.games += 1;
        self.sum += score;
        self.squares += score * score;
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The mean score; ½ when nothing has been played, for then nothing is known.
    pub fn mean(&self) -> f64 {
        if self.games == 0 { 0.5 } else { self.sum / self.games as f64 }
    }

    /// The 95 % interval of the expected score: Wilson's, generalised to scores between 0 and 1.
    ///
    /// Wilson's interval is for games that are won or lost. Draws make scores vary less, so `n` games with
    /// draws say as much as `n·s(1−s)/v` games without, where `v` is the variance of one game's score. That
    /// ratio is taken as if one more game had been won and one lost; so it is exactly 1 without draws, and
    /// stays finite when all games were drawn.
    pub fn interval(&self) -> [f64; 2] {
        self.interval_at(LEVEL)
    }

    /// The interval at another level of confidence.
    pub fn interval_at(&self, level: f64) -> [f64; 2] {
        wilson_of(self.mean(), self.games as f64 * self.worth_of_a_game(), level)
    }

    /// The scores as a sample whose mean can be compared with another or with a reference.
    pub fn sample(&self) -> Sample {
        let (n, mean) = (self.games as f64, self.mean());
        let squares = (self.squares - self.sum * mean).max(0.0);
        Sample { count: self.games, mean, variance: squares / (n - 1.0).max(1.0) }
    }

    /// How many games without draws one of these games is worth.
    fn worth_of_a_game(&self) -> f64 {
        let n = self.games as f64 + 2.0;
        let mean = (self.sum + 1.0) / n;
        let of_two_results = mean * (1.0 - mean);
        let saved_by_draws = (self.sum - self.squares) / n;
        // In more games than can be told apart the two that were added vanish.
        if of_two_results <= 0.0 { 1.0 } else { of_two_results / (of_two_results - saved_by_draws).max(0.0) }
    }

    /// The rating difference that the scores speak for, against one opponent.
    pub fn elo(&self) -> Elo {
        self.elo_at(LEVEL)
    }

    /// The rating difference with an interval of another level of confidence.
    pub fn elo_at(&self, level: f64) -> Elo {
        Elo { value: elo_of(self.mean()), interval: self.interval_at(level).map(elo_of) }
    }
}

/// A difference of Elo ratings with its 95 % interval; infinite where a score is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference.
    pub value: f64,
    /// From where to where it may be.
    pub interval: [f64; 2],
}

/// The difference of Elo ratings at which `score` is expected.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that is expected at a difference of Elo ratings.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::super::distributions::z_of;
    use super::super::testing::near;
    use super::*;

    #[test]
    fn a_match_with_draws() {
        let scores = Scores::of([1012, 175, 913]);
        let [low, high] = scores.interval();
        near(100.0 * scores.mean(), 52.36, 5e-3);
        near(low, 0.503, 5e-4);
        near(high, 0.544, 5e-4);
        near(scores.elo().value, 16.4, 0.05);
        near(scores.elo().interval[0], 2.2, 0.1);
        near(scores.elo().interval[1], 30.6, 0.1);
    }

    #[test]
    fn without_draws_it_is_wilsons_interval() {
        // The textbook's values for 8 of 10 and for 0 of 10.
        let [low, high] = Scores::of([8, 0, 2]).interval();
        near(low, 0.4902, 5e-5);
        near(high, 0.9433, 5e-5);
        let [low, high] = Scores::of([0, 0, 10]).interval();
        assert_eq!(low, 0.0);
        near(high, 0.2775, 5e-5);
    }

    #[test]
    fn the_interval_agrees_with_the_normal_one_in_long_matches() {
        let (wins, draws, losses) = (30_000, 50_000, 20_000);
        let scores = Scores::of([wins, draws, losses]);
        let [low, high] = scores.interval();
        let deviation = (0.55 * 0.45 - 0.5 / 4.0f64).sqrt() / 100_000f64.sqrt();
        near(low, 0.55 - z_of(LEVEL) * deviation, 2e-5);
        near(high, 0.55 + z_of(LEVEL) * deviation, 2e-5);
    }

    #[test]
    fn the_ends_answer_sensibly() {
        assert_eq!(Scores::default().interval(), [0.0, 1.0]);
        assert_eq!(Scores::default().mean(), 0.5);
        let all_won = Scores::of([20, 0, 0]);
        assert_eq!(all_won.interval()[1], 1.0);
        near(all_won.interval()[0], 0.8389, 5e-5);
        assert_eq!((all_won.elo().value, all_won.elo().interval[1]), (f64::INFINITY, f64::INFINITY));
        assert_eq!(Scores::of([0, 0, 20]).elo().value, f64::NEG_INFINITY);
        let [low, high] = Scores::of([0, 20, 0]).interval();
        assert!(0.3 < low && low < 0.5 && 0.5 < high && high < 0.7, "{low} {high}");
        near(low + high, 1.0, 1e-12);
    }

    #[test]
    fn intervals_are_symmetric_and_hold_the_mean() {
        for (wins, draws, losses) in [(1, 0, 0), (0, 1, 0), (3, 7, 1), (50, 0, 50), (2, 100, 0)] {
            let [low, high] = Scores::of([wins, draws, losses]).interval();
            let [low_of_other, high_of_other] = Scores::of([losses, draws, wins]).interval();
            near(low, 1.0 - high_of_other, 1e-12);
            near(high, 1.0 - low_of_other, 1e-12);
            let mean = Scores::of([wins, draws, losses]).mean();
            assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0);
        }
    }

    #[test]
    fn ratings_and_scores_are_each_others_inverse() {
        for elo in [-800.0, -16.0, 0.0, 5.0, 400.0] {
            near(elo_of(score_of(elo)), elo, 1e-9);
        }
        near(score_of(400.0), 10.0 / 11.0, 1e-15);
        assert_eq!((score_of(f64::INFINITY), score_of(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn more_games_than_can_be_told_apart_answer() {
        for (wins, draws, losses) in
            [(u64::MAX, 0, 0), (0, u64::MAX, 0), (0, 0, u64::MAX), (u64::MAX, u64::MAX, u64::MAX)]
        {
            let [low, high] = Scores::of([wins, draws, losses]).interval();
            assert!(0.0 <= low && low <= high && high <= 1.0, "{low} {high}");
        }
    }

    #[test]
    fn scores_are_a_sample() {
        let (found, expected) = (Scores::of([2, 1, 1]).sample(), Sample::of(&[1.0, 0.5, 0.0, 1.0]));
        assert_eq!((found.count, found.mean), (expected.count, expected.mean));
        near(found.variance, expected.variance, 1e-15);
        assert_eq!(Scores::default().sample().count, 0);
    }

    #[test]
    fn scores_add_up_game_by_game() {
        let mut scores = Scores::default();
        for score in [1.0, 0.5, 0.0, 1.0] {
            scores.add(score);
        }
        assert_eq!(scores, Scores::of([2, 1, 1]));
    }
}
