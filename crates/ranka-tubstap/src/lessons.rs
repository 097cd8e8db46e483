//! The rules in seven pictures with all their figures, and a first lesson.

use crate::combat::PowerTable;
use crate::kinds::{Kind, MovementType, Team, Terrain};
use crate::rules::Tubstap;
use crate::state::State;
use ranka_core::{Lesson, Lessons, RuleStep};

const DUEL: &str = "grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 units=0:P:r:3,3:10:0;1:I:r:2,1:10:0;2:P:b:5,1:10:0;3:I:b:3,4:10:0 turn=2 limit=19 threshold=5 first=r";
/// Every kind of both sides, in the order of the tables.
const KINDS: &str = "grid=00000000/01111110/01111110/00000000 units=0:F:r:1,1:10:0;1:A:r:2,1:10:0;2:P:r:3,1:10:0;3:U:r:4,1:10:0;4:R:r:5,1:10:0;5:I:r:6,1:10:0;6:F:b:1,2:10:0;7:A:b:2,2:10:0;8:P:b:3,2:10:0;9:U:b:4,2:10:0;10:R:b:5,2:10:0;11:I:b:6,2:10:0 turn=0 limit=19 threshold=10 first=r";
const WEAK: &str = "grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 units=0:P:r:3,3:10:0;1:I:r:2,1:10:0;2:P:b:5,1:10:0;3:I:b:3,4:5:0 turn=2 limit=19 threshold=5 first=r";
const CANNON: &str = "grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 units=0:U:r:2,3:10:0;1:I:r:1,1:10:0;2:P:b:5,3:10:0;3:I:b:2,5:5:0 turn=2 limit=19 threshold=5 first=r";

/// Before the last turn red is ahead by eleven HP.
const LATE: &str = "grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 units=0:P:r:3,3:10:0;1:I:r:2,1:9:0;2:I:b:3,5:8:0 turn=18 limit=19 threshold=10 first=r";

impl Lessons for Tubstap {
    fn rule_steps() -> Vec<RuleStep> {
        vec![
            RuleStep::shown(
                "Red and blue take turns. In a turn each of your units may act once, in any order: move, or move and attack. Then it is the other's turn.",
                DUEL,
                &[("unit-0", "●"), ("unit-1", "●")],
            ),
            RuleStep::shown(
                "A unit goes as far as its movement points last. Ground costs points, own units may be passed, enemies may not.",
                DUEL,
                &[],
            )
            .with_table(grounds()),
            RuleStep::shown(
                "There are six kinds, shown here from left to right in the order of the table. All but the cannon attack the neighbouring cell after moving. A cannon shoots two or three cells far, and only if it does not move.",
                KINDS,
                &[],
            )
            .with_table(kinds()),
            RuleStep::shown(
                "An attack takes HP by the two kinds, the attacker's HP and the defender's ground; there are no dice. If the defender survives and both fight at close range, it strikes back with what is left of it.",
                DUEL,
                &[],
            )
            .foreseeing("0@3,3>3"),
            RuleStep::words("Damage = (power × attacker's HP + 70) ÷ (100 + stars × defender's HP), rounded down; units in the air have no stars. This is the power, row attacks column.").with_table(powers()),
            RuleStep::shown(
                "Whoever strikes first and stands in good cover gains most: forest, mountain and fortress have three and four stars.",
                DUEL,
                &[("cell-2-2", "4"), ("cell-3-1", "3"), ("cell-3-3", "4")],
            ),
            RuleStep::shown(
                "Whoever has no units left loses. When the turns are over, the side that is ahead in HP by more than ten wins (some maps ask for another lead); otherwise it is a draw.",
                LATE,
                &[],
            ),
        ]
    }

