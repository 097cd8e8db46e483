//! Records cannot lie: how a game ended and what it was worth must follow from what was played.
#![allow(clippy::unwrap_used)]

use ranka_core::{EndReason, Record, Seed};
use ranka_lab::{GameLimits, Pairing, Replayer, Seating};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// A game of Kalah as JSON, and the same without its last two actions.
fn games() -> [Value; 2] {
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
    let agents = vec![game.agent("random").unwrap(); 2];
    let pairing =
        Pairing::new(game, agents, Seating::Fixed, Seed::new(4), GameLimits::default(), &[]).unwrap();
    let go_on = AtomicBool::new(false);
    let decided =
        (0..).map(|number| pairing.play(number, &go_on).record).find(|record| record.outcome[0] != 0.5);
    let record = decided.unwrap();
    assert_eq!(record.end.reason, EndReason::Rules);
    let whole = serde_json::to_value(&record).unwrap();
    let mut cut = whole.clone();
    let actions: Vec<&str> = record.actions.split(' ').collect();
    cut["actions"] = json!(actions[..actions.len() - 2].join(" "));
    cut["plies"] = json!(record.plies - 2);
    [whole, cut]
}

/// What is said of a record; nothing if it is taken.
fn refusal(record: &Value) -> Option<String> {
    let record: Record = match serde_json::from_value(record.clone()) {
        Ok(record) => record,
        Err(error) => return Some(error.to_string()),
    };
    Replayer::default().check(&record).err().map(|error| error.to_string())
}

/// What is said of a record that comes from elsewhere.
fn refused_abroad(record: &Value) -> Option<String> {
    let record: Record = serde_json::from_value(record.clone()).unwrap();
    Replayer::default().check_foreign(&record).err().map(|error| error.to_string())
}

fn with(record: &Value, changes: &[(&str, Value)]) -> Value {
    let mut record = record.clone();
    for (key, value) in changes {
        record[*key] = value.clone();
    }
    record
}

/// The seat that is to act where the shortened game stands.
fn to_act(cut: &Value) -> usize {
    let record =
        with(cut, &[("end", json!({"reason": "illegal", "seat": 0})), ("outcome", json!([0.0, 1.0]))]);
    usize::from(refusal(&record).is_some())
}

#[test]
fn only_known_forms_are_read() {
    let [whole, _] = games();
    for form in [0, 3] {
        let refused = refusal(&with(&whole, &[("format", json!(form))]));
        let expected = format!("the record's form is {form}, this program reads 1 to 2");
        assert!(refused.as_ref().is_some_and(|why| why.contains(&expected)), "{refused:?}");
    }
}

#[test]
fn what_is_true_is_taken() {
    let [whole, cut] = games();
    assert_eq!(refusal(&whole), None);
    let plies = cut["plies"].clone();
    let seat = to_act(&cut);
    let lost = |seat: usize| if seat == 0 { json!([0.0, 1.0]) } else { json!([1.0, 0.0]) };
    // Who came to us may leave at any time; an agent is asked when it is to act.
    for reason in ["crash", "timeout", "disconnected", "protocol", "resigned"] {
        for (blame, version) in [(0, 0), (1, 0), (seat, 1)] {
            let end = json!({"reason": reason, "seat": blame, "detail": "said so"});
            let ended = [("end", end), ("outcome", lost(blame)), ("versions", json!([version, version]))];
            assert_eq!(refusal(&with(&cut, &ended)), None, "{reason}");
        }
    }
    for answer in [json!("9"), json!("nonsense")] {
        let end = json!({"reason": "illegal", "seat": seat, "answer": answer});
        assert_eq!(refusal(&with(&cut, &[("end", end), ("outcome", lost(seat))])), None);
    }
    let capped = [("end", json!({"reason": "ply-cap"})), ("outcome", json!([0.5, 0.5])), ("ply_cap", plies)];
    assert_eq!(refusal(&with(&cut, &capped)), None);
}

