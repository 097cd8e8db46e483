//! A league whose folder other people write to: what they spoil, change or should not see.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use ranka_league::{League, NightPlan, NightSummary, StandingsRow};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A bot that takes the first action.
const FIRST: &str = "while read -r word rest; do case $word in\n\
     isready) echo ready;;\nactions) set -- $rest;;\ngo) echo action $1;;\nquit) exit;;\nesac; done\n";

const SEED: u64 = 48_991_328_356_166_170;

struct Course {
    place: TempDir,
}

impl Course {
    /// A league of a bot and two agents, of which nothing was played yet.
    fn new() -> Course {
        let course = Course { place: tempfile::tempdir().unwrap() };
        course.bot("ada");
        course.write(&format!(
            "title = \"Course\"\nseed = {SEED}\n\
             [[game]]\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\ngames = 4\n\
             [limits]\nmove = 2000\n\
             [[entrant]]\nname = \"ada\"\ncmd = \"sh bot.sh\"\n\
             [[entrant]]\nname = \"house\"\nagent = \"minimax:depth=1\"\n\
             [[entrant]]\nname = \"random\"\nagent = \"random\"\n"
        ));
        course
    }

    fn bot(&self, name: &str) {
        fs::create_dir_all(self.at(&format!("entrants/{name}"))).unwrap();
        fs::write(self.at(&format!("entrants/{name}/bot.sh")), FIRST).unwrap();
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, text: &str) {
        fs::write(self.at("league.toml"), text).unwrap();
    }

    fn change(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.at("league.toml")).unwrap();
        assert!(text.contains(from), "{text}");
        self.write(&text.replace(from, to));
    }

    fn league(&self) -> League {
        League::open(self.place.path()).unwrap()
    }

    fn night(&self) -> NightSummary {
        let league = self.league();
        let cancel = AtomicBool::new(false);
        let night = NightPlan { threads: 1, until: None, means: None, cancel: &cancel };
        league.run(&night, &mut league.store().unwrap(), &mut |_| {}).unwrap()
    }

    fn places(&self) -> Vec<StandingsRow> {
        let league = self.league();
        league.standings(&league.games()[0], &league.store().unwrap(), &[]).unwrap().places
    }

    /// Versions and how many games each has played.
    fn played(&self, name: &str) -> Vec<(u32, u64)> {
        let places = self.places().into_iter().filter(|place| place.player.name == name);
        places.map(|place| (place.player.version, place.games())).collect()
    }

    fn seeds(&self) -> Vec<u64> {
        let pairings = self.league().store().unwrap().pairings().unwrap();
        pairings.iter().map(|pairing| pairing.seed).collect()
    }
}

#[test]
fn what_is_published_of_two_tells_nothing_of_any_other_two() {
    let course = Course::new();
    course.night();
    fs::write(course.at("entrants/ada/bot.sh"), format!("# changed\n{FIRST}")).unwrap();
    course.night();
    let seeds = course.seeds();
    assert_eq!(seeds.len(), 5, "three of two, and two of the new version");
    assert_eq!(seeds.iter().collect::<BTreeSet<_>>().len(), 5, "{seeds:?}");
    assert!(!seeds.contains(&SEED), "{seeds:?}");
    assert_eq!(course.night().played, 0, "what was played is found again");
}

#[test]
fn an_agent_of_ours_with_other_parameters_is_another_version() {
    let course = Course::new();
    course.night();
    let [(first, 8)] = course.played("house")[..] else { panic!("{:?}", course.played("house")) };
    course.change("depth=1", "depth=2");
    assert_eq!(course.night().new, [("house".to_owned(), first + 1)]);
    assert_eq!(course.played("house"), [(first, 8), (first + 1, 8)]);
}

