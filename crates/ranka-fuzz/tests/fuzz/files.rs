//! Files: experiments, maps, tables, networks. Where a file ends with a checksum, the spoilt one gets a right one: else
//! nothing behind it would ever be reached.

use flate2::{Compression, Crc, write::GzEncoder};
use ranka_bots::fuzz::{Reaction, Target};
use ranka_core::{AnyGame, Game, GameSeeds, Notation, Params, Rng, Seed, digest};
use ranka_kalah::{Book, Draft, Endgame, Kalah, Scope, Solver, q};
use ranka_lab::experiment::Experiment;
use ranka_lab::{GameLimits, Pairing, Parcel, Recipe, Seating, Shard};
use ranka_league::League;
use ranka_learn::train::{Training, TrainingOptions};
use ranka_learn::{Header, Network, NetworkShape, Trained};
use ranka_levels::Ladder;
use ranka_tubstap::{GameRecord, MapFile, Rules, Tubstap, fuzzy, maps};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) fn targets() -> Vec<Target> {
    vec![
        experiments(),
        map_files(),
        tubstap_records(),
        fuzzy_tables(),
        q_tables(2),
        q_tables(1),
        endgames(),
        books(),
        drafts(),
        networks(),
        evaluations_of_tantrix(),
        evaluations_of_tubstap(),
        checkpoints(),
        ladders(),
        leagues(),
        recipes(),
        parcels(),
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
        Reaction::of(&Experiment::parse("spoilt", &String::from_utf8_lossy(input)))
    })
}

fn map_files() -> Target {
    let samples: Vec<Vec<u8>> =
        maps::names().into_iter().map(|name| maps::find(name).unwrap().write()).collect();
    Target::new("maps", samples, |input| {
        Reaction::of(&MapFile::read(input).and_then(|map| {
            let state = map.state(Rules::default())?;
            // What is written is the same map.
            let again = MapFile::read(&map.write()).and_then(|map| map.state(Rules::default()));
            assert_eq!(again.as_ref(), Ok(&state));
            Ok(())
        }))
    })
}

fn tubstap_records() -> Target {
    let (map, rules) = (maps::find("duel").unwrap(), Rules::default());
    let game = ranka_games::game("tubstap").unwrap().open("map=duel").unwrap();
    let random = game.agent("random").unwrap();
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    let played =
        game.play(&[(&random, 0), (&random, 1)], &seeds, &ranka_core::Settings::default(), None).record;
    let tubstap = Tubstap::on(map.clone(), rules).unwrap();
    let acts: Vec<_> = played.actions.split(' ').map(|act| tubstap.read_action(act).unwrap()).collect();
    let record = GameRecord::of(&map, &map.state(rules).unwrap(), ["random", "random"], "2026/1/1", &acts);
    Target::new("tubstap records", [record.write()], move |input| {
        Reaction::of(&GameRecord::read(input).and_then(|record| record.replay(rules)))
    })
}

fn fuzzy_tables() -> Target {
    let sample = "v0,v1,v2,v3,v4,labelsum,count\n1,2,3,4,5,0.5,1\n0,0,-1,0,10,3,4\n";
    Target::new("fuzzy tables", [sample], |input| {
        Reaction::of(&fuzzy::MembershipTable::read_csv(&String::from_utf8_lossy(input)))
    })
}

/// A file that is written anew for every input.
pub(crate) fn through_a_file(name: &str, input: &[u8], read: impl FnOnce(&Path) -> Reaction) -> Reaction {
    thread_local!(static FOLDER: tempfile::TempDir = tempfile::tempdir().unwrap());
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, input).unwrap();
        read(&path)
    })
}

/// The rows are spoilt as they are, and compressed then. Form 1 has no checksum.
fn q_tables(form: u32) -> Target {
    let game = Kalah::standard(2, 1);
    let sample = sample_q_table(form);
    Target::new(format!("q tables of form {form}"), [sample], move |input| {
        let mut at = 0;
        for _ in 0..5 {
            at += input[at..].iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        }
        let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
        zip.write_all(&input[at..]).unwrap();
        let (head, rows) = (&input[..at], zip.finish().unwrap());
        let sum = format!("checksum {}\n", digest(&[head, &rows].concat()));
        let sum = if form == 1 { "" } else { &sum };
        let file = [head, sum.as_bytes(), &rows].concat();
        through_a_file("q", &file, |path| Reaction::of(&q::read(path, &game)))
    })
}

