//! The rules in seven pictures, and a first lesson.

use crate::rules::Tantrix;
use crate::state::State;
use ranka_core::{Lesson, Lessons, RuleStep};

const FIRST: &str = "board=1@0,0/0 hands=2,3,4;5,6,7 bag=50,51,52 colours=R,B mover=0 freed=0 phase=free";
const LOOP: &str = "board=1@0,0/2;2@1,0/0 hands=3,4;5,6 bag=50,51,52 colours=Y,B mover=0 freed=0 phase=free";
const FORCED: &str = "board=4@0,0/0;17@1,0/1;28@2,0/0;36@3,0/0;2@-1,1/0 hands=1,8,20,33,41,56;- bag=50,51 colours=R,B mover=0 freed=0 phase=forced";
/// The same when the bag is empty.
const FREED: &str = "board=4@0,0/0;17@1,0/1;28@2,0/0;36@3,0/0;2@-1,1/0 hands=1,8,20,33,41,56;- bag=- colours=R,B mover=0 freed=0 phase=forced";
const THREE: &str = "board=26@0,0/0;31@-1,0/5;21@-2,0/2;52@-2,-1/5;56@0,1/3;9@-3,-1/2 hands=29,36,46,1,53,4;37,32,27,35,22,17 bag=6,7,8,10,11,12 colours=R,B mover=0 freed=0 phase=forced";

impl Lessons for Tantrix {
    fn rule_steps() -> Vec<RuleStep> {
        vec![
            RuleStep::shown(
                "Every tile has three lines. You play one colour: at the end the longest line in it counts a point for each tile, and a closed loop counts double.",
                LOOP,
                &[],
            ),
            RuleStep::shown(
                "Place a tile of your hand next to others so that lines which touch have the same colour. Then you draw a new one from the bag. All hands are open.",
                FIRST,
                &[],
            )
            .foreseeing("2@1,0/2"),
            RuleStep::shown(
                "An empty space with tiles on three sides is forced. Whoever holds a tile for it must fill it: before the own move, and again after it.",
                FORCED,
                &[],
            ),
            RuleStep::shown(
                "If several tiles or spaces fit, you choose. If nothing you hold fits, the space waits for somebody else.",
                THREE,
                &[("cell--3,0", "!"), ("cell--1,1", "!"), ("cell--1,-1", "!")],
            ),
            RuleStep::shown(
                "In between you make one free move. So a turn is: fill what is forced (1), place one tile anywhere (2), fill what is forced now.",
                FORCED,
                &[("cell-0,1", "1"), ("cell-2,-1", "2")],
            ),
            RuleStep::shown(
                "As long as there are tiles in the bag, three things are not allowed: to give an empty space three lines of one colour, to put four tiles around it, or to place along the side of a forced space (hatched here).",
                FORCED,
                &[],
            ),
            RuleStep::shown(
                "When the bag is empty these bans are lifted, and you play on until all tiles lie or nothing fits.",
                FREED,
                &[],
            ),
        ]
    }

    fn lessons() -> Vec<Lesson<Tantrix>> {
        vec![
            Lesson {
                task: "You are red. Place a tile so that your red line grows.",
                praise: "Two tiles, two points.",
                advice: "A red end of the tile must touch a red end on the board. Touch a tile, then a space: what it gains is shown.",
                rules: "",
                position: FIRST,
                within: 1,
                is_done: |before, after| gain(before, after) >= 1,
            },
            Lesson {
                task: "There is a forced space, and you hold a tile for it. Fill it.",
                praise: "It had to be, and it even joined your line.",
                advice: "Only tiles that fit can be touched. The forced space is outlined.",
                rules: "",
                position: FORCED,
                within: 1,
                is_done: |before, after| after.plies() > before.plies(),
            },
            Lesson {
                task: "You are yellow. Close the loop: it counts double.",
                praise: "Three tiles in a loop are six points.",
                advice: "The two yellow corners are two thirds of a small ring. Tile 3 has the third.",
                rules: "",
                position: LOOP,
                within: 1,
                is_done: |before, after| gain(before, after) >= 4,
            },
        ]
    }
}

fn gain(before: &State, after: &State) -> i32 {
    after.score(before.mover()) - before.score(before.mover())
}
