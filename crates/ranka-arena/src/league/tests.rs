//! The site of a small league with a bot that breaks down, and that was changed.
#![allow(clippy::unwrap_used)]

use super::{Site, faults, write_site};
use crate::words::Language;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ranka_league::{League, NightPlan};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A bot that speaks the protocol and breaks down when it is its turn.
const BREAKS: &str = "while read -r word rest; do case $word in\n\
     isready) echo ready;;\n\
     go) echo out of ideas >&2; exit 3;;\n\
     quit) exit;;\nesac; done\n";

/// A league that has played one night.
struct Course {
    place: TempDir,
}

impl Course {
    fn played() -> Course {
        let course = Course { place: tempfile::tempdir().unwrap() };
        fs::create_dir_all(course.folder().join("entrants/breaks")).unwrap();
        fs::write(course.folder().join("entrants/breaks/bot.sh"), BREAKS).unwrap();
        let text = "title = \"Course\"\nseed = 5\n\
             [[game]]\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\ngames = 6\n\
             [ratings]\nanchor = \"random\"\nrating = 1000\n\
             [[entrant]]\nname = \"random\"\nagent = \"random\"\n\
             [[entrant]]\nname = \"greedy\"\nagent = \"minimax:depth=1\"\n\
             [[entrant]]\nname = \"breaks\"\ncmd = \"sh bot.sh\"\n";
        fs::write(course.folder().join("league.toml"), text).unwrap();
        course.night();
        course
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join("league")
    }

    fn league(&self) -> League {
        League::open(&self.folder()).unwrap()
    }

    fn night(&self) {
        let league = self.league();
        let cancel = AtomicBool::new(false);
        let night = NightPlan { threads: 1, until: None, means: None, cancel: &cancel };
        league.run(&night, &mut league.store().unwrap(), &mut |_| {}).unwrap();
    }

    fn site(&self) -> Pages {
        let folder = self.place.path().join("site");
        write_site(&self.league(), &folder).unwrap();
        Pages { folder }
    }
}

struct Pages {
    folder: PathBuf,
}

impl Pages {
    fn page(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap()
    }
}

#[test]
fn a_fault_is_blamed_on_who_committed_it() {
    let course = Course::played();
    let site = course.site();
    for name in ["random", "greedy", "breaks"] {
        let page = site.page(format!("bots/{name}.html"));
        assert!(page.contains("breaks broke down"), "{name}: {page}");
        assert!(!page.contains("random broke down") && !page.contains("greedy broke down"), "{name}: {page}");
    }
}

#[test]
fn faults_that_are_alike_are_told_once_with_their_games() {
    let course = Course::played();
    let site = course.site();
    let page = site.page("bots/breaks.html");
    assert_eq!(page.matches("<pre>").count(), 1, "{page}");
    assert!(page.contains("10 times"), "{page}");
    assert!(page.contains(">game 2 against random</a>"), "{page}");
    assert!(page.contains("sits out until it is changed"), "{page}");
    assert!(site.page("index.html").contains("sits out until it is changed"));
    let japanese = site.page("ja/bots/breaks.html");
    assert!(
        japanese.contains("終了コード 3 で終わりました") && japanese.contains("標準エラー出力"),
        "{japanese}"
    );
    assert!(!japanese.contains("it ended with"), "{japanese}");
}

#[test]
fn the_referee_speaks_the_readers_language() {
    let told = |line: &str| faults::told(line, Language::Japanese);
    assert_eq!(
        told(
            "no action after 500 ms and 500 ms of grace; it used 979 ms of a processor and waited 0 ms for one"
        ),
        "500 ms と猶予 500 ms のうちに着手がありませんでした。プロセッサを 979 ms 使い、空くのを 0 ms 待ちました"
    );
    assert_eq!(told("its action cannot be read: \"99\", column 1"), "着手を読み取れません: \"99\", column 1");
    assert_eq!(told("Traceback: it failed"), "Traceback: it failed");
}

#[test]
fn cells_of_the_cross_table_lead_to_the_games_of_the_two() {
    let course = Course::played();
    let site = course.site();
    let index = site.page("index.html");
    let cross = index.split("class=\"cross\"").nth(1).unwrap();
    let links: Vec<&str> = cross
        .split("href=\"games/")
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(link, _)| link)
        .collect();
    assert_eq!(links.len(), 6, "three bots, and each against each: {cross}");
    for link in links {
        let page = site.page(format!("games/{link}"));
        assert!(page.contains("id=\"g1\""), "{page}");
    }
}

/// What a page of games has packed.
fn unpacked(page: &str) -> Value {
    let data = page.split("id=\"film-data\">").nth(1).unwrap().split('<').next().unwrap();
    let bytes = STANDARD.decode(data).unwrap();
    serde_json::from_reader(flate2::read::GzDecoder::new(bytes.as_slice())).unwrap()
}

