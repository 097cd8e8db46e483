//! Games between the same agents under the same rules, each following from its number alone.

use ranka_core::{
    AnyAgent, AnyGame, Budget, Chances, Error, Finished, GameSeeds, Meter, Rng, Seed, Settings, digest,
    unknown,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Who sits where in the games of a pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// The games of a deal seat the agents one seat further on each, so that everybody sits everywhere equally
    /// often.
    #[default]
    Swapped,
    /// The first agent always has the first seat.
    Fixed,
    /// The games of a deal go through all different orders of the agents.
    Permuted,
    /// Each game has a deal of its own, and chance says who has the first seat.
    Random,
}

impl Seating {
    const ALL: [Seating; 4] = [Seating::Swapped, Seating::Fixed, Seating::Permuted, Seating::Random];

    /// Reads a name.
    pub fn parse(name: &str) -> Result<Seating, Error> {
        let known = Seating::ALL.map(Seating::name);
        let found = Seating::ALL.into_iter().find(|seating| seating.name() == name);
        found.ok_or_else(|| Error::input(unknown("seating", name, &known)))
    }

    /// The name, as on the command line and in experiments.
    pub const fn name(self) -> &'static str {
        match self {
            Seating::Swapped => "swapped",
            Seating::Fixed => "fixed",
            Seating::Permuted => "permuted",
            Seating::Random => "random",
        }
    }

    /// The orders of the agents that are played, told by who is the same as whom.
    fn orders(self, alike: &[&str]) -> Vec<Vec<usize>> {
        let seats = alike.len();
        let straight: Vec<usize> = (0..seats).collect();
        match self {
            Seating::Fixed => vec![straight],
            Seating::Swapped | Seating::Random => {
                (0..seats).map(|turn| straight.iter().map(|seat| (seat + turn) % seats).collect()).collect()
            }
            Seating::Permuted => {
                let mut orders: Vec<Vec<usize>> = Vec::new();
                let same = |a: &[usize], b: &[usize]| a.iter().zip(b).all(|(&a, &b)| alike[a] == alike[b]);
                for order in permutations(&straight) {
                    if !orders.iter().any(|known| same(known, &order)) {
                        orders.push(order);
                    }
                }
                orders
            }
        }
    }
}

/// All orders of `items`, the given one first.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    let shorter = permutations(rest);
    for place in 0..items.len() {
        for order in &shorter {
            let mut order = order.clone();
            order.insert(place, first);
            all.push(order);
        }
    }
    all
}

/// What holds for every game of a pairing, beside the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLimits {
    /// A game that reaches this many plies is drawn.
    pub ply_cap: u32,
    /// How much agents may think, if not their own parameters decide.
    pub budget: Option<Budget>,
    /// Thinking longer than this about one action loses.
    pub move_limit: Option<Duration>,
}

impl Default for GameLimits {
    fn default() -> GameLimits {
        let Settings { ply_cap, budget, move_limit, .. } = Settings::default();
        GameLimits { ply_cap, budget, move_limit }
    }
}

/// The computed chances of the first of two agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// When it plays first.
    pub first: Chances,
    /// When it plays second.
    pub second: Chances,
    /// As the pairing seats it.
    pub seated: Chances,
}

/// Games between the same agents under the same rules. Game `n` is a pure function of this and `n`.
#[derive(Clone)]
pub struct Pairing {
    game: Arc<dyn AnyGame>,
    agents: Vec<AnyAgent>,
    seating: Seating,
    orders: Vec<Vec<usize>>,
    seed: Seed,
    limits: GameLimits,
    meter: Option<Meter>,
    identity: String,
    family: String,
}

