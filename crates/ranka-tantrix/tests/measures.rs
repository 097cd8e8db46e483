//! The logs: complete, consistent with the rules, and the same again from a record.

use ranka_core::{Game, GameSeeds, Notation, Record, Rng, Roster, Seat, Seed, Settings, play};
use ranka_tantrix::measures::{Growth, LineLog, log};
use ranka_tantrix::{Action, Tantrix};

fn game(seed: u64) -> (Tantrix, Record) {
    let game = Tantrix::standard(2);
    let seeds = GameSeeds::of(Seed::new(seed), 0, 0);
    let seated = |seat: Seat| {
        let (_, maker) = game.recruit(&ranka_core::AgentSpec::parse("greedy")).expect("a known agent");
        (maker.seat(seat, seeds.agent(seat.index())).expect("a player"), seat.index())
    };
    let settings = Settings::default();
    let played = play(&game, &seeds, Seat::all(2).map(seated).collect(), &settings, &mut |_, _| ());
    let record = Record::of(&game, &played, "", vec![String::new(); 2], vec![0, 1], &seeds, &settings);
    (game, record)
}

fn logged(game: &Tantrix, record: &Record) -> Vec<ranka_tantrix::measures::PlyLog> {
    let start = game.read_state(&record.start).expect("the record's start");
    let actions: Vec<Action> =
        record.actions.split(' ').map(|text| game.read_action(text).expect("the record's action")).collect();
    log(&start, &actions)
}

#[test]
fn a_log_tells_the_whole_game() {
    for seed in 0..10 {
        let (game, record) = game(seed);
        let plies = logged(&game, &record);
        assert_eq!(plies.len(), 56);
        for (number, ply) in (1..).zip(&plies) {
            assert_eq!(ply.ply, number);
            assert!(ply.legal.contains(&ply.chosen));
            assert_eq!(ply.drawn.is_some(), number <= 44);
            assert_eq!(ply.bag, 44usize.saturating_sub(number));
            assert_eq!(ply.restricted, number <= 44);
            let expected = if number <= 44 { 6 } else { ply.hand.len() };
            assert_eq!(ply.hand.len(), expected);
            for seat in &ply.seats {
                let best = seat.lines.iter().map(|l| l.length as i32 * if l.looped { 2 } else { 1 }).max();
                assert_eq!(best.unwrap_or(0), seat.score);
                assert_eq!(seat.lines.first().map_or(0, |line| line.length), seat.longest);
            }
        }
        // Growth is exactly the rise of the longest line.
        for seat in Seat::all(2) {
            let mut longest = 0;
            for ply in &plies {
                let now = ply.seats[seat.index()].longest;
                assert_eq!(ply.seats[seat.index()].grown, now > longest);
                longest = now;
            }
            let growth = Growth::of(&plies, seat, 1..=56);
            assert_eq!(growth.plies, 56);
            assert!(
                growth.own_grown <= growth.own_growth_plies && growth.own_growth_plies <= growth.own_plies
            );
            assert!(growth.both_ends <= growth.one_end);
            let middle = Growth::of(&plies, seat, 20..=40);
            assert_eq!(middle.plies, 21);
            assert!(middle.share().is_none_or(|share| (0.0..=1.0).contains(&share)));
        }
        // From the end: nothing is obstructed without restrictions.
        assert!(plies[45..].iter().all(|ply| ply.controlled.is_empty()
            && ply.seats.iter().all(|seat| seat.obstructed.is_none_or(|ends| ends == 0))));
        assert_eq!(plies, logged(&game, &record), "the same again");
    }
}

#[test]
fn logs_are_exported_as_json() {
    let (game, record) = game(3);
    let plies = logged(&game, &record);
    let text = serde_json::to_string(&plies[20]).expect("a log can be written");
    let value: serde_json::Value = serde_json::from_str(&text).expect("and read");
    assert_eq!(value["ply"], 21);
    assert_eq!(value["legal"].as_array().map(Vec::len), Some(plies[20].legal.len()));
    assert_eq!(value["seats"][0]["lines"][0]["length"], plies[20].seats[0].lines[0].length);
}

#[test]
fn a_small_log_by_hand() {
    // One tile after another: the first gives both colours their first line.
    let game = Tantrix::standard(2);
    let start = game.start(&mut Rng::new(Seed::new(1)));
    let mut state = start.clone();
    let mut actions = Vec::new();
    for _ in 0..2 {
        let mut legal = Vec::new();
        ranka_core::Position::actions(&state, &mut legal);
        actions.push(legal[0]);
        ranka_core::Position::apply(&mut state, legal[0]);
    }
    let plies = log(&start, &actions);
    assert_eq!(plies.len(), 1, "the second action is chance's");
    assert_eq!(plies[0].situation, "free");
    for seat in Seat::all(2) {
        let has = state.played()[0].placement().expect("a tile").tile.edges().contains(&state.colour(seat));
        let expected: Vec<LineLog> = if has { vec![LineLog { length: 1, looped: false }] } else { vec![] };
        assert_eq!(plies[0].seats[seat.index()].lines, expected);
        assert_eq!(plies[0].seats[seat.index()].grown, has);
    }
}
