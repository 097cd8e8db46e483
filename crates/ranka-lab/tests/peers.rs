//! Our statistics are those of scipy and statsmodels: what they answered lies in `peers.json`, written by `peers.py`.
#![allow(clippy::unwrap_used)]

use ranka_lab::stats::{
    Sample, binomial_test, chi_square, clopper_pearson, holm, mean_against, means, normal_below, proportions,
    rank_correlation, wilson,
};
use serde_json::Value;

/// Both round differently; beyond this they mean different things.
const TOLERANCE: f64 = 1e-8;

struct Answer<'a>(&'a Value);

impl Answer<'_> {
    fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or_else(|| panic!("{key} of {}", self.0))
    }

    fn count(&self, key: &str) -> u64 {
        self.0[key].as_u64().unwrap()
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        self.0[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    }

    fn counts(&self, key: &str) -> Vec<u64> {
        self.0[key].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
    }

    fn agrees(&self, key: &str, ours: f64) {
        self.alike(key, ours, self.number(key));
    }

    fn all_agree(&self, key: &str, ours: &[f64]) {
        let theirs = self.numbers(key);
        assert_eq!(ours.len(), theirs.len(), "{}", self.0);
        ours.iter().zip(theirs).for_each(|(&ours, theirs)| self.alike(key, ours, theirs));
    }

    /// Relative where numbers are small: a p-value of 10⁻²⁰ must not pass for one of 10⁻⁹.
    fn alike(&self, key: &str, ours: f64, theirs: f64) {
        let apart = (ours - theirs).abs();
        let same = apart <= TOLERANCE * theirs.abs() || apart <= 1e-15;
        assert!(same, "{key}: ours {ours:e}, theirs {theirs:e}: {}", self.0);
    }
}

#[test]
fn statistics_are_those_of_scipy_and_statsmodels() {
    let file: Value = serde_json::from_str(include_str!("peers.json")).unwrap();
    let answers = file["answers"].as_array().unwrap();
    assert!(answers.len() > 190, "{}", answers.len());
    for value in answers {
        let answer = Answer(value);
        match value["of"].as_str().unwrap() {
            kind @ ("wilson" | "clopper_pearson") => {
                let of = if kind == "wilson" { wilson } else { clopper_pearson };
                let ours = of(answer.count("successes"), answer.count("trials"), answer.number("level"));
                answer.all_agree("interval", &ours);
            }
            "binomial" => {
                let (successes, trials) = (answer.count("successes"), answer.count("trials"));
                let ours = binomial_test(successes, trials, answer.number("share"));
                answer.agrees("two-sided", ours.two_sided);
                answer.agrees("greater", ours.greater);
                answer.agrees("less", ours.less);
            }
            "proportions" => {
                let [one, other] = ["one", "other"].map(|key| answer.counts(key));
                let ours = proportions((one[0], one[1]), (other[0], other[1]), 0.95);
                answer.agrees("z", ours.statistic);
                answer.agrees("p", ours.p);
                answer.all_agree("interval", &ours.interval);
            }
            "means" => {
                let [one, other] = ["one", "other"].map(|key| answer.numbers(key));
                let ours = means(Sample::of(&one), Sample::of(&other), 0.95);
                answer.agrees("t", ours.statistic);
                answer.agrees("p", ours.p);
                answer.all_agree("interval", &ours.interval);
                let ours = mean_against(Sample::of(&one), 0.5, 0.95);
                answer.agrees("t_half", ours.statistic);
                answer.agrees("p_half", ours.p);
                if value["rho"].is_number() {
                    let ours = rank_correlation(&one.into_iter().zip(other).collect::<Vec<_>>());
                    answer.agrees("rho", ours.rho);
                    answer.agrees("p_rho", ours.p);
                }
            }
            "chi_square" => {
                let ours = chi_square(&answer.counts("observed"), &answer.numbers("shares")).unwrap();
                answer.agrees("statistic", ours.statistic);
                answer.agrees("p", ours.p);
            }
            "holm" => answer.all_agree("corrected", &holm(&answer.numbers("p"))),
            "normal" => answer.agrees("below", normal_below(answer.number("z"))),
            unknown => panic!("{unknown}"),
        }
    }
}