    fn lessons() -> Vec<Lesson<Tubstap>> {
        vec![
            Lesson {
                task: "Attack the infantry with your panzer, where it stands.",
                praise: "Seven HP, and the fortress protected you from the answer.",
                advice: "Touch the panzer on the fortress, then the panzer again to stay, then the infantry below it.",
                rules: "",
                position: DUEL,
                within: 1,
                is_done: |before, after| lost(before, after) >= 7 && stood_still(before, after),
            },
            Lesson {
                task: "Destroy an enemy unit in one blow.",
                praise: "What is destroyed does not strike back.",
                advice: "The infantry has only five HP left: the panzer is strong enough.",
                rules: "",
                position: WEAK,
                within: 1,
                is_done: |before, after| {
                    after.units().filter(|unit| unit.team != before.mover()).count() == 1
                },
            },
            Lesson {
                task: "Shoot with the cannon from afar.",
                praise: "Nobody strikes back at a cannon.",
                advice: "A cannon shoots two or three cells far, but not after moving: touch it twice, then a target.",
                rules: "",
                position: CANNON,
                within: 1,
                is_done: |before, after| lost(before, after) > 0,
            },
            Lesson {
                task: "Bring your infantry into the best cover: four stars.",
                praise: "In cover like this it takes far less damage.",
                advice: "Mountains and fortresses have four stars, and only infantry climbs mountains.",
                rules: "",
                position: DUEL,
                within: 1,
                is_done: |before, after| {
                    let infantry = |state: &State| state.unit(1).map(|unit| unit.place);
                    infantry(after) != infantry(before)
                        && infantry(after).is_some_and(|place| after.terrain(place).stars() == 4)
                },
            },
        ]
    }
}

/// What the enemy of the side to move lost.
fn lost(before: &State, after: &State) -> u32 {
    let enemy = if before.mover() == Team::Red { Team::Blue } else { Team::Red };
    before.hp(enemy) - after.hp(enemy)
}

/// Whether no unit of the side to move has left its place.
fn stood_still(before: &State, after: &State) -> bool {
    let mut ours = before.units().filter(|unit| unit.team == before.mover());
    ours.all(|unit| after.units().any(|other| (other.id, other.place) == (unit.id, unit.place)))
}

/// A table from its heading and lines of a name and figures.
fn table<const N: usize>(
    head: [&str; N],
    lines: impl Iterator<Item = (&'static str, Vec<String>)>,
) -> Vec<Vec<String>> {
    let head = head.map(str::to_owned).to_vec();
    let lines = lines.map(|(name, figures)| [vec![name.to_owned()], figures].concat());
    std::iter::once(head).chain(lines).collect()
}

/// What grounds cost and what cover they give.
fn grounds() -> Vec<Vec<String>> {
    let figures = |ground: Terrain| {
        let cost = |movement_type| {
            ground.cost(movement_type).map_or_else(|| "–".to_owned(), |cost| cost.to_string())
        };
        [vec![ground.stars().to_string()], MovementType::ALL.map(cost).to_vec()].concat()
    };
    let lines = Terrain::ALL.into_iter().filter(|&ground| ground != Terrain::Wall);
    table(["Ground", "Stars", "Air", "Wheels", "Feet"], lines.map(|ground| (ground.name(), figures(ground))))
}

/// How far units go and reach.
fn kinds() -> Vec<Vec<String>> {
    let figures = |kind: Kind| {
        let movement_type = match kind.movement_type() {
            MovementType::Air => "air",
            MovementType::Wheels => "wheels",
            MovementType::Feet => "feet",
        };
        let reach = if kind.is_direct() { "1" } else { "2–3" };
        vec![kind.points().to_string(), movement_type.to_owned(), reach.to_owned()]
    };
    table(
        ["Unit", "Points", "Moves by", "Reach"],
        Kind::ALL.into_iter().map(|kind| (kind.name(), figures(kind))),
    )
}

/// Who is strong against whom.
fn powers() -> Vec<Vec<String>> {
    let [a, b, c, d, e, f] = Kind::ALL.map(Kind::name);
    let figures = |kind| Kind::ALL.map(|other| PowerTable::Program.of(kind, other).to_string()).to_vec();
    table(["Power", a, b, c, d, e, f], Kind::ALL.into_iter().map(|kind| (kind.name(), figures(kind))))
}
