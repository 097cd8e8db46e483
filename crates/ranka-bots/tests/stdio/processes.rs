//! Processes: none is left behind, and they are used again where that is asked for.

use crate::{game, mock, play};
use ranka_core::{EndReason, GameSeeds, Seat, Seed, Settings};
use std::path::Path;
use std::time::{Duration, Instant};

/// Waits until a process has gone. What was killed a moment ago may still be on its way.
fn gone(pid: &str) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        // A zombie has gone too: its new parent has not looked yet.
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        if status.is_empty() || status.contains("State:\tZ") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[cfg(target_os = "linux")]
#[test]
fn no_child_of_a_bot_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let kalah = game("kalah");
    let random = kalah.agent("random").unwrap();
    let file = folder.path().join("children");
    let bot = mock(kalah.as_ref(), "leave-children", Some(&file), "");
    assert_eq!(play(kalah.as_ref(), [&bot, &random], 0).record.end.reason, EndReason::Rules);
    let children = std::fs::read_to_string(&file).unwrap();
    assert_eq!(children.lines().count(), 3);
    for child in children.lines() {
        assert!(gone(child), "process {child} of {children:?} still runs");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn bots_of_bots_are_not_left_behind_either() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("child");
    // It stands for a bot that was itself killed before it could end its own.
    let script = "RANKA_BOT=$RANKA_BOT/inner setsid sleep 1000 0<&- 1>&- 2>&- & echo $! > FILE; kill -9 $$";
    let script = script.replace("FILE", file.to_str().unwrap());
    let kalah = game("kalah");
    let (bot, random) =
        (kalah.agent(&format!("bot:shell=on,cmd=\"{script}\"")).unwrap(), kalah.agent("random").unwrap());
    let end = play(kalah.as_ref(), [&bot, &random], 0).record.end;
    assert_eq!((end.reason, end.detail.as_deref()), (EndReason::Crash, Some("it was ended by signal 9")));
    let child = std::fs::read_to_string(&file).unwrap();
    assert!(gone(child.trim()), "process {child} still runs");
}

/// How often the mock bot was begun and greeted, as it wrote down itself.
fn greetings(file: &Path) -> usize {
    std::fs::read_to_string(file).unwrap().lines().filter(|line| line.starts_with("> newgame")).count()
}

#[test]
fn a_process_plays_one_game_or_game_after_game() {
    let folder = tempfile::tempdir().unwrap();
    let kalah = game("kalah");
    let random = kalah.agent("random").unwrap();
    for (restart, games) in [("game", 1), ("keep", 3)] {
        let file = folder.path().join(restart);
        let bot = mock(kalah.as_ref(), "listen", Some(&file), &format!("restart={restart}"));
        for number in 0..3 {
            assert_eq!(play(kalah.as_ref(), [&bot, &random], number).record.end.reason, EndReason::Rules);
        }
        // Each process begins the file anew.
        assert_eq!(greetings(&file), games, "restart={restart}");
    }
}

#[test]
fn a_kept_process_that_fails_is_replaced() {
    let kalah = game("kalah");
    let random = kalah.agent("random").unwrap();
    let bot = mock(kalah.as_ref(), "crash", None, "restart=keep");
    for number in 0..3 {
        let end = play(kalah.as_ref(), [&bot, &random], number).record.end;
        assert_eq!((end.reason, end.seat), (EndReason::Crash, Some(Seat::FIRST)));
    }
}

#[test]
fn a_game_that_is_abandoned_ends_its_bot() {
    let folder = tempfile::tempdir().unwrap();
    let kalah = game("kalah");
    let file = folder.path().join("children");
    let bot = mock(kalah.as_ref(), "leave-children", Some(&file), "");
    let mut table = kalah.table(None, &[Some(&bot), None], Seed::new(1)).unwrap();
    table.think(&Settings::default()).unwrap();
    drop(table);
    for child in std::fs::read_to_string(&file).unwrap().lines() {
        assert!(gone(child), "process {child} still runs");
    }
}

#[test]
fn thoughts_are_what_the_bot_says() {
    let kalah = game("kalah");
    let bot = mock(kalah.as_ref(), "show", None, "");
    let mut heard = Vec::new();
    let (position, seed) = (kalah.start(Seed::new(1)), Seed::new(1));
    let thought = kalah
        .analyse(&position, &bot, seed, &Settings::default(), &mut |thought| heard.push(thought.clone()));
    let thought = thought.unwrap();
    assert_eq!((thought.choice.as_str(), thought.nodes, thought.depth), ("6", 2, 1));
    let values: Vec<(&str, f64)> = thought.candidates.iter().map(|c| (c.action.as_str(), c.value)).collect();
    assert_eq!(values, [("1", 0.25), ("6", 0.5)]);
    assert_eq!(thought.candidates[1].pv, ["6"]);
    assert_eq!(heard.last().unwrap().choice, "6");
}

#[test]
fn sealed_seeds_are_the_same_again_and_not_the_matchs() {
    let folder = tempfile::tempdir().unwrap();
    let kalah = game("kalah");
    let random = kalah.agent("random").unwrap();
    let told = |name: &str, params: &str| {
        let file = folder.path().join(name);
        let bot = mock(kalah.as_ref(), "listen", Some(&file), params);
        play(kalah.as_ref(), [&bot, &random], 0);
        let heard = std::fs::read_to_string(&file).unwrap();
        heard.lines().find_map(|line| line.strip_prefix("> seed ")).unwrap().to_owned()
    };
    let open = GameSeeds::of(Seed::new(1), 0, 0).agent(0).value().to_string();
    assert_eq!(told("open", "seed=open"), open);
    assert_eq!(told("sealed", ""), told("again", ""));
    assert_ne!(told("sealed", ""), open);
}

/// Whoever is asked on a busy machine for its name is not taken to have none.
#[cfg(target_os = "linux")]
#[test]
fn a_bot_that_waits_for_a_processor_has_time_to_say_its_name() {
    use std::process::{Child, Command, Stdio};
    struct Busy(Vec<Child>);
    impl Drop for Busy {
        fn drop(&mut self) {
            for child in &mut self.0 {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
    let allowed = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let one = list.split([',', '-']).next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.sh");
    let works = "n=0; while [ $n -lt 60000 ]; do n=$((n+1)); done; echo name Patience; echo ready";
    std::fs::write(
        &file,
        format!("while read -r word rest; do case $word in isready) {works};; esac; done\n"),
    )
    .unwrap();
    // All share one processor, so that the bot has its limit many times over before it has worked for that long.
    let spin = || {
        let mut command = Command::new("taskset");
        command.args(["-c", one, "sh", "-c", "while :; do :; done"]).stdin(Stdio::null());
        command.spawn().unwrap()
    };
    let busy = Busy((0..20).map(|_| spin()).collect());
    let spec = format!("bot:cmd=\"taskset -c {one} sh {}\",start=500", file.display());
    let begun = Instant::now();
    let agent = game("kalah").agent(&spec).unwrap();
    let took = begun.elapsed();
    drop(busy);
    assert!(took > Duration::from_millis(500), "it was not kept waiting: {took:?}");
    assert_eq!(agent.label, "Patience");
}
