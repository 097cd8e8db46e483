//! `ranka league`: a season of twelve bots, good and bad ones, with a night that is killed and a bot that is changed.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

#[cfg(target_os = "linux")]
use crate::results::where_nothing_is_written;
use crate::run::{Said, ranka};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A bot in a few lines of shell; `go` is what it does when it is its turn, with its actions as `$1 $2 …`.
fn bot(go: &str) -> String {
    format!(
        "while read -r word rest; do case $word in\n\
         ranka) echo name A bot of the tests;;\n\
         isready) echo ready;;\n\
         actions) set -- $rest;;\n\
         go) {go};;\n\
         quit) exit;;\nesac; done\n"
    )
}

const FIRST: &str = "echo action $1";
const LAST: &str = "for last; do :; done; echo action $last";
const SECOND: &str = "echo action ${2:-$1}";

struct Season {
    place: TempDir,
}

impl Season {
    fn new() -> Season {
        let season = Season { place: tempfile::tempdir().unwrap() };
        let title =
            ["league", "new", &season.path("league"), "--game", "kalah", "--title", "The tests' league"];
        ranka(&title).done();
        let file = season.league().join("league.toml");
        let text = fs::read_to_string(&file).unwrap();
        let text =
            text.replace("rules = \"\"", "rules = \"houses=3,seeds=3\"").replace("games = 20", "games = 2");
        fs::write(&file, text.replace("move = 5000", "move = 300")).unwrap();
        season
    }

    fn path(&self, name: &str) -> String {
        self.place.path().join(name).display().to_string()
    }

    fn league(&self) -> PathBuf {
        self.place.path().join("league")
    }

    fn args<'a>(&self, command: &'a str, more: &[&'a str]) -> Vec<String> {
        let league = self.path("league");
        let fixed = ["league", command, "--league", &league];
        fixed.iter().chain(more).map(|&word| word.to_owned()).collect()
    }

    fn ranka(&self, command: &str, more: &[&str]) -> Said {
        let args = self.args(command, more);
        ranka(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A folder with a bot in it.
    fn folder(&self, name: &str, go: &str) -> String {
        let folder = self.place.path().join("handed-in").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("bot.sh"), bot(go)).unwrap();
        folder.display().to_string()
    }

    /// Takes a bot in as its organiser can: without trying it.
    fn force(&self, name: &str, go: &str) {
        let folder = self.league().join("entrants").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("bot.sh"), bot(go)).unwrap();
        let file = self.league().join("league.toml");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{text}\n[[entrant]]\nname = \"{name}\"\ncmd = \"sh bot.sh\"\n")).unwrap();
    }

    /// The standings, as the program tells them to programs.
    fn places(&self) -> Vec<Value> {
        let table = self.ranka("table", &["--json"]).json();
        table["games"][0]["places"].as_array().unwrap().clone()
    }

    /// How many games have been played.
    fn games(&self) -> u64 {
        self.places().iter().map(|place| place["games"].as_u64().unwrap()).sum::<u64>() / 2
    }

    fn place(&self, name: &str, version: u64) -> Value {
        let found = |place: &&Value| place["name"] == name && place["version"] == version;
        self.places().iter().find(found).unwrap_or_else(|| panic!("{name} {version}")).clone()
    }

    fn nights(&self) -> usize {
        fs::read_to_string(self.league().join("history.jsonl")).unwrap_or_default().lines().count()
    }
}

