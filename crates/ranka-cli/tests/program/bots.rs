//! Bots through the program: they are agents like any other, in matches and in experiments.

use crate::run::ranka;
use ranka_core::Record;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// This program as a bot that plays `agent`; told the match's own seeds, it plays exactly as `agent` would.
fn served(agent: &str) -> String {
    format!("bot:cmd=\"'{}' bot serve {agent}\",seed=open,move=0", env!("CARGO_BIN_EXE_ranka"))
}

/// What was played: start, actions, end and outcome of each game.
fn played(
    game: &str,
    agents: [&str; 2],
    rules: &str,
    file: &Path,
) -> Vec<(String, String, String, Vec<f64>)> {
    let records = file.to_str().expect("our own names are text");
    let args = ["match", game, agents[0], agents[1], "--rules", rules, "--games", "4", "--seed", "5"];
    let said = ranka(&[&args[..], &["--records", records]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let lines = fs::read_to_string(file).expect("records were written");
    let records = lines.lines().map(|line| serde_json::from_str::<Record>(line).expect("a record"));
    records.map(|r| (r.start, r.actions, format!("{:?}", r.end), r.outcome)).collect()
}

#[test]
fn an_agent_behind_the_protocol_plays_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    for (game, agent, other, rules) in [
        ("kalah", "minimax:depth=2", "random", "pie=on"),
        ("geister", "suspicion", "purple-suspicion", "plies=60"),
        ("labyrinth", "big-brain", "random", "ply-cap=40"),
        ("tantrix", "greedy", "random", ""),
        ("tubstap", "standard", "random", ""),
    ] {
        let inside = played(game, [agent, other], rules, &folder.path().join("inside.jsonl"));
        let outside =
            played(game, [&served(agent), &served(other)], rules, &folder.path().join("outside.jsonl"));
        assert_eq!(inside.len(), 4);
        assert_eq!(inside, outside, "{game}");
    }
}

#[test]
fn our_own_agents_pass_the_check() {
    let command = format!("'{}' bot serve random", env!("CARGO_BIN_EXE_ranka"));
    let said = ranka(&["bot", "check", &command, "--game", "kalah"]).done();
    assert!(said.contains("✓ kalah (pie=on): a game in seat 1\n"), "{said}");
    assert!(said.ends_with("All is well: 15 of 15.\n"), "{said}");
}

#[test]
fn what_the_check_finds_is_told_with_its_section() {
    let said = ranka(&["bot", "check", "--shell", "read a; read b; echo redy; sleep 60", "--start", "20000"]);
    assert_eq!(said.code, 3, "{}", said.out);
    let expected = "✗ it starts, says hello and is ready\n    it says \"redy\", which means nothing\n    \
                    see docs/bot-protocol.md, section 1 (Lines)\n";
    assert_eq!(said.out, expected);
    assert_eq!(said.err, "ranka: 1 of 1 went wrong\n");
    let refused = ranka(&["bot", "check", "no-such-program"]).refused();
    assert!(refused.contains("no-such-program: cmd: there is no such program"), "{refused}");
}

#[test]
fn a_new_bot_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("mine");
    let place = place.to_str().unwrap();
    let said = ranka(&["bot", "new", "rust", place]).done();
    assert!(said.contains("ranka bot check"), "{said}");
    let kept = fs::read_to_string(format!("{place}/src/main.rs")).unwrap();
    assert!(kept.contains("fn choose"));
    assert!(ranka(&["bot", "new", "rust", place]).refused().contains("there is a Cargo.toml already"));
    ranka(&["bot", "new", "python", place]).done();
    assert!(fs::read_to_string(format!("{place}/bot.py")).unwrap().contains("def choose"));
}

