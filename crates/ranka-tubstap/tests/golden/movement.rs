//! Section 6.2: where units can go, and how many actions they have.

use crate::common::{position, small};
use ranka_tubstap::{Action, Rules, State};

fn moves(state: &State, unit: u8) -> Vec<Action> {
    let mut out = Vec::new();
    state.moves_of(unit, &mut out);
    out
}

fn attacks(state: &State, unit: u8) -> Vec<Action> {
    let mut out = Vec::new();
    state.attacks_of(unit, &mut out);
    out
}

/// A lone unit in the middle of a large board of one terrain.
#[test]
fn lone_units() {
    let everywhere = [
        ("1", [181, 113, 85, 61, 85, 25]),
        ("5", [181, 113, 85, 61, 85, 25]),
        ("6", [181, 113, 85, 61, 85, 25]),
        ("3", [181, 113, 25, 13, 25, 25]),
        ("4", [181, 113, 1, 1, 1, 5]),
        ("2", [181, 113, 1, 1, 1, 1]),
    ];
    for (terrain, counts) in everywhere {
        let row = format!("0{}0", terrain.repeat(21));
        let ring = "0".repeat(23);
        let grid = format!("{ring}/{}/{ring}", [row.as_str(); 21].join("/"));
        for (letter, count) in "FAPURI".chars().zip(counts) {
            let units = format!("0:{letter}:r:11,11:10:0;1:I:b:1,1:10:0");
            let state = position(&format!("grid={grid} units={units} turn=0 limit=9 threshold=1 first=r"));
            assert_eq!(moves(&state, 0).len(), count, "{letter} on terrain {terrain}");
        }
    }
}

#[test]
fn reachable_cells() {
    for (name, unit, cells) in [
        ("G3", 0, "1,1 1,2 1,3 1,4 1,5 2,1 2,3 2,5 3,2 3,3 3,5 4,2 4,3 4,4 4,5 5,2 5,3 6,2"),
        ("G3", 1, "1,2 1,4 1,5 2,3 2,4 2,5 3,2 3,3 3,4 3,5 4,3 4,4 4,5"),
        ("G3", 2, "2,3 3,2 3,3 4,1 4,2 4,3 4,4 4,5 5,2 5,3 5,5 6,1 6,2 6,3 6,4 6,5"),
        ("G4", 0, "1,1 1,2 1,3 2,1 2,3"),
        ("G4", 1, "1,1 1,3 2,1 2,2 2,3"),
        ("G5", 0, "1,1 1,2 1,3 2,2 2,3 3,1 3,3 4,1 4,3 5,1 5,3"),
    ] {
        let found: Vec<String> = moves(&small(name), unit).iter().map(|act| act.to().to_string()).collect();
        assert_eq!(found.join(" "), cells, "{name}, unit {unit}");
    }
}

/// Cells, attacks and effective attacks of each unit, as if its side were to move.
#[test]
fn actions_of_each_unit() {
    let table: [(&str, &[[usize; 3]]); 7] = [
        ("G1", &[[25, 0, 0], [10, 0, 0]]),
        ("G2", &[[117, 2, 0], [10, 0, 0]]),
        ("G3", &[[18, 3, 2], [13, 0, 0], [16, 2, 2], [25, 5, 5]]),
        ("G4", &[[5, 2, 2], [5, 3, 3], [9, 3, 2], [11, 5, 5], [9, 3, 2]]),
        ("G5", &[[11, 2, 2], [9, 5, 5], [11, 4, 4], [13, 2, 2], [13, 4, 4]]),
        ("G6", &[[18, 4, 2], [18, 4, 2], [18, 4, 0], [1, 0, 0]]),
        ("G7", &[[1, 4, 4], [5, 1, 1], [5, 1, 1], [5, 1, 1], [5, 1, 1]]),
    ];
    for (name, counts) in table {
        let state = small(name);
        let effective = state.with_rules(Rules { effective_only: true, ..state.rules() });
        for (unit, &expected) in (0..).zip(counts) {
            let found =
                [moves(&state, unit).len(), attacks(&state, unit).len(), attacks(&effective, unit).len()];
            assert_eq!(found, expected, "{name}, unit {unit}");
        }
    }
}

/// Enemies in the order of their ids; around each right, above, left, below.
#[test]
fn attacks_come_in_canonical_order() {
    let found: Vec<String> = attacks(&small("G5"), 1).iter().map(Action::to_string).collect();
    assert_eq!(found.join(" "), "1@3,1>2 1@2,2>2 1@3,3>2 1@4,1>3 1@5,1>4");
}
