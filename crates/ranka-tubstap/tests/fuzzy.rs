//! Fuzzy evaluation: features, tables, and what pruning does with them.

#![allow(clippy::unwrap_used)]

use ranka_core::{AgentSpec, Game, Notation, Params, Position, Rng, Roster, Seat, Seed, Thinking};
use ranka_tubstap::fuzzy::{Decided, Features, Label, MembershipTable, Synthetic, synthetic};
use ranka_tubstap::{Action, State, Tubstap};
use std::sync::atomic::AtomicBool;

fn game(rules: &str) -> Tubstap {
    Tubstap::new(&Params::parse(rules, Tubstap::options()).unwrap()).unwrap()
}

fn g3() -> State {
    let text = include_str!("golden/positions.txt").lines().find_map(|line| line.strip_prefix("G3 "));
    game("").read_state(text.unwrap()).unwrap()
}

fn act(text: &str) -> Action {
    game("").read_action(text).unwrap()
}

fn features(numbers: [i8; 5]) -> Features {
    Features::from_numbers(numbers).unwrap()
}

/// Some entries of every kind with different labels.
fn some_table() -> MembershipTable {
    let mut rng = Rng::new(Seed::new(3));
    let mut number = |n: u32| rng.below(n) as i8;
    let mut examples = Vec::new();
    for i in 0..300 {
        let seen = [number(6), number(11), number(7) - 1, number(11), number(11)];
        examples.push((features(seen), [Label::Good, Label::Unsure, Label::Bad][i % 3]));
    }
    MembershipTable::of(examples)
}

#[test]
fn features_are_those_after_the_action() {
    // The panzer (8 HP) hits the anti-air tank for 6 and takes 1; the attacker can then take 6 from it, and the
    // anti-air tank with its last 4 HP one more.
    assert_eq!(Features::of(&g3(), act("0@6,2>2")).unwrap().numbers(), [2, 7, 4, 6, 7]);
    assert_eq!(Features::of(&g3(), act("1@2,4")).unwrap().numbers(), [5, 10, -1, 0, 10]);
    assert_eq!(Features::of(&g3(), Action::END), None);
}

