//! The dialogues of `docs/bot-protocol.md` are real ones: `RANKA_BLESS=1` writes them anew.

use crate::{mock, play};
use std::path::Path;

/// Games and rules that show much in little space, and whether the bot plays to the end or resigns.
const SHOWN: [(&str, &str, &str); 5] = [
    ("kalah", "houses=2,seeds=2", "show-all"),
    ("geister", "plies=4", "show"),
    ("labyrinth", "ply-cap=8", "show"),
    ("tantrix", "", "show"),
    ("tubstap", "", "show"),
];

#[test]
fn the_pages_dialogues_are_real() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bot-protocol.md");
    let written = std::fs::read_to_string(&place).unwrap();
    let mut page = written.clone();
    for (name, rules, mode) in SHOWN {
        let [begin, end] = [format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n")];
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{begin} is missing"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{end} is missing"));
        page = format!("{before}{begin}```text\n{}```\n{end}{after}", dialogue(name, rules, mode));
    }
    if std::env::var_os("RANKA_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&place, page).unwrap();
    } else {
        assert!(page == written, "docs/bot-protocol.md is old: RANKA_BLESS=1 renews it");
    }
}

/// What a bot and we say to each other in a game against `random`.
fn dialogue(name: &str, rules: &str, mode: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dialogue");
    let game = ranka_games::game(name).unwrap().open(rules).unwrap();
    let (bot, random) = (mock(game.as_ref(), mode, Some(&file), ""), game.agent("random").unwrap());
    play(game.as_ref(), [&bot, &random], 0);
    std::fs::read_to_string(&file).unwrap()
}
