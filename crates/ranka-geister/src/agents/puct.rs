//! `puct`: a tree of what its seat can tell apart, led by the champion's network, through worlds that the network believes in.

use super::champion::{BUILT_IN, Guesses, network};
use super::forced_win::ForcedWin;
use super::player::choices;
use crate::action::Action;
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{
    Agent, AgentKind, Budget, Fault, Param, Rng, Scale, Seat, Seed, Thinking, Thought, Told, View as _,
};
use ranka_learn::{NetworkJudge, Player, Watched, WatchedEyes, Watches, Weighed};
use ranka_search::{Limits, Puct, PuctConfig, Sampled, SeatEyes};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "puct",
        version: 1,
        summary: "Searches guessed worlds in one tree, led by the policy and the values of a network.",
        params: vec![
            Param::file("network", &[BUILT_IN], "champion, or a network file"),
            Param::int("playouts", 1, 100_000_000, "200", "positions judged for each decision"),
            Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
            Param::real("c", 0.0, 10.0, "1.25", "exploration in mean + c·prior·√N / (1 + n)"),
            Param::switch("belief", true, "draw worlds as the network believes in them; off: all alike"),
            Param::int("dfpn", 0, 60, "9", "first look for a forced win within so many plies (0: do not)"),
            Param::int("dfpn-nodes", 1, 100_000_000, "5000", "give that up after so many positions"),
        ],
        build: |game, params| {
            let (game, network) = (*game, network(params.text("network"))?);
            network.check(&game, params.text("network"))?;
            let config = PuctConfig { exploration: params.real("c"), ..PuctConfig::default() };
            let effort = match params.int("ms") {
                0 => Budget::Playouts(params.int("playouts") as u64),
                ms => Budget::Millis(ms as u64),
            };
            let belief = params.on("belief");
            let (dfpn, dfpn_nodes) = (params.int("dfpn") as u32, params.int("dfpn-nodes") as u64);
            Ok(Arc::new(move |seat: Seat, _: Seed| Led {
                game: Arc::new(game),
                eyes: WatchedEyes(SeatEyes { game, seat }),
                player: Player::new(Arc::clone(&network), game, seat),
                watches: Watches::new(&game),
                search: Puct::new(config, NetworkJudge::new(Arc::clone(&network), &game)),
                forced: (dfpn > 0).then(|| ForcedWin::new(dfpn, dfpn_nodes)),
                belief,
                effort,
            }))
        },
    }
}

struct Led {
    game: Arc<Geister>,
    eyes: WatchedEyes<Geister>,
    player: Player<Geister>,
    watches: Watches<Geister>,
    search: Puct<Watched<Geister>, NetworkJudge>,
    forced: Option<ForcedWin>,
    belief: bool,
    effort: Budget,
}

impl Agent<Geister> for Led {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.effort)), thinking.cancel_flag());
        let legal = choices(view);
        if let Some(&escape) = legal.iter().find(|action| matches!(action, Action::Escape { .. })) {
            return Ok(Thought::plain(escape));
        }
        let (answer, weighed) = self.player.weigh(view);
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
        let mut rng = thinking.rng.clone();
        let mut report = |found: &Sampled<Action>| thinking.report(&found.thought(Scale::Score));
        let world = |rng: &mut Rng| {
            let state = match &guesses {
                Some(guesses) => guesses.draw(view, rng),
                None => view.sample(rng),
            };
            Watched::new(Arc::clone(&self.game), state, self.watches.clone())
        };
        let found = self.search.search(&self.eyes, world, limits, &mut rng, &mut report);
        found.map(|found| found.thought(Scale::Score)).ok_or(Fault::Cancelled)
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        self.player.told(event);
        self.watches.told(event);
    }
}
