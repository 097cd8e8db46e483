//! Every way to go wrong has its reason, and the other games go on.

use crate::{game, mock, play};
use ranka_core::{Actor, EndReason, Fault, GameSeeds, Seat, Seed, Settings};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Plays Kalah with a misbehaving bot in the first seat, and tells how it ended.
fn end(mode: &str, params: &str) -> (EndReason, Option<Seat>, String) {
    let kalah = game("kalah");
    let (bot, other) = (mock(kalah.as_ref(), mode, None, params), kalah.agent("random").unwrap());
    let end = play(kalah.as_ref(), [&bot, &other], 0).record.end;
    (end.reason, end.seat, end.detail.unwrap_or_default())
}

/// Short limits for bots that never answer. A busy machine must not make a good answer late.
const QUICK: &str = "move=1000,grace=500";

#[test]
fn crashes_are_told_with_what_the_bot_printed() {
    let (reason, seat, detail) = end("crash-at-start", "");
    assert_eq!((reason, seat), (EndReason::Crash, Some(Seat::FIRST)));
    assert_eq!(detail, "it ended with exit code 3\nstandard error: mock: no opening book");
    let (reason, seat, detail) = end("crash", "");
    assert_eq!((reason, seat), (EndReason::Crash, Some(Seat::FIRST)));
    assert_eq!(detail, "it ended with exit code 7\nstandard error: mock: division by zero");
    let (reason, _, detail) = end("abort", "");
    assert_eq!((reason, detail.as_str()), (EndReason::Crash, "it was ended by signal 6"));
}

#[test]
fn a_crash_between_turns_is_the_bots_own() {
    let (reason, seat, detail) = end("crash-between", "");
    assert_eq!((reason, seat), (EndReason::Crash, Some(Seat::FIRST)));
    assert!(
        detail.starts_with("it ended with exit code 5\nstandard error: mock: what was that?"),
        "{detail}"
    );
}

#[test]
fn who_leaves_is_disconnected() {
    let (reason, seat, detail) = end("leave", "");
    assert_eq!((reason, seat), (EndReason::Disconnected, Some(Seat::FIRST)));
    assert_eq!(detail, "it ended (exit code 0) in the middle of the game");
    // What was begun and not ended was not said.
    let (reason, seat, _) = end("last-breath", "");
    assert_eq!((reason, seat), (EndReason::Disconnected, Some(Seat::FIRST)));
}

#[test]
fn closed_pipes_are_disconnections() {
    let kalah = game("kalah");
    let other = kalah.agent("random").unwrap();
    for (script, seen) in [
        ("echo ready; read a; echo ready; exec 1>&-; exec sleep 1000", "it closed its output"),
        ("echo ready; echo ready; exec 0<&-; exec sleep 1000", "it closed its input"),
        // Its child keeps the pipes open.
        (
            "sleep 1000 & echo ready; read a; echo ready; exit 0",
            "it ended (exit code 0) in the middle of the game",
        ),
    ] {
        let spec = format!("bot:shell=on,cmd=\"{script}\"");
        let bot = kalah.agent(&spec).unwrap();
        let end = play(kalah.as_ref(), [&bot, &other], 0).record.end;
        assert_eq!(
            (end.reason, end.seat),
            (EndReason::Disconnected, Some(Seat::FIRST)),
            "{script}: {:?}",
            end.detail
        );
        assert_eq!(end.detail.as_deref(), Some(seen));
    }
}

#[test]
fn silence_and_lateness_are_timeouts() {
    let (reason, seat, detail) = end("never-ready", "start=300");
    assert_eq!((reason, seat), (EndReason::Timeout, Some(Seat::FIRST)));
    assert!(detail.starts_with("not ready after 300 ms; it used "), "{detail}");
    // Who did not wait for a processor has nobody else to blame.
    assert!(detail.ends_with(" ms for one"), "{detail}");
    let (reason, seat, detail) = end("hang", QUICK);
    assert_eq!((reason, seat), (EndReason::Timeout, Some(Seat::FIRST)));
    assert!(detail.starts_with("no action after 1000 ms and 500 ms of grace; it used "), "{detail}");
    assert_eq!(end("late", QUICK).0, EndReason::Timeout);
    let (reason, _, detail) = end("misspelt", QUICK);
    assert_eq!(reason, EndReason::Timeout);
    assert!(detail.ends_with("its last line was \"acton 1\", which means nothing"), "{detail}");
    for mode in ["no-end-of-line", "stop-itself"] {
        let (reason, seat, detail) = end(mode, QUICK);
        assert_eq!((reason, seat), (EndReason::Timeout, Some(Seat::FIRST)), "{mode}: {detail}");
    }
}

