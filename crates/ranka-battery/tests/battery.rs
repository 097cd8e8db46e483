//! The battery on a toy with all that is hard: the sound toy passes, and every flaw is found.

mod veil;

use ranka_battery::*;
use ranka_core::{CatalogueEntry, Look, Seat, Seed};
use veil::{FLAWS, Veil};

fn veil(rules: &str) -> Battery<'static, Veil> {
    Battery::<Veil>::of(rules)
        .games(40)
        .seed(7)
        .plies(40)
        .invariant(|state| assert!(state.cards().iter().all(|card| (1..=5).contains(card))))
        .agents(&["gambler"])
}

#[test]
fn a_sound_game_passes() {
    for rules in ["seats=2", "seats=3"] {
        battery(&veil(rules));
        keys_agree(&veil(rules));
    }
    lessons_teach::<Veil>();
}

/// What the battery says of a flaw.
#[track_caller]
fn complaint(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(check).expect_err("the flaw is not found");
    panic.downcast_ref::<String>().expect("failures are told in words").clone()
}

#[test]
fn every_flaw_is_found() {
    let found = [
        ("probabilities", "the probabilities add up to 0.96"),
        ("loaded-coin", "draws are unfair"),
        ("illegal-listed", "b is listed but not legal"),
        ("biased-random", "random actions are unfair"),
        ("short-playout", "length of playouts"),
        ("lost-mark", "reads back as"),
        ("reader-panics", "nobody expects a nine"),
        ("leak-picture", "by the picture"),
        ("leak-foresight", "by the foresight"),
        ("leak-motion", "by the foresight and motion"),
        ("leak-view", "the view of seat 1 writes differently when it is read back"),
        ("leak-onlooker", "an onlooker"),
        ("leak-agent", "gambler decides otherwise when the truth is"),
        ("leak-told", "sees no difference between +1 and +0 but is told which it was"),
        ("moody-told", "seat 1 is told of p in different words"),
        ("wrong-sample", "looks different to seat 0"),
        ("biased-sample", "samples of seat 0's view are unfair"),
        ("missing-world", "the truth is not among the worlds of seat 0"),
        ("prefix-clicks", "the click path of"),
        ("twice-id", "id \"card0\" is given twice"),
        ("broken-svg", "</svg> closes <g>"),
        ("twice-piece", "the piece \"card0\" is drawn twice"),
        ("mark-nowhere", "at \"card9\", which is not drawn"),
        ("moves-nothing", "moves what is not drawn"),
        ("word-missing", "\"{0} is heard by {1}\" does not fit the words"),
        ("asks-nothing", "is not asked for at every touch"),
        ("stale-array", "depends on what the array held"),
        ("same-number", "b has number 3 like another action"),
        ("leak-encoding", "observes a difference to"),
        ("forbids-truth", "rules out the truth"),
        ("bad-key", "different states of the same key"),
        ("shared-copy", "acting on a copy changes the original"),
        ("endless", "the game is not over after 40 actions"),
        ("keeps-stream", "it thinks otherwise"),
        ("bad-candidates", "out of canonical order"),
    ];
    assert_eq!(found.map(|(flaw, _)| flaw)[..], FLAWS[1..], "a flaw for each line and a line for each flaw");
    for (flaw, expected) in found {
        let message = complaint(|| {
            let b = veil(&format!("flaw={flaw}"));
            battery(&b);
            keys_agree(&b);
        });
        let named = message.starts_with(&format!("veil (seats=2,flaw={flaw}), seed 7"));
        assert!(named && message.contains(expected), "{flaw} is told as: {message}");
    }
}

/// Flaws that another check finds first are found by these too.
#[test]
fn each_check_finds_what_it_is_for() {
    let message = complaint(|| samples_look_the_same(&veil("flaw=leak-view")));
    assert!(message.contains("by the view's notation"), "{message}");
    let message = complaint(|| histories_do_not_leak(&veil("flaw=leak-agent")));
    assert!(message.contains("has the same history but decides otherwise"), "{message}");
    let message = complaint(|| equality_agrees(&veil("flaw=lost-mark")));
    assert!(message.contains("the state read back from its notation is another"), "{message}");
    let message = complaint(|| records_replay(&veil("flaw=illegal-listed")));
    assert!(message.contains("the game ended by End { reason: Illegal"), "{message}");
}

#[test]
fn tables_do_not_draw_an_action_that_is_hidden() {
    let game = CatalogueEntry::<Veil>::with(&[]).open("").unwrap();
    let pictures = |action| {
        let mut table = game.table(Some("35/"), &[None, None], Seed::new(1)).unwrap();
        table.act(action).unwrap();
        [Seat::FIRST, Seat::SECOND].map(|seat| table.picture(&Look::from(seat)))
    };
    let ([own, other], [own_too, other_too]) = (pictures("+0"), pictures("+2"));
    assert!(own.contains("after +0") && own_too.contains("after +2"));
    assert_eq!(other, other_too);
}

#[test]
fn a_broken_invariant_is_told_with_the_position() {
    let message =
        complaint(|| play_ends(&veil("").invariant(|state| assert!(state.cards()[0] != 3, "a three"))));
    assert!(message.starts_with("veil (seats=2,flaw=none), seed 7, random game "), "{message}");
    assert!(message.contains("after 0 actions, at 3") && message.ends_with(": a three"), "{message}");
}

#[test]
fn rules_and_agents_that_do_not_exist_are_refused() {
    assert!(complaint(|| drop(veil("seats=4"))).contains("expected a whole number in 2..3"));
    assert!(complaint(|| agents_play(&veil("").agents(&["gamble"]))).contains("did you mean gambler?"));
}

#[test]
fn playthroughs_are_as_reviewed() {
    check_playthrough("tests/playthroughs/veil-3.txt", &playthrough::<Veil>("seats=3", 1));
}

#[test]
fn a_changed_playthrough_shows_the_first_difference() {
    if std::env::var_os("RANKA_BLESS").is_some() {
        return; // It would be written instead.
    }
    let path = "tests/playthroughs/veil-3.txt";
    let message = complaint(|| check_playthrough(path, &playthrough::<Veil>("seats=3", 2)));
    assert!(message.contains("veil-3.txt, line 3\n  was  seed     1\n  is   seed     2\n"), "{message}");
    assert!(message.contains("RANKA_BLESS=1 cargo test playthrough"), "{message}");
    assert!(complaint(|| check_playthrough("tests/none.txt", "")).contains("cannot be read"));
}

#[test]
fn perft_counts_are_checked() {
    check_perft_file::<Veil>("tests/veil.perft");
}

#[test]
fn wrong_perft_files_are_refused() {
    let folder = std::env::temp_dir().join(format!("ranka-battery-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (line, expected) in [
        ("seats=2 | start | 3 8", "depth 2 counts 9, not 8"),
        ("seats=2 | 33/ | 3", "this card was dealt already"),
        ("seats=9 | start | 3", "seats=9"),
        ("seats=2 | start | x", "\"x\" is no count"),
        ("seats=2 | start |", "expected: rules | position or start | counts"),
        ("seats=2, start, 3", "expected: rules | position or start | counts"),
        ("# only a comment", "has no counts"),
    ] {
        let path = folder.join("wrong.perft");
        std::fs::write(&path, line).unwrap();
        let message = complaint(|| check_perft_file::<Veil>(&path));
        assert!(message.contains(expected), "{line:?} is told as: {message}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