#[test]
fn bots_take_part_in_experiments() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bot = served("random");
    let experiment = format!(
        "title = \"A bot\"\nquestion = \"Does it play?\"\ngame = \"kalah\"\nrules = \"houses=3,seeds=2\"\n\
         figures = [\"score\"]\ngames = {{ quick = 4, paper = 4, full = 4 }}\n\
         [[pairing]]\nname = \"a bot\"\nagents = ['''{bot}''', \"random\"]\n\
         [[pairing]]\nname = \"a broken one\"\nagents = ['bot:cmd=\"sh -c \\\"exit 3\\\"\"', \"random\"]\n"
    );
    fs::write(path("mine.toml"), experiment).unwrap();
    let said = ranka(&["experiment", "run", &path("mine.toml"), "--store", &path("store.sqlite")]);
    assert_eq!(said.code, 3, "one of them never played: {}", said.err);
    assert!(said.out.contains("a bot") && said.out.contains("a broken one"), "{}", said.out);
    let list = ranka(&["record", "list", "--store", &path("store.sqlite"), "--json"]).json();
    let mut games = String::new();
    for pairing in list.as_array().unwrap() {
        let identity = pairing["pairing"].as_str().unwrap();
        games += &ranka(&["record", "export", identity, "--store", &path("store.sqlite")]).out;
    }
    assert_eq!(games.matches("\"reason\":\"rules\"").count(), 4, "{games}");
    assert_eq!(games.matches("\"reason\":\"crash\"").count(), 4, "{games}");
    assert!(games.contains("it ended with exit code 3"), "{games}");
}

#[test]
fn parsers_are_fuzzed() {
    let said = ranka(&["bot", "fuzz", "--inputs", "20000"]).done();
    assert!(said.contains("stdio"), "{said}");
    assert!(ranka(&["bot", "fuzz", "studio"]).refused().contains("did you mean stdio?"));
}

/// Waits for something that must come.
fn wait_until(what: &str, mut come: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !come() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn one_ctrl_c_ends_who_waits_for_a_bot_and_leaves_no_bot_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ > {}; exec sleep 1000", file.display());
    let agent = format!("bot:shell=on,start=600000,cmd=\"{script}\"");
    for args in [
        &["bot", "check", "--shell", &script, "--start", "600000"][..],
        &["analyse", "kalah", "start", "--with", &agent],
        &["match", "kalah", &agent, "random"],
    ] {
        let _ = fs::remove_file(&file);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
        command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
        let mut program = command.spawn().unwrap();
        let pid = || fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
        wait_until("the bot begins", || !pid().is_empty());
        let sent = Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
        assert!(sent.success());
        wait_until("it ends", || program.try_wait().unwrap().is_some());
        assert_eq!(program.wait().unwrap().code(), Some(130), "{args:?}");
        wait_until("its bot ends", || {
            let status = fs::read_to_string(format!("/proc/{}/status", pid())).unwrap_or_default();
            status.is_empty() || status.contains("State:\tZ")
        });
    }
}

#[test]
fn the_commands_that_a_new_bot_is_tried_with_work_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("my bot's \"best\"");
    let said = ranka(&["bot", "new", "python", place.to_str().unwrap()]).done();
    let line = said.lines().find_map(|line| line.trim().strip_prefix("ranka match ")).unwrap();
    let line = format!("'{}' match {line}", env!("CARGO_BIN_EXE_ranka"));
    let played = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert!(played.status.success(), "{line}: {}", String::from_utf8_lossy(&played.stderr));
}

#[test]
fn a_game_that_the_bot_does_not_play_is_not_checked() {
    let script = "echo games kalah geister; while read a b; do case $a in isready) echo ready;; quit) exit;; esac; done";
    let said = ranka(&["bot", "check", "--shell", script, "--game", "labyrinth"]);
    assert_eq!(said.code, 3, "{}", said.out);
    assert_eq!(said.err, "ranka: it does not play labyrinth, but kalah, geister\n");
}

/// A bot of two files: the second is the module that the first reads.
fn two_files(folder: &Path, choice: &str) -> String {
    let script = "here=${0%/*}\nwhile read -r word rest; do case $word in\n\
        ranka) echo name Little Bot; echo version 1.2;;\n\
        isready) echo ready;;\n\
        actions) set -- $rest;;\n\
        go) . \"$here/choice.sh\";;\n\
        quit) exit;;\nesac; done\n";
    fs::write(folder.join("bot.sh"), script).expect("a file");
    fs::write(folder.join("choice.sh"), format!("echo action {choice}\n")).expect("a file");
    format!("bot:cmd=\"sh {}/bot.sh\"", folder.display())
}