#[test]
fn the_matchs_own_limit_holds_for_bots_too() {
    let kalah = game("kalah");
    let (bot, other) = (mock(kalah.as_ref(), "hang", None, "move=0"), kalah.agent("random").unwrap());
    let settings = Settings { move_limit: Some(Duration::from_millis(700)), ..Settings::default() };
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    let end = kalah.play(&[(&bot, 0), (&other, 1)], &seeds, &settings, None).record.end;
    assert_eq!((end.reason, end.seat), (EndReason::Timeout, Some(Seat::FIRST)));
}

#[test]
fn a_bot_that_answers_to_stop_is_in_time() {
    let (reason, seat, _) = end("wait-for-stop", "move=20,grace=60000");
    assert_eq!((reason, seat), (EndReason::Rules, None));
}

#[test]
fn what_is_no_answer_is_a_breach_of_protocol() {
    for (mode, detail) in [
        ("binary", "it is not UTF-8"),
        ("unreadable", "\"action up and away\": an action is one word"),
        ("no-notation", "its action cannot be read: \"banana\""),
        ("twice", ": nobody asked"),
        ("flood", "more than 1048576 bytes for one answer"),
        ("endless-line", "a line of more than 65536 bytes"),
        ("long-line", "a line of more than 65536 bytes"),
        ("only-chess", "it does not play kalah, but chess"),
        ("act-unasked", "\"action 1\": nobody asked"),
        ("resign-unasked", "\"resign\": nobody asked"),
        ("flood-info", "more than 1048576 bytes for one answer"),
        ("say=action", "it names no action"),
        ("say=action_%31%00", "it has control characters"),
        ("say=%1b[2J", "it has control characters"),
        ("say=action_%ef%bc%91", "its action cannot be read: \"１\""),
        ("say=resign_please", "nothing comes after \"resign\""),
        ("say=info_value_nan", "value \"nan\" is no number"),
        ("say=info_value_1e999", "value \"1e999\" is no number"),
        ("say=info_nodes", "\"nodes\" has no value"),
        ("say=info_nodes_-5", "\"-5\""),
        ("say=info_nodes_99999999999999999999", "\"99999999999999999999\""),
        ("say=info_scale_pawns", "scale \"pawns\" is not score, margin or own"),
    ] {
        let (reason, seat, found) = end(mode, "");
        assert_eq!((reason, seat), (EndReason::Protocol, Some(Seat::FIRST)), "{mode}: {found}");
        assert!(found.contains(detail), "{mode}: {found}");
    }
}

#[test]
fn illegal_actions_are_told_with_the_rule_that_forbids_them() {
    let (reason, seat, detail) = end("illegal", "");
    assert_eq!((reason, seat), (EndReason::Illegal, Some(Seat::FIRST)));
    assert!(detail.contains("empty"), "{detail}");
    let (reason, seat, detail) = end("say=action_7", "");
    assert_eq!((reason, seat), (EndReason::Illegal, Some(Seat::FIRST)), "{detail}");
}

#[test]
fn resigning_and_idle_talk_are_nobodys_fault() {
    assert_eq!(end("resign", "").0, EndReason::Resigned);
    assert_eq!(end("chatter", "").0, EndReason::Rules);
    assert_eq!(end("long-name", "").0, EndReason::Rules);
    assert_eq!(end("say=ACTION_%f0%9f%98%80", "").0, EndReason::Rules);
}