/// A table as it is written, without its checksum and with its rows unpacked.
fn sample_q_table(form: u32) -> Vec<u8> {
    use std::io::Read;
    let params = Params::parse("houses=2,seeds=1", <Kalah as Game>::options()).unwrap();
    let game = <Kalah as Game>::new(&params).unwrap();
    let kind = q::QKind { backup: q::Backup::SelfPlay, reward: q::Reward::Delta, discount: 1.0 };
    let mut file = Vec::new();
    q::write(&q::shared(&game, kind).unwrap(), &params.full(), &mut file).unwrap();
    let mut lines = file.splitn(7, |&byte| byte == b'\n');
    let head: Vec<u8> = lines.by_ref().take(5).flat_map(|line| [line, b"\n"].concat()).collect();
    let head = String::from_utf8(head).unwrap().replacen("q-table 2", &format!("q-table {form}"), 1);
    let mut rows = Vec::new();
    flate2::read::GzDecoder::new(lines.nth(1).unwrap()).read_to_end(&mut rows).unwrap();
    [head.as_bytes(), &rows].concat()
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
        through_a_file("endgame", &with_crc(input), |path| Reaction::of(&Endgame::load(&game, path, 1 << 20)))
    })
}

fn books() -> Target {
    // A small one: the one that comes with Kalah takes seconds to read.
    let game = Kalah::standard(3, 2);
    let solver = Solver::new(&game, None, 10).unwrap();
    let (mut draft, go_on, scope) =
        (Draft::new(&game), AtomicBool::new(false), Scope { plies: 2, seeds: 12 });
    let book = Book::make(&solver, scope, &mut draft, &go_on, &mut |_, _| Ok(())).unwrap().unwrap().bytes();
    Target::new("opening books", [&book[..book.len() - 4]], |input| {
        Reaction::of(&Book::read(&with_crc(input)).map(|book| book.positions()))
    })
}

/// The draft of a book that is not finished: a few positions, each with a value and a best house.
fn drafts() -> Target {
    let game = Kalah::standard(6, 4);
    let empty = Draft::new(&game).bytes();
    let empty = &empty[..empty.len() - 4];
    let entry = |value: u8| [&[4; 12][..], &[value, 2]].concat();
    let two = [empty, &entry(0), &[&[0; 11][..], &[1, 5, 0]].concat()].concat();
    Target::new("drafts of books", [empty.to_vec(), two], move |input| {
        let draft = Draft::read(&with_crc(input), &game);
        if let Ok(draft) = &draft {
            // What is written is the same draft.
            let again = Draft::read(&draft.bytes(), &game).unwrap();
            assert_eq!((draft.len(), draft.bytes()), (again.len(), again.bytes()));
        }
        Reaction::of(&draft)
    })
}

fn signed(file: &[u8]) -> Vec<u8> {
    [file, &Sha256::digest(file)[..]].concat()
}

fn small_kalah() -> Arc<dyn AnyGame> {
    ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap()
}

fn checkpoints() -> Target {
    // It lives as long as the program, and the training with it.
    let game: &'static Arc<dyn AnyGame> = Box::leak(Box::new(small_kalah()));
    let settings = TrainingOptions { generations: 1, games: 1, blocks: 1, ..TrainingOptions::default() };
    let training = Training::new(game.as_ref(), settings).unwrap();
    let checkpoint = training.checkpoint();
    let sample = checkpoint[..checkpoint.len() - 32].to_vec();
    let training = Mutex::new(training);
    Target::new("training checkpoints", [sample], move |input| {
        Reaction::of(&training.lock().unwrap().resume(&signed(input), "spoilt"))
    })
}

fn ladders() -> Target {
    let games = ["geister", "kalah", "labyrinth", "tantrix", "tubstap"];
    let samples = games.map(|game| fs::read(project(&format!("crates/ranka-{game}/levels.toml"))).unwrap());
    Target::new("ladders", samples, |input| {
        let ladder = Ladder::parse(&String::from_utf8_lossy(input));
        if let Ok(ladder) = &ladder {
            // Whatever rank is asked for has some strength.
            for rank in [-1.0, 0.0, 1.0, 4.5, ladder.top(), 1e9] {
                let _ = (ladder.believed(rank), ladder.seen(rank), ladder.elo(rank));
            }
        }
        Reaction::of(&ladder)
    })
}

