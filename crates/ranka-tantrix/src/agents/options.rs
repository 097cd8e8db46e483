//! The parameters that agents share: declared once, read once.

use super::closing::Closing;
use super::evaluation::{Evaluation, Obstruction, SmallLoop, Tested, Worth};
use super::mast::Preference;
use crate::obstruction::{Ends, Reading, Several};
use ranka_core::{Budget, Error, Param, Params};
use ranka_search::{Chance, FinalChoice};

/// How many playouts, and how their ends are judged.
pub(super) const PLAYOUTS: [Param; 4] = [
    Param::int("playouts", 1, 100_000_000, "1000", "playouts for each decision"),
    Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
    Param::choice("value", &["arctan", "outcome"], "judge the final difference, or only who won"),
    Param::real("slope", 0.0, 10.0, "0.1", "slope of the arctan"),
];

/// How the tree is searched.
pub(super) const TREE: [Param; 5] = [
    Param::real("c", 0.0, 10.0, "0.3", "exploration in mean + c·√(ln N / n)"),
    Param::int("expand", 0, 1_000_000, "0", "a node gets children when visited more often than this"),
    Param::choice("choice", &["visits", "mean"], "play the most visited placement, or the best mean"),
    Param::choice(
        "chance",
        &["open", "nodes", "ensemble"],
        "draws: open loop, chance nodes, fixed bag orders",
    ),
    Param::int("trees", 1, 1000, "8", "bag orders of an ensemble, a tree each"),
];

/// How playouts are guided.
pub(super) const MAST: [Param; 6] = [
    Param::choice("playout", &["gibbs", "greedy", "uniform"], "playouts by averages, or uniformly random"),
    Param::real("tau", 0.001, f64::INFINITY, "0.1", "temperature of gibbs; inf makes it uniform"),
    Param::real("epsilon", 0.0, 1.0, "0.2", "share of random placements of greedy"),
    Param::real("unseen", 0.0, 1.0, "0.5", "average of a placement that was never made"),
    Param::real("decay", 0.0, 1.0, "0", "share of the averages kept for the next decision of a game"),
    Param::switch("order", true, "try unvisited children in the order of their averages"),
];

/// How an obstructed longest line is understood, and what one that is not costs.
pub(super) const OBSTRUCTION: [Param; 13] = [
    Param::choice("ends", &["one", "both", "graded"], "obstructed ends asked for; graded: half for each"),
    Param::choice("several", &["every", "any", "first"], "which of several longest lines must be obstructed"),
    Param::choice("loops", &["free", "ignored"], "a longest loop is not obstructed, or loops are ignored"),
    Param::choice("longest", &["points", "tiles"], "what makes a line the longest"),
    Param::switch("count-forced", false, "the forced space at the head of a side obstructs too").once_snake(),
    Param::choice("tested", &["leaf", "root", "child", "playout"], "the position that is tested"),
    Param::choice("ply", &["tested", "root"], "whose ply number counts"),
    Param::choice("shift", &["all", "own"], "shift the value at all nodes, or only for the searching player"),
    Param::int("from", 0, 56, "20", "first ply of the smaller penalty"),
    Param::int("turning", 0, 57, "30", "first ply of the larger penalty"),
    Param::int("until", 0, 56, "40", "last ply of the larger penalty"),
    Param::real("middle", -100.0, 100.0, "2", "the smaller penalty in points"),
    Param::real("late", -100.0, 100.0, "6", "the larger penalty in points"),
];

/// Closing the opponent's small loops.
pub(super) const SMALL_LOOP: [Param; 3] = [
    Param::real("loop-weight", -100.0, 100.0, "0.5", "points for each opponent's tile in a small loop")
        .once_snake(),
    Param::int("loop-most", 3, 42, "6", "the most tiles of a small loop").once_snake(),
    Param::int("loop-until", 0, 56, "19", "last ply at which it counts").once_snake(),
];

/// Counting the tiles to come.
pub(super) const COUNTING: [Param; 1] =
    [Param::real("count-weight", -100.0, 100.0, "2", "points for each lost end of the opponent's best line")
        .once_snake()];

/// The search of the endgame.
pub(super) const CLOSING: [Param; 2] = [
    Param::int(
        "endgame",
        0,
        12,
        "0",
        "search by alpha-beta once the bag is empty and so many tiles are left",
    ),
    Param::int("endgame-nodes", 1, 1_000_000_000, "200000", "the most positions of that search").once_snake(),
];

/// All of these.
pub(super) fn joined(groups: &[&[Param]]) -> Vec<Param> {
    groups.concat()
}

/// The agent's own budget, if the match sets none.
pub(super) fn budget(params: &Params) -> Budget {
    match params.int("ms") {
        0 => Budget::Playouts(params.int("playouts") as u64),
        ms => Budget::Millis(ms as u64),
    }
}

pub(super) fn evaluation(params: &Params) -> Evaluation {
    let worth = match params.text("value") {
        "outcome" => Worth::Outcome,
        _ => Worth::Arctan { slope: params.real("slope") },
    };
    Evaluation { worth, ..Evaluation::PLAIN }
}

pub(super) fn final_choice(params: &Params) -> FinalChoice {
    if params.text("choice") == "mean" { FinalChoice::Mean } else { FinalChoice::VisitsThenMean }
}

/// How the tree treats draws; with an ensemble there are none left.
pub(super) fn chance(params: &Params) -> Chance {
    if params.text("chance") == "nodes" { Chance::Nodes } else { Chance::OpenLoop }
}

pub(super) fn preference(params: &Params) -> Option<Preference> {
    match params.text("playout") {
        "gibbs" => Some(Preference::Gibbs { tau: params.real("tau") }),
        "greedy" => Some(Preference::Greedy { epsilon: params.real("epsilon") }),
        _ => None,
    }
}

pub(super) fn closing(params: &Params) -> Closing {
    Closing { tiles: params.int("endgame") as usize, nodes: params.int("endgame-nodes") as u64 }
}

pub(super) fn obstruction(params: &Params) -> Result<Obstruction, Error> {
    let [from, until] = ["from", "until"].map(|name| params.int(name) as usize);
    if from > until {
        return Err(Error::input(format!("from={from},until={until}: no ply would have a penalty")));
    }
    let reading = Reading {
        ends: match params.text("ends") {
            "both" => Ends::Both,
            "graded" => Ends::Graded,
            _ => Ends::One,
        },
        several: match params.text("several") {
            "any" => Several::Any,
            "first" => Several::First,
            _ => Several::Every,
        },
        ignore_loops: params.text("loops") == "ignored",
        by_points: params.text("longest") == "points",
        count_forced: params.on("count-forced"),
        count_dead: false,
    };
    Ok(Obstruction {
        reading,
        tested: match params.text("tested") {
            "root" => Tested::Root,
            "child" => Tested::Child,
            "playout" => Tested::Playout,
            _ => Tested::Leaf,
        },
        root_ply: params.text("ply") == "root",
        own_nodes: params.text("shift") == "own",
        from,
        turning: params.int("turning") as usize,
        until,
        middle: params.real("middle"),
        late: params.real("late"),
    })
}

pub(super) fn small_loop(params: &Params) -> SmallLoop {
    SmallLoop {
        weight: params.real("loop-weight"),
        most: params.int("loop-most") as usize,
        until: params.int("loop-until") as usize,
    }
}

/// The paper's evaluation as recommended.
pub(super) fn recommended_obstruction() -> Obstruction {
    obstruction(&Params::defaults(OBSTRUCTION.to_vec())).expect("the defaults are sound")
}