impl Pairing {
    /// The games that these agents play; each has a seat in every game. `measures` are taken of each game.
    pub fn new(
        game: Arc<dyn AnyGame>,
        agents: Vec<AnyAgent>,
        seating: Seating,
        seed: Seed,
        limits: GameLimits,
        measures: &[String],
    ) -> Result<Pairing, Error> {
        if agents.len() != game.seats() {
            return Err(Error::input(format!(
                "a match of {} needs an agent for each of its {} seats; given: {}",
                game.info().name,
                game.seats(),
                agents.len()
            )));
        }
        let meter = (!measures.is_empty()).then(|| game.meter(measures)).transpose()?;
        let alike: Vec<&str> = agents.iter().map(|agent| agent.identity.as_str()).collect();
        let orders = seating.orders(&alike);
        let conditions = format!(
            "game {} {}\nrules {}\nseats {}\nseed {}\nplies {}\nbudget {}\nlimit {:?}\nmeasures {}\n",
            game.info().name,
            game.info().version,
            game.identity(),
            seating.name(),
            seed.value(),
            limits.ply_cap,
            limits.budget.map_or_else(|| "-".to_owned(), |budget| budget.to_string()),
            limits.move_limit,
            measures.join(","),
        );
        let of = |agents: &mut dyn Iterator<Item = &str>| {
            let text = agents.fold(conditions.clone(), |text, agent| text + "agent " + agent + "\n");
            digest(text.as_bytes())
        };
        let identity = of(&mut alike.iter().copied());
        let family = of(&mut agents.iter().map(|agent| agent.family.as_str()));
        Ok(Pairing { game, agents, seating, orders, seed, limits, meter, identity, family })
    }

    /// The game.
    pub fn game(&self) -> &dyn AnyGame {
        self.game.as_ref()
    }

    /// The agents, by their numbers.
    pub fn agents(&self) -> &[AnyAgent] {
        &self.agents
    }

    /// Who sits where.
    pub fn seating(&self) -> Seating {
        self.seating
    }

    /// All randomness follows from it.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// What limits every game.
    pub fn limits(&self) -> GameLimits {
        self.limits
    }

    /// What is measured.
    pub fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// A text that is another for any other game, rules, agent, version, parameter, file that one of them names, seed,
    /// seating, limit or measure.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The identity but for the agents' versions: pairings of a family are the same experiment with older or newer agents.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// How many games share a deal.
    pub fn games_of_a_deal(&self) -> u64 {
        if self.seating == Seating::Random { 1 } else { self.orders.len() as u64 }
    }

    /// The deal of a game, and which of the deal's games it is.
    pub fn deal(&self, number: u64) -> (u64, u64) {
        (number / self.games_of_a_deal(), number % self.games_of_a_deal())
    }

    /// The number of the agent in each seat of a game.
    pub fn order(&self, number: u64) -> &[usize] {
        let (deal, turn) = self.deal(number);
        let order = match self.seating {
            Seating::Random => Rng::new(self.seed.child("seats").at(deal)).index(self.orders.len()),
            _ => turn as usize,
        };
        &self.orders[order]
    }

    /// The same agents in other games.
    pub fn reseeded(&self, seed: Seed) -> Result<Pairing, Error> {
        let measures = self.meter.as_ref().map_or(&[][..], |meter| &meter.names);
        Pairing::new(self.game.clone(), self.agents.clone(), self.seating, seed, self.limits, measures)
    }

    /// The chances of the first of two agents, computed and not sampled.
    pub fn exact(&self) -> Result<Exact, Error> {
        let [a, b] = self.agents.as_slice() else {
            return Err(Error::input("exact results are for two agents"));
        };
        let [first, second] = self.game.exact([a, b])?;
        let mean = |f: fn(&Chances) -> f64| match self.orders.len() {
            1 => f(&first),
            _ => (f(&first) + f(&second)) / 2.0,
        };
        let seated = Chances { win: mean(|c| c.win), draw: mean(|c| c.draw), loss: mean(|c| c.loss) };
        Ok(Exact { first, second, seated })
    }

    /// Plays game `number`.
    pub fn play(&self, number: u64, cancel: &AtomicBool) -> Finished {
        let (deal, turn) = self.deal(number);
        let seated: Vec<_> = self.order(number).iter().map(|&agent| (&self.agents[agent], agent)).collect();
        let GameLimits { ply_cap, budget, move_limit } = self.limits;
        let settings = Settings { ply_cap, budget, move_limit, cancel };
        self.game.play(&seated, &GameSeeds::of(self.seed, deal, turn), &settings, self.meter.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permuted_seating_goes_through_all_different_orders() {
        assert_eq!(Seating::Permuted.orders(&["a", "a", "b", "b"]).len(), 6);
        assert_eq!(Seating::Permuted.orders(&["a", "b", "c"]).len(), 6);
        assert_eq!(Seating::Permuted.orders(&["a", "a"]), [[0, 1]]);
        assert_eq!(Seating::Swapped.orders(&["a", "a"]), [[0, 1], [1, 0]]);
        assert_eq!(Seating::Permuted.orders(&["a", "b"]), [[0, 1], [1, 0]]);
    }
}