#[test]
fn a_false_outcome_is_refused_however_the_game_ended() {
    let [whole, cut] = games();
    let told = "record: the outcome is written as ";
    let turned: Vec<f64> =
        whole["outcome"].as_array().unwrap().iter().rev().map(|x| x.as_f64().unwrap()).collect();
    let flipped = with(&whole, &[("outcome", json!(turned))]);
    assert!(refusal(&flipped).unwrap().starts_with(told));
    for reason in ["crash", "timeout", "disconnected", "protocol", "resigned", "illegal"] {
        let seat = to_act(&cut);
        let right = if seat == 1 { json!([1.0, 0.0]) } else { json!([0.0, 1.0]) };
        for outcome in [json!([0.0, 1.0]), json!([0.5, 0.5]), json!([1.0, 1.0]), json!([1.0, 0.0])] {
            let end = json!({"reason": reason, "seat": seat});
            let said = refusal(&with(&cut, &[("end", end), ("outcome", outcome.clone())]));
            assert_eq!(said.is_none(), outcome == right, "{reason} {outcome}: {said:?}");
            assert!(said.is_none_or(|said| said.starts_with(told)));
        }
    }
    for reason in ["ply-cap", "cancelled"] {
        let end = [("end", json!({"reason": reason})), ("ply_cap", cut["plies"].clone())];
        let said = refusal(&with(&with(&cut, &end), &[("outcome", json!([1.0, 0.0]))]));
        assert!(said.unwrap().starts_with(told), "{reason}");
    }
}

#[test]
fn an_end_that_could_not_be_is_refused() {
    let [whole, cut] = games();
    let (seat, draw) = (to_act(&cut), json!([0.5, 0.5]));
    let lost = if seat == 0 { json!([0.0, 1.0]) } else { json!([1.0, 0.0]) };
    let end = |end: Value| with(&cut, &[("end", end), ("outcome", lost.clone())]);
    let drawn =
        |end: Value, cap: Value| with(&cut, &[("end", end), ("outcome", draw.clone()), ("ply_cap", cap)]);
    let next = whole["actions"].as_str().unwrap().split(' ').rev().nth(1).unwrap();
    let (plies, cap) = (cut["plies"].as_u64().unwrap(), cut["plies"].as_u64().unwrap() + 1);
    let cases = [
        (end(json!({"reason": "rules"})), "record: the game is not over after its last action".to_owned()),
        (end(json!({"reason": "resigned"})), "record: ended by resigned, but no seat is to blame".to_owned()),
        (
            with(&end(json!({"reason": "crash", "seat": 2})), &[("versions", json!([0, 0]))]),
            "record: seat 2 is to blame, but there are 2 seats".to_owned(),
        ),
        (
            drawn(json!({"reason": "ply-cap", "seat": 1}), json!(plies)),
            "record: ended by ply-cap, for which seat 1 is not to blame".to_owned(),
        ),
        (
            drawn(json!({"reason": "ply-cap"}), json!(cap)),
            format!("record: ended by ply-cap after {plies} plies, but the cap is {cap}"),
        ),
        // A won game that is cut short and called a draw.
        (
            drawn(json!({"reason": "ply-cap"}), Value::Null),
            "record: ended by ply-cap, but it has no ply_cap".to_owned(),
        ),
        (
            with(&whole, &[("ply_cap", json!(plies))]),
            format!("record: it has {} plies, but the cap is {plies}", whole["plies"]),
        ),
        (
            with(&whole, &[("end", json!({"reason": "resigned", "seat": 0}))]),
            "record: ended by resigned although the rules had ended it".to_owned(),
        ),
        (
            with(&whole, &[("end", json!({"reason": "rules", "seat": 0}))]),
            "record: ended by rules, for which seat 0 is not to blame".to_owned(),
        ),
        (
            end(json!({"reason": "illegal", "seat": seat, "answer": next})),
            format!("record: ended by illegal, but the answer {next} is legal"),
        ),
        (
            end(json!({"reason": "timeout", "seat": seat, "answer": "9"})),
            "record: ended by timeout, but with the answer 9".to_owned(),
        ),
        (
            end(json!({"reason": "illegal", "seat": 1 - seat})),
            format!("record: ended by illegal of seat {}, which was not to act", 1 - seat),
        ),
        (
            end(json!({"reason": "resigned", "seat": 1 - seat})),
            format!("record: ended by resigned of seat {}, which was not to act", 1 - seat),
        ),
    ];
    for (record, said) in cases {
        assert_eq!(refusal(&record), Some(said));
    }
}