#[test]
fn a_season_of_twelve_bots() {
    let season = Season::new();
    for (name, go) in [("ada", FIRST), ("bea", LAST), ("cleo", SECOND), ("dora", LAST), ("emil", FIRST)] {
        let said = season.ranka("add", &[name, &season.folder(name, go)]);
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        assert!(said.out.starts_with(&format!("{name} is in the league: ")), "{}", said.out);
    }
    let refused = season.ranka("add", &["wrong", &season.folder("wrong", "echo action 99")]);
    assert_eq!(refused.code, 3, "{}", refused.err);
    assert!(refused.out.contains("see docs/bot-protocol.md, section"), "{}", refused.out);
    assert!(refused.err.contains("so wrong is not taken into the league"), "{}", refused.err);
    let slow = season.ranka("add", &["late", &season.folder("late", "sleep 0.5; echo action $1")]);
    assert!(slow.out.contains("it gives no action within 300 ms: it took "), "{}", slow.out);
    assert_eq!(slow.out.matches("it gives no action").count(), 1, "{}", slow.out);
    assert!(
        slow.out.contains("5 times more the same as in \"kalah (houses=3,seeds=3): a game in seat 0\":\n"),
        "{}",
        slow.out
    );
    let store = season.path("league/league.sqlite");
    let spy = format!(
        "for file in {store} ../../ada/1/bot.sh /proc/$PPID/environ /etc/passwd; do cat $file >/dev/null 2>&1 && echo saw $file >&2; done; \
         (echo x > bot.sh) 2>/dev/null && echo wrote bot.sh >&2; echo tried >&2; echo action $1"
    );
    for (name, go) in [
        ("finn", SECOND),
        ("slow", "sleep 0.02; echo action $1"),
        ("hangs", "echo so by the wall clock alone >&2; sleep 5"),
        ("crashes", "echo out of ideas >&2; exit 3"),
        ("cheats", "echo action 99"),
        ("spies", spy.as_str()),
    ] {
        season.force(name, go);
    }

    // The first night is killed in the middle.
    let mut night = Command::new(env!("CARGO_BIN_EXE_ranka"));
    night.args(season.args("run", &[])).stdout(Stdio::null()).stderr(Stdio::null());
    let mut night = night.spawn().unwrap();
    let begun = Instant::now();
    while !Path::new(&store).exists() || season.games() < 8 {
        assert!(begun.elapsed() < Duration::from_secs(120), "nothing is played");
        assert!(night.try_wait().unwrap().is_none(), "the night is over already");
        std::thread::sleep(Duration::from_millis(50));
    }
    let locked = season.ranka("run", &[]);
    assert!(locked.err.contains("another `ranka league run` plays in this league"), "{}", locked.err);
    night.kill().unwrap();
    night.wait().unwrap();
    let kept = season.games();
    assert!(kept >= 8 && season.nights() == 0, "{kept} games");

    // The second goes on where it was.
    let second = season.ranka("run", &[]);
    assert_eq!(second.code, 0, "{}", second.err);
    assert_eq!(season.nights(), 2, "the killed night and this one");
    for name in ["hangs", "crashes", "cheats"] {
        let place = season.place(name, 1);
        assert_eq!(place["faults"], place["losses"], "{place}");
        let faults = place["faults"].as_u64().unwrap();
        assert!((10..=12).contains(&faults), "it sits out after ten: {place}");
        assert!(
            second.out.contains(&format!("{name} only ever fails at Kalah and sits out")),
            "{}",
            second.out
        );
    }
    assert!(
        !second.out.contains("played again"),
        "who sleeps waits for no processor, whatever it says: {}",
        second.out
    );
    // Whoever did nothing wrong has played everybody who did not sit out.
    for name in ["ada", "slow", "spies", "random"] {
        let place = season.place(name, 1);
        assert_eq!(place["faults"], 0, "{place}");
        assert!(place["games"].as_u64().unwrap() >= 16, "{place}");
    }
    let anchor = season.place("random", 1);
    assert_eq!((&anchor["rating"], &anchor["error"]), (&1000.0.into(), &0.0.into()));
    let again = season.ranka("run", &[]);
    assert!(
        again.out.starts_with("0 games played, 0 missing")
            || again.out.contains("\n0 games played, 0 missing"),
        "{}",
        again.out
    );
    assert_eq!(season.nights(), 2, "nothing was played");

    // In the third a bot was changed.
    let old = season.place("ada", 1);
    let said = season.ranka("add", &["ada", &season.folder("ada", LAST)]);
    assert_eq!(said.code, 0, "{}", said.err);
    let third = season.ranka("run", &[]);
    assert!(third.out.contains("ada comes in version 2."), "{}", third.out);
    assert_eq!(season.place("ada", 1)["games"], old["games"], "what the old version played stays");
    assert!(season.place("ada", 2)["games"].as_u64().unwrap() >= 16);
    assert_eq!((season.place("ada", 1)["current"].clone(), season.nights()), (false.into(), 3));

    site(&season);
}