fn leagues() -> Target {
    let samples = [
        "title = \"Ours\"\nseed = 7\n\n[[game]]\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\ngames = 20\n",
        "title = \"Ours\"\nseed = 7\n\n[[game]]\ngame = \"geister\"\ngames = 4\nbudget = \"nodes=500\"\nply-cap = 80\n\n[ratings]\nanchor = \"Random\"\n\n\
         [[entrant]]\nname = \"Random\"\nagent = \"random\"\n\n[[entrant]]\nname = \"Mine\"\ncmd = \"python3 bot.py\"\n\
         games = [\"geister\"]\n",
    ];
    Target::new("leagues", samples, |input| {
        through_a_file("league.toml", input, |path| Reaction::of(&League::open(path.parent().unwrap())))
    })
}

fn pairing() -> Pairing {
    let game = small_kalah();
    let agents = ["random", "minimax:depth=1"].map(|agent| game.agent(agent).unwrap()).to_vec();
    Pairing::new(game, agents, Seating::Swapped, Seed::new(3), GameLimits::default(), &["margin".to_owned()])
        .unwrap()
}

fn recipes() -> Target {
    Target::new("recipes", [pairing().recipe().text()], |input| {
        let recipe = Recipe::read(&String::from_utf8_lossy(input));
        Reaction::of(&recipe.and_then(|recipe| recipe.make(|_, _| None)))
    })
}

fn parcels() -> Target {
    let (pairing, go_on) = (pairing(), AtomicBool::new(false));
    let games = Shard { pairing: &pairing, first: 2, count: 4 }.run(&go_on);
    let sample = Parcel { games, took: Duration::from_millis(7) }.pack(&pairing);
    Target::new("parcels", [sample], move |input| {
        Reaction::of(&Parcel::open(input, &Shard { pairing: &pairing, first: 2, count: 4 }))
    })
}

/// What is read judges a position, whatever its weights are.
fn evaluations_of_tantrix() -> Target {
    use ranka_tantrix::{Tantrix, evaluation::Model};
    let game = Tantrix::new(&Params::defaults(Tantrix::options())).unwrap();
    let start = game.start(&mut Rng::new(Seed::new(1)));
    Target::new(
        "evaluations of tantrix",
        [unsigned("crates/ranka-tantrix/networks/evaluation.bin")],
        move |input| {
            let model = Model::read(&signed(input));
            if let Ok(model) = &model {
                let sum: f64 = model.chances(&start).iter().sum();
                assert!((sum - 1.0).abs() < 1e-6, "chances of {sum} in all");
            }
            Reaction::of(&model)
        },
    )
}

fn evaluations_of_tubstap() -> Target {
    use ranka_tubstap::evaluation::{Model, Rows, Ways};
    let start = maps::find("crossing").unwrap().state(Rules::default()).unwrap();
    let ways = Ways::of(&start);
    Target::new(
        "evaluations of tubstap",
        [unsigned("crates/ranka-tubstap/networks/evaluation.bin")],
        move |input| {
            let model = Model::read(&signed(input));
            if let Ok(model) = &model {
                let value = model.value(&start, &ways, &mut Rows::default());
                assert!((0.0..=1.0).contains(&value), "a score of {value}");
            }
            Reaction::of(&model)
        },
    )
}

/// A file of the project without its checksum.
fn unsigned(path: &str) -> Vec<u8> {
    let mut file = fs::read(project(path)).unwrap();
    file.truncate(file.len() - 32);
    file
}

fn networks() -> Target {
    let shape = NetworkShape {
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
    // Its size follows from its shape: the first that is accepted.
    let whole = (0..2000).map(|size| [head.as_bytes(), &vec![0; size]].concat());
    let sample = whole.into_iter().find(|file| Network::parse(&signed(file), "a sample").is_ok());
    Target::new("networks", [sample.expect("weights of some size fit")], move |input| {
        Reaction::of(&Network::parse(&signed(input), "spoilt"))
    })
}
