//! Files: our own maps, malformed ones, and game records.

use crate::common::game;
use ranka_core::{Game, Notation, Position, Rng, Seed};
use ranka_tubstap::{Action, GameRecord, MapFile, RecordedAct, Rules, Team, Text, maps};

#[test]
fn our_maps_come_back_byte_for_byte() {
    for name in maps::names() {
        let map = maps::find(name).unwrap();
        assert_eq!(MapFile::read(&map.write()).unwrap(), map, "{name}");
    }
}

/// The worked example of section 2.1 is G3; order, line breaks and stray spaces do not matter.
#[test]
fn tags_in_any_order() {
    let text = "MAP[0,0,0,0];MAP[0,1, 3,0];MAP[0,0,0,0];\r\nUNIT[1,1,panzer,0,8,0];UNIT[2,1,infantry,1,10,1];\
                UNITNUMBLUE[1];UNITNUMRED[1];HPTHRESHOLD[10];TURN\nLIMIT[20];SIZEY[3];SIZEX[4]";
    let map = MapFile::read(text.as_bytes()).unwrap();
    assert_eq!((map.limit, map.units.len(), map.author.as_ref()), (20, 2, None));
}

#[test]
fn malformed_maps_are_refused_with_the_segment() {
    let good = String::from_utf8(maps::find("duel").unwrap().write()).unwrap();
    for (from, to, problem) in [
        ("SIZEX[7]", "SIZEX[8]", "MAP[0,0,0,0,0,0,0]: the row has 7 cells, but SIZEX is 8"),
        ("SIZEY[7]", "SIZEY[6]", "there are 7 MAP[…] rows, but SIZEY is 6"),
        ("SIZEX[7]", "SIZEX[seven]", "segment 1, SIZEX[seven]: \"seven\" is no whole number"),
        ("TURNLIMIT[19];", "", "TURNLIMIT[…] is missing"),
        ("HPTHRESHOLD[5];", "HPTHRESHOLD[5];HPTHRESHOLD[6];", "HPTHRESHOLD[6]: the tag comes twice"),
        ("1,1,panzer", "1,1,tank", "UNIT[1,1,tank,0,10,0]: \"tank\" is no kind of unit"),
        ("1,1,panzer,0,10", "1,1,panzer,0,11", "the HP is \"11\", not 1 to 10"),
        ("1,1,panzer,0,10", "1,1,panzer,2,10", "the team is \"2\", not 0 to 1"),
        ("1,1,panzer", "0,1,panzer", "UNIT[0,1,panzer,0,10,0]: unit 0 is at 0,1, not inside the ring"),
        ("1,1,panzer", "2,1,panzer", "UNIT[2,1,infantry,0,10,0]: units 0 and 1 are both at 2,1"),
        ("1,1,panzer,0,10,0", "1,1,panzer,0,10", "expected UNIT[x,y,name,team,hp,acted]"),
        ("UNITNUMRED[2]", "UNITNUMRED[1]", "UNITNUMRED[1]: Red has 2 UNIT[…]"),
        ("panzer,0,10,0];\nUNIT[2,1,infantry,0", "panzer,1,10,0];\nUNIT[2,1,infantry,1", "Red has 0 UNIT[…]"),
        ("MAP[0,3,1,6", "MAP[0,3,1,7", "7 is no terrain"),
        ("MAP[0,3,1,6", "MAP[1,3,1,6", "the ring must be walls (0), but 0,3 is 1"),
        ("MAPCOM[Two", "MAPCOM[Two;", "the closing ] is missing"),
    ] {
        assert!(good.contains(from), "{from}");
        let error = MapFile::read(good.replacen(from, to, 1).as_bytes()).expect_err(to).to_string();
        assert!(error.contains(problem), "{to}: {error}");
    }
}

/// A random game on a map, ends of turns included.
fn random_game(map: &MapFile, seed: u64) -> Vec<Action> {
    let mut state = map.state(Rules::default()).unwrap();
    let (mut rng, mut acts) = (Rng::new(Seed::new(seed)), Vec::new());
    while !state.actor().is_over() {
        let mut legal = Vec::new();
        state.actions(&mut legal);
        state.unlisted(&mut legal);
        let act = rng.pick(&legal);
        state.apply(act);
        acts.push(act);
    }
    acts
}

