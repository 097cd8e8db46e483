//! States and views of every game as Python holds them: actions by text and by number, pasts, and agents that are told them.
#![allow(clippy::unwrap_used)]

mod common;

use common::RULES;
use ranka_core::{
    Actor, AnyAgent, AnyGame, AnyState, AnyView, Fault, GameSeeds, Rng, Seat, Seed, Settings, Thinking,
    Thought, ViewAgent, ViewMaker, ViewTold,
};
use std::sync::Arc;

fn games() -> Vec<Arc<dyn AnyGame>> {
    let open = |(name, rules): (&str, &str)| ranka_games::game(name).unwrap().open(rules);
    RULES.into_iter().map(|rules| open(rules).unwrap()).collect()
}

fn observation(state: &dyn AnyState, game: &dyn AnyGame, seat: Seat) -> Vec<f32> {
    let mut out = vec![f32::NAN; game.layout().observation_len()];
    state.observe(seat, &mut out);
    out
}

/// A random game, position by position.
fn walk(game: &dyn AnyGame, number: u64) -> Vec<Arc<dyn AnyState>> {
    let mut state = game.dealt(&GameSeeds::of(Seed::new(5), number, 0));
    let mut rng = Rng::new(Seed::new(number));
    let mut states = vec![Arc::clone(&state)];
    loop {
        state = match state.actor() {
            Actor::Over => return states,
            Actor::Chance => state.drawn(None).unwrap(),
            Actor::Seat(_) => state.after(&state.legal()[rng.index(state.legal().len())]).unwrap(),
        };
        states.push(Arc::clone(&state));
    }
}

