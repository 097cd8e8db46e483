//! Results counted by games or by pairs of games, and the figures that follow from the counts.

use super::distributions::{normal_below, z_of};
use super::sample_size::Power;
use super::scores::{Elo, Scores};
use ranka_core::{Wdl, WdlCounts};
use std::f64::consts::LN_10;

/// One standard deviation of a game, in normalised Elo.
pub(super) const SCALE: f64 = 800.0 / LN_10;

/// How often each result came up.
///
/// The two games of a pair share their deal, so their results hang together, and counting games as if they
/// did not would give wrong errors: mostly too large ones, for what one side gains by a lucky deal it loses
/// when seats are swapped. Where games were played in pairs, pairs are to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// Games that were lost, drawn and won.
    Games([u64; 3]),
    /// Pairs of games that brought 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
}

impl Tally {
    /// Games between two.
    pub fn games(counts: impl Into<WdlCounts>) -> Tally {
        let WdlCounts { wins, draws, losses } = counts.into();
        Tally::Games([losses, draws, wins])
    }

    /// Counts the games of one more deal, from the same side: as a pair where pairs are counted.
    pub fn add(&mut self, deal: &[Wdl]) {
        let half_points = |game: &Wdl| match game {
            Wdl::Win => 2,
            Wdl::Draw => 1,
            Wdl::Loss => 0,
        };
        match self {
            Tally::Pairs(counts) => counts[deal.iter().map(half_points).sum::<usize>().min(4)] += 1,
            Tally::Games(counts) => deal.iter().for_each(|game| counts[half_points(game)] += 1),
        }
    }

    /// The counts, from the worst result to the best; results are equal steps from a score of 0 to one of 1.
    pub fn counts(&self) -> &[u64] {
        match self {
            Tally::Games(counts) => counts,
            Tally::Pairs(counts) => counts,
        }
    }

    /// How many games make one result.
    pub(super) fn games_each(&self) -> f64 {
        match self {
            Tally::Games(_) => 1.0,
            Tally::Pairs(_) => 2.0,
        }
    }

    /// The scores of the results; those of a pair count as one.
    pub fn scores(&self) -> Scores {
        Scores::of_counts(self.counts())
    }

    /// The rating difference that the results speak for, with its interval.
    pub fn elo(&self, level: f64) -> Elo {
        self.scores().elo_at(level)
    }

    /// The rating difference in units of a game's own randomness, which unlike Elo does not shrink where
    /// many games are drawn: `800/ln 10 · (s − ½)/σ` with the standard deviation σ of one game.
    ///
    /// The number of games alone says how exact it is. Where all results are the same, σ is unknown and the
    /// end that is not infinite is that of games without draws.
    pub fn normalised_elo(&self, level: f64) -> Elo {
        let (scores, games) = (self.scores(), self.number() * self.games_each());
        let deviation = (self.variance_about(scores.mean()) * self.games_each()).sqrt();
        let excess = scores.mean() - 0.5;
        if deviation > 0.0 || excess == 0.0 {
            let value = if excess == 0.0 { 0.0 } else { SCALE * excess / deviation };
            let half = z_of(level) * SCALE / games.sqrt();
            return Elo { value, interval: [value - half, value + half] };
        }
        let of_score = |s: f64| SCALE * (s - 0.5) / (s * (1.0 - s) * self.games_each()).sqrt();
        Elo { value: f64::INFINITY.copysign(excess), interval: scores.interval_at(level).map(of_score) }
    }

    /// The likelihood of superiority: how sure it is that the expected score is above ½.
    ///
    /// It is the normal one, with the variance that results would have about ½; for games this is the usual
    /// `Φ((W − L)/√(W + L))`, and it stays sensible when all games were won.
    pub fn superiority(&self) -> f64 {
        normal_below(self.z())
    }

    /// How many standard deviations the score is above ½, if it were ½; 0 when nothing was decided.
    pub fn z(&self) -> f64 {
        let excess = self.scores().mean() - 0.5;
        if excess == 0.0 { 0.0 } else { excess / (self.variance_about(0.5) / self.number()).sqrt() }
    }

