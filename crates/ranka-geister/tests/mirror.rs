//! A table that mirrors a game which is played elsewhere, where the other's colours come to light bit by bit.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, CatalogueEntry, GameSeeds, Seat, Seed, Settings};
use ranka_geister::Geister;

/// The position in which hidden ghosts have these colours, in square order.
fn coloured(view: &str, colours: &str) -> String {
    let mut colours = colours.chars();
    view.chars().map(|c| if c == 'u' { colours.next().unwrap() } else { c }).collect()
}

#[test]
fn another_truth_may_be_supposed_if_no_agent_sees_the_difference() {
    let game = CatalogueEntry::<Geister>::with(&[]).open("").unwrap();
    let agent = game.agent("purple-max:depth=2,setup=ABCD").unwrap();
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    let mut table = game.match_table(None, &[Some((&agent, 0)), None], &seeds).unwrap();
    table.think(&Settings::default()).unwrap();
    table.act("set:ABCD").unwrap();
    let view = table.view(Seat::FIRST);
    let choice = table.choose(&Settings::default()).unwrap().choice;
    assert_eq!(table.actor(), Actor::Seat(Seat::FIRST), "to choose is not to act");
    for colours in ["rrrrbbbb", "brbrbrbr"] {
        let position = coloured(&view, colours);
        table.suppose(&position).unwrap();
        let seen = table.view(Seat::SECOND);
        let rows = seen.split(' ').next().unwrap();
        let seen: String = rows.chars().filter(|c| "rb".contains(*c)).collect();
        assert_eq!((table.view(Seat::FIRST), seen.as_str()), (view.clone(), colours));
        assert_eq!(table.choose(&Settings::default()).unwrap().choice, choice);
    }
    let position = coloured(&view, "brbrbrbr");
    for other in [position.replace("RRRR", "BRRR").replace("BBBB", "BBBR"), position.replace(" 1 ", " 2 ")] {
        let error = table.suppose(&other).unwrap_err().to_string();
        assert!(error.contains("does not look the same"), "{error}");
    }
    assert!(table.suppose("nonsense").is_err());
    table.act(&choice).unwrap();
    assert_eq!(table.actor(), Actor::Seat(Seat::SECOND));
}

#[test]
fn agents_at_a_table_decide_as_in_their_match() {
    let game = CatalogueEntry::<Geister>::with(&[]).open("").unwrap();
    let agents = [game.agent("random").unwrap(), game.agent("suspicion:depth=2").unwrap()];
    for pair in 0..3 {
        // The agents have changed seats.
        let (seeds, players) = (GameSeeds::of(Seed::new(5), pair, 1), [(&agents[1], 1), (&agents[0], 0)]);
        let record = game.play(&players, &seeds, &Settings::default(), None).record;
        let mut table = game.match_table(None, &players.map(Some), &seeds).unwrap();
        let mut actions = Vec::new();
        while table.actor() != Actor::Over {
            actions.push(table.think(&Settings::default()).unwrap().choice);
        }
        assert_eq!(actions.join(" "), record.actions);
    }
}
