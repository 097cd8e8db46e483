//! The original maps: they all load, come back byte for byte in every value, and count as they should.

use crate::common::{game, shared_maps};
use ranka_core::{Game, Rng, Seed, perft};
use ranka_tubstap::MapFile;

/// The values of a file, whatever their order and the line breaks.
fn values(bytes: &[u8]) -> Vec<Vec<u8>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let joined: Vec<u8> = bytes.iter().copied().filter(|byte| !b"\r\n".contains(byte)).collect();
    let parts = joined.split(|&byte| byte == b';').filter(|part| !part.is_empty());
    let mut values: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
    // The order matters among units and among rows, and nowhere else.
    values.sort_by_key(|value| {
        if value.starts_with(b"UNIT[") || value.starts_with(b"MAP[") {
            value[..4].to_vec()
        } else {
            value.clone()
        }
    });
    values
}

#[test]
fn all_load_and_save_without_loss() {
    let Some(folder) = shared_maps() else { return };
    let mut maps = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tbsmap") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let map = MapFile::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let saved = map.write();
        assert_eq!(MapFile::read(&saved).unwrap(), map, "{}", path.display());
        assert_eq!(values(&saved), values(&bytes), "{}", path.display());
        maps += 1;
    }
    assert_eq!(maps, 71);
}

#[test]
fn sequences_of_actions() {
    let Some(folder) = shared_maps() else { return };
    for (name, counts) in [
        ("map01", [73, 4361]),
        ("map02", [76, 5130]),
        ("map03", [74, 4737]),
        ("map04", [36, 630]),
        ("map05", [65, 3414]),
    ] {
        let path = folder.join(format!("{name}.tbsmap"));
        let start = game(&format!("map=\"{}\"", path.display())).start(&mut Rng::new(Seed::new(0)));
        assert_eq!([perft(&start, 1), perft(&start, 2)], counts, "{name}");
    }
}
