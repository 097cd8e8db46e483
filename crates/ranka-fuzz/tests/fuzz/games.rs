//! What people write of games: positions, actions, rules, agents, records.

use ranka_bots::fuzz::{Reaction, Target};
use ranka_core::{GameEntry, GameSeeds, Look, Param, Record, Rng, Seat, Seed, Settings};
use ranka_lab::Replayer;

pub(crate) fn targets() -> Vec<Target> {
    ranka_games::catalogue().iter().flat_map(|entry| of_game(entry.as_ref())).collect()
}

fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

fn of_game(entry: &'static dyn GameEntry) -> Vec<Target> {
    let (name, game) = (entry.info().name, entry.open("").unwrap());
    let (positions, actions) = walk(entry, 60);
    let places = positions.clone();
    let options: Vec<String> =
        entry.options().iter().map(|option| format!("{}={}", option.key, option.default)).collect();
    let rules = options.iter().cloned().chain([String::new(), options.join(",")]);
    // A program or a file of somebody's cannot be a sample.
    let alone = entry.agents().into_iter().filter(|agent| !agent.params.iter().any(Param::is_required));
    let agents = alone.flat_map(|agent| {
        let params = agent.params.iter().map(|param| format!("{}={}", param.key, param.default));
        [agent.name.to_owned(), format!("{}:{}", agent.name, params.collect::<Vec<_>>().join(","))]
    });
    let records = records(entry);
    // Some agents of Kalah compute tables, which takes long on a large board.
    let small = if name == "kalah" { entry.open("houses=2,seeds=2").unwrap() } else { game.clone() };
    vec![
        Target::new(format!("positions {name}"), &positions, {
            let game = game.clone();
            move |input| {
                let text = text(input);
                let moves = game.moves(&text, None);
                if moves.is_ok() {
                    // What was read can be drawn, and what is written reads back.
                    let _ = game.picture(&text, &Look::from(Seat::FIRST));
                    let written = moves.as_ref().map(|moves| moves.position.clone()).unwrap_or_default();
                    game.moves(&written, None).unwrap();
                }
                Reaction::of(&moves)
            }
        }),
        Target::new(format!("actions {name}"), &actions, {
            let game = game.clone();
            move |input| {
                let text = text(input);
                let (place, action) = text.split_once(' ').unwrap_or(("0", &text));
                let place = place.parse().unwrap_or(0) % places.len();
                Reaction::of(&game.step(&places[place], action))
            }
        }),
        Target::new(format!("rules {name}"), rules.collect::<Vec<_>>(), move |input| {
            Reaction::of(&entry.open(&text(input)).map(|game| game.start(Seed::new(1))))
        }),
        Target::new(format!("agents {name}"), agents.collect::<Vec<_>>(), move |input| {
            Reaction::of(&small.agent(&text(input)))
        }),
        Target::new(format!("records {name}"), records, |input| {
            match serde_json::from_slice::<Record>(input) {
                Err(error) => Reaction::told(false, &error.to_string()),
                Ok(record) => Reaction::of(&Replayer::default().check_foreign(&record)),
            }
        }),
    ]
}

/// Positions on a way through a game, and actions that may be taken there, each behind the number of its position.
fn walk(entry: &dyn GameEntry, plies: usize) -> (Vec<String>, Vec<String>) {
    let (game, mut rng) = (entry.open("").unwrap(), Rng::new(Seed::new(7)));
    let (mut positions, mut actions) = (Vec::new(), Vec::new());
    let mut here = game.moves(&game.start(Seed::new(1)), None).unwrap();
    for ply in 0..plies {
        positions.push(here.position.clone());
        actions.extend(here.actions.iter().take(8).map(|action| format!("{ply} {action}")));
        let Some(action) = here.actions.get(rng.index(here.actions.len().max(1))) else { break };
        here = game.step(&here.position, action).unwrap();
    }
    positions.push(here.position);
    (positions, actions)
}

/// Whole games of two who play at random.
fn records(entry: &dyn GameEntry) -> Vec<String> {
    let game = entry.open("").unwrap();
    let random = game.agent("random").unwrap();
    let seats: Vec<_> = (0..game.seats()).map(|seat| (&random, seat)).collect();
    let play = |pair| {
        let seeds = GameSeeds::of(Seed::new(1), pair, 0);
        serde_json::to_string(&game.play(&seats, &seeds, &Settings::default(), None).record).unwrap()
    };
    (0..3).map(play).collect()
}