    /// The expected score at a difference in normalised Elo, if results vary as these do.
    pub fn score_of_normalised(&self, elo: f64) -> f64 {
        let deviation = (self.variance_about(self.scores().mean()) * self.games_each()).sqrt();
        (0.5 + elo / SCALE * deviation).clamp(0.0, 1.0)
    }

    /// How many games like these tell an expected score of `score` from ½; nothing where there is no difference to tell.
    /// Results vary as these do, however the games of a pair hang together. If all were drawn, they are taken to vary as if
    /// one more had been won and one lost: a few that happen to be equal do not make all games certain.
    pub fn games_needed(&self, score: f64, power: Power) -> Option<f64> {
        let spread = match self.variance_about(0.5) {
            0.0 => 0.5 / (self.number() + 2.0),
            spread => spread,
        };
        Some(power.results_needed(score, spread)? * self.games_each())
    }

    /// How many results there are.
    fn number(&self) -> f64 {
        self.counts().iter().map(|&count| count as f64).sum()
    }

    /// The mean square distance of a result's score from `centre`.
    fn variance_about(&self, centre: f64) -> f64 {
        let best = (self.counts().len() - 1) as f64;
        let squares = self.counts().iter().enumerate().map(|(points, &count)| {
            let distance = points as f64 / best - centre;
            count as f64 * distance * distance
        });
        squares.sum::<f64>() / self.number().max(1.0)
    }
}

