//! What the original program's players decided on board G: every decision and whole plans.

mod common;

use common::*;
use ranka_core::{
    AgentKind, AgentSpec, Budget, Fault, Game, Notation, Position, Roster, Scale, Seat, Seed, Thinking,
    Thought,
};
use ranka_labyrinth::{Action, Cell, Entry, Labyrinth, State, View};
use std::sync::atomic::AtomicBool;

fn think_with(
    spec: &str,
    view: &View,
    budget: Option<Budget>,
    cancel: bool,
) -> Result<Thought<Action>, Fault> {
    let (_, maker) = game("").recruit(&AgentSpec::parse(spec)).expect("a known agent");
    let mut agent = maker.seat(view.seat(), Seed::new(1)).expect("a seat");
    let cancel = AtomicBool::new(cancel);
    let rng = ranka_core::Rng::new(Seed::new(2));
    agent.think(view, &mut Thinking::new(rng, budget, &cancel))
}

fn think(spec: &str, state: &State) -> Thought<Action> {
    think_with(spec, &view(state), None, false).expect("an answer")
}

/// `(6,5) r0 -> (0,0); …` as the specification writes plans.
fn written(plan: &[Action]) -> String {
    let mut out = String::new();
    let place = |cell: Cell| format!("({},{})", cell.x(), cell.y());
    for action in plan {
        match action {
            Action::Push(push) => {
                let between = if out.is_empty() { "" } else { "; " };
                out += &format!("{between}{} r{}", place(push.entry.cell()), push.rotation);
            }
            Action::Move(cell) => out += &format!(" -> {}", place(*cell)),
        }
    }
    out
}

fn plan(spec: &str, state: &State) -> String {
    let thought = think(spec, state);
    let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice);
    written(&chosen.expect("the choice is explained").pv)
}

/// Mover, pawns, target, entry cell of the last push; then what Saboteur and Big Brain (source preset) do.
const DECISIONS: [(usize, &str, &str, &str, &str, &str); 8] = [
    (0, "0,0;6,6", "Mouse", "-", "(6,5) r0 -> (0,0)", "(3,0) r0 -> (4,3)"),
    (0, "0,0;6,6", "Ghost", "-", "(6,5) r0 -> (0,0)", "(3,0) r0 -> (2,3)"),
    (1, "0,0;6,6", "Book", "3,0", "(0,1) r1 -> (6,6)", "(5,0) r0 -> (4,6)"),
    (1, "2,4;6,6", "Owl", "6,1", "(6,3) r0 -> (6,6)", "(5,0) r0 -> (5,3)"),
    (0, "6,0;0,6", "Coins", "6,5", "(6,1) r0 -> (6,0)", "(1,0) r0 -> (6,1); (0,1) r1 -> (2,6)"),
    (
        0,
        "6,0;0,6",
        "Cat",
        "5,0",
        "(6,5) r0 -> (6,0)",
        "(1,0) r0 -> (6,1); (0,1) r1 -> (0,2); (1,6) r0 -> (2,5)",
    ),
    (
        1,
        "0,0;3,3",
        "Candles",
        "3,0",
        "(0,1) r1 -> (3,3)",
        "(0,3) r0 -> (4,3); (5,6) r0 -> (5,3); (6,1) r0 -> (4,0)",
    ),
    (
        0,
        "6,6;0,0",
        "Bug",
        "3,6",
        "(0,1) r1 -> (6,6)",
        "(6,1) r0 -> (6,5); (3,0) r0 -> (3,4); (0,1) r0 -> (1,4)",
    ),
];