/// The site's pages say what they should, in two languages, and lead nowhere that is not there.
fn site(season: &Season) {
    let site = season.place.path().join("site");
    let told = season.ranka("site", &[&season.path("site")]).done();
    assert!(told.contains(" of them written anew, in "), "{told}");
    let page =
        |name: &str| fs::read_to_string(site.join(name)).unwrap_or_else(|_| panic!("{name} is missing"));
    let index = page("index.html");
    assert!(index.contains("The tests&#39; league") || index.contains("The tests' league"), "{index}");
    for text in ["Cross table", "Ratings, night by night", "version 2", "downloads/kalah.jsonl"] {
        assert!(index.contains(text), "index.html lacks {text:?}");
    }
    assert!(page("ja/index.html").contains("順位表"));
    let crashes = page("bots/crashes.html");
    assert!(crashes.contains("out of ideas") && crashes.contains("it ended with exit code 3"), "{crashes}");
    let spies = page("bots/spies.html");
    assert!(!spies.contains("saw ") && !spies.contains("wrote "), "the spy saw something");
    let records = page("downloads/kalah.jsonl");
    let spied = records.lines().filter(|line| line.contains("tried")).count();
    assert!(spied > 0 && !records.contains("saw ") && !records.contains("wrote bot.sh"), "{spied}");
    assert_eq!(records.lines().count() as u64, season.games(), "every game can be had");
    let ada = page("bots/ada.html");
    assert!(ada.contains("Games worth a look") && ada.contains("Lost to the weakest"), "{ada}");
    let mut pages = Vec::new();
    collect(&site, &mut pages);
    let of_games = pages.iter().filter(|page| page.parent().unwrap().ends_with("games"));
    let replays =
        of_games.map(|page| fs::read_to_string(page).unwrap().matches("<tr id=\"g").count()).sum::<usize>();
    assert_eq!(replays as u64, 2 * season.games(), "every game is a replay, in two languages");
    let mut checked = BTreeSet::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for attribute in ["href=\"", "src=\""] {
            for (link, _) in text.split(attribute).skip(1).filter_map(|rest| rest.split_once('"')) {
                let (file, place) = link.split_once('#').unwrap_or((link, ""));
                let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
                if checked.insert((target.clone(), place.to_owned())) {
                    assert!(target.exists(), "{}: {link} leads nowhere", page.display());
                    let there = || fs::read_to_string(&target).unwrap().contains(&format!("id=\"{place}\""));
                    assert!(place.is_empty() || there(), "{}: {link} leads to no place", page.display());
                }
            }
        }
    }
    // Written again, nothing of the games is.
    let again = season.ranka("site", &[&season.path("site")]).done();
    assert!(again.contains(", 0 of them written anew"), "{again}");
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|end| end == "html") {
            pages.push(path);
        }
    }
}

#[test]
fn what_makes_no_league_is_refused_by_name() {
    let season = Season::new();
    let file = season.league().join("league.toml");
    let good = fs::read_to_string(&file).unwrap();
    let refused = |text: String| {
        fs::write(&file, text).unwrap();
        season.ranka("table", &[]).refused()
    };
    assert!(refused(good.replace("game = \"kalah\"", "game = \"kala\"")).contains("did you mean"));
    assert!(refused(good.clone() + "\n[[entrant]]\nname = \"x\"\n").contains("entrant x: give cmd"));
    assert!(
        refused(good.clone() + "\n[[entrant]]\nname = \"random\"\nagent = \"random\"\n").contains("twice")
    );
    assert!(
        refused(good.clone() + "\n[[entrant]]\nname = \"../x\"\nagent = \"random\"\n").contains("a name has")
    );
    assert!(
        refused(good.replace("anchor = \"random\"", "anchor = \"nobody\""))
            .contains("unknown entrant \"nobody\"")
    );
    assert!(
        refused(good.replace("start = 10000", "stat = 10000"))
            .contains("unknown key \"stat\": did you mean start?")
    );
    fs::write(&file, good).unwrap();
    let nowhere = ranka(&["league", "table", "--league", &season.path("nowhere")]);
    assert_eq!(nowhere.code, 5, "{}", nowhere.err);
    assert!(nowhere.err.contains("nowhere/league.toml"), "{}", nowhere.err);
    let again = ranka(&["league", "new", &season.path("league"), "--game", "kalah"]).refused();
    assert!(again.contains("there is a league already"), "{again}");
    // What is refused leaves nothing behind that would be in the way of the next try.
    let other = season.path("other");
    let twice = ranka(&["league", "new", &other, "--game", "kalah", "--game", "kalah"]).refused();
    assert!(twice.contains("game kalah is there twice"), "{twice}");
    ranka(&["league", "new", &other, "--game", "kalah"]).done();
}

