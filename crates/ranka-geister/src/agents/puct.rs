//! `puct`: a tree of what its seat can tell apart, led by a network of the champion's, through worlds that it believes in.

use super::champion::{CHAMPION, Guesses, NETWORK};
use super::forced_win::ForcedWin;
use super::player::choices;
use crate::action::Action;
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{Agent, AgentKind, Fault, Param, Seat, Seed, Thinking, Thought, Told, View as _};
use ranka_learn::{NetworkAgent, Style, Weighed};
use ranka_search::agents::effort;
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "puct",
        version: 2,
        summary: "Searches guessed worlds in one tree, led by the policy and the values of a network.",
        params: vec![
            NETWORK,
            Param::int("playouts", 1, 100_000_000, "200", "positions judged for each decision"),
            Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
            Param::real("c", 0.0, 10.0, "1.25", "exploration in mean + c·prior·√N / (1 + n)"),
            Param::switch("belief", true, "draw worlds as the network believes in them; off: all alike"),
            Param::int("dfpn", 0, 60, "9", "first look for a forced win within so many plies (0: do not)"),
            Param::int("dfpn-nodes", 1, 100_000_000, "5000", "give that up after so many positions"),
        ],
        build: |game, params| {
            let (game, networks) = (*game, CHAMPION.open(params.text("network"), game)?);
            let style = Style { effort: effort(params), exploration: params.real("c"), temperature: 1.0 };
            let belief = params.on("belief");
            let (dfpn, dfpn_nodes) = (params.int("dfpn") as u32, params.int("dfpn-nodes") as u64);
            Ok(Arc::new(move |seat: Seat, seed: Seed| {
                let network = networks.draw(seed);
                Believing {
                    led: NetworkAgent::new(|| network.evaluator(), &game, seat, style),
                    forced: (dfpn > 0).then(|| ForcedWin::new(dfpn, dfpn_nodes)),
                    belief,
                }
            }))
        },
    }
}

struct Believing {
    led: NetworkAgent<Geister>,
    forced: Option<ForcedWin>,
    belief: bool,
}

impl Agent<Geister> for Believing {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let legal = choices(view);
        if let Some(&escape) = legal.iter().find(|action| matches!(action, Action::Escape { .. })) {
            return Ok(Thought::plain(escape));
        }
        let (answer, weighed) = self.led.player().weigh(view);
        if matches!(legal[0], Action::SetUp(_)) {
            // Whoever always chose the best set-up would be known by it.
            let choice = Weighed::draw(weighed, 1.0, &mut thinking.rng).unwrap_or(legal[0]);
            return Ok(Thought { nodes: 1, ..Thought::plain(choice) });
        }
        let guesses = self.belief.then(|| Guesses::new(view, &answer.beliefs));
        if let Some(forced) = &mut self.forced
            && let (Some(win), _) = forced.look(view, thinking)?
        {
            return Ok(win);
        }
        self.led.search(thinking, |rng| match &guesses {
            Some(guesses) => guesses.draw(view, rng),
            None => view.sample(rng),
        })
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        self.led.told(event);
    }
}
