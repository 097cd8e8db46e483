//! A bot is told what its seat may know: where two games differ only in what it may not, it hears the same bytes.

use crate::mock;
use ranka_core::{Complete, Params, Position as _, Rng, Seat, Seed, Settings, View as _};
use ranka_geister::Geister;
use ranka_labyrinth::Labyrinth;
use std::path::Path;

#[test]
fn geisters_colours_stay_hidden() {
    assert!(twins::<Geister>() > 20);
}

#[test]
fn labyrinths_cards_stay_hidden() {
    assert!(twins::<Labyrinth>() > 20);
}

/// Plays pairs of games that look the same to a bot as long as they do; tells how often they were compared.
fn twins<G: Complete>() -> u32 {
    let game = G::new(&Params::defaults(G::options())).unwrap();
    let opened = ranka_games::game(G::INFO.name).unwrap().open("").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for number in 0..6 {
        let mut rng = Rng::new(Seed::new(number));
        let mut truth = game.start(&mut rng);
        let mut scratch = Vec::new();
        // Some plies into the game there is more to hide.
        for _ in 0..2 + 2 * number {
            if truth.actor().seat().is_some() {
                let action = truth.random_action(&mut rng, &mut scratch);
                truth.apply(action);
            }
        }
        let seat = Seat::new(number as usize % 2);
        let view = game.view(&truth, seat);
        let other = (0..20).map(|_| view.sample(&mut rng)).find(|other| *other != truth);
        let other = other.expect("something is hidden");
        let mut states = [truth, other];
        let files = ["truth", "other"].map(|name| folder.path().join(format!("{name}-{number}")));
        let mut tables = [0, 1].map(|i| {
            let bot = mock(opened.as_ref(), "listen", Some(&files[i]), "");
            let players = [0, 1].map(|place| (place == seat.index()).then_some(&bot));
            opened.table(Some(&game.write_state(&states[i])), &players, Seed::new(number)).unwrap()
        });
        for _ in 0..30 {
            let Some(actor) = states[0].actor().seat() else { break };
            let action = if actor == seat {
                let [truth, other] = [0, 1].map(|i| tables[i].think(&Settings::default()).unwrap().choice);
                assert_eq!(truth, other);
                compared += 1;
                assert_eq!(heard(&files[0]), heard(&files[1]));
                game.read_action(&truth).unwrap()
            } else {
                let action = states[0].random_action(&mut rng, &mut scratch);
                if !states[1].is_legal(action) {
                    break;
                }
                action
            };
            states.iter_mut().for_each(|state| state.apply(action));
            // From here on the difference shows by rights.
            if game.view(&states[0], seat) != game.view(&states[1], seat) {
                break;
            }
            if actor != seat {
                tables.iter_mut().for_each(|table| table.act(&game.write_action(action)).unwrap());
            }
        }
    }
    compared
}

/// What a bot had heard and said when it last acted. Of what came after, one of two bots may have read more.
fn heard(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let end = text.rfind("< action ").unwrap();
    text[..end].to_owned()
}
