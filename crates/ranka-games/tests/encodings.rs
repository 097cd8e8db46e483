//! `docs/encodings.md` tells the arrays as they are. `RANKA_BLESS=1` writes its blocks anew.
#![allow(clippy::unwrap_used)]

use ranka_core::Layout;
use std::fmt::Write as _;
use std::path::Path;

const WIDE: usize = 118;

/// A game and rules as the page names them, and what their arrays are.
fn described(line: &str) -> String {
    let (name, rules) = line.split_once(' ').unwrap_or((line, ""));
    let game = ranka_games::game(name).unwrap().open(rules).unwrap();
    let layout = game.layout();
    let Layout { version, planes, height, width, action_planes, loose_actions } = &layout;
    let symmetries = game.symmetries().len();
    let mut out = format!(
        "{line}\n  version {version}: {} planes of {height} × {width}; actions: {action_planes} planes + {loose_actions} \
         loose = {}; symmetries: {symmetries}\n",
        planes.len(),
        layout.actions(),
    );
    let mut row = String::new();
    for (i, plane) in planes.iter().enumerate() {
        let word = format!("{i}: {plane}{}", if i + 1 < planes.len() { "," } else { "" });
        if !row.is_empty() && row.chars().count() + word.chars().count() + 3 > WIDE {
            writeln!(out, "  {row}").unwrap();
            row.clear();
        }
        row += if row.is_empty() { "" } else { " " };
        row += &word;
    }
    writeln!(out, "  {row}").unwrap();
    out
}

#[test]
fn the_page_tells_the_arrays_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/encodings.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut parts = page.split("```layout\n");
    let mut written = parts.next().unwrap().to_owned();
    for part in parts {
        let (block, rest) = part.split_once("```").unwrap();
        let lines = block.lines().filter(|line| !line.starts_with(' '));
        let blocks: String = lines.map(described).collect();
        written += &format!("```layout\n{blocks}```{rest}");
    }
    for entry in ranka_games::catalogue() {
        assert!(written.contains(&format!("```layout\n{}", entry.info().name)), "the page lacks a game");
    }
    if std::env::var_os("RANKA_BLESS").is_some() {
        std::fs::write(&path, written).unwrap();
    } else {
        assert!(
            page == written,
            "docs/encodings.md is stale: RANKA_BLESS=1 cargo test -p ranka-games --test encodings"
        );
    }
}
