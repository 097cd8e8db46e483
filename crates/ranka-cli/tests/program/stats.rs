//! `ranka stats`: its figures for people and for programs, and what it refuses.

use crate::run::ranka;
use serde_json::{Value, json};

/// The line of the table that begins with a name.
fn line(args: &[&str], name: &str) -> String {
    let out = ranka(&[&["stats"], args].concat()).done();
    let found = out.lines().find(|line| line.starts_with(&format!("{name}  ")));
    found.unwrap_or_else(|| panic!("no {name} in\n{out}")).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn figures(args: &[&str]) -> Value {
    ranka(&[&["stats"], args, &["--json"]].concat()).json()
}

fn near(found: &Value, expected: f64, within: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - expected).abs() <= within, "{found} is not {expected} ± {within}");
}

#[test]
fn a_long_match_with_draws() {
    let args = ["1012", "913", "175"];
    assert!(line(&args, "score").starts_with("score 52.4 % 50.3–54.4 %"));
    assert!(line(&args, "Elo").starts_with("Elo +16.4 +2.2 to +30.6"));
    assert!(line(&args, "χ² test").starts_with("χ² test χ² = 5.09 p = 0.024 two-sided, 1 925 decided games"));
    let json = figures(&args);
    near(&json["score"], 0.524, 5e-4);
    near(&json["interval"][0], 0.503, 5e-4);
    near(&json["interval"][1], 0.544, 5e-4);
    near(&json["elo"]["value"], 16.4, 0.05);
    near(&json["chi_square"]["p"], 0.024, 5e-4);
    assert_eq!((&json["games"], &json["draws"]), (&json!(2100), &json!(175)));
    assert_eq!(json["sprt"]["decision"], "go-on");
}

#[test]
fn a_short_match_without_draws() {
    let args = ["33", "17"];
    assert!(line(&args, "χ² test").starts_with("χ² test χ² = 5.12 p = 0.024"));
    let json = figures(&args);
    near(&json["chi_square"]["statistic"], 5.12, 1e-9);
    near(&json["chi_square"]["p"], 0.024, 5e-4);
    // The exact test as R's binom.test(33, 50) has it, with its interval.
    near(&json["sign_test"]["two_sided"], 0.03284, 5e-6);
    near(&json["win_share"]["interval"][0], 0.5123, 5e-5);
    near(&json["win_share"]["interval"][1], 0.7879, 5e-5);
}

#[test]
fn the_normal_test_of_decided_games() {
    let args = ["87", "50", "63"];
    assert!(line(&args, "normal test").starts_with("normal test z = 3.16 p = 7.9e−4 one-sided, 137 decided"));
    near(&figures(&args)["normal_test"]["z"], 3.161, 5e-4);
}

#[test]
fn the_sequential_test_decides() {
    let json = figures(&["57433", "57030", "106593", "--elo1", "2"]);
    near(&json["sprt"]["llr"], -2.59, 0.026);
    assert!(line(&["5400", "4600", "--elo1", "10"], "SPRT").ends_with("stop: 10 Elo, not 0"));
    let args = ["4600", "5400", "--elo0", "-10", "--elo1", "0", "--alpha", "0.01", "--beta", "0.01"];
    assert!(line(&args, "SPRT").ends_with("−4.60 to 4.60 logistic Elo, trinomial; stop: −10 Elo, not 0"));
}

#[test]
fn pairs_by_themselves_and_with_their_games() {
    let json = figures(&["--pairs", "34,54,63,64,75"]);
    near(&json["normalised_elo"]["value"], 57.94, 5e-3);
    assert_eq!(
        (&json["games"], &json["wins"], &json["sign_test"]),
        (&json!(580), &Value::Null, &Value::Null)
    );
    let both = figures(&["3", "2", "1", "--pairs", "0,1,0,2,0"]);
    assert_eq!((&both["pairs"], &both["wins"]), (&json!([0, 1, 0, 2, 0]), &json!(3)));
    let said = ranka(&["stats", "3", "2", "1", "--pairs", "0,1,1,1,0"]).refused();
    assert!(said.contains("6 games with 3.5 points, but 6 with 3 in pairs"), "{said}");
}

#[test]
fn infinite_ratings_are_written_as_such() {
    assert!(line(&["20", "0"], "Elo").starts_with("Elo +∞ +286.6 to +∞"));
    assert!(line(&["0", "20"], "normalised Elo").starts_with("normalised Elo −∞ −∞ to −320.2"));
    let json = figures(&["20", "0"]);
    assert_eq!((&json["elo"]["value"], &json["elo"]["interval"][1]), (&Value::Null, &Value::Null));
    assert!(json["sprt"]["llr"].is_f64() && json["superiority"].as_f64().unwrap() < 1.0);
}