#[test]
fn the_original_players_decide_as_they_did() {
    for (mover, pawns, target, last, saboteur, big_brain) in DECISIONS {
        let entry = Entry::all().find(|entry| entry.cell().to_string() == last);
        let last = entry.map_or("-".to_owned(), |entry| entry.index().to_string());
        let cards = if mover == 0 { format!("{target};Lizard") } else { format!("Lizard;{target}") };
        let rest = format!("cards={cards} found=-;- last={last} mover={mover} phase=push");
        let state = position_g(pawns, &rest);
        assert_eq!(plan("saboteur", &state), saboteur, "saboteur, {target}");
        assert_eq!(plan("big-brain", &state), big_brain, "big-brain, {target}");
    }
}

/// The parts of the source preset, named one by one, are the preset.
#[test]
fn presets_are_their_parts() {
    let rest = "cards=Cat;Lizard found=-;- last=2 mover=0 phase=push";
    let state = position_g("6,0;0,6", rest);
    let source = think("big-brain", &state);
    let parts = "big-brain:preset=thesis,entries=source8,dedupe=source,fallback=root-child,budget=1000";
    assert_eq!(think(parts, &state), source);
    let thesis = think("big-brain:preset=thesis", &state);
    let parts = "big-brain:entries=legal,dedupe=none,fallback=explored-node,budget=40";
    assert_eq!(think(parts, &state), thesis);
    assert_ne!(source, thesis);
}

/// Both searches are breadth first, so leaving out positions that were seen cannot make a plan longer.
#[test]
fn transpositions_save_work_and_change_no_length() {
    let mut saved = 0;
    for seed in 0..150 {
        let state = game("").start(&mut ranka_core::Rng::new(Seed::new(seed)));
        let [plain, deduped] = ["none", "transposition"]
            .map(|dedupe| think(&format!("big-brain:preset=thesis,budget=600,dedupe={dedupe}"), &state));
        let (Some(one), Some(two)) = (plain.candidates.first(), deduped.candidates.first()) else { continue };
        assert_eq!(one.value, two.value);
        assert!(deduped.nodes <= plain.nodes);
        saved += u32::from(deduped.nodes < plain.nodes);
    }
    assert!(saved > 5, "only {saved} searches met a position again");
}

/// Criteria that reach their target at once do so.
#[test]
fn criteria_take_what_is_in_reach() {
    for target in ["Mouse", "Ghost", "Diamond"] {
        let rest = format!("cards={target};Lizard found=-;- last=- mover=0 phase=push");
        for agent in ["distance", "static", "slide"] {
            let mut state = position_g("0,0;6,6", &rest);
            let thought = think(agent, &state);
            let chosen = thought.candidates.iter().find(|c| c.action == thought.choice).unwrap();
            assert_eq!(chosen.pv.len(), 2, "{agent} {target}: {}", written(&chosen.pv));
            for &action in &chosen.pv {
                state.apply(action);
            }
            assert_eq!(state.cards().found(Seat::FIRST).len(), 1, "{agent} collects the {target}");
        }
    }
}

/// Every value of a criterion is the highest over all turns that begin with the push, so the choice has the highest.
#[test]
fn the_choice_has_the_highest_value() {
    let rest = "cards=Candles;Lizard found=-;- last=1 mover=0 phase=push";
    let state = position_g("3,3;0,0", rest);
    for agent in ["inference", "distance", "static", "hybrid", "slide"] {
        for params in
            ["", "budget=1", "ties=random", "target=turn-start", "entries=source8", "threshold=-100"]
        {
            let thought = think(&format!("{agent}:{params}"), &state);
            let best = thought.candidates.iter().map(|c| c.value).fold(f64::NEG_INFINITY, f64::max);
            let chosen = thought.candidates.iter().find(|c| c.action == thought.choice).unwrap();
            assert_eq!(chosen.value, best, "{agent}:{params}");
            let pushes = if params == "entries=source8" { 32 } else { 44 };
            assert_eq!(thought.candidates.len(), pushes, "{agent}:{params}");
            if ["budget=1", "threshold=-100"].contains(&params) {
                assert_eq!((thought.nodes, chosen.pv.len()), (1, 2), "{agent}:{params}");
            }
        }
    }
}