#[test]
fn a_replay_tells_who_sits_where_what_each_move_does_and_why_it_ended() {
    let course = Course::played();
    let site = course.site();
    let index = site.page("ja/bots/greedy.html");
    let of_random = index.split("href=\"../games/").find(|rest| rest.contains("randomとの第")).unwrap();
    let name = of_random.split_once(['#', '"']).unwrap().0;
    for (folder, seeds, first) in [("", "a row is empty", "plays first"), ("ja/", "一方の列が空", "先手")]
    {
        let film = unpacked(&site.page(format!("{folder}games/{name}")));
        let games = film["games"].as_array().unwrap();
        assert_eq!(games.len(), 6);
        let [one, other] = [0, 1].map(|game| games[game]["players"][0]["name"].clone());
        assert_ne!(one, other, "seats are swapped");
        for game in games {
            assert_eq!(game["players"][0]["plays"], first);
            assert!(game["end"].as_str().unwrap().contains(seeds), "{}", game["end"]);
            let moves = game["says"].as_array().unwrap();
            assert_eq!(moves.len(), game["frames"].as_array().unwrap().len());
            assert!(moves[1..].iter().all(|says| says.as_str().unwrap().chars().count() > 3), "{moves:?}");
        }
    }
}

#[test]
fn a_page_is_written_anew_only_when_games_came_to_it() {
    let course = Course::played();
    let folder = course.place.path().join("site");
    let first = write_site(&course.league(), &folder).unwrap();
    assert_eq!((first.games, first.written), (16, 16));
    assert_eq!(write_site(&course.league(), &folder).unwrap(), Site { written: 0, ..first });
    let size = |entry: fs::DirEntry| entry.metadata().unwrap().len();
    let games = fs::read_dir(folder.join("games")).unwrap().map(|entry| size(entry.unwrap())).sum::<u64>();
    assert!(games / 16 < 8_000, "{} bytes a game", games / 16);
    let file = course.folder().join("league.toml");
    let text = fs::read_to_string(&file).unwrap().replace("games = 6", "games = 8");
    fs::write(&file, text).unwrap();
    course.night();
    let more = write_site(&course.league(), &folder).unwrap();
    assert_eq!((more.games, more.written), (18, 8), "those who sit out play no more");
}

#[test]
fn the_plot_marks_versions_and_tells_nights_of_a_day_apart() {
    let course = Course::played();
    fs::write(course.folder().join("entrants/breaks/bot.sh"), format!("# changed\n{BREAKS}")).unwrap();
    course.night();
    let index = course.site().page("index.html");
    let plot = index.split("<figure>").nth(1).unwrap().split("</figure>").next().unwrap();
    assert!(plot.contains(">v2</text>"), "{plot}");
    assert!(!plot.contains(">1,000</text>") && plot.contains(">1000</text>"), "{plot}");
    let days: Vec<&str> =
        plot.split("<text").filter(|text| text.contains(':') && text.contains('-')).collect();
    assert!(days.len() >= 2, "{plot}");
}

#[test]
fn form_begins_with_the_last_game_that_was_played() {
    let course = Course::played();
    let site = course.site();
    let page = site.page("bots/greedy.html");
    let form = page.split("Form, the last game first").nth(1).unwrap().split("</p>").next().unwrap();
    // Of the pairings with one who breaks down and with one who does not, by what the store tells.
    let league = course.league();
    let store = league.store().unwrap();
    let mut all = Vec::new();
    for pairing in store.pairings().unwrap() {
        if let Some(own) = pairing.agents.iter().position(|name| name == "greedy") {
            let kept = store.kept(pairing.key).unwrap();
            all.extend(kept.iter().map(|(number, at)| (*at, *number + 1, pairing.agents[1 - own].clone())));
        }
    }
    all.sort();
    let wanted: Vec<String> =
        all.iter().rev().map(|(_, number, name)| format!("title=\"game {number} against {name}\"")).collect();
    assert!(wanted.len() > 6);
    let shown: Vec<&str> = form.split("<a ").skip(1).collect();
    assert_eq!(shown.len(), wanted.len().min(12));
    for (shown, wanted) in shown.iter().zip(&wanted) {
        assert!(shown.contains(wanted), "{wanted}: {form}");
    }
}

#[test]
fn who_has_left_keeps_a_page_and_a_new_title_reaches_every_page() {
    let course = Course::played();
    course.site();
    let file = course.folder().join("league.toml");
    let text = fs::read_to_string(&file).unwrap();
    let (text, _) = text.split_once("[[entrant]]\nname = \"breaks\"").unwrap();
    fs::write(&file, text.replace("\"Course\"", "\"Summer\"")).unwrap();
    for folder in ["site", "fresh"] {
        let folder = course.place.path().join(folder);
        write_site(&course.league(), &folder).unwrap();
        assert!(folder.join("bots/breaks.html").is_file());
        for part in ["bots", "games", "ja/bots", "ja/games"] {
            for entry in fs::read_dir(folder.join(part)).unwrap() {
                let page = fs::read_to_string(entry.unwrap().path()).unwrap();
                assert!(page.contains("· Summer</title>") && !page.contains("Course"), "{page}");
            }
        }
    }
}

#[test]
fn a_bots_name_is_never_translated() {
    let course = Course::played();
    let file = course.folder().join("league.toml");
    let text = fs::read_to_string(&file).unwrap().replace("\"breaks\"", "\"First\"");
    fs::write(&file, text).unwrap();
    fs::rename(course.folder().join("entrants/breaks"), course.folder().join("entrants/First")).unwrap();
    course.night();
    let site = course.site();
    let page = site.page("ja/bots/greedy.html");
    assert!(page.contains("Firstとの第") && !page.contains("先手との第"), "{page}");
    assert!(!site.page("ja/bots/First.html").contains("先手"), "{page}");
}
