//! One name, one thing: no two public types of the workspace share a name, but for what is the same thing in each.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Names that stand for the same in every crate or protocol that has them.
const THE_SAME: [&str; 18] = [
    // A game's rooms, and what its board is made of.
    "Action",
    "Board",
    "Direction",
    "Naive",
    "Phase",
    "Rules",
    "State",
    "Tile",
    "View",
    // What is learned from games, and how that goes.
    "Model",
    "TrainingOptions",
    "TrainingProgress",
    // The sides and parts of a protocol, each in its module. (A line is of tiles in Tantrix, and of text here.)
    "Client",
    "Command",
    "Line",
    "Options",
    "Score",
    "Server",
];

/// Every Rust file in a folder and below it, read.
fn sources(folder: &Path, each: &mut dyn FnMut(&str)) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, each);
        } else if path.extension().is_some_and(|end| end == "rs") {
            each(&fs::read_to_string(path).unwrap());
        }
    }
}

/// The public type that a line of code defines.
fn defined(line: &str) -> Option<&str> {
    let (keyword, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    ["struct", "enum", "trait", "type"].contains(&keyword).then_some(name)
}

#[test]
fn a_name_stands_for_one_thing() {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for package in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
        let src = package.unwrap().path().join("src");
        if src.is_dir() {
            sources(&src, &mut |text| {
                for name in text.lines().filter_map(defined) {
                    *times.entry(name.to_owned()).or_default() += 1;
                }
            });
        }
    }
    assert!(times.len() > 300, "few types are found: {}", times.len());
    let shared: BTreeSet<&str> =
        times.iter().filter(|&(_, &times)| times > 1).map(|(name, _)| name.as_str()).collect();
    assert_eq!(shared, BTreeSet::from(THE_SAME), "names of several public types, and those that may be");
}