#[test]
fn the_match_may_set_the_budget_and_stop_the_thinking() {
    let state = position_g("3,3;0,0", "cards=Candles;Lizard found=-;- last=1 mover=0 phase=push");
    for agent in ["big-brain:preset=thesis", "distance", "champion"] {
        let nodes = |n| think_with(agent, &view(&state), Some(Budget::Nodes(n)), false).map(|t| t.nodes);
        assert_eq!(nodes(1), Ok(1));
        assert_eq!(nodes(3), Ok(3), "{agent}");
        assert!(think_with(agent, &view(&state), Some(Budget::Millis(1)), false).is_ok());
        assert_eq!(think_with(agent, &view(&state), None, true), Err(Fault::Cancelled));
    }
}

/// An agent that is asked for a move alone (an analysis) answers as well.
#[test]
fn a_move_can_be_asked_for_alone() {
    let mut state = position_g("0,0;6,6", "cards=Mouse;Book found=-;- last=- mover=0 phase=push");
    state.apply(Action::Push(push(3, 0, 0)));
    for kind in Labyrinth::agents().into_iter().filter(AgentKind::has_defaults) {
        let thought = think(kind.name, &state);
        assert!(state.is_legal(thought.choice), "{}", kind.name);
        if ["big-brain", "inference", "distance", "static", "slide"].contains(&kind.name) {
            assert_eq!(game("").write_action(thought.choice), "m4,3", "{} goes to the Mouse", kind.name);
        }
    }
}

/// What the champion tells are chances: the choice has the best one, a win at once is sure, and each push comes with the
/// walk that is meant.
#[test]
fn the_champion_tells_chances() {
    let mut state = position_g("2,0;3,3", "cards=-;Lizard found=Mouse;Book last=- mover=0 phase=push");
    let thought = think("champion", &state);
    assert_eq!(thought.scale, Scale::Score);
    assert_eq!(thought.candidates.len(), 48);
    assert!(thought.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.value)));
    let best = thought.candidates.iter().map(|candidate| candidate.value).fold(0.0, f64::max);
    let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice).unwrap();
    assert_eq!((chosen.value, best), (1.0, 1.0), "home is two steps away");
    for &action in &chosen.pv {
        state.apply(action);
    }
    assert!(state.actor().is_over());
    assert_eq!(state.outcome().score(Seat::FIRST), 1.0);
}

/// How many pushes would let the mover walk home.
fn ways_home(state: &State) -> usize {
    let mut pushes = Vec::new();
    state.actions(&mut pushes);
    let leads_home = |&&push: &&Action| {
        let mut after = *state;
        after.apply(push);
        after.is_legal(Action::Move(state.home(state.mover())))
    };
    pushes.iter().filter(leads_home).count()
}

/// Who needs only go home is kept from it as well as one can: the champion leaves no more ways than any other push does.
#[test]
fn the_champion_bars_the_way_home() {
    let mut barred = 0;
    for pawn in ["4,6", "6,4", "2,6", "4,4", "6,2"] {
        let rest = "cards=Candles+Cat;- found=Mouse;Book last=- mover=0 phase=push";
        let state = position_g(&format!("0,0;{pawn}"), rest);
        let after = |push: Action| {
            let mut after = state;
            after.apply(push);
            after.apply(Action::Move(after.pawn(Seat::FIRST)));
            ways_home(&after)
        };
        let mut pushes = Vec::new();
        state.actions(&mut pushes);
        let left = after(think("champion", &state).choice);
        let (least, most) = pushes
            .iter()
            .fold((99, 0), |(least, most), &push| (after(push).min(least), after(push).max(most)));
        assert!(left == 0 || least > 0, "{pawn}: {left} ways home, but {least} could be left");
        barred += usize::from(left == 0 && most > 0);
    }
    assert!(barred > 0, "there was never a way home to bar");
}