#[test]
fn a_game_more_or_in_another_place_is_no_new_version() {
    let course = Course::new();
    course.change("agent = \"minimax:depth=1\"", "agent = \"minimax:depth=1\"\ngames = [\"kalah\"]");
    course.night();
    let before = course.played("random");
    let geister = "[[game]]\ngame = \"geister\"\ngames = 2\n";
    course.change("[limits]", &format!("{geister}[limits]"));
    let night = course.night();
    assert_eq!((night.new, night.played), (Vec::new(), 2), "one pairing of the new game");
    course.change(geister, "");
    course.change("[[game]]\ngame = \"kalah\"", &format!("{geister}[[game]]\ngame = \"kalah\""));
    let night = course.night();
    assert_eq!((night.new, night.played), (Vec::new(), 0));
    course.change(geister, "");
    assert_eq!(course.night().new, Vec::new());
    assert_eq!(course.played("random"), before);
    // In a league whose versions only knew all games together nobody is another either.
    let file = course.at(&format!("versions/random/{}.json", before[0].0));
    let mut version: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    version.as_object_mut().unwrap().remove("games").unwrap();
    let whole = std::mem::take(&mut version["digest"]);
    for (digest, new) in [(whole, vec![]), ("another".into(), vec![("random".to_owned(), before[0].0 + 1)])] {
        version["digest"] = digest;
        fs::write(&file, version.to_string()).unwrap();
        assert_eq!(course.night().new, new);
    }
}

#[test]
fn games_under_other_conditions_are_not_counted_together() {
    for (from, to) in [
        ("move = 2000", "move = 1900"),
        ("games = 4", "games = 4\nply-cap = 60"),
        ("games = 4", "games = 4\nbudget = \"nodes=50\""),
        ("move = 2000", "move = 2000\nprocesses = 32"),
        ("seed = 4", "seed = 5"),
    ] {
        let course = Course::new();
        course.night();
        course.change(from, to);
        assert!(course.places().is_empty(), "{to}");
        assert_eq!(course.night().played, 12, "{to}");
        assert!(course.places().iter().all(|place| place.games() == 8), "{to}");
        let league = course.league();
        assert_eq!(league.history(&league.games()[0]).unwrap().len(), 1, "{to}");
        course.change(to, from);
        assert_eq!((course.night().played, course.places().len()), (0, 3), "back from {to}");
    }
}

#[test]
fn what_is_played_again_is_no_evidence() {
    let course = Course::new();
    course.change("games = 4", "games = 10");
    course.change("minimax:depth=1", "minimax:depth=1,ties=first");
    course.change("agent = \"random\"", "agent = \"minimax:depth=2,ties=first\"");
    assert_eq!(course.night().played, 30);
    // Nothing is left to chance among these three: of each two one game in either order counts.
    let games: Vec<u64> = course.places().iter().map(StandingsRow::games).collect();
    assert_eq!(games, [4, 4, 4]);
}

#[test]
fn a_broken_entrant_sits_out_and_the_others_play() {
    let course = Course::new();
    course.bot("links");
    std::os::unix::fs::symlink(course.at("league.toml"), course.at("entrants/links/opening.txt")).unwrap();
    course.bot("lost");
    let text = fs::read_to_string(course.at("league.toml")).unwrap();
    let entrant = |name: &str, cmd: &str| format!("[[entrant]]\nname = \"{name}\"\ncmd = \"{cmd}\"\n");
    let more = [("links", "sh bot.sh"), ("lost", "./no-such-program"), ("gone", "sh bot.sh")];
    course.write(&more.iter().fold(text, |text, (name, cmd)| text + &entrant(name, cmd)));
    let night = course.night();
    assert_eq!(night.played, 12);
    let [gone, links, lost] = ["gone", "links", "lost"].map(|name| night.broken[name].clone());
    assert!(gone.contains("entrants/gone: it has no folder"), "{gone}");
    assert!(links.contains("links/opening.txt: it is a link that leads out"), "{links}");
    assert!(lost.contains("there is no such program"), "{lost}");
    assert!(!course.at("versions/links/1").exists());
}

