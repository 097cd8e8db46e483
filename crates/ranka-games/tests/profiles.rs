//! A game whose crate is compiled in several units can lose a fifth of a figure (`docs/build.md`), and nobody would see why.
#![allow(clippy::unwrap_used)]

use ranka_games::catalogue;

#[test]
fn every_game_is_one_codegen_unit_in_a_release() {
    let workspace: toml::Table = toml::from_str(include_str!("../../../Cargo.toml")).unwrap();
    let packages = &workspace["profile"]["release"]["package"];
    for entry in catalogue() {
        let name = format!("ranka-{}", entry.info().name);
        let units = packages.get(&name).and_then(|package| package.get("codegen-units"));
        assert_eq!(units.and_then(|n| n.as_integer()), Some(1), "[profile.release.package] lacks {name}");
    }
}