#[test]
fn what_a_bot_prints_is_kept_with_the_record() {
    let (reason, _, detail) = end("flood-stderr", "stderr=1");
    assert_eq!(reason, EndReason::Rules);
    assert!(detail.starts_with("seat 0: standard error: "), "{detail}");
    assert!(detail.ends_with("still thinking") && detail.len() < 1100, "{detail}");
    assert_eq!(end("flood-stderr", "stderr=0").2, "");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_and_processor_are_limited() {
    let (reason, seat, detail) = end("memory", "memory=256");
    assert_eq!((reason, seat), (EndReason::Crash, Some(Seat::FIRST)), "{detail}");
    let (reason, seat, detail) = end("spin", "cpu=1,move=600000");
    assert_eq!((reason, seat), (EndReason::Crash, Some(Seat::FIRST)));
    assert_eq!(detail, "its processor time was used up");
}

/// Each of its processes is within the limit.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_limited_for_all_processes_of_a_bot_together() {
    let (reason, seat, detail) = end("family", "memory=256,move=600000");
    assert_eq!((reason, seat), (EndReason::Crash, Some(Seat::FIRST)), "{detail}");
    assert_eq!(detail, "its processes together took more than 256 MiB of memory");
}

/// A flood is cut off before it fills our memory.
#[cfg(target_os = "linux")]
#[test]
fn floods_do_not_fill_our_memory() {
    let peak = || -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    let before = peak();
    for mode in ["flood", "endless-line", "flood-stderr"] {
        (0..3).for_each(|_| drop(end(mode, "")));
    }
    // Other tests run beside this one, so that only a flood would be more than this.
    assert!(peak() - before < 200 << 10, "{before} kB before, {} kB after", peak());
}

#[test]
fn a_bot_that_leaves_its_group_for_ours_is_ended_all_the_same() {
    let (reason, seat, _) = end("join-our-group", QUICK);
    assert_eq!((reason, seat), (EndReason::Timeout, Some(Seat::FIRST)));
}

#[test]
fn an_answer_that_nobody_waits_for_is_dropped_and_the_bot_stays() {
    let kalah = game("kalah");
    let bot = mock(kalah.as_ref(), "late-once", None, "move=60000");
    let mut table = kalah.table(None, &[Some(&bot), None], Seed::new(1)).unwrap();
    let (cancel, never) = (AtomicBool::new(true), Settings::default());
    let cancelled = Settings { cancel: &cancel, ..Settings::default() };
    table.think(&never).unwrap();
    while table.actor() != Actor::Seat(Seat::FIRST) {
        let other = table.choices(Seat::SECOND)[0].clone();
        table.act(&other).unwrap();
    }
    assert_eq!(table.choose(&cancelled).err(), Some(Fault::Cancelled));
    let choice = table.choose(&never).unwrap().choice;
    assert!(table.choices(Seat::FIRST).contains(&choice), "{choice}");
}

#[test]
fn the_other_games_go_on() {
    let kalah = game("kalah");
    let random = kalah.agent("random").unwrap();
    let bots = ["crash", "hang", "flood", "listen"].map(|mode| mock(kalah.as_ref(), mode, None, QUICK));
    let alone: Vec<String> =
        (0..8).map(|number| play(kalah.as_ref(), [&random, &random], number).record.actions).collect();
    std::thread::scope(|scope| {
        for bot in &bots {
            let (kalah, random) = (kalah.as_ref(), &random);
            scope.spawn(move || play(kalah, [bot, random], 0));
        }
        for (number, expected) in alone.iter().enumerate() {
            let beside = play(kalah.as_ref(), [&random, &random], number as u64);
            assert_eq!((&beside.record.actions, beside.record.end.reason), (expected, EndReason::Rules));
        }
    });
}

#[test]
fn a_cancelled_game_does_not_wait_for_its_bot() {
    let kalah = game("kalah");
    let (bot, other) = (mock(kalah.as_ref(), "hang", None, "move=0"), kalah.agent("random").unwrap());
    let cancel = AtomicBool::new(false);
    let settings = Settings { cancel: &cancel, ..Settings::default() };
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| kalah.play(&[(&bot, 0), (&other, 1)], &seeds, &settings, None));
        std::thread::sleep(Duration::from_millis(300));
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(playing.join().unwrap().record.end.reason, EndReason::Cancelled);
    });
}

#[test]
fn it_does_not_matter_in_which_pieces_lines_arrive() {
    for name in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
        let game = game(name);
        let other = game.agent("random").unwrap();
        let [whole, crumbs] = ["chatter", "crumbs"].map(|mode| {
            let bot = mock(game.as_ref(), mode, None, "");
            play(game.as_ref(), [&bot, &other], 0).record
        });
        assert_eq!((&crumbs.actions, &crumbs.end), (&whole.actions, &whole.end), "{name}");
    }
}
