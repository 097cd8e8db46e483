//! The dialogues of `docs/bot-protocol.md` are real ones: `RANKA_BLESS=1` writes them anew.

use crate::{mock, play};
use ranka_core::EndReason;
use std::path::Path;

/// Games and rules that show much in little space, and whether the bot plays to the end or resigns.
const SHOWN: [(&str, &str, &str); 4] = [
    ("kalah", "houses=2,seeds=2", "show-all"),
    ("labyrinth", "ply-cap=8", "show"),
    ("tantrix", "", "show"),
    ("tubstap", "", "show"),
];

/// A game of Geister from both sides: the first takes a ghost, gives one, and slips out.
const GEISTER: [&str; 2] =
    ["script=set:EFGH+e5f5+f5f4+b5b4+f4f3+f3f2+f2f1+f1out", "script=set:ABCD+b2b3+b3b4+c2c3+c3c4+c4c5+b1a1"];

#[test]
fn the_pages_dialogues_are_real() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bot-protocol.md");
    let written = std::fs::read_to_string(&place).unwrap();
    let mut page = written.clone();
    let mut shown: Vec<(String, String)> = SHOWN
        .iter()
        .map(|(name, rules, mode)| ((*name).to_owned(), dialogues(name, rules, [mode, ""]).swap_remove(0)))
        .collect();
    let seats = dialogues("geister", "", GEISTER).into_iter().enumerate();
    shown.extend(seats.map(|(seat, dialogue)| (format!("geister, seat {seat}"), dialogue)));
    for (name, dialogue) in shown {
        let [begin, end] = [format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n")];
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{begin} is missing"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{end} is missing"));
        page = format!("{before}{begin}```text\n{dialogue}```\n{end}{after}");
    }
    if std::env::var_os("RANKA_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&place, page).unwrap();
    } else {
        assert!(page == written, "docs/bot-protocol.md is old: RANKA_BLESS=1 renews it");
    }
}

/// What bots and we say to each other in a game; where no bot is to play, `random` does, and says nothing.
fn dialogues(name: &str, rules: &str, modes: [&str; 2]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let game = ranka_games::game(name).unwrap().open(rules).unwrap();
    let file = |seat: usize| folder.path().join(format!("dialogue-{seat}"));
    let agent = |seat: usize| match modes[seat] {
        "" => game.agent("random").unwrap(),
        mode => mock(game.as_ref(), mode, Some(&file(seat)), ""),
    };
    let finished = play(game.as_ref(), [&agent(0), &agent(1)], 0);
    let ended = finished.record.end;
    assert!([EndReason::Rules, EndReason::Resigned].contains(&ended.reason), "{name}: {ended:?}");
    (0..2).filter_map(|seat| std::fs::read_to_string(file(seat)).ok()).collect()
}
