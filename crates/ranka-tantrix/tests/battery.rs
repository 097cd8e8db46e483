//! Tantrix against the battery, and its golden files.

use ranka_battery::{
    Battery, agents_can_be_rebuilt, agents_play, battery, check_perft_file, check_playthrough, playthrough,
};
use ranka_tantrix::{State, Tantrix};

fn rounds(rules: &str, games: u64) -> Battery<'static, Tantrix> {
    Battery::of(rules)
        .games(games)
        .plies(100)
        .invariant(|state: &State| {
            let tiles = state.plies() + state.unplayed().len();
            assert_eq!(tiles, 56, "no tile is lost");
        })
        .agents(&["random"])
}

/// Every agent, and every option that changes how one works.
const AGENTS: [&str; 22] = [
    "champion:nodes=300",
    "champion:nodes=200,c=1,temperature=0.05,trust=2,playouts=0,endgame=0",
    "plain-flat-mc:playouts=60",
    "plain-uct:playouts=20",
    "greedy",
    "greedy:plies=2,by=own,endgame=4",
    "flat-mc:playouts=60",
    "flat-mc:playouts=100,rule=ucb,endgame=3",
    "uct:playouts=20",
    "uct:playouts=20,value=outcome,choice=mean,chance=nodes",
    "uct:playouts=20,chance=ensemble,trees=3",
    "darwin:playouts=20",
    "darwin:playouts=20,playout=greedy,order=off,expand=3",
    "darwin:playouts=20,chance=ensemble,trees=2,endgame=4,endgame-nodes=5000",
    "obstructor:playouts=20",
    "obstructor:playouts=20,tested=child,ends=graded,several=any,shift=own",
    "obstructor:playouts=20,tested=root,ends=both,several=first,loops=ignored,ply=root",
    "obstructor:playouts=20,tested=playout,longest=tiles,count-forced=on",
    "small-loop:playouts=20",
    "counting:playouts=20",
    "counting-obstructor:playouts=20",
    "darwin:playouts=20,playout=uniform",
];

#[test]
fn tantrix_stands_the_battery() {
    for (rules, games) in [("", 2), ("players=3,colours=YGB", 1), ("players=4,exactly3=on", 1)] {
        battery(&rounds(rules, games));
    }
}

#[test]
fn agents_stand_the_battery() {
    let all = |rules, specs: &[&str], games| {
        let b = rounds(rules, 1).agents(specs).agent_games(games);
        agents_play(&b);
        agents_can_be_rebuilt(&b);
    };
    all("", &AGENTS, 2);
    // What fades from decision to decision is lost when an agent is rebuilt, so these only play.
    let fading = ["darwin:playouts=20,decay=0.5", "obstructor:playouts=20,decay=1,chance=ensemble,trees=2"];
    agents_play(&rounds("", 1).agents(&fading).agent_games(2));
    all("", &["level:rank=2", "partner:opponent=3"], 1);
    all("players=3", &["partner:method=score"], 1);
    all(
        "players=4",
        &[
            "champion:nodes=300",
            "greedy",
            "plain-uct:playouts=20",
            "flat-mc:playouts=60",
            "counting-obstructor:playouts=10,endgame=12",
        ],
        1,
    );
}

#[test]
fn perft() {
    check_perft_file::<Tantrix>("tests/tantrix.perft");
}

#[test]
fn playthroughs() {
    for (name, rules) in [("two", ""), ("four", "players=4,exactly3=on")] {
        check_playthrough(format!("tests/playthroughs/{name}.txt"), &playthrough::<Tantrix>(rules, 1));
    }
}

#[test]
fn lessons_can_be_learned_from() {
    ranka_battery::lessons_teach::<Tantrix>();
}
