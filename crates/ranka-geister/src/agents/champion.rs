//! `champion`: a learned judgement. A network weighs set-ups and steps by what both sides' ghosts have done so far and
//! guesses the hidden colours; the guesses are looked through one step deep.

use super::forced_win::ForcedWin;
use super::player::choices;
use crate::action::Action;
use crate::encoding::Deeds;
use crate::rules::Geister;
use crate::square::{Bits, squares, turned};
use crate::state::State;
use crate::view::View;
use ranka_core::{
    Agent, AgentKind, Budget, Candidate, Encoding as _, Fault, Param, Params, Position as _, Rng, Scale,
    Seat, Seed, Thinking, Thought, Told,
};
use ranka_learn::{Network, NetworkPlayer, Scratch, Shipped, Weighed};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) static CHAMPION: Shipped = Shipped::new(&[
    ("first", include_bytes!("../../networks/first.net")),
    ("second", include_bytes!("../../networks/second.net")),
]);

/// Which of them, or another.
pub(super) const NETWORK: Param = Param::file(
    "network",
    &["champion", "first", "second"],
    "champion: one of the two that were trained, drawn for each game; one of these; or a network file",
);

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "champion",
        version: 2,
        summary: "A network trained by self-play: it judges steps and colours by what the ghosts have done, and looks \
                  one step ahead in guessed worlds.",
        params: vec![
            NETWORK,
            Param::int(
                "worlds",
                0,
                1000,
                "2",
                "guesses at the hidden colours that are looked through; 0 for none",
            ),
            Param::real("temperature", 0.0, 10.0, "1", "how evenly it mixes: 0 always takes the likeliest"),
            Param::real(
                "trust",
                0.0,
                1000.0,
                "0",
                "how much a step's winning chance counts beside the policy",
            ),
            Param::int("dfpn", 0, 60, "9", "first look for a forced win within so many plies (0: do not)"),
            Param::int("dfpn-nodes", 1, 100_000_000, "5000", "give that up after so many positions"),
        ],
        build: |game, params| {
            let (game, style) = (*game, Style::read(params));
            let networks = CHAMPION.open(params.text("network"), &game)?;
            Ok(Arc::new(move |seat: Seat, seed: Seed| Champion::new(networks.draw(seed), game, seat, style)))
        },
    }
}

#[derive(Clone, Copy)]
struct Style {
    worlds: u64,
    temperature: f64,
    trust: f64,
    dfpn: u32,
    dfpn_nodes: u64,
}

impl Style {
    fn read(params: &Params) -> Style {
        Style {
            worlds: params.int("worlds") as u64,
            temperature: params.real("temperature"),
            trust: params.real("trust"),
            dfpn: params.int("dfpn") as u32,
            dfpn_nodes: params.int("dfpn-nodes") as u64,
        }
    }
}

struct Champion {
    game: Geister,
    seat: Seat,
    network: Arc<Network>,
    player: NetworkPlayer<Geister>,
    forced: Option<ForcedWin>,
    style: Style,
    scratch: Scratch,
    observation: Vec<f32>,
}

/// How many evaluations, or until when.
struct Allowed {
    evaluations: u64,
    until: Option<Instant>,
}

impl Champion {
    fn new(network: Arc<Network>, game: Geister, seat: Seat, style: Style) -> Champion {
        Champion {
            game,
            seat,
            player: NetworkPlayer::new(network.evaluator(), game, seat),
            forced: (style.dfpn > 0).then(|| ForcedWin::new(style.dfpn, style.dfpn_nodes)),
            style,
            scratch: Scratch::new(&network),
            observation: vec![0.0; game.layout().observation_len()],
            network,
        }
    }

    /// What the other side would say of its own chances after `action` in a world, turned round.
    fn chance(&mut self, view: &View, world: State, action: Action) -> f64 {
        let mut after = world;
        after.apply(action);
        if after.actor().is_over() {
            return after.outcome().score(self.seat);
        }
        // The other has seen what we have seen, and this step.
        let mut past: Deeds = *self.player.past();
        if let Action::Step { from, to } = action {
            past.see_step(view, self.seat, from, to);
        }
        let other = self.seat.other();
        self.game.observe(&View::of(&after, other), other, &past, &mut self.observation);
        1.0 - f64::from(self.network.evaluate(&self.observation, &mut self.scratch).score())
    }

    /// The mean chance of each choice over guessed worlds, as far as it is allowed; what was not looked at has none.
    fn look_ahead(
        &mut self,
        view: &View,
        worlds: &Guesses,
        choices: &[Weighed<Action>],
        allowed: &Allowed,
        thinking: &mut Thinking<'_, Action>,
    ) -> Result<(Vec<Option<f64>>, u64), Fault> {
        let mut sums = vec![(0.0, 0u32); choices.len()];
        let mut evaluations = 0;
        let likeliest = choices.iter().max_by(|one, two| one.probability.total_cmp(&two.probability));
        'worlds: while evaluations < allowed.evaluations {
            let world = worlds.draw(view, &mut thinking.rng);
            for (choice, sum) in choices.iter().zip(&mut sums) {
                if thinking.cancelled() {
                    return Err(Fault::Cancelled);
                }
                let late = allowed.until.is_some_and(|until| Instant::now() >= until);
                if late || evaluations >= allowed.evaluations {
                    break 'worlds;
                }
                sum.0 += self.chance(view, world, choice.action);
                sum.1 += 1;
                evaluations += 1;
            }
            // Ever more rarely, for more worlds change less.
            if let Some(likeliest) = likeliest.filter(|_| sums[0].1.is_power_of_two()) {
                let candidates = candidates(choices, &means(&sums));
                thinking.report(&thought(likeliest.action, candidates, evaluations));
            }
        }
        Ok((means(&sums), evaluations))
    }
}