fn record_of(map: &MapFile, players: [&str; 2], acts: &[Action]) -> GameRecord {
    GameRecord::of(map, &map.state(Rules::default()).unwrap(), players, "2026-01-01", acts)
}

#[test]
fn records_come_back_and_replay() {
    for (seed, name) in (0..).zip(maps::names()) {
        let map = maps::find(name).unwrap();
        let acts = random_game(&map, seed);
        let record = record_of(&map, ["random", "ランダム"], &acts);
        let read = GameRecord::read(&record.write()).unwrap();
        assert_eq!(read, record, "{name}");
        let (replayed, end, surrendered) = read.replay(Rules::default()).unwrap();
        assert_eq!((replayed, surrendered), (acts, None), "{name}");
        assert!(end.actor().is_over());
        for (turn, index) in read.turns.iter().zip(0..) {
            assert_eq!(turn.index, index, "every half-turn is told, empty ones too");
        }
    }
}

#[test]
fn wrong_records_are_refused_with_the_place() {
    let map = maps::find("duel").unwrap();
    let acts = random_game(&map, 3);
    let record = record_of(&map, ["a", "b"], &acts);

    // A damage that the rules do not give.
    let mut wrong = record.clone();
    let taken = wrong.turns.iter_mut().flat_map(|turn| &mut turn.acts).find_map(|act| match act {
        RecordedAct::Taken(taken) if taken.act.target().is_some() => Some(taken),
        _ => None,
    });
    taken.expect("somebody attacks in this game").damage += 1;
    let error = wrong.replay(Rules::default()).unwrap_err().to_string();
    assert!(error.starts_with("half-turn ") && error.contains("but the rules say"), "{error}");

    // An action more than announced, an action of the wrong side, a short action.
    let text = String::from_utf8(record.write()).unwrap();
    let change = |from: &str, to: &str| GameRecord::read(text.replacen(from, to, 1).as_bytes());
    let count = record.turns[0].acts.len();
    let error = change(&format!("TURNINFO[0,0,{count}]"), "TURNINFO[0,0,9]").unwrap_err().to_string();
    assert!(error.contains("TURNINFO[0,0,9]"), "{error}");
    let count = record.turns[1].acts.len();
    let again = change(&format!("TURNINFO[1,1,{count}]"), &format!("TURNINFO[1,0,{count}]")).unwrap();
    let error = again.replay(Rules::default()).unwrap_err().to_string();
    assert!(error.contains("Blue is to move"), "{error}");
    let error = change("rule_set_version_0100", "rule_set_version_0200").unwrap_err().to_string();
    assert!(error.contains("PLAYEDRULE[rule_set_version_0200]: other rules than"), "{error}");
    assert!(
        change("ACTION[", "ACTION[1,").unwrap_err().to_string().contains("expected 11 numbers, found 12")
    );
}

/// Whoever gives up, as its first action, in the middle of its turn or before anything was done, it is that side.
#[test]
fn a_surrender_comes_back_as_the_same_sides() {
    let map = maps::find("duel").unwrap();
    let start = map.state(Rules::default()).unwrap();
    let acts = random_game(&map, 3);
    let mut seen = std::collections::BTreeSet::new();
    for count in 0..12 {
        let mut record = record_of(&map, ["a", "b"], &acts[..count]);
        let mut end = start.clone();
        acts[..count].iter().for_each(|&act| end.apply(act));
        record.surrender(&end);
        let read = GameRecord::read(&record.write()).unwrap();
        assert_eq!(read, record);
        let (replayed, state, surrendered) = read.replay(Rules::default()).unwrap();
        assert_eq!((replayed.as_slice(), &state, surrendered), (&acts[..count], &end, Some(end.mover())));
        seen.insert((end.mover() as u8, record.turns.last().unwrap().acts.len() == 1));
    }
    assert_eq!(seen.len(), 4, "both sides, with their first action of a turn and later: {seen:?}");
}

