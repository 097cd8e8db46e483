//! The rules in seven pictures, and a first lesson.

use crate::rules::Labyrinth;
use crate::state::State;
use ranka_core::{Actor, Lesson, Lessons, Position as _, RuleStep};

/// A board with what else there is in a position.
macro_rules! board {
    ($rest:literal) => {
        concat!(
            "tiles=L1,I1,T1:KnightHelmet,L2,T1:Candles,T3:Mermaid,L2/I0,L2:Bomb,I0,L3,T0:Pony,I1,L0/\
             T0:Dagger,T1:Cannon,T0:Diamond,L0,T1:Treasure,L0:Owl,T2:Ring/I0,L1,T2:Ghost,I1,L1:Mouse,I1,L2/\
             T0:HolyGrail,L2:Bug,T3:Keys,I0,T2:Crown,L3,T2:Potion/T0:Dinosaur,I1,L3:Cat,I1,L0,T1:Bat,I0/\
             L0,L1,T3:Coins,I0,T3:Book,L1,L3 extra=L1:Lizard ",
            $rest
        )
    };
}

const PUSH: &str = board!("pawns=3,1;6,6 homes=0,0;6,6 cards=Cat;Book found=-;- last=- mover=0 phase=push");
const CARRIED: &str =
    board!("pawns=6,5;3,5 homes=0,0;6,6 cards=Cat;Book found=-;- last=- mover=0 phase=push");
const BARRED: &str = board!("pawns=3,1;6,6 homes=0,0;6,6 cards=Cat;Book found=-;- last=9 mover=0 phase=push");
const WALK: &str = board!("pawns=3,1;6,6 homes=0,0;6,6 cards=Cat;Book found=-;- last=0 mover=0 phase=move");

const HOME: &str = board!("pawns=3,1;6,6 homes=0,0;6,6 cards=-;Book found=Cat;- last=0 mover=0 phase=move");

impl Lessons for Labyrinth {
    fn rule_steps() -> Vec<RuleStep> {
        vec![
            RuleStep::shown(
                "You are looking for the treasure on your card, and see no card but your top one. When you have found it you turn up the next.",
                PUSH,
                &[("cell-2-5", "★")],
            ),
            RuleStep::shown(
                "A turn has two parts: first you push the extra tile in at one of the twelve arrows, then you may walk. You choose how the tile lies.",
                PUSH,
                &[("entry-3", "←")],
            ),
            RuleStep::shown(
                "The whole row or column slides by one. The tile that falls out at the other end is the extra tile of the next player.",
                PUSH,
                &[],
            )
            .foreseeing("p9r2"),
            RuleStep::shown(
                "Whoever stands on the line is carried along. Whoever falls out comes in again on the tile that was pushed in.",
                CARRIED,
                &[],
            )
            .foreseeing("p9r2"),
            RuleStep::shown(
                "Nobody may take back the last push: the arrow opposite is closed for this turn. You have to push, even if you would rather not.",
                BARRED,
                &[("entry-9", "✓"), ("entry-5", "✕")],
            ),
            RuleStep::shown(
                "Then walk as far as the corridors lead, or stay. Pawns do not block each other. If you end on the treasure of your card, it is found.",
                WALK,
                &[],
            )
            .foreseeing("m2,5"),
            RuleStep::shown(
                "The first to find all the treasures of their cards and to return to their own corner wins.",
                HOME,
                &[],
            )
            .foreseeing("m0,0"),
        ]
    }

    fn lessons() -> Vec<Lesson<Labyrinth>> {
        vec![
            Lesson {
                task: "The push is done. Walk to the cat.",
                praise: "Found. In a whole game you would turn up your next card now.",
                advice: "Follow the light corridors. The cat is in column 2, row 5.",
                rules: "",
                position: WALK,
                within: 1,
                is_done: found_one,
            },
            Lesson {
                task: "Reach the pony in one turn: push, then walk.",
                praise: "One push opens the way. Most turns are won like this.",
                advice: "The pony is in row 1. Slide its row or a column next to it and see where the corridors lead then.",
                rules: "",
                position: board!(
                    "pawns=0,0;6,6 homes=0,0;6,6 cards=Pony;Book found=-;- last=- mover=0 phase=push"
                ),
                within: 2,
                is_done: found_one,
            },
            Lesson {
                task: "The lizard is on the extra tile. Push it in so that you can walk to it.",
                praise: "A treasure on the extra tile is often the easiest: you choose where it goes.",
                advice: "Push it into row 1 from the left side, and turn it so that its corridor joins yours.",
                rules: "",
                position: board!(
                    "pawns=4,2;6,6 homes=0,0;6,6 cards=Lizard;Book found=-;- last=- mover=0 phase=push"
                ),
                within: 2,
                is_done: found_one,
            },
            Lesson {
                task: "All your treasures are found. Go home to the corner with your letter.",
                praise: "Home: the game is won.",
                advice: "Home is the corner at the top left. Push so that a corridor leads there, then walk.",
                rules: "",
                position: board!(
                    "pawns=2,0;6,6 homes=0,0;6,6 cards=-;Book found=Cat;- last=- mover=0 phase=push"
                ),
                within: 2,
                is_done: |_, after| after.actor() == Actor::Over,
            },
        ]
    }
}

fn found_one(before: &State, after: &State) -> bool {
    let found = |state: &State| state.cards().found(before.mover()).len();
    found(after) > found(before)
}
