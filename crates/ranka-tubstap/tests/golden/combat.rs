//! Section 6.1: worked fights, and a checksum over all of them.

use crate::common::position;
use crate::md5::md5;
use ranka_core::Position;
use ranka_tubstap::{Action, Kind, Place, PowerTable, Terrain};
use std::fmt::Write as _;

fn terrain(name: &str) -> Terrain {
    Terrain::ALL.into_iter().find(|terrain| terrain.name() == name).unwrap()
}

/// Each fight is fought on a board: the attacker in the middle left, the defender beside it, or two cells away
/// from a cannon.
#[test]
fn worked_fights() {
    let mut fights = 0;
    for line in include_str!("combat.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [att, att_hp, on, def, def_hp, def_on, damage, counter, def_left, att_left] = words[..] else {
            panic!("{line:?} has ten words");
        };
        let [on, def_on] = [on, def_on].map(|name| terrain(name) as u8);
        let (x, row) =
            if att == "U" { (3, format!("0{on}1{def_on}0")) } else { (2, format!("0{on}{def_on}10")) };
        let far = row.len() - 2;
        // A third unit keeps the game going when somebody dies.
        let units =
            format!("0:{att}:r:1,1:{att_hp}:0;1:{def}:b:{x},1:{def_hp}:0;2:I:r:1,2:1:0;3:I:b:{far},2:1:0");
        let text = format!("grid=00000/{row}/01110/00000 units={units} turn=0 limit=20 threshold=10 first=r");
        let mut state = position(&text);
        let act = Action::attack(0, Place::new(1, 1), 1);
        assert!(state.is_legal(act), "{line}");
        let expected = (damage.parse().unwrap(), counter.parse().unwrap());
        assert_eq!(state.preview(act), Some(expected), "{line}");
        state.apply(act);
        let hp = |id| state.unit(id).map_or(0, |unit| unit.hp).to_string();
        assert_eq!([hp(1), hp(0)], [def_left, att_left], "{line}");
        fights += 1;
    }
    assert_eq!(fights, 56);
}

/// All 57 600 fights of the original program.
#[test]
fn checksum_of_all_fights() {
    let mut lines = String::new();
    for (attacker, hp) in Kind::ALL.iter().flat_map(|&kind| (1..=10).map(move |hp| (kind, hp))) {
        for (defender, other_hp) in Kind::ALL.iter().flat_map(|&kind| (1..=10).map(move |hp| (kind, hp))) {
            for stars in [0, 1, 3, 4] {
                for other_stars in [0, 1, 3, 4] {
                    let (damage, counter) =
                        PowerTable::Program.fight((attacker, hp, stars), (defender, other_hp, other_stars));
                    let _ = writeln!(lines, "{damage},{counter}");
                }
            }
        }
    }
    assert_eq!(lines.lines().count(), 57_600);
    assert_eq!(md5(lines.as_bytes()), "e4105efbfeefedc1d57e8a87c0ec015d");
}

/// The paper's table differs in one entry, which changes 69 of its 400 combinations.
#[test]
fn the_papers_table_differs_in_one_entry() {
    let mut differences = 0;
    for attacker in Kind::ALL {
        for defender in Kind::ALL {
            for (hp, other_hp) in (1..=10).flat_map(|hp| (1..=10).map(move |other| (hp, other))) {
                for stars in [0, 1, 3, 4] {
                    let [program, paper] = [PowerTable::Program, PowerTable::Paper]
                        .map(|power| power.damage(attacker, hp, defender, other_hp, stars));
                    if program != paper {
                        assert_eq!((attacker, defender), (Kind::AntiAir, Kind::Infantry));
                        differences += 1;
                    }
                }
            }
        }
    }
    assert_eq!(differences, 69);
}