/// The mean of each sum; of nothing there is none.
fn means(sums: &[(f64, u32)]) -> Vec<Option<f64>> {
    sums.iter().map(|&(sum, count)| (count > 0).then(|| sum / f64::from(count))).collect()
}

/// The choices that were looked at, with their chances.
fn candidates(choices: &[Weighed<Action>], chances: &[Option<f64>]) -> Vec<Candidate<Action>> {
    let valued = choices.iter().zip(chances);
    valued.filter_map(|(choice, &chance)| Some(Candidate::valued(choice.action, chance?))).collect()
}

/// An answer by winning chances after so many evaluations.
fn thought(choice: Action, candidates: Vec<Candidate<Action>>, evaluations: u64) -> Thought<Action> {
    let (nodes, depth) = (1 + evaluations, u32::from(evaluations > 0));
    Thought { candidates, scale: Scale::Score, nodes, depth, ..Thought::plain(choice) }
}

/// Colourings of the other's ghosts, with how likely each is.
pub(super) struct Guesses {
    colourings: Vec<Bits>,
    /// Sums of likelihoods up to and with each colouring.
    up_to: Vec<f64>,
}

impl Guesses {
    /// All colourings that the view allows, weighed by the beliefs about each ghost as its seat sees the board.
    pub(super) fn new(view: &View, beliefs: &[f32]) -> Guesses {
        let seen = |set: Bits| if view.seat == Seat::FIRST { set } else { turned(set) };
        let ghosts = seen(view.open.ghosts[view.seat.other().index()]);
        let colourings = view.colourings();
        let mut sum = 0.0;
        let up_to = colourings.iter().map(|&reds| {
            let reds = seen(reds);
            let likelihood = squares(ghosts).map(|square| {
                // A network need not have beliefs.
                let red = beliefs.get(square.index()).map_or(0.5, |&red| f64::from(red).clamp(0.001, 0.999));
                if reds & square.bit() != 0 { red } else { 1.0 - red }
            });
            sum += likelihood.product::<f64>();
            sum
        });
        let up_to = up_to.collect();
        Guesses { colourings, up_to }
    }

    pub(super) fn draw(&self, view: &View, rng: &mut Rng) -> State {
        let drawn = rng.unit() * self.up_to.last().copied().unwrap_or(0.0);
        let index = self.up_to.partition_point(|&sum| sum <= drawn).min(self.colourings.len() - 1);
        let mut reds = [view.own_reds(); 2];
        reds[view.seat.other().index()] = self.colourings[index];
        State { open: view.open, reds }
    }
}

impl Agent<Geister> for Champion {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let begun = Instant::now();
        let legal = choices(view);
        if let Some(&escape) = legal.iter().find(|action| matches!(action, Action::Escape { .. })) {
            let candidates = vec![Candidate::valued(escape, 1.0)];
            return Ok(Thought { candidates, scale: Scale::Score, win: Some(1.0), ..Thought::plain(escape) });
        }
        let steps = !matches!(legal[0], Action::SetUp(_));
        let mut looked = 0;
        if let Some(forced) = self.forced.as_mut().filter(|_| steps) {
            let (win, nodes) = forced.look(view, thinking)?;
            if let Some(thought) = win {
                return Ok(thought);
            }
            looked = nodes;
        }
        let (answer, weighed) = self.player.weigh(view);
        let (score, guesses) =
            (f64::from(answer.score()), steps.then(|| Guesses::new(view, &answer.beliefs)));
        let mut weighed = weighed.to_vec();
        let allowed = self.allowed(thinking, begun, weighed.len() as u64);
        let (chances, evaluations) = match &guesses {
            Some(guesses) => self.look_ahead(view, guesses, &weighed, &allowed, thinking)?,
            None => (vec![None; weighed.len()], 0),
        };
        let mut candidates = candidates(&weighed, &chances);
        candidates.sort_by_key(|candidate| legal.iter().position(|&action| action == candidate.action));
        for (choice, chance) in weighed.iter_mut().zip(&chances) {
            let gain = chance.map_or(0.0, |chance| chance - score);
            choice.probability *= libm::exp(self.style.trust * gain) as f32;
        }
        let choice = Weighed::draw(&weighed, self.style.temperature, &mut thinking.rng).unwrap_or(legal[0]);
        let thought = thought(choice, candidates, evaluations);
        Ok(Thought { nodes: looked + thought.nodes, ..thought })
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        self.player.told(event);
    }
}

impl Champion {
    /// What the match's budget, or else the own parameter, allows for looking ahead.
    fn allowed(&self, thinking: &Thinking<'_, Action>, begun: Instant, choices: u64) -> Allowed {
        match thinking.budget {
            None => Allowed { evaluations: self.style.worlds * choices, until: None },
            Some(Budget::Nodes(nodes)) => Allowed { evaluations: nodes.saturating_sub(1), until: None },
            Some(Budget::Playouts(worlds)) => Allowed { evaluations: worlds * choices, until: None },
            Some(Budget::Millis(ms)) => {
                // The last evaluation must end in time, too.
                let until = begun + Duration::from_millis(ms).saturating_sub(Duration::from_millis(2));
                Allowed { evaluations: u64::MAX, until: Some(until) }
            }
        }
    }
}