#[test]
fn a_torn_line_of_the_history_spoils_nothing_else() {
    let course = Course::new();
    course.night();
    let path = course.at("history.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    assert_eq!(course.league().spoilt_history().unwrap(), Some((path.clone(), 1)));
    course.change("games = 4", "games = 6");
    course.night();
    let nights = || {
        let league = course.league();
        league.history(&league.games()[0]).unwrap().iter().map(|night| night.games).collect::<Vec<_>>()
    };
    assert_eq!((nights(), course.league().spoilt_history().unwrap()), (vec![12, 18], None));
    // A line that an older program glued to a torn one, or that is no text at all.
    let mut text = b"{\"at\":1,\"game\":\"ka{\"at\":2}\n\xff\xfe\n".to_vec();
    text.extend(fs::read(&path).unwrap());
    text.pop();
    fs::write(&path, text).unwrap();
    course.change("games = 6", "games = 8");
    course.night();
    assert_eq!(nights(), [12, 18, 24], "a night that lacked only its end stays");
    assert_eq!(course.league().spoilt_history().unwrap(), Some((path, 2)));
}

#[test]
fn who_hands_in_again_is_never_without_a_folder() {
    let course = Course::new();
    let league = course.league();
    let handed = league.hand_in("ada", &course.at("entrants/ada")).unwrap();
    fs::write(handed.folder().join("more"), "").unwrap();
    handed.take("sh bot.sh", &[]).unwrap();
    assert!(course.at("entrants/ada/more").is_file());
    drop(league.hand_in("ada", &course.at("entrants/ada")).unwrap());
    let names = fs::read_dir(course.at("entrants")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["ada"], "nothing is left behind");
    // Somebody was killed between two steps.
    fs::rename(course.at("entrants/ada"), course.at("entrants/.ada.old")).unwrap();
    assert!(course.night().broken.is_empty());
    assert!(course.at("entrants/ada/bot.sh").is_file());
}

#[test]
fn what_is_misspelt_is_told_with_its_line_and_what_is_near() {
    for (from, to, told) in [
        ("move = 2000", "move = \"fast\"", "line 8: invalid type: string \"fast\", expected a whole number"),
        ("move = 2000", "move = 2000\nprocesses = 0", "limits: processes = 0 leaves a bot nothing"),
        (
            "move = 2000",
            "move = 2000\nscratch = 0",
            "limits: scratch=0: expected a whole number in 1..1048576",
        ),
        (
            "move = 2000",
            "memory = 17592186044416",
            "limits: memory=17592186044416: expected a whole number in 0..16777216",
        ),
        ("games = 4", "games = 0", "game kalah: pairings of 0 games: give 1 to 10000"),
        (
            "games = 4",
            "games = 9223372036854775807",
            "game kalah: pairings of 9223372036854775807 games: give 1 to 10000",
        ),
        (
            "[limits]",
            "[ratings]\nrating = nan\n[limits]",
            "ratings: rating = NaN: give a number from -100000 to",
        ),
        (
            "[limits]",
            "[ratings]\nrating = -inf\n[limits]",
            "ratings: rating = -inf: give a number from -100000 to",
        ),
        ("title = \"Course\"", "title = \" \"", "title: say what the league is called"),
        (
            "[limits]",
            "[ratings]\nanchor = \"radnom\"\n[limits]",
            "line 8: unknown entrant \"radnom\": did you mean random?",
        ),
        ("agent = \"random\"", "agent = \"radnom\"", "entrant random, line 17: "),
        (
            "agent = \"random\"",
            "agent = \"random\"\ngames = [\"kala\"]",
            "line 18: unknown game of this league \"kala\": did you mean kalah?",
        ),
    ] {
        let course = Course::new();
        course.change(from, to);
        let refused = League::open(course.place.path()).err().unwrap().to_string();
        assert!(refused.contains(&format!("league.toml: {told}")), "{refused}");
    }
}