#[test]
fn text_and_numbers_lead_to_the_same() {
    for game in games() {
        for state in walk(game.as_ref(), 1).iter().step_by(3) {
            let (legal, numbers) = (state.legal(), state.legal_indices());
            assert_eq!(legal.len(), numbers.len(), "{}", state.notation());
            for (action, &number) in legal.iter().zip(&numbers) {
                assert_eq!(state.index(action).unwrap(), number);
                assert_eq!(&state.action(number).unwrap(), action);
                let (by_text, by_number) = (state.after(action).unwrap(), state.after_index(number).unwrap());
                assert!(by_text.equals(by_number.as_ref()));
                assert_eq!(by_text.hash_code(), by_number.hash_code());
            }
            let mut mask = vec![9; game.layout().actions()];
            state.mask(&mut mask);
            let marked: Vec<usize> = (0..mask.len()).filter(|&i| mask[i] == 1).collect();
            let mut expected = if state.actor().seat().is_some() { numbers } else { Vec::new() };
            expected.sort_unstable();
            assert_eq!(marked, expected);
            assert!(
                (state.actor() != Actor::Chance)
                    ^ ((state.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-9)
            );
        }
    }
}

#[test]
fn what_is_no_action_is_refused_with_the_reason() {
    let game = ranka_games::game("kalah").unwrap().open("").unwrap();
    let state = game.dealt(&GameSeeds::of(Seed::new(1), 0, 0));
    let refused = |number| state.after_index(number).err().unwrap().to_string();
    assert_eq!(refused(99), "kalah action number 99: no action has it; there are 7");
    assert!(state.after("x").err().unwrap().to_string().starts_with("kalah action: \"x\", column 1"));
    assert_eq!(state.drawn(None).err().unwrap().to_string(), "kalah position: chance is not to act");
    let seat = Arc::clone(&state).view(Seat::new(3)).err().unwrap();
    assert_eq!(seat.to_string(), "seat 3: this position has 2 seats");
}

#[test]
fn a_past_that_is_told_again_gives_the_same_observations() {
    for game in games() {
        let states = walk(game.as_ref(), 2);
        let last = &states[states.len() - 2];
        let mut again = game.state(&last.start(), last.chance()).unwrap();
        for action in last.history() {
            again = again.after(&action).unwrap();
        }
        assert!(again.equals(last.as_ref()));
        assert_eq!(again.plies(), last.plies());
        for seat in Seat::all(game.seats()) {
            let expected = observation(last.as_ref(), game.as_ref(), seat);
            assert_eq!(observation(again.as_ref(), game.as_ref(), seat), expected);
            let view = Arc::clone(&again).view(seat).unwrap();
            let mut seen = vec![f32::NAN; expected.len()];
            view.observe(&mut seen);
            assert_eq!(seen, expected);
            assert!(game.view(&view.notation(), seat).unwrap().equals(view.as_ref()));
            let world = view.sample(Seed::new(3)).view(seat).unwrap();
            assert!(world.equals(view.as_ref()), "a world looks the same");
        }
    }
}

#[test]
fn an_agent_asked_with_its_seed_does_what_it_did_in_the_match() {
    for game in games() {
        let agent = game.agent("random").unwrap();
        let seeds = GameSeeds::of(Seed::new(8), 3, 0);
        let players: Vec<(&AnyAgent, usize)> = (0..game.seats()).map(|number| (&agent, number)).collect();
        let record = game.play(&players, &seeds, &Settings::default(), None).record;
        let mut state = game.dealt(&seeds);
        assert_eq!(state.notation(), record.start);
        for action in record.actions.split(' ') {
            state = match state.actor() {
                Actor::Seat(seat) => {
                    let view = Arc::clone(&state).view(seat).unwrap();
                    let seed = seeds.agent(seat.index());
                    let thought = view.think(&agent, seed, &Settings::default(), &mut |_| {}).unwrap();
                    assert_eq!(thought.choice, action);
                    state.after(action).unwrap()
                }
                _ => state.drawn(None).unwrap(),
            };
        }
        assert_eq!(state.history().join(" "), record.actions);
        assert_eq!(state.outcome().unwrap(), record.outcome);
    }
}

/// Plays its first choice, and keeps what it observed.
struct First(Arc<std::sync::Mutex<Vec<(String, Vec<f32>)>>>, usize);

impl ViewMaker for First {
    fn seat(&self, _: Seat, _: Seed) -> Box<dyn ViewAgent> {
        Box::new(First(Arc::clone(&self.0), self.1))
    }
}

impl ViewAgent for First {
    fn think(
        &mut self,
        view: Arc<dyn AnyView>,
        _: &mut Thinking<'_, String>,
    ) -> Result<Thought<String>, Fault> {
        let mut seen = vec![f32::NAN; self.1];
        view.observe(&mut seen);
        self.0.lock().unwrap().push((view.notation(), seen));
        Ok(Thought::plain(view.choices().swap_remove(0)))
    }

    fn listens(&self) -> bool {
        true
    }

    fn told(&mut self, event: ViewTold) {
        assert_eq!(event.before.seat(), event.after.seat());
    }
}

#[test]
fn an_agent_of_ones_own_observes_what_the_states_tell() {
    for game in games() {
        let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
        let maker = Arc::new(First(Arc::clone(&seen), game.layout().observation_len()));
        let agent = game.own_agent("first", "1", maker);
        let players: Vec<(&AnyAgent, usize)> = (0..game.seats()).map(|number| (&agent, number)).collect();
        let seeds = GameSeeds::of(Seed::new(2), 0, 0);
        let record = game.play(&players, &seeds, &Settings::default(), None).record;
        let mut state = game.dealt(&seeds);
        let mut seen = std::mem::take(&mut *seen.lock().unwrap()).into_iter();
        for action in record.actions.split(' ') {
            if let Actor::Seat(seat) = state.actor() {
                let (text, observed) = seen.next().unwrap();
                assert_eq!(text, Arc::clone(&state).view(seat).unwrap().notation());
                assert_eq!(observed, observation(state.as_ref(), game.as_ref(), seat));
            }
            state = state.after(action).unwrap();
        }
        assert_eq!(seen.len(), 0);
    }
}

#[test]
fn a_position_of_another_board_has_no_place_in_the_arrays() {
    let open = |name: &str, rules: &str| ranka_games::game(name).unwrap().open(rules).unwrap();
    let why = |game: &dyn AnyGame, of: &dyn AnyGame, what: &str| {
        let state = of.dealt(&GameSeeds::of(Seed::new(1), 0, 0));
        let refused = game.state(&state.notation(), Seed::new(1)).err().expect("it is refused").to_string();
        let view = state.view(Seat::FIRST).unwrap().notation();
        let alike = game.view(&view, Seat::FIRST).err().expect("its view, too").to_string();
        assert_eq!(refused, alike);
        assert!(refused.ends_with(what), "{refused}");
    };
    let kalah = open("kalah", "");
    why(
        kalah.as_ref(),
        open("kalah", "houses=12").as_ref(),
        "it is of a game with houses=12, this game has houses=6",
    );
    why(
        open("labyrinth", "").as_ref(),
        open("labyrinth", "players=4").as_ref(),
        "it has 4 seats, this game has 2",
    );
    // Other numbers of seeds are on the same board.
    assert!(kalah.state("<6,0,0,1,0,0,0,0,0,0,0,0,0,0,2> S", Seed::new(1)).is_ok());
    let more = open("kalah", "seeds=5").dealt(&GameSeeds::of(Seed::new(1), 0, 0));
    assert!(kalah.state(&more.notation(), Seed::new(1)).is_ok());
}
