//! Files: experiments, maps, tables, networks. Where a file ends with a checksum, the spoilt one gets a right one: else
//! nothing behind it would ever be reached.

use crate::engine::{Target, told};
use flate2::{Compression, Crc, write::GzEncoder};
use ranka_core::{Params, digest};
use ranka_kalah::{Book, Endgame, Kalah, q};
use ranka_lab::experiment::Experiment;
use ranka_learn::{Header, Network, Shape, Trained};
use ranka_tubstap::{GameRecord, MapFile, Rules, fuzzy, maps};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn targets() -> Vec<Target> {
    vec![
        experiments(),
        map_files(),
        tubstap_records(),
        fuzzy_tables(),
        q_tables(),
        endgames(),
        books(),
        networks(),
    ]
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn experiments() -> Target {
    let folders = fs::read_dir(project("papers")).unwrap().map(|folder| folder.unwrap().path());
    let files = folders.filter(|path| path.is_dir()).flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|file| file.unwrap().path()).filter(|path| {
        path.extension().is_some_and(|ending| ending == "toml") && !path.ends_with("paper.toml")
    });
    let mut samples: Vec<Vec<u8>> = files.map(|path| fs::read(path).unwrap()).collect();
    // Those that compute tables while they are read leave no time for others.
    samples.retain(|sample| {
        let begun = Instant::now();
        Experiment::parse("sample", &String::from_utf8_lossy(sample)).unwrap();
        begun.elapsed() < Duration::from_millis(100)
    });
    samples.sort();
    Target::new("experiments", samples, |input| {
        told(Experiment::parse("spoilt", &String::from_utf8_lossy(input)))
    })
}

fn map_files() -> Target {
    let samples: Vec<Vec<u8>> =
        maps::names().into_iter().map(|name| maps::find(name).unwrap().write()).collect();
    Target::new("maps", samples, |input| {
        told(MapFile::read(input).and_then(|map| {
            let state = map.state(Rules::default())?;
            // What is written is the same map.
            let again = MapFile::read(&map.write()).and_then(|map| map.state(Rules::default()));
            assert_eq!(again.as_ref(), Ok(&state));
            Ok(())
        }))
    })
}

fn tubstap_records() -> Target {
    let map = String::from_utf8_lossy(&maps::find("duel").unwrap().write()).into_owned();
    let game = format!("{map}\r\nACTION[0,2,3,1,3,-1,0,0,1,0,0];\r\nACTION[-1,-1,-1,0,0,-1,0,0,3,0,0];\r\n");
    Target::new("tubstap records", [game], |input| told(GameRecord::read(input)))
}

fn fuzzy_tables() -> Target {
    let sample = "v0,v1,v2,v3,v4,labelsum,count\n1,2,3,4,5,0.5,1\n0,0,-1,0,10,3,4\n";
    Target::new("fuzzy tables", [sample], |input| {
        told(fuzzy::Table::read_csv(&String::from_utf8_lossy(input)))
    })
}

/// A file that is written anew for every input.
fn through_a_file(name: &str, input: &[u8], read: impl FnOnce(&Path) -> u64) -> u64 {
    thread_local!(static FOLDER: tempfile::TempDir = tempfile::tempdir().unwrap());
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, input).unwrap();
        read(&path)
    })
}

/// The rows are spoilt as they are, and compressed then.
fn q_tables() -> Target {
    let game = Kalah::standard(2, 1);
    let head = "ranka kalah q-table 2\nversion 1\nrules houses=2,seeds=1\nkind max\npositions 1\n";
    let samples = [sample_q_table().unwrap_or_else(|| head.as_bytes().to_vec())];
    Target::new("q tables", samples, move |input| {
        let mut at = 0;
        for _ in 0..5 {
            at += input[at..].iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        }
        let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
        zip.write_all(&input[at..]).unwrap();
        let (head, rows) = (&input[..at], zip.finish().unwrap());
        let sum = digest(&[head, &rows].concat());
        let file = [head, format!("checksum {sum}\n").as_bytes(), &rows].concat();
        through_a_file("q", &file, |path| told(q::read(path, &game)))
    })
}

/// A table as it is written, with its rows unpacked.
fn sample_q_table() -> Option<Vec<u8>> {
    use std::io::Read;
    let params = Params::parse("houses=2,seeds=1", <Kalah as ranka_core::Game>::options()).ok()?;
    let game = <Kalah as ranka_core::Game>::new(&params).ok()?;
    let kind = q::QKind { backup: q::Backup::SelfPlay, reward: q::Reward::Delta, discount: 1.0 };
    let table = q::shared(&game, kind).ok()?;
    let mut file = Vec::new();
    q::write(&table, &params.full(), &mut file).ok()?;
    let mut lines = file.splitn(7, |&byte| byte == b'\n');
    let head: Vec<u8> = lines.by_ref().take(5).flat_map(|line| [line, b"\n"].concat()).collect();
    let mut rows = Vec::new();
    flate2::read::GzDecoder::new(lines.nth(1)?).read_to_end(&mut rows).ok()?;
    Some([head, rows].concat())
}

fn with_crc(input: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(input);
    [input, &crc.sum().to_le_bytes()].concat()
}

fn endgames() -> Target {
    let game = Kalah::standard(2, 2);
    let mut table = Vec::new();
    Endgame::build(&game, 4, 1).write(&mut table).unwrap();
    Target::new("endgame tables", [&table[..table.len() - 4]], move |input| {
        through_a_file("endgame", &with_crc(input), |path| told(Endgame::load(&game, path, 1 << 20)))
    })
}

fn books() -> Target {
    let book = fs::read(project("crates/ranka-kalah/books/6-4.book")).unwrap();
    Target::new("opening books", [&book[..book.len() - 4]], |input| {
        told(Book::read(&with_crc(input)).map(|book| book.positions()))
    })
}

fn networks() -> Target {
    let shape = Shape {
        planes: 1,
        height: 2,
        width: 2,
        action_planes: 1,
        loose_actions: 1,
        seats: 2,
        channels: 2,
        blocks: 1,
        beliefs: 1,
    };
    let header = Header {
        ranka: "network".to_owned(),
        form: 1,
        game: "kalah".to_owned(),
        encoding: 1,
        shape,
        step: 0.5,
        input_step: 0.5,
        trained: Trained::default(),
    };
    let head = format!("{}\n", serde_json::to_string(&header).unwrap());
    let signed = |file: &[u8]| [file, &Sha256::digest(file)[..]].concat();
    // Its size follows from its shape: the first that is accepted.
    let whole = (0..2000).map(|size| [head.as_bytes(), &vec![0; size]].concat());
    let sample = whole.into_iter().find(|file| Network::parse(&signed(file), "a sample").is_ok());
    Target::new("networks", [sample.expect("weights of some size fit")], move |input| {
        told(Network::parse(&signed(input), "spoilt"))
    })
}
