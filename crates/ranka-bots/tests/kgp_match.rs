//! Whole matches over the Kalah Game Protocol come out as in one process.
#![allow(clippy::unwrap_used)]

mod notes;
mod relay;

use notes::Notes;
use ranka_bots::kgp::{Address, AgentPlayer, Client, Mode, Options, ServedAgent, Server};
use ranka_bots::net::{self, Log};
use ranka_core::{CatalogueEntry, Game, GameSeeds, Params, Record, Seed, Settings};
use ranka_kalah::Kalah;
use relay::{Cuts, Relay};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread;

const SEED: u64 = 7;

/// The games of a match between two agents in one process, as `ranka match` plays them.
fn in_process(rules: &str, agents: [&str; 2], games: u64) -> Vec<Record> {
    let game = CatalogueEntry::<Kalah>::with(&[]).open(rules).unwrap();
    let agents = agents.map(|agent| game.agent(agent).unwrap());
    let play = |n: u64| {
        let order = if n % 2 == 1 { [1, 0] } else { [0, 1] };
        let seeds = GameSeeds::of(Seed::new(SEED), n / 2, n % 2);
        game.play(&order.map(|i| (&agents[i], i)), &seeds, &Settings::default(), None).record
    };
    (0..games).map(play).collect()
}

fn options(rules: &str, games: u64) -> Options {
    let params = Params::parse(rules, Kalah::options()).unwrap();
    let options = Options::new(Kalah::new(&params).unwrap(), params.full()).unwrap();
    let patient = std::time::Duration::from_secs(120);
    let (games, seed) = (games as u32, Seed::new(SEED));
    Options { games, time: patient, patience: patient, pairings: Some(1), seed, ..options }
}

/// The same match over the protocol; each agent comes by TCP or by WebSocket.
fn over_the_wire(rules: &str, agents: &[(&str, bool)], options: Options) -> Vec<Record> {
    relayed(rules, agents, options, None)
}

/// The same, where what passes may be cut on its way.
fn relayed(rules: &str, agents: &[(&str, bool)], options: Options, cuts: Option<Cuts>) -> Vec<Record> {
    let server = Server::bind(options, net::Server::LOOPBACK, 0, Some(0)).unwrap();
    let (stop, records, notes) = (AtomicBool::new(false), Mutex::new(Vec::new()), Notes::default());
    let entry = CatalogueEntry::<Kalah>::with(&[]);
    thread::scope(|scope| {
        let log = notes.log();
        let (server, stop, records, entry) = (&server, &stop, &records, entry.as_ref());
        let running = scope
            .spawn(move || server.run(&log, stop, &|record| records.lock().unwrap().push(record.clone())));
        for (number, &(agent, web)) in agents.iter().enumerate() {
            scope.spawn(move || {
                let mut player =
                    AgentPlayer::new(entry, rules, agent, Settings::default(), Seed::new(SEED), number)
                        .unwrap();
                let address = if web { server.web_address().unwrap() } else { server.address() };
                let relay = cuts.map(|cuts| Relay::to(address, cuts));
                let address = relay.as_ref().map_or(address, |relay| relay.address);
                let address = if web { format!("ws://{address}") } else { address.to_string() };
                let (client, never) = (Client::named(agent), AtomicBool::new(false));
                let mode = Mode::Freeplay(&mut player);
                client.run(&Address::parse(&address).unwrap(), mode, &Log::silent(), &never).unwrap();
            });
            notes.wait_for(&format!("is {agent:?}, mode \"freeplay\""));
        }
        running.join().unwrap();
    });
    records.into_inner().unwrap()
}

fn assert_same(wire: &[Record], process: &[Record]) {
    assert_eq!(wire.len(), process.len());
    let game = CatalogueEntry::<Kalah>::with(&[]).open(&wire[0].rules).unwrap();
    for (i, (wire, process)) in wire.iter().zip(process).enumerate() {
        assert_eq!(wire.actions, process.actions, "game {i}");
        assert_eq!((&wire.outcome, &wire.end), (&process.outcome, &process.end), "game {i}");
        assert_eq!((wire.seed, &wire.numbers, wire.plies), (process.seed, &process.numbers, process.plies));
        game.replay(wire).unwrap();
    }
}

#[test]
fn a_match_of_two_clients() {
    let rules = "houses=6,seeds=4,early-majority=on";
    let agents = ["minimax:depth=4", "random"];
    let wire = over_the_wire(rules, &[(agents[0], false), (agents[1], true)], options(rules, 20));
    assert_same(&wire, &in_process(rules, agents, 20));
}

#[test]
fn it_does_not_matter_in_which_pieces_lines_and_frames_arrive() {
    let rules = "houses=4,seeds=3";
    let agents = ["minimax:depth=3", "random"];
    for seed in 0..4 {
        let (cuts, options) = (Some(Cuts::Random(Seed::new(seed))), options(rules, 6));
        let wire = relayed(rules, &[(agents[0], seed % 2 == 0), (agents[1], seed < 2)], options, cuts);
        assert_same(&wire, &in_process(rules, agents, 6));
    }
}

#[test]
fn a_match_of_two_that_draw_lots_on_the_training_board() {
    let rules = "houses=8,seeds=8";
    let agents = ["random", "minimax:depth=2"];
    let wire = over_the_wire(rules, &[(agents[0], true), (agents[1], true)], options(rules, 10));
    assert_same(&wire, &in_process(rules, agents, 10));
}

#[test]
fn a_match_of_one_that_remembers_what_its_opponent_played() {
    let rules = "houses=3,seeds=3";
    let agents = ["select-q", "minimax:depth=2"];
    let wire = over_the_wire(rules, &[(agents[0], false), (agents[1], false)], options(rules, 20));
    assert_same(&wire, &in_process(rules, agents, 20));
}

#[test]
fn a_match_against_the_servers_own_agent() {
    let rules = "houses=4,seeds=3";
    let agents = ["random", "minimax:depth=3"];
    let game = CatalogueEntry::<Kalah>::with(&[]).open(rules).unwrap();
    let agent = game.agent(agents[1]).unwrap();
    let options = Options { opponent: Some(ServedAgent { game, agent }), hints: true, ..options(rules, 12) };
    let wire = over_the_wire(rules, &[(agents[0], false)], options);
    assert_same(&wire, &in_process(rules, agents, 12));
}