#[test]
#[cfg(target_os = "linux")]
fn a_league_that_cannot_be_written_is_read() {
    let season = Season::new();
    season.force("ada", FIRST);
    let first = season.ranka("run", &[]);
    assert_eq!(first.code, 0, "{}", first.err);
    let [table, site, night] =
        [season.args("table", &[]), season.args("site", &[&season.path("site")]), season.args("run", &[])];
    let read = |args: &[String]| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        where_nothing_is_written(&season.league(), &args)
    };
    let Some(told) = read(&table) else { return };
    assert_eq!((told.code, told.out), (0, season.ranka("table", &[]).done()), "{}", told.err);
    let told = read(&site).unwrap();
    assert!(told.code == 0 && told.out.contains(" pages with 2 games"), "{}{}", told.out, told.err);
    let told = read(&night).unwrap();
    assert_eq!((told.code, told.err.contains("it cannot be written")), (5, true), "{}", told.err);
}

#[test]
fn a_site_never_publishes_the_seed() {
    let season = Season::new();
    let league = season.league();
    for folder in [league.clone(), league.join("entrants/.."), league.parent().unwrap().to_owned()] {
        let refused = season.ranka("site", &[&folder.display().to_string()]).refused();
        assert!(refused.contains("its seed would be published"), "{refused}");
        assert!(!folder.join("index.html").exists());
    }
    // Below the league it lies alone.
    let site = league.join("site");
    season.ranka("site", &[&site.display().to_string()]).done();
    assert!(site.join("index.html").is_file());
}

#[test]
fn what_is_tried_is_what_will_be_played() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let season = Season::new();
    // A program that a build made is not taken, so trying it says nothing.
    let built = season.folder("built", FIRST);
    let target = Path::new(&built).join("target");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("CACHEDIR.TAG"), "").unwrap();
    fs::write(target.join("bot"), format!("#!/bin/sh\n{}", bot(FIRST))).unwrap();
    fs::set_permissions(target.join("bot"), fs::Permissions::from_mode(0o755)).unwrap();
    let refused = season.ranka("add", &["built", &built, "--cmd", "target/bot"]).refused();
    assert!(refused.contains("there is no such program") && refused.contains("are not taken"), "{refused}");
    // Nor is a file of somebody else's.
    let links = season.folder("links", FIRST);
    symlink(season.league().join("league.toml"), Path::new(&links).join("opening")).unwrap();
    let refused = season.ranka("add", &["links", &links]).refused();
    assert!(refused.contains("links/opening: it is a link that leads out of the bot's folder"), "{refused}");
    // What only its author may read can be played, by root too.
    let private = season.folder("private", FIRST);
    fs::set_permissions(Path::new(&private).join("bot.sh"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(&private, fs::Permissions::from_mode(0o700)).unwrap();
    let said = season.ranka("add", &["private", &private]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let entrants = fs::read_dir(season.league().join("entrants")).unwrap();
    let names: Vec<_> = entrants.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["private"], "nothing else is left");
}

#[test]
fn a_bot_is_tried_with_the_memory_that_it_will_have() {
    let season = Season::new();
    let file = season.league().join("league.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("memory = 2048", "memory = 256").replace("move = 300", "move = 20000"))
        .unwrap();
    // Each of its processes has enough, and together they have too much.
    let holds = "(head -c 120000000 /dev/zero; exec sleep 60) | tail -c 120000000 >/dev/null &";
    let family = season.folder("family", &format!("{holds} {holds} {holds} sleep 5; echo action $1"));
    let said = season.ranka("add", &["family", &family]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    assert!(said.out.contains("its processes together took more than 256 MiB of memory"), "{}", said.out);
    assert!(!season.league().join("entrants/family").exists());
}

#[test]
fn who_plays_one_game_of_two_is_entered_for_that() {
    let season = Season::new();
    let file = season.league().join("league.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("[limits]", "[[game]]\ngame = \"geister\"\ngames = 2\n\n[limits]"))
        .unwrap();
    let folder = season.folder("one", FIRST);
    let script = Path::new(&folder).join("bot.sh");
    let says = bot(FIRST).replace("echo name A bot of the tests", "echo games kalah");
    fs::write(&script, says).unwrap();
    let said = season.ranka("add", &["one", &folder]).done();
    assert!(said.starts_with("one is in the league, for kalah alone: "), "{said}");
    assert!(fs::read_to_string(&file).unwrap().ends_with("cmd = \"sh bot.sh\"\ngames = [\"kalah\"]\n"));
}

#[test]
fn a_title_is_written_as_toml_reads_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("league").display().to_string();
    let title = "か\u{3099} \"x\" \\";
    ranka(&["league", "new", &folder, "--game", "kalah", "--title", title]).done();
    let table = ranka(&["league", "table", "--league", &folder, "--json"]).json();
    assert_eq!(table["title"], title);
}

/// A bot in a sandbox, as an agent.
fn held(folder: &Path, go: &str) -> String {
    fs::write(folder.join("bot.sh"), bot(go)).unwrap();
    format!("bot:cmd=\"sh bot.sh\",name=Held,folder=\"{}\",sandbox=on,move=60000", folder.display())
}

#[test]
fn what_the_referee_has_open_is_not_the_bots() {
    let place = tempfile::tempdir().unwrap();
    let spec = held(place.path(), "cat <&9 >/dev/null 2>&1 && exit 3; echo action $1");
    let secret = place.path().join("secret");
    fs::write(&secret, "seed").unwrap();
    let script = "exec 9<\"$0\" && exec \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(&secret).arg(env!("CARGO_BIN_EXE_ranka"));
    shell.args(["match", "kalah", "random", &spec, "--games", "2", "--no-store"]);
    let said = shell.output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success() && !text.contains("exit code 3"), "{text}");
}