#[test]
fn every_corner_is_answered() {
    let many = (u64::MAX / 2).to_string();
    for args in [
        &["1", "0"][..],
        &["0", "1"],
        &["0", "0", "1"],
        &["0", "0", &many],
        &[&many, &many],
        &[&many, "0"],
        &["1", &many],
        &["--pairs", "0,0,1,0,0"],
        &["--pairs", "0,0,0,0,9"],
        &["3", "2", "--elo0", "-2000", "--elo1", "2000"],
        &["3", "2", "--elo0", "-5", "--elo1", "0", "--level", "0.999"],
    ] {
        let text = ranka(&[&["stats"], args].concat()).done();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{args:?}:\n{text}");
        assert!(figures(args)["superiority"].is_f64(), "{args:?}");
    }
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let most = u64::MAX.to_string();
    for (args, reason) in [
        (&[][..], "WINS"),
        (&["5"], "LOSSES"),
        (&["-5", "3"], "invalid value '-5' for '[WINS]': expected a whole number from 0 to"),
        (&["5", "many"], "invalid value 'many' for '[LOSSES]': expected a whole number"),
        (&["5", "3", "0.5"], "invalid value '0.5' for '[DRAWS]': expected a whole number"),
        (&["99999999999999999999", "1"], "expected a whole number from 0 to 18446744073709551615"),
        (&[&most, "1"], "more games than 18446744073709551615 cannot be counted"),
        (&["--pairs", "0,0,0,0,9999999999999999999"], "more games than 18446744073709551615"),
        (&["0", "0"], "no games were given"),
        (&["0", "0", "0"], "no games were given"),
        (&["--pairs", "0,0,0,0,0"], "no games were given"),
        (&["--pairs", "1,2,3"], "expected five numbers"),
        (&["--pairs", "1,2,3,4,-5"], "expected a whole number"),
        (&["5", "3", "--elo0", "9"], "elo0 = 9 must be less than elo1 = 5"),
        (&["5", "3", "--elo1", "NaN"], "elo1 = NaN: expected a number"),
        (&["5", "3", "--alpha", "0"], "alpha = 0: expected a number above 0 and below 1"),
        (&["5", "3", "--beta", "-1"], "beta = -1: expected a number above 0 and below 1"),
        (&["5", "3", "--level", "1"], "expected a number above 0 and below 1, such as 0.95"),
    ] {
        let said = ranka(&[&["stats"], args].concat()).refused();
        assert!(said.contains(reason), "{args:?}: {said}");
    }
}

#[test]
fn games_needed_follow_from_how_pairs_hang_together() {
    // Both games of every pair went the same way: twice as many as of independent games.
    assert_eq!(figures(&["55", "45"])["games_needed"]["score"], 783);
    assert_eq!(figures(&["--pairs", "45,0,0,0,55"])["games_needed"]["score"], 1566);
}

#[test]
fn the_model_of_the_sequential_test_is_named_and_chosen() {
    // fastchess expects 2.25 of its normalised pentanomial model.
    let pairs = ["--pairs", "365,16618,36229,16974,390", "--elo1", "2"];
    let normalized = figures(&[&pairs[..], &["--model", "normalized"]].concat());
    near(&normalized["sprt"]["llr"], 2.25, 0.0225);
    assert_eq!(
        (&normalized["sprt"]["model"], &normalized["sprt"]["results"]),
        (&json!("normalized"), &json!("pentanomial"))
    );
    let logistic = figures(&["3", "2"]);
    assert_eq!(
        (&logistic["sprt"]["model"], &logistic["sprt"]["results"]),
        (&json!("logistic"), &json!("trinomial"))
    );
    assert!(line(&pairs, "SPRT").contains("logistic Elo, pentanomial; go on: 0 or 2 Elo"));
    let said = ranka(&["stats", "3", "2", "--model", "normalized", "--elo1", "300"]).refused();
    assert!(said.contains("elo1 = 300: expected a number from −200 to 200"), "{said}");
}

#[test]
fn numbers_are_told_as_they_are_meant() {
    let text = ranka(&["stats", "5", "5", "--level", "0.99999", "--elo0=-0", "--elo1", "0.1"]).done();
    assert!(text.contains("99.999 %)") && !text.contains("99.9990"), "{text}");
    assert!(!text.contains("−0 ") && !text.contains("-0") && !text.contains("−0.00 "), "{text}");
    assert!(text.contains("Wilson's interval, generalised to draws and pairs"), "{text}");
}
