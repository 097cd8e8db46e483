//! The rules in six pictures, and a first lesson.

use crate::rules::Geister;
use crate::square::exits;
use crate::state::State;
use ranka_core::{Actor, Lesson, Lessons, Position, RuleStep, Seat};

/// Own ghosts on c4 (blue) and f5 (red); the other's on f1, c3, a6 and e6.
const NEAR: &str = "5r/6/2b3/2B3/5R/r3b1 1 RRRBBBrrbb 20";
const AT_THE_DOOR: &str = "B4b/6/6/6/5R/r5 1 RRRBBBrrrbbb 20";

impl Lessons for Geister {
    fn rule_steps() -> Vec<RuleStep> {
        vec![
            RuleStep::shown(
                "You have eight ghosts, four red and four blue. Only you see which is which: the mark on the back is a diamond for red, a disc for blue. First you choose the four red ones.",
                "6/1rrrr1/1bbbb1/1BBBB1/1RRRR1/6 1 - 0",
                &[],
            ),
            RuleStep::shown("In turn, each moves one ghost one square: up, down, left or right, red and blue alike.", NEAR, &[]).foreseeing("c4d4"),
            RuleStep::shown(
                "Whoever enters a square with an enemy ghost takes it, and only then sees its colour.",
                NEAR,
                &[],
            )
            .foreseeing("c4c3"),
            RuleStep::shown(
                "A blue ghost that stands on one of the two far corners may leave the board through the door in its next turn. That wins at once.",
                AT_THE_DOOR,
                &[],
            )
            .foreseeing("a1out"),
            RuleStep::shown(
                "You also win by taking all four blue ghosts of the other, or when the other has taken all four of your red ones.",
                "6/2b3/2B3/6/5R/r5 1 RRRBBBrrrbbb 30",
                &[],
            ),
            RuleStep::shown(
                "So a red ghost wants to be taken and a blue one wants to get out, and both try to look like the other: here a red one stands at the door as if it were blue. After 200 moves the game is drawn.",
                "R3r1/1b4/6/6/5B/r3b1 1 RRRBBBrrbb 20",
                &[],
            ),
        ]
    }

    fn lessons() -> Vec<Lesson<Geister>> {
        vec![
            Lesson {
                task: "Take the ghost that stands in front of yours.",
                praise: "It was blue: one fewer to find. It could have been red.",
                advice: "Your ghost on c4 stands right below an enemy. Touch it, then the square of the enemy.",
                rules: "",
                position: NEAR,
                within: 1,
                is_done: |before, after| {
                    after.ghosts(Seat::SECOND).count() < before.ghosts(Seat::SECOND).count()
                },
            },
            Lesson {
                task: "A ghost stands in your corner and is about to leave. If it is blue, the game is lost: take it.",
                praise: "It was blue. Whoever guards the own corners cannot be surprised.",
                advice: "The ghost on a6 stands at the exit on your side. Your ghost above it can take it.",
                rules: "",
                position: "4r1/6/2b3/6/R4B/b5 1 RRRBBBrrrbb 20",
                within: 1,
                is_done: |before, after| {
                    after.ghosts(Seat::SECOND).count() < before.ghosts(Seat::SECOND).count()
                },
            },
            Lesson {
                task: "Bring your blue ghost to the exit: onto the corner beside the door.",
                praise: "Nobody is near: in the next turn it is out.",
                advice: "The exits are the two corners on the far side. Your blue ghost on b1 is one step away.",
                rules: "",
                position: "1B3b/6/6/6/5R/r5 1 RRRBBBrrrbbb 20",
                within: 1,
                is_done: |_, after| blue_on_exit(after),
            },
            Lesson {
                task: "Slip out: lead your blue ghost through the door.",
                praise: "Out, and the game is won.",
                advice: "Touch the blue ghost in the corner, then the open door beside it.",
                rules: "",
                position: AT_THE_DOOR,
                within: 1,
                is_done: |_, after| after.actor() == Actor::Over,
            },
        ]
    }
}

/// Whether a blue ghost of the first player stands at an exit.
fn blue_on_exit(state: &State) -> bool {
    state.ghosts(Seat::FIRST).any(|(square, red)| !red && exits(Seat::FIRST) & square.bit() != 0)
}
