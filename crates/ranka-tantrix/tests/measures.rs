//! The logs: complete, consistent with the rules, and the same again from a record.

use ranka_core::{
    FinishedGame, Game, GameSeeds, Measured, Notation, Played, Record, RecordAgent, Rng, Roster, Seat, Seed,
    Settings, play,
};
use ranka_tantrix::measures::{LineLog, PlyLog, SeatLog, log};
use ranka_tantrix::{Action, Tantrix};
use std::ops::RangeInclusive;

fn finished(seed: u64) -> (Tantrix, Played<Tantrix>) {
    let game = Tantrix::standard(2);
    let seeds = GameSeeds::of(Seed::new(seed), 0, 0);
    let seated = |seat: Seat| {
        let (_, maker) = game.recruit(&ranka_core::AgentSpec::parse("greedy")).expect("a known agent");
        (maker.seat(seat, seeds.agent(seat.index())).expect("a player"), seat.index())
    };
    let agents = Seat::all(2).map(seated).collect();
    let played = play(&game, &seeds, agents, &Settings::default(), &mut |_, _| ());
    (game, played)
}

fn game(seed: u64) -> (Tantrix, Record) {
    let (game, played) = finished(seed);
    let seeds = GameSeeds::of(Seed::new(seed), 0, 0);
    let agents = [0, 1].map(|number| RecordAgent::visitor("", number)).to_vec();
    let record = Record::of(&game, &played, "", agents, &seeds, &Settings::default());
    (game, record)
}

fn logged(game: &Tantrix, record: &Record) -> Vec<PlyLog> {
    let start = game.read_state(&record.start).expect("the record's start");
    let actions: Vec<Action> =
        record.actions.split(' ').map(|text| game.read_action(text).expect("the record's action")).collect();
    log(&start, &actions)
}

/// Whose longest line grew at how many plies, and how long it was obstructed, counted from a log.
#[derive(Default)]
struct Growth {
    plies: u32,
    /// Plies of the seat itself.
    own_plies: u32,
    /// Its own plies at which any longest line grew.
    own_growth_plies: u32,
    /// Its own plies at which its own longest line grew.
    own_grown: u32,
    /// Plies of anybody at which its longest line grew.
    grown: u32,
    /// Plies of anybody at which any longest line grew.
    growth_plies: u32,
    /// Plies after which at least one end of its longest line was obstructed.
    one_end: u32,
    /// Plies after which both were.
    both_ends: u32,
}

impl Growth {
    fn of(log: &[PlyLog], seat: Seat, plies: RangeInclusive<usize>) -> Growth {
        let mut growth = Growth::default();
        for ply in log.iter().filter(|ply| plies.contains(&ply.ply)) {
            let mine = &ply.seats[seat.index()];
            let any = ply.seats.iter().any(|seat| seat.grown);
            let own = ply.seat == seat;
            growth.plies += 1;
            growth.own_plies += u32::from(own);
            growth.own_growth_plies += u32::from(own && any);
            growth.own_grown += u32::from(own && mine.grown);
            growth.grown += u32::from(mine.grown);
            growth.growth_plies += u32::from(any);
            growth.one_end += u32::from(mine.obstructed >= Some(1));
            growth.both_ends += u32::from(mine.obstructed >= Some(2));
        }
        growth
    }
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
            // Hands are full until the bag is empty; from then on each tile placed is missing.
            let placed =
                plies[44.min(number - 1)..number - 1].iter().filter(|at| at.seat == ply.seat).count();
            assert_eq!(ply.hand.len(), 6 - placed, "ply {number}");
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
        }
        // From the end: nothing is obstructed without restrictions.
        assert!(plies[45..].iter().all(|ply| ply.controlled.is_empty()
            && ply.seats.iter().all(|seat| seat.obstructed.is_none_or(|ends| ends == 0))));
        let (_, played) = finished(seed);
        assert_eq!(plies, log(&played.start, &played.actions), "a record has all of it");
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