/// In automatic matches sides are swapped, and then blue moves first; the record tells it by its first turn.
#[test]
fn blue_may_move_first() {
    let text = game("").read_state(
        "grid=00000/01110/01110/00000 units=0:I:b:1,1:10:0;1:I:r:3,1:10:1;2:P:r:3,2:9:0 turn=0 limit=20 \
         threshold=3 first=b",
    );
    let start = text.unwrap();
    let map = MapFile::starting(&start).unwrap();
    let acts = [Action::END, Action::END, Action::END];
    let record = GameRecord::of(&map, &start, ["a", "b"], "today", &acts);
    assert_eq!(record.turns[0].team, Team::Blue);
    let read = GameRecord::read(&record.write()).unwrap();
    assert_eq!(read.start(Rules::default()).unwrap(), start);
    assert_eq!(read.replay(Rules::default()).unwrap().0, acts);
}

/// Who has acted already is passed over: the map of such a start has the flags that made it so.
#[test]
fn a_start_that_passed_a_side_over_has_a_map() {
    let units = "units=0:I:r:1,1:10:1;1:I:b:3,1:10:0;2:P:b:3,2:9:1";
    let start = |units: &str, turn: u32| {
        let text = format!("grid=00000/01110/01110/00000 {units} turn={turn} limit=20 threshold=3 first=r");
        game("").read_state(&text).unwrap()
    };
    let passed = start(units, 0);
    assert_eq!((passed.turn(), passed.mover()), (1, Team::Blue));
    let map = MapFile::starting(&passed).unwrap();
    assert_eq!(map.units.iter().map(|unit| unit.acted).collect::<Vec<_>>(), [true, false, true]);
    let record = GameRecord::of(&map, &passed, ["a", "b"], "today", &[Action::END]);
    assert_eq!(GameRecord::read(&record.write()).unwrap().start(Rules::default()).unwrap(), passed);
    // A game that is under way has no map, nor one in which a unit has fallen.
    assert_eq!(MapFile::starting(&start(units, 2)), None);
    assert_eq!(MapFile::starting(&start("units=0:I:r:1,1:10:0;2:P:b:3,2:9:1", 0)), None);
}

#[test]
fn remarks_keep_their_places() {
    let map = maps::find("duel").unwrap();
    let mut record = record_of(&map, ["a", "b"], &random_game(&map, 3));
    let count: usize = record.turns.iter().map(|turn| turn.acts.len()).sum();
    let remark = |before: usize| (before, Text::from(format!("after {before},{before}").as_str()));
    record.comments = [1, 1, 4, count].map(remark).to_vec();
    let text = String::from_utf8(record.write()).unwrap();
    let places: Vec<usize> =
        text.match_indices("COM[after").map(|(place, _)| text[..place].matches("ACTION[").count()).collect();
    assert_eq!(places, [1, 1, 4, count]);
    assert_eq!(GameRecord::read(text.as_bytes()).unwrap(), record);
}

/// Noise moves units by at most a step and changes HP by at most one, and each deal is another.
#[test]
fn noise_disturbs_a_little() {
    for name in maps::names() {
        let quiet = game(&format!("map={name}")).start(&mut Rng::new(Seed::new(1)));
        let noisy = game(&format!("map={name},noise=both"));
        let starts: Vec<_> = (0..20).map(|seed| noisy.start(&mut Rng::new(Seed::new(seed)))).collect();
        for start in &starts {
            for (unit, before) in start.units().zip(quiet.units()) {
                assert!(
                    unit.place.distance(before.place) <= 1 && unit.hp.abs_diff(before.hp) <= 1,
                    "{unit:?}"
                );
                assert_eq!((unit.kind, unit.team, unit.acted), (before.kind, before.team, before.acted));
            }
        }
        assert!(starts.iter().any(|start| *start != starts[0]), "{name}");
        let places = game(&format!("map={name},noise=places")).start(&mut Rng::new(Seed::new(2)));
        assert!(places.units().zip(quiet.units()).all(|(unit, before)| unit.hp == before.hp));
        let hp = game(&format!("map={name},noise=hp")).start(&mut Rng::new(Seed::new(2)));
        assert!(hp.units().zip(quiet.units()).all(|(unit, before)| unit.place == before.place));
    }
}
