//! Ctrl-C at any moment changes nothing: what was cut short is played again, and all ends as it would have ended.
//!
//! A search that is told to stop may answer with what it has; that answer must never become part of a game. Here agents of
//! every game are stopped at random moments, again and again, and go on. The games must then be, byte by byte, those of a
//! run that nobody stopped.
#![allow(clippy::unwrap_used)]

use ranka_core::{AgentInfo, AnyAgent, AnyGame, GameEntry, Param, Rng, Seed};
use ranka_lab::experiment::{Experiment, Run, Size};
use ranka_lab::levels::{Adapted, Adapting};
use ranka_lab::stats::{EloModel, Sprt};
use ranka_lab::{
    GameLimits, GameResult, Pairing, Runner, Seating, Sequential, SequentialStatus, Store, run_match,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Games with agents that search, and at how many plies they are drawn. Most of what is stopped must be the last decision
/// of its game: an agent that is stopped earlier is asked again, finds that nobody waits, and says so.
const SEARCHERS: [(&str, u32, &[&str]); 6] = [
    ("kalah", 2, &["minimax:depth=9", "minimax:depth=7,unit=turn", "perfect"]),
    (
        "geister",
        4,
        &[
            "purple-max:depth=7,ties=uniform",
            "naotti-1.1:depth=5",
            "suspicion:depth=6",
            "naotti-1.0:depth=5",
            "purple-dfpn:dfpn=9",
            "purple-suspicion:depth=6",
        ],
    ),
    (
        "labyrinth",
        2,
        &[
            "big-brain:preset=thesis,budget=2000",
            "inference:budget=2000,threshold=100000",
            "static:budget=2000,threshold=100000",
            "saboteur",
        ],
    ),
    (
        "tantrix",
        2,
        &["flat-mc:playouts=150", "uct:playouts=150", "darwin:playouts=150", "obstructor:playouts=150"],
    ),
    // Only when the bag is empty does it search.
    ("tantrix", 56, &["greedy:endgame=9,endgame-nodes=20000", "greedy:endgame=8,endgame-nodes=20000,by=own"]),
    ("tubstap", 2, &["uct", "uct-fpu", "dlmc:m=30,n=30", "uct:prune=synthetic-440"]),
];

/// Every agent against the next.
fn pairs<'a>(agents: &'a [&'a str]) -> impl Iterator<Item = [&'a str; 2]> {
    agents.iter().zip(agents.iter().cycle().skip(1)).map(|(&one, &other)| [one, other])
}

/// How often a run is stopped before it may end.
const STOPS: u64 = 60;

/// How many games a pairing plays.
const GAMES: u64 = 4;

/// Works with a flag that is raised after `delay`.
fn stopped_after<T>(delay: Duration, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let stopper = scope.spawn(|| {
            let begun = Instant::now();
            while !done.load(Ordering::Relaxed) && begun.elapsed() < delay {
                std::thread::park_timeout(delay.saturating_sub(begun.elapsed()));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let answer = work(&stop);
        done.store(true, Ordering::Relaxed);
        stopper.thread().unpark();
        answer
    })
}

/// Does the work of so many games once to its end, then again, stopped so often at random moments, then to its end.
fn stopping<T>(seed: Seed, games: u64, stops: u64, mut work: impl FnMut(&AtomicBool, bool) -> T) -> [T; 2] {
    let never = AtomicBool::new(false);
    let begun = Instant::now();
    let whole = work(&never, true);
    let of_a_game = begun.elapsed().div_f64(games as f64);
    let mut rng = Rng::new(seed);
    for _ in 0..stops {
        stopped_after(of_a_game.mul_f64(2.0 * rng.unit()), |stop| work(stop, false));
    }
    [whole, work(&never, false)]
}

/// Everything that a store has of a pairing, as text.
fn kept(store: &Store, pairing: &Pairing, games: u64) -> Vec<String> {
    let key = store.key(pairing).unwrap();
    let results = store.results(key, games).unwrap();
    let told = |game: &GameResult| {
        let record = store.record(key, game.number).unwrap().unwrap();
        format!("{game:?} {}", serde_json::to_string(&record).unwrap())
    };
    results.iter().map(told).collect()
}

fn measures() -> [String; 2] {
    ["value", "ply-nodes"].map(str::to_owned)
}

fn pairing(game: &str, ply_cap: u32, agents: [&str; 2]) -> Pairing {
    let game = ranka_games::game(game).unwrap().open("").unwrap();
    let agents = agents.map(|agent| game.agent(agent).unwrap()).to_vec();
    let limits = GameLimits { ply_cap, ..GameLimits::default() };
    Pairing::new(game, agents, Seating::Swapped, Seed::new(11), limits, &measures()).unwrap()
}

#[test]
fn experiments_end_as_if_nobody_had_stopped_them() {
    for (place, (game, ply_cap, agents)) in (0..).zip(SEARCHERS) {
        let mut file = format!(
            "title = \"Stopped\"\nquestion = \"Does it matter?\"\ngame = \"{game}\"\nply-cap = {ply_cap}\nseed = 3\n\
             measures = {:?}\ngames = {{ quick = {GAMES}, full = {GAMES} }}\n",
            measures()
        );
        for agents in pairs(agents) {
            file += &format!("[[pairing]]\nname = {:?}\nagents = {agents:?}\n", agents.concat());
        }
        let experiment = Experiment::parse("stopped", &file).unwrap();
        let games = experiment.games(Size::Quick);
        let mut stores = [Store::in_memory().unwrap(), Store::in_memory().unwrap()];
        let [whole, resumed] = stopping(Seed::new(1).at(place), games, STOPS, |cancel, first| {
            let run = Run {
                size: Size::Quick,
                runner: Runner { threads: 1, cancel },
                fresh: false,
                any_version: false,
            };
            run.play(&experiment, &mut stores[usize::from(!first)], &mut |_| {}).unwrap().complete
        });
        assert!(whole && resumed, "{game}");
        for planned in &experiment.pairings {
            let [whole, resumed] = [0, 1].map(|of| kept(&stores[of], &planned.pairing, GAMES));
            assert_eq!(whole, resumed, "{game}: {}", planned.name);
        }
    }
}

#[test]
fn sequential_tests_end_as_if_nobody_had_stopped_them() {
    for (place, (game, ply_cap, agents)) in (0..).zip(SEARCHERS) {
        let pairing = pairing(game, ply_cap, [agents[0], agents[1]]);
        let test = Sprt::new(EloModel::Logistic, 0.0, 200.0, 0.2, 0.2).unwrap();
        let mut stores = [Store::in_memory().unwrap(), Store::in_memory().unwrap()];
        let [whole, resumed]: [SequentialStatus; 2] =
            stopping(Seed::new(2).at(place), 2 * GAMES, STOPS, |cancel, first| {
                let (games, runner) = (2 * GAMES, Runner { threads: 1, cancel });
                let (fresh, any_version) = (false, false);
                let sequential = Sequential { pairing: &pairing, test, games, runner, fresh, any_version };
                sequential.run(&mut stores[usize::from(!first)], |_| {}).unwrap()
            });
        assert_eq!(whole, resumed, "{game}");
        // Who was stopped may have played further on before: what counts is the same.
        let [whole, resumed] = [0, 1].map(|of| kept(&stores[of], &pairing, whole.games));
        assert_eq!(whole, resumed, "{game}");
    }
}

#[test]
fn a_match_that_is_stopped_tells_of_whole_games_only() {
    for (place, (game, ply_cap, agents)) in (0..).zip(SEARCHERS) {
        let pairing = pairing(game, ply_cap, [agents[1], agents[0]]);
        let mut whole = Vec::new();
        stopping(Seed::new(3).at(place), 1, STOPS, |cancel, first| {
            let mut told = Vec::new();
            let result = run_match(&pairing, GAMES, Runner { threads: 2, cancel }, |_, record| {
                told.push(record.clone());
                Ok(())
            });
            assert_eq!(result.unwrap().assessment.games(), told.len() as u64);
            if first {
                whole = told;
            } else {
                assert_eq!(told, whole[..told.len()], "{game}");
            }
        });
        assert_eq!(whole.len() as u64, GAMES);
    }
}

/// A value with which a decision takes milliseconds, where a parameter says how much is thought.
fn little(game: &str, param: &Param) -> Option<String> {
    let network = || {
        let folder = format!("{}/../ranka-{game}/networks", env!("CARGO_MANIFEST_DIR"));
        let mut files = std::fs::read_dir(folder).ok()?.map(|file| file.unwrap().path());
        files.find(|file| file.extension().is_some_and(|kind| kind == "net"))
    };
    match param.key {
        "playouts" => Some("60".to_owned()),
        "nodes" | "budget" => Some("2000".to_owned()),
        "m" | "n" => Some("20".to_owned()),
        "file" if param.is_required() => network().map(|file| file.display().to_string()),
        _ => None,
    }
}

/// An agent of the catalogue with a small budget, and the game that it plays; none if it is a program or a file of
/// somebody else's.
fn small(entry: &dyn GameEntry, kind: &AgentInfo) -> Option<(Arc<dyn AnyGame>, AnyAgent)> {
    let game = entry.info().name;
    let params = kind.params.iter().filter_map(|param| Some((param, little(game, param)?)));
    let params: Vec<String> = params.map(|(param, value)| format!("{}={value}", param.key)).collect();
    let spec = format!("{}:{}", kind.name, params.join(","));
    // Some agents of Kalah compute tables, which only a small board has.
    let rules: &[&str] = if game == "kalah" { &["", "houses=3,seeds=3"] } else { &[""] };
    let opened = rules.iter().map(|rules| {
        let game = entry.open(rules).unwrap();
        game.agent(&spec).map(|agent| (game, agent))
    });
    let mut refusals = Vec::new();
    let found =
        opened.map(|found| found.map_err(|error| refusals.push(error.to_string()))).find_map(Result::ok);
    let given = |param: &Param| !param.is_required() || little(game, param).is_some();
    assert_eq!(found.is_some(), kind.params.iter().all(given), "{game} {spec}: {refusals:?}");
    found
}

#[test]
fn no_agent_of_the_catalogue_spoils_a_game_that_is_stopped() {
    let mut asked = BTreeSet::new();
    for entry in ranka_games::catalogue() {
        // In Geister the first action of each seat is its set-up.
        let ply_cap = if entry.info().name == "geister" { 4 } else { 2 };
        for kind in entry.agents() {
            let Some((game, agent)) = small(entry.as_ref(), &kind) else { continue };
            asked.insert((entry.info().name, kind.name));
            let limits = GameLimits { ply_cap, ..GameLimits::default() };
            let agents = vec![agent; game.seats()];
            let pairing =
                Pairing::new(game, agents, Seating::Fixed, Seed::new(11), limits, &measures()).unwrap();
            let seed = Seed::new(4).child(entry.info().name).child(kind.name);
            let mut whole = Vec::new();
            stopping(seed, 2, 12, |cancel, first| {
                let mut told = Vec::new();
                run_match(&pairing, 2, Runner { threads: 1, cancel }, |_, record| {
                    told.push(record.clone());
                    Ok(())
                })
                .unwrap();
                if first {
                    whole = told;
                } else {
                    assert_eq!(told, whole[..told.len()], "{} {}", entry.info().name, kind.name);
                }
            });
            assert_eq!(whole.len(), 2);
        }
    }
    // Those that were forgotten once.
    for (game, agent) in [
        ("kalah", "strong"),
        ("kalah", "champion"),
        ("kalah", "uct"),
        ("kalah", "flat-mc"),
        ("kalah", "level"),
        ("kalah", "partner"),
        ("kalah", "select-q"),
        ("geister", "ismcts"),
        ("geister", "network"),
        ("labyrinth", "network"),
    ] {
        assert!(asked.contains(&(game, agent)), "{agent} of {game}: {asked:?}");
    }
}

#[test]
fn matches_of_an_adapting_player_tell_of_whole_games_only() {
    let adapting = Adapting {
        game: ranka_games::game("kalah").unwrap().open("houses=4,seeds=3").unwrap(),
        partner: "partner".to_owned(),
        opponents: vec![(0, "level:rank=3".to_owned())],
        length: 3,
        matches: 1,
        seed: Seed::new(7),
    };
    let scores = |games: &[Adapted]| games.iter().flat_map(|game| game.scores.clone()).collect::<Vec<_>>();
    let ranks = |games: &[Adapted]| games.iter().flat_map(|game| game.ranks.clone()).collect::<Vec<_>>();
    let mut whole = Vec::new();
    stopping(Seed::new(5), 3, STOPS, |cancel, first| {
        let games = adapting.run(&Runner { threads: 1, cancel }).unwrap();
        if first {
            whole = games;
        } else {
            let (scores_of, ranks_of) = (scores(&games), ranks(&games));
            assert_eq!(scores_of, scores(&whole)[..scores_of.len()]);
            assert_eq!(ranks_of, ranks(&whole)[..ranks_of.len()]);
        }
    });
    assert_eq!(scores(&whole).len(), 3);
}