/// The one-sided normal test of decided games, `(W − L)/√(W + L)`; 0 when there are none.
pub fn decided_z(wins: u64, losses: u64) -> f64 {
    let (wins, losses) = (wins as f64, losses as f64);
    if wins == losses { 0.0 } else { (wins - losses) / (wins + losses).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::super::distributions::LEVEL;
    use super::super::testing::near;
    use super::*;

    /// Half the length of an interval.
    fn error(elo: Elo) -> f64 {
        (elo.interval[1] - elo.interval[0]) / 2.0
    }

    // The figures that fastchess's own tests expect.
    #[test]
    fn games_as_fastchess_counts_them() {
        for (wins, losses, draws, value, half) in
            [(76, 89, 123, -20.76, 40.13), (136, 96, 111, 49.77, 36.77), (34, 356, 0, -508.44, 34.48)]
        {
            let found = Tally::games([wins, draws, losses]).normalised_elo(LEVEL);
            near(found.value, value, 5.1e-3);
            near(error(found), half, 5.1e-3);
        }
        let tally = Tally::games([136, 111, 96]);
        near(tally.elo(LEVEL).value, 40.70, 5.1e-3);
        // It takes the plain normal interval and this is Wilson's, so they agree to about a hundredth.
        near(error(tally.elo(LEVEL)), 30.43, 0.3);
        // Its variance is about the mean and ours about ½.
        near(tally.superiority(), 0.9960, 5e-4);
        near(Tally::games([76, 123, 89]).superiority(), 0.1553, 1e-3);
    }

    #[test]
    fn a_few_draws_do_not_make_draws_certain() {
        let score = 0.507;
        let needed = |tally: Tally| tally.games_needed(score, Power::default()).unwrap();
        let of_two_decided = needed(Tally::games([1, 5, 1]));
        near(needed(Tally::games([0, 5, 0])), of_two_decided, 1e-9);
        near(needed(Tally::Pairs([0, 0, 5, 0, 0])), needed(Tally::Pairs([1, 0, 5, 0, 1])), 1e-9);
        assert!(of_two_decided > 9_000.0, "{of_two_decided}");
        assert!(needed(Tally::games([0, 500, 0])) > 100.0);
    }

    #[test]
    fn pairs_as_fastchess_counts_them() {
        for (counts, normalised, elo) in [
            ([34, 54, 31 + 32, 64, 75], (57.94, 28.28), (55.58, 27.65)),
            ([332, 433, 457 + 41, 333, 334], (-9.17, 10.96), (-8.64, 10.33)),
            ([7895, 8757, 5485 + 200, 568, 9999], (-19.01, 2.65), (-21.04, 2.95)),
        ] {
            let tally = Tally::Pairs(counts);
            near(tally.normalised_elo(LEVEL).value, normalised.0, 5.1e-3);
            near(error(tally.normalised_elo(LEVEL)), normalised.1, 1.1e-2);
            near(tally.elo(LEVEL).value, elo.0, 5.1e-3);
            near(error(tally.elo(LEVEL)) / elo.1, 1.0, 0.01);
        }
        near(Tally::Pairs([332, 433, 498, 333, 334]).superiority(), 0.0505, 1e-4);
    }

    #[test]
    fn independent_games_say_the_same_in_pairs() {
        // Every pair of results of 40 % wins, 20 % draws and 40 % losses as often as chance would have it.
        let (games, pairs) = (Tally::games([400, 200, 400]), Tally::Pairs([80, 80, 180, 80, 80]));
        near(error(games.elo(LEVEL)), error(pairs.elo(LEVEL)), 0.1);
        near(error(games.normalised_elo(LEVEL)), error(pairs.normalised_elo(LEVEL)), 1e-9);
        near(Tally::games([500, 250, 250]).z(), Tally::Pairs([31, 63, 156, 125, 125]).z(), 0.6);
    }

    #[test]
    fn games_needed_follow_from_how_pairs_hang_together() {
        let needed = |tally: Tally| tally.games_needed(0.55, Power::default()).unwrap();
        let games = needed(Tally::games([55, 0, 45]));
        assert_eq!(games, 783.0);
        // Both games of each pair went the same way: a pair is worth one game.
        assert_eq!(needed(Tally::Pairs([45, 0, 0, 0, 55])), 2.0 * games);
        // Independent games in pairs need as many as by themselves, and pairs that nearly always share the points fewer.
        near(needed(Tally::Pairs([20, 0, 50, 0, 30])), games, 10.0);
        assert!(needed(Tally::Pairs([0, 0, 90, 0, 10])) < games / 2.0);
    }

    #[test]
    fn the_normal_test_of_decided_games() {
        near(decided_z(87, 50), 3.161, 5e-4);
        near(Tally::games([87, 63, 50]).z(), decided_z(87, 50), 1e-12);
        assert_eq!((decided_z(0, 0), decided_z(u64::MAX, u64::MAX)), (0.0, 0.0));
        assert!(decided_z(u64::MAX, 0).is_finite());
    }

    #[test]
    fn the_ends_answer_sensibly() {
        for none in [Tally::games([0, 0, 0]), Tally::Pairs([0; 5])] {
            assert_eq!((none.superiority(), none.z()), (0.5, 0.0));
            let everything = Elo { value: 0.0, interval: [f64::NEG_INFINITY, f64::INFINITY] };
            assert_eq!((none.elo(LEVEL), none.normalised_elo(LEVEL)), (everything, everything));
        }
        for won in [Tally::games([20, 0, 0]), Tally::Pairs([0, 0, 0, 0, 10])] {
            let found = won.normalised_elo(LEVEL);
            assert_eq!((found.value, found.interval[1]), (f64::INFINITY, f64::INFINITY));
            assert!(found.interval[0] > 100.0 && found.interval[0].is_finite(), "{found:?}");
            assert!(won.superiority() > 0.99 && won.superiority() < 1.0);
        }
        assert_eq!(Tally::games([0, 0, 3]).normalised_elo(LEVEL).value, f64::NEG_INFINITY);
        assert_eq!(Tally::games([0, 9, 0]).superiority(), 0.5);
        assert_eq!(Tally::games([0, 9, 0]).normalised_elo(LEVEL).value, 0.0);
        for huge in [Tally::games([u64::MAX, u64::MAX, 0]), Tally::Pairs([u64::MAX; 5])] {
            assert!(!huge.superiority().is_nan() && !huge.normalised_elo(LEVEL).value.is_nan());
        }
    }
}