#[test]
fn what_nobody_knows_is_refused() {
    let [whole, cut] = games();
    let seat_of = |seat: Value| with(&cut, &[("end", json!({"reason": "resigned", "seat": seat}))]);
    for (record, part) in [
        (with(&whole, &[("end", json!({"reason": "rules", "winner": 0}))]), "unknown field `winner`"),
        (with(&whole, &[("end", json!({"reason": "boredom"}))]), "unknown variant `boredom`"),
        (with(&whole, &[("end", json!({"seat": 0}))]), "missing field `reason`"),
        (with(&whole, &[("result", json!("1-0"))]), "unknown field `result`"),
        (with(&whole, &[("versions", json!([1]))]), "record, versions: 1 entries in a game of 2 seats"),
        (with(&whole, &[("versions", json!([]))]), "record, versions: 0 entries in a game of 2 seats"),
        (with(&whole, &[("budget", json!("much"))]), "budget \"much\""),
        (with(&whole, &[("format", json!(99))]), "the record's form is 99"),
        (seat_of(json!(9)), "9"),
        (seat_of(json!(-1)), "-1"),
    ] {
        let said = refusal(&record).unwrap_or_else(|| panic!("{record} is taken"));
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn records_of_form_1_replay_and_are_held_to_the_same() {
    let [whole, cut] = games();
    let old = |record: &Value| {
        let mut record = record.clone();
        record["format"] = json!(1);
        for newer in ["versions", "ply_cap", "move_limit"] {
            record.as_object_mut().unwrap().remove(newer);
        }
        record["rules"] = json!(record["rules"].as_str().unwrap().replace("either-empty", "either_empty"));
        record
    };
    assert_eq!(refusal(&old(&whole)), None);
    let resigned = [("end", json!({"reason": "resigned", "seat": 1})), ("outcome", json!([1.0, 0.0]))];
    assert_eq!(refusal(&with(&old(&cut), &resigned)), None);
    for (newer, value) in [("versions", json!([1, 2])), ("ply_cap", json!(9)), ("move_limit", json!(9))] {
        let said = refusal(&with(&old(&whole), &[(newer, value)])).unwrap();
        assert_eq!(said, "record: form 1 knew neither versions nor ply_cap nor move_limit");
    }
    // The cap was not written then.
    let capped = [("end", json!({"reason": "ply-cap"})), ("outcome", json!([0.5, 0.5]))];
    assert_eq!(refusal(&with(&old(&cut), &capped)), None);
    let false_one = with(&old(&cut), &[resigned[0].clone(), ("outcome", json!([0.0, 1.0]))]);
    assert!(refusal(&false_one).is_some());
}

#[test]
fn what_an_agent_of_ours_cannot_have_done_is_refused() {
    let [whole, cut] = games();
    assert_eq!(refused_abroad(&whole), None);
    let seat = to_act(&cut);
    let lost = if seat == 0 { json!([0.0, 1.0]) } else { json!([1.0, 0.0]) };
    let played_by = |agent: &str, version: u32| {
        with(&whole, &[("agents", json!([agent, agent])), ("versions", json!([version, version]))])
    };
    let ended = |reason: &str, changes: &[(&str, Value)]| {
        let end = json!({"reason": reason, "seat": seat});
        with(&with(&cut, &[("end", end), ("outcome", lost.clone())]), changes)
    };
    let bot = [("agents", json!(["bot:cmd=x", "bot:cmd=x"]))];
    for taken in [
        played_by("person", 0),
        played_by("minimax:depth=3", 1),
        ended("crash", &[]),
        ended("resigned", &bot),
        ended("timeout", &[("move_limit", json!(10))]),
        ended("timeout", &bot),
        ended("protocol", &bot),
        ended("disconnected", &[("versions", json!([0, 0]))]),
    ] {
        assert_eq!(refused_abroad(&taken), None, "{taken}");
    }
    for (record, said) in [
        (played_by("person", 1), "record, agent person: unknown kalah agent \"person\""),
        (played_by("minimax:depht=3", 1), "record, agent minimax:depht=3: unknown parameter \"depht\""),
        (played_by("minimax:depth=0", 1), "record, agent minimax:depth=0: depth=0: expected"),
        (played_by("random", 2), "record, agent random: version 2, but there are 1 so far"),
        (ended("timeout", &[]), "but there is no move_limit"),
        (ended("protocol", &[]), "which is no program outside"),
        (ended("disconnected", &[]), "which is no program outside"),
        (ended("resigned", &[]), "which never resigns"),
        (
            with(&cut, &[("end", json!({"reason": "cancelled"})), ("outcome", json!([0.5, 0.5]))]),
            "was stopped",
        ),
    ] {
        let refused = refused_abroad(&record).unwrap_or_else(|| panic!("{record} is taken"));
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn a_cap_that_nobody_wrote_is_refused_abroad() {
    let [_, cut] = games();
    let capped = [("end", json!({"reason": "ply-cap"})), ("outcome", json!([0.5, 0.5]))];
    let refused = refused_abroad(&of_form_1(&with(&cut, &capped))).unwrap();
    assert!(refused.contains("form 1 does not tell the cap"), "{refused}");
}

/// The same without what form 1 did not have.
fn of_form_1(record: &Value) -> Value {
    let mut record = with(record, &[("format", json!(1))]);
    for newer in ["versions", "ply_cap", "move_limit"] {
        record.as_object_mut().unwrap().remove(newer);
    }
    record
}

#[test]
fn form_1_is_held_to_the_same() {
    let [whole, cut] = games();
    let seat = to_act(&cut);
    let ended = |reason: &str, blame: usize| {
        let lost = if blame == 0 { json!([0.0, 1.0]) } else { json!([1.0, 0.0]) };
        of_form_1(&with(&cut, &[("end", json!({"reason": reason, "seat": blame})), ("outcome", lost)]))
    };
    let people = ("agents", json!(["person", "person"]));
    for taken in [
        of_form_1(&whole),
        // There may have been a limit.
        ended("timeout", seat),
        ended("crash", seat),
        with(&ended("resigned", 1 - seat), std::slice::from_ref(&people)),
    ] {
        assert_eq!(refused_abroad(&taken), None, "{taken}");
    }
    for (record, said) in [
        (ended("timeout", 1 - seat), "which was not to act"),
        (ended("resigned", seat), "which never resigns"),
        (ended("disconnected", seat), "which is no program outside"),
    ] {
        let refused = refused_abroad(&record).unwrap_or_else(|| panic!("{record} is taken"));
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn nothing_that_controls_a_terminal_is_taken() {
    let [whole, _] = games();
    let visitors = with(&whole, &[("versions", json!([0, 0]))]);
    for hidden in ["\u{1b}[2J", "\u{7}", "\u{9b}1m", "\r", "a\nb"] {
        let refused = refused_abroad(&with(&visitors, &[("agents", json!([hidden, "b"]))])).unwrap();
        assert!(refused.starts_with("record, agents: ") && !refused.contains(char::is_control), "{refused}");
    }
    let last_words = |words: &str| with(&whole, &[("end", json!({"reason": "rules", "detail": words}))]);
    assert_eq!(refused_abroad(&last_words("one\n\ttwo")), None);
    assert!(refused_abroad(&last_words("one\r\u{1b}[1A")).unwrap().starts_with("record, detail: "));
}

#[test]
fn chance_follows_from_the_seed() {
    let game = ranka_games::game("tantrix").unwrap().open("").unwrap();
    let agents = vec![game.agent("random").unwrap(); 2];
    let pairing =
        Pairing::new(game, agents, Seating::Fixed, Seed::new(4), GameLimits::default(), &[]).unwrap();
    let record = serde_json::to_value(pairing.play(0, &AtomicBool::new(false)).record).unwrap();
    assert_eq!(refused_abroad(&record), None);
    let other = with(&record, &[("seed", json!([5, 0, 0]))]);
    let refused = refusal(&other).unwrap();
    assert!(refused.contains(": chance does not draw draw:"), "{refused}");
    assert!(refused_abroad(&of_form_1(&other)).unwrap().contains(": chance does not draw draw:"));
    assert_eq!(refused_abroad(&of_form_1(&record)), None);
    // Two people with real tiles.
    assert_eq!(refused_abroad(&with(&other, &[("versions", json!([0, 0]))])), None);
}
