//! The maps that come with Ranka, all our own.

use crate::files::MapFile;
use ranka_core::{Error, is_path, unknown};
use std::path::Path;

/// The names of the maps that come with Ranka: the one that is played when nobody names one, then the smallest first.
/// At the end what stands for a new map in every game.
pub const NAMES: &[&str] = &["crossing", "duel", "bridge", "ridge", "sky", "coast", "citadel", RANDOM];

/// Stands for a new map in every game.
pub const RANDOM: &str = "random";

/// Name and file of each map, the smallest first.
const MAPS: [(&str, &str); 7] = [
    ("duel", include_str!("../maps/duel.tbsmap")),
    ("crossing", include_str!("../maps/crossing.tbsmap")),
    ("bridge", include_str!("../maps/bridge.tbsmap")),
    ("ridge", include_str!("../maps/ridge.tbsmap")),
    ("sky", include_str!("../maps/sky.tbsmap")),
    ("coast", include_str!("../maps/coast.tbsmap")),
    ("citadel", include_str!("../maps/citadel.tbsmap")),
];

/// The names of the maps that come with Ranka.
pub fn names() -> Vec<&'static str> {
    MAPS.iter().map(|&(name, _)| name).collect()
}

/// The map with this name, or in the file with this path.
pub fn find(name: &str) -> Result<MapFile, Error> {
    if let Some((_, text)) = MAPS.iter().find(|(known, _)| *known == name) {
        return Ok(MapFile::read(text.as_bytes()).expect("our own maps are sound"));
    }
    let path = Path::new(name);
    if name.ends_with(".tbsmap") || is_path(name) || path.is_file() {
        return MapFile::load(path);
    }
    if name == RANDOM {
        return Err(Error::input("random: a new map is dealt with every game, so there is none to show"));
    }
    Err(Error::input(unknown("map", name, NAMES) + ", or a .tbsmap file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Terrain};
    use ranka_core::ErrorKind;

    #[test]
    fn every_map_is_offered() {
        let offered = |name: &&str| NAMES.contains(name);
        assert!(NAMES.len() == MAPS.len() + 1 && names().iter().all(offered));
    }

    #[test]
    fn our_maps_are_sound_and_show_everything() {
        let maps: Vec<MapFile> = names().iter().map(|name| find(name).unwrap()).collect();
        let units = || maps.iter().flat_map(|map| &map.units);
        for kind in Kind::ALL {
            assert!(units().any(|unit| unit.kind == kind), "{kind:?} is on some map");
        }
        for terrain in Terrain::ALL {
            assert!(maps.iter().any(|map| map.rows.iter().flatten().any(|&t| t == terrain)), "{terrain:?}");
        }
        assert!(units().any(|unit| unit.acted) && units().any(|unit| !unit.acted));
    }

    #[test]
    fn units_stand_where_they_could_have_gone() {
        for name in names() {
            let map = find(name).unwrap();
            for unit in &map.units {
                let terrain = map.rows[usize::from(unit.place.y)][usize::from(unit.place.x)];
                assert!(terrain.cost(unit.kind.movement_type()).is_some(), "{name}: {unit:?} on {terrain:?}");
            }
        }
    }

    #[test]
    fn unknown_maps_are_told_with_the_known_ones() {
        let error = find("crosing").unwrap_err().to_string();
        assert!(error.contains("crossing"), "{error}");
    }

    #[test]
    fn a_path_that_leads_nowhere_is_a_file_that_cannot_be_read() {
        let error = find("/no/such/map").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(!error.public().contains("/no/such"), "{}", error.public());
    }
}