/// How many processes have this command line.
fn running(line: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|found| found.starts_with(line.as_bytes())).count()
}

/// Also those of a bot's children that left their group and wiped their environment.
#[test]
fn bots_in_a_sandbox_end_with_a_referee_that_is_killed() {
    for means in ["bubblewrap", "namespaces", "landlock"] {
        let place = tempfile::tempdir().unwrap();
        let (sleep, away) = (format!("600.{}", std::process::id()), format!("601.{}", std::process::id()));
        let go = format!("env -i setsid sleep {away} & sleep {sleep}");
        let spec = held(place.path(), &go).replace("sandbox=on", &format!("sandbox={means}"));
        let [sleep, away] = [sleep, away].map(|time| format!("sleep\0{time}"));
        let mut referee = Command::new(env!("CARGO_BIN_EXE_ranka"));
        referee.args(["match", "kalah", &spec, "random", "--games", "2", "--no-store"]);
        let mut referee = referee.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while running(&sleep) == 0 || running(&away) == 0 {
            if referee.try_wait().unwrap().is_some() {
                eprintln!("\n*** SKIPPED: there is no sandbox by {means} here ***\n");
                assert_ne!(means, "landlock", "this kernel has no Landlock, so no sandbox can be tested");
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{means}: it does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = referee.kill();
        referee.wait().unwrap();
        let begun = Instant::now();
        while running(&sleep) + running(&away) > 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "{means}: it stays behind");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Who leaves its group and forgets its mark ends with a bot that loses by its clock, too.
#[test]
fn what_a_bot_in_a_fence_starts_ends_with_its_game() {
    let place = tempfile::tempdir().unwrap();
    let time = format!("602.{}", std::process::id());
    let spec = held(place.path(), &format!("env -i setsid sleep {time} & sleep 600"));
    let spec = spec.replace("sandbox=on", "sandbox=landlock").replace("move=60000", "move=6000");
    let away = format!("sleep\0{time}");
    let mut referee = Command::new(env!("CARGO_BIN_EXE_ranka"));
    referee.args(["match", "kalah", &spec, "random", "--games", "1", "--no-store"]);
    let mut referee = referee.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut begun = false;
    while referee.try_wait().unwrap().is_none() {
        begun |= running(&away) > 0;
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(begun, "it never began, so nothing was tested");
    assert_eq!(running(&away), 0, "it stays behind");
}