/// A measure of a game, by its name.
fn measured(game: &Tantrix, played: &Played<Tantrix>, name: &str) -> Vec<f64> {
    let measures = Tantrix::measures();
    let measure = measures.iter().find(|measure| measure.name == name).expect("a known measure");
    (measure.take)(&FinishedGame { game, played, decisions: &[] })
}

#[test]
fn measures_tell_what_the_log_tells() {
    for seed in 0..10 {
        let (game, played) = finished(seed);
        let plies = log(&played.start, &played.actions);
        let of = |name: &str| measured(&game, &played, name);
        for seat in Seat::all(2) {
            let mine =
                |name: &str| -> Vec<f64> { of(name).into_iter().skip(seat.index()).step_by(2).collect() };
            let logged = |number: &dyn Fn(&SeatLog) -> f64| -> Vec<f64> {
                plies.iter().map(|ply| number(&ply.seats[seat.index()])).collect()
            };
            assert_eq!(mine("longest"), logged(&|seat| seat.longest as f64));
            assert_eq!(mine("points"), logged(&|seat| f64::from(seat.score)));
            assert_eq!(mine("obstructed"), logged(&|seat| f64::from(seat.obstructed.unwrap_or(0))));
            assert_eq!(mine("grew"), logged(&|seat| f64::from(u8::from(seat.grown))));
            assert_eq!(mine("grew-points"), logged(&|seat| f64::from(u8::from(seat.grown_points))));
            for window in [1..=56, 20..=40] {
                let growth = Growth::of(&plies, seat, window.clone());
                let within = |name: &str| mine(name)[window.start() - 1..*window.end()].iter().sum::<f64>();
                assert_eq!(within("placed"), f64::from(growth.own_plies));
                assert_eq!(within("own-growth"), f64::from(growth.own_growth_plies));
                assert_eq!(within("own-grew"), f64::from(growth.own_grown));
                assert_eq!(within("grew"), f64::from(growth.grown));
                assert_eq!(within("obstructed-any"), f64::from(growth.one_end));
                assert_eq!(within("obstructed-both"), f64::from(growth.both_ends));
                let any = of("any-grew")[window.start() - 1..*window.end()].iter().sum::<f64>();
                assert_eq!(any, f64::from(growth.growth_plies));
            }
            let obstructed = Growth::of(&plies, seat, 10..=45).one_end;
            assert_eq!(of("obstructed-plies")[seat.index()], f64::from(obstructed));
            assert_eq!(of("final-points")[seat.index()], mine("points")[55]);
            let forced = plies.iter().filter(|ply| ply.seat == seat && ply.situation != "free").count();
            assert_eq!(of("forced-plies")[seat.index()], forced as f64);
        }
        assert_eq!(of("margin")[0], of("final-points")[0] - of("final-points")[1]);
        // The code of a ply: 1 for who placed the tile, 2 for the other.
        let by_mover = of("growth-of-mover");
        for ((code, ply), row) in of("growth").into_iter().zip(&plies).zip(by_mover.chunks(2)) {
            let grown = |seat: Seat| f64::from(u8::from(ply.seats[seat.index()].grown));
            assert_eq!(code, grown(ply.seat) + 2.0 * grown(ply.seat.other()));
            assert_eq!(row[ply.seat.index()], code);
            assert!(row[ply.seat.other().index()].is_nan());
        }
    }
}

#[test]
fn the_evaluation_curves_are_the_published_ones() {
    let computed_tables = Tantrix::computed_tables();
    let sheet = (computed_tables[0].compute)(&Tantrix::standard(2));
    assert_eq!((sheet.columns.len(), sheet.rows.len()), (4, 41));
    for (difference, values) in
        [(-5.0, [0.3524, 0.3056, 0.2349]), (0.0, [0.5, 0.4372, 0.3280]), (10.0, [0.75, 0.7148, 0.6211])]
    {
        let row = sheet.rows.iter().find(|row| row[0] == difference).expect("a row for every difference");
        assert!(row[1..].iter().zip(values).all(|(a, b)| (a - b).abs() < 5e-5), "{row:?}");
    }
}