#[test]
fn memberships_are_means_and_neighbours_stand_in() {
    // The entries of the paper's table 4, with the fewest labels that give them: 5 of 7 good is .71, one of 3 is .33.
    let panzer = features([2, 3, 2, 2, 3]);
    let infantry = features([5, 2, 5, 2, 2]);
    let table_4 = [
        (panzer, 5, 2, 0.71),
        (features([2, 4, 2, 2, 4]), 4, 1, 0.8),
        (features([3, 10, -1, 0, 0]), 1, 0, 1.0),
        (infantry, 1, 2, 0.33),
        (features([5, 10, 2, 1, 10]), 0, 1, 0.0),
    ];
    let labels =
        |good, bad| std::iter::repeat_n(Label::Good, good).chain(std::iter::repeat_n(Label::Bad, bad));
    let table = MembershipTable::of(
        table_4.iter().flat_map(|&(of, good, bad, _)| labels(good, bad).map(move |l| (of, l))),
    );
    for (of, good, bad, published) in table_4 {
        let looked_up = table.lookup(of);
        assert!((looked_up.value - published).abs() < 0.005, "{of:?}: {}", looked_up.value);
        assert_eq!(looked_up.because, Decided::Seen((good + bad) as u32));
    }

    // The nearest of the same kind, however near another kind is.
    let near = table.lookup(features([5, 3, 2, 2, 3]));
    assert!((near.value - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(near.because, Decided::Near(vec![infantry], 1 + 9 + 1));
    assert_eq!(table.lookup(features([0, 10, -1, 0, 0])).because, Decided::Unknown);

    // Equally near entries share.
    let two = MembershipTable::of([
        (features([3, 4, -1, 0, 0]), Label::Good),
        (features([3, 6, -1, 0, 0]), Label::Bad),
    ]);
    assert_eq!(two.lookup(features([3, 5, -1, 0, 0])).value, 0.5);
}

#[test]
fn staying_is_good_and_dying_is_bad() {
    let table = MembershipTable::of([(features([5, 10, -1, 0, 10]), Label::Bad)]);
    assert_eq!(table.explain(&g3(), act("1@2,4")).because, Decided::Stays);
    assert_eq!(table.membership(&g3(), act("1@2,4")), 1.0);
    assert_eq!(table.membership(&g3(), act("1@2,3")), 0.0);
    let text = "grid=0000/0110/0000 units=0:I:r:1,1:1:0;1:P:b:2,1:10:0 turn=0 limit=9 threshold=1 first=r";
    let state = game("").read_state(text).unwrap();
    assert_eq!(table.explain(&state, act("0@1,1>1")).because, Decided::Dies);
    assert_eq!(table.membership(&state, act("0@1,1>1")), 0.0);
}

/// The completed table that search uses says what looking for neighbours says.
#[test]
fn completion_agrees_with_looking_up() {
    let table = some_table();
    let mut rng = Rng::new(Seed::new(9));
    let mut state = game("map=sky").start(&mut rng);
    let mut checked = 0;
    while !state.actor().is_over() {
        let mut acts = Vec::new();
        state.actions(&mut acts);
        for &act in acts.iter().step_by(5) {
            let explained = table.explain(&state, act).value;
            assert!((table.membership(&state, act) - explained).abs() < 1e-6, "{act} in {state:?}");
            checked += 1;
        }
        state.apply(rng.pick(&acts));
    }
    assert!(checked > 500);
}

#[test]
fn a_shuffle_is_a_permutation() {
    let table = some_table();
    let values = |table: &MembershipTable| {
        let mut values: Vec<f64> = table.entries().map(|(_, _, _, value)| value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let shuffled = table.shuffled(Seed::new(1));
    assert_eq!(values(&table), values(&shuffled));
    assert!(table.entries().map(|e| e.0).eq(shuffled.entries().map(|e| e.0)), "the entries stay");
    assert_ne!(table, shuffled);
    assert_eq!(shuffled, table.shuffled(Seed::new(1)));
    assert_ne!(shuffled, table.shuffled(Seed::new(2)));
}

#[test]
fn tables_come_back_from_csv() {
    let table = some_table();
    assert_eq!(MembershipTable::read_csv(&table.write_csv()).unwrap(), table);
    assert_eq!(table.size().1, 300);
    let header = "v0,v1,v2,v3,v4,labelsum,count\n";
    for (lines, problem) in [
        ("", "line 1"),
        ("v0,v1\n", "line 1"),
        ("H1,2,3\n", "expected seven columns"),
        ("H6,1,1,1,1,1,1\n", "v0 is 0 to 5"),
        ("H1,11,1,1,1,1,1\n", "the others are 0 to 10"),
        ("H1,1,x,1,1,1,1\n", "\"x\" is no small whole number"),
        ("H1,1,1,1,1,2,1\n", "not between 0 and the count"),
        ("H1,1,1,1,1,0,0\n", "at least 1"),
        ("H1,1,1,1,1,NaN,1\n", "not between 0 and the count"),
        ("H1,1,1,1,1,1,1\n1,1,1,1,1,1,1\n", "line 3, \"1,1,1,1,1,1,1\": these features come twice"),
    ] {
        let error = MembershipTable::read_csv(&lines.replace('H', header)).expect_err(lines).to_string();
        assert!(error.contains(problem), "{lines:?}: {error}");
    }
}

#[test]
fn labels_have_names() {
    for label in Label::ALL {
        assert_eq!(Label::read(label.name()).unwrap(), label);
        assert_eq!(Label::read(&label.name()[..1]).unwrap(), label);
    }
    assert!(Label::read("god").unwrap_err().to_string().contains("good"));
}

/// A search with this table, and how many actions it considered.
fn considered(table: &MembershipTable, params: &str, state: &State) -> (Action, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, table.write_csv()).unwrap();
    let spec = format!("uct:playouts=200,{}", params.replace("TABLE", &format!("\"{}\"", path.display())));
    let (_, maker) = game("").recruit(&AgentSpec::parse(&spec)).unwrap();
    let cancel = AtomicBool::new(false);
    let mut thinking = Thinking::new(Rng::new(Seed::new(1)), None, &cancel);
    let thought = maker.seat(Seat::FIRST, Seed::new(1)).unwrap().think(state, &mut thinking).unwrap();
    (thought.choice, thought.candidates.len())
}

/// Everything is forbidden: then only staying is left, and where even that is not possible to say, the best of
/// the bad.
#[test]
fn a_table_that_forbids_everything_leaves_a_legal_action() {
    let all = (0..6).map(|kind| (features([kind, 10, -1, 0, 0]), Label::Bad));
    let state = game("").start(&mut Rng::new(Seed::new(1)));
    let (choice, count) = considered(&MembershipTable::of(all), "prune=TABLE", &state);
    assert!(state.is_legal(choice));
    assert_eq!(count, 6, "each of six units may stay");
}

#[test]
fn pruning_and_initial_values_change_the_search() {
    let state = game("").start(&mut Rng::new(Seed::new(1)));
    let table = some_table();
    let mut all = Vec::new();
    state.actions(&mut all);
    let kept = all.iter().filter(|&&act| table.membership(&state, act) >= 0.75).count();
    assert!((7..all.len()).contains(&kept));
    assert_eq!(considered(&table, "prune=TABLE", &state).1, kept);
    assert!(considered(&table, "prune=TABLE,shuffle=3", &state).1 != kept);
    // With memberships as initial values the search does not try everything once.
    assert!(considered(&table, "init=TABLE", &state).1 < all.len());
}

#[test]
fn the_synthetic_labeller_repeats_itself() {
    let config = Synthetic { examples: 40, teacher: 60, pupil: 20, ..Synthetic::default() };
    let table = synthetic(&game("map=duel"), &config, &mut |_| ());
    assert_eq!(table.size().1, 40);
    assert_eq!(table, synthetic(&game("map=duel"), &config, &mut |_| ()));
    let other = Synthetic { seed: Seed::new(1), ..config };
    assert_ne!(table, synthetic(&game("map=duel"), &other, &mut |_| ()));
}