#[test]
fn a_bot_whose_module_was_replaced_is_another_bot() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store").display().to_string();
    let bot = folder.path().join("bot");
    fs::create_dir(&bot).unwrap();
    let spec = two_files(&bot, "$1");
    let args = ["tournament", "kalah", &spec, "random", "--games", "4", "--store", &store];
    let first = ranka(&args).done();
    assert!(first.contains("Little Bot 1.2"), "{first}");
    assert!(first.contains(&format!("Little Bot 1.2: {}", &spec[..8])), "the small print: {first}");
    assert!(!first.contains("from the store"), "{first}");
    let again = ranka(&args).done();
    assert!(again.contains("\n4 of 4 games from the store.\n"), "{again}");
    // The last action instead of the first, in the file that the command does not name.
    fs::write(bot.join("choice.sh"), "for last; do :; done; echo action $last\n").unwrap();
    let changed = ranka(&args).done();
    assert!(!changed.contains("from the store"), "{changed}");
    let list = ranka(&["record", "list", "--store", &store]).done();
    assert_eq!(list.matches("Little Bot 1.2 – random").count(), 2, "{list}");
    // Called otherwise it is still the same.
    let called = spec.clone() + ",name=Beryl";
    let args = ["tournament", "kalah", &called, "random", "--games", "4", "--store", &store];
    let named = ranka(&args).done();
    assert!(named.contains("Beryl") && named.contains("4 of 4 games from the store."), "{named}");
    let match_ = ranka(&["match", "kalah", &called, &spec, "--games", "2"]).done();
    assert!(match_.contains("\nBeryl ") && match_.contains("\nLittle Bot 1.2 "), "{match_}");
}

/// A bot that ends before it has played anything.
const BROKEN: &str = "bot:cmd=\"sh -c 'exit 3'\",name=Broken";

#[test]
fn an_agent_that_never_plays_ends_the_match_with_a_code_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store").display().to_string();
    // The second time all games are from the store.
    for from_store in [false, true] {
        let said = ranka(&["match", "kalah", BROKEN, "random", "--games", "4", "--store", &store]);
        assert_eq!(said.code, 3, "{}", said.err);
        assert_eq!(said.complaint(), "ranka: Broken never played a legal action\n");
        let expected = "lost by its own fault  crash  of games\nBroken                     4         4\n";
        assert!(said.out.contains(expected), "{}", said.out);
        assert_eq!(said.out.contains("4 of 4 games from the store"), from_store, "{}", said.out);
    }
    // Who fails later has played.
    let late = "n=0; while read -r w r; do case $w in isready) echo ready;; actions) set -- $r;; \
                go) n=$((n+1)); [ $n = 2 ] && exit 3; echo action $1;; quit) exit;; esac; done";
    let said = ranka(&[
        "match",
        "kalah",
        &format!("bot:shell=on,cmd=\"{late}\",name=Late"),
        "random",
        "--games",
        "4",
    ]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("\nLate                       4         4\n"), "{}", said.out);
}

#[test]
fn whatever_lets_a_broken_bot_play_tells_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store").display().to_string();
    let file = folder.path().join("mine.toml").display().to_string();
    let bot = serde_json::to_string(BROKEN).unwrap();
    let text = format!(
        "title = \"A broken bot\"\nquestion = \"Does it play?\"\ngame = \"kalah\"\ngames = {{ quick = 4, full = 4 }}\n\
         figures = [\"score\"]\n\n[[pairing]]\nname = \"broken\"\nagents = [{bot}, \"random\"]\n\n\
         [[pairing]]\nname = \"sound\"\nagents = [\"random\", \"minimax:depth=1\"]\n"
    );
    fs::write(&file, text).unwrap();
    let tournament = ["tournament", "kalah", "random", BROKEN, "minimax:depth=1", "--games", "2"];
    let sprt = ["sprt", "kalah", BROKEN, "random", "--elo0", "0", "--elo1", "50", "--games", "4"];
    let experiment = ["experiment", "run", &file, "--quick"];
    for (args, counts) in
        [(&tournament[..], "4         4"), (&sprt, "4         4"), (&experiment, "4         4")]
    {
        let said = ranka(&[args, &["--store", &store]].concat());
        assert_eq!(said.code, 3, "{args:?}: {}{}", said.out, said.err);
        assert_eq!(said.complaint(), "ranka: Broken never played a legal action\n");
        let expected =
            format!("lost by its own fault  crash  of games\nBroken                     {counts}\n");
        assert!(said.out.contains(&expected), "{args:?}: {}", said.out);
        let json = ranka(&[args, &["--store", &store, "--json"]].concat());
        let faults = &serde_json::from_str::<serde_json::Value>(&json.out).unwrap()["faults"];
        assert_eq!(json.code, 3);
        let expected = serde_json::json!([{ "agent": "Broken", "games": 4, "faults": { "crash": 4 }, "never_played": true }]);
        assert_eq!(*faults, expected, "{args:?}");
    }
}
