//! What a pairing is made of, as text that another process can make the same one from.

use crate::{GameLimits, Pairing, Seating};
use ranka_core::{AnyAgent, AnyGame, Budget, Error, Seed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A pairing by names. Whoever makes it must come to the same identity, or is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    game: String,
    version: u32,
    rules: String,
    rules_identity: String,
    agents: Vec<RecipeAgent>,
    seats: String,
    seed: u64,
    ply_cap: u32,
    budget: Option<String>,
    /// In nanoseconds.
    move_limit: Option<u64>,
    measures: Vec<String>,
    identity: String,
}

/// An agent of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeAgent {
    /// Name and all parameters.
    pub name: String,
    /// The version of its kind.
    pub version: u32,
    /// What its results change with.
    pub identity: String,
}

impl Pairing {
    /// What it is made of.
    pub fn recipe(&self) -> Recipe {
        let GameLimits { ply_cap, budget, move_limit } = self.limits();
        let agent = |agent: &AnyAgent| RecipeAgent {
            name: agent.full.clone(),
            version: agent.version,
            identity: agent.identity.clone(),
        };
        Recipe {
            game: self.game().info().name.to_owned(),
            version: self.game().info().version,
            rules: self.game().rules(),
            rules_identity: self.game().identity(),
            agents: self.agents().iter().map(agent).collect(),
            seats: self.seating().name().to_owned(),
            seed: self.seed().value(),
            ply_cap,
            budget: budget.map(|budget| budget.to_string()),
            move_limit: move_limit.map(|limit| limit.as_nanos() as u64),
            measures: self.meter().map_or_else(Vec::new, |meter| meter.names.clone()),
            identity: self.identity().to_owned(),
        }
    }
}

impl Recipe {
    /// As text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a recipe is made of text and numbers")
    }

    /// Reads what [`Recipe::text`] wrote.
    pub fn read(text: &str) -> Result<Recipe, Error> {
        serde_json::from_str(text).map_err(|e| Error::input(format!("the recipe of a pairing: {e}")))
    }

    /// Its identity.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Makes the pairing. `own` gives the agents that have no name here. It is an error, which names what differs, if
    /// something is of another version here or a file has another content: then other games would be played.
    pub fn make(
        &self,
        own: impl Fn(&Arc<dyn AnyGame>, &RecipeAgent) -> Option<Result<AnyAgent, Error>>,
    ) -> Result<Pairing, Error> {
        let game = ranka_games::game(&self.game)?.open(&self.rules)?;
        if game.info().version != self.version {
            let (here, wanted) = (game.info().version, self.version);
            let message =
                format!("the rules of {} are of version {here} here, and {wanted} is wanted", self.game);
            return Err(Error::input(message));
        }
        if game.identity() != self.rules_identity {
            let message = format!("the rules {} name a file that is another one here", self.rules);
            return Err(Error::input(message));
        }
        let agents = self.agents.iter().map(|wanted| {
            let agent = own(&game, wanted).unwrap_or_else(|| game.agent(&wanted.name))?;
            wanted.check(&agent)?;
            Ok(agent)
        });
        let limits = GameLimits {
            ply_cap: self.ply_cap,
            budget: self.budget.as_deref().map(Budget::parse).transpose()?,
            move_limit: self.move_limit.map(Duration::from_nanos),
        };
        let agents = agents.collect::<Result<_, Error>>()?;
        let (seating, seed) = (Seating::parse(&self.seats)?, Seed::new(self.seed));
        let made = Pairing::new(game, agents, seating, seed, limits, &self.measures)?;
        if made.identity() != self.identity {
            let message = format!("the pairing comes out as {}, not as {}", made.identity(), self.identity);
            return Err(Error::internal(message));
        }
        Ok(made)
    }
}

impl RecipeAgent {
    /// The kind's name alone.
    fn kind(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }

    fn check(&self, made: &AnyAgent) -> Result<(), Error> {
        if made.version != self.version {
            let (kind, here, wanted) = (self.kind(), made.version, self.version);
            let message = format!("agent {kind} is of version {here} here, and {wanted} is wanted");
            return Err(Error::input(message));
        }
        if made.identity != self.identity {
            let message = format!("agent {}: a file that it names, or its code, is another here", self.name);
            return Err(Error::input(message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers;

    fn nobody(_: &Arc<dyn AnyGame>, _: &RecipeAgent) -> Option<Result<AnyAgent, Error>> {
        None
    }

    #[test]
    fn every_pairing_of_the_papers_is_made_again_from_its_recipe() {
        let mut made = 0;
        for (paper, names) in papers::named(None).unwrap() {
            for name in names {
                for planned in paper.experiment(&name).unwrap().pairings {
                    let text = planned.pairing.recipe().text();
                    let again = Recipe::read(&text).unwrap().make(nobody).unwrap();
                    assert_eq!(again.identity(), planned.pairing.identity(), "{name}: {}", planned.name);
                    assert_eq!(again.recipe().text(), text);
                    made += 1;
                }
            }
        }
        assert!(made > 100, "{made}");
    }

    #[test]
    fn what_is_another_here_is_refused_by_name() {
        let game = ranka_games::game("kalah").unwrap().open("houses=4,seeds=3").unwrap();
        let agents = vec![game.agent("minimax:depth=3").unwrap(), game.agent("random").unwrap()];
        let limits = GameLimits { move_limit: Some(Duration::from_millis(1500)), ..GameLimits::default() };
        let pairing = Pairing::new(game, agents, Seating::Random, Seed::new(7), limits, &[]).unwrap();
        let recipe = pairing.recipe();
        assert_eq!(recipe.make(nobody).unwrap().identity(), pairing.identity());
        let refused = |change: &dyn Fn(&mut Recipe)| {
            let mut changed = recipe.clone();
            change(&mut changed);
            changed.make(nobody).err().unwrap().to_string()
        };
        let version = pairing.agents()[0].version;
        assert_eq!(
            refused(&|recipe| recipe.agents[0].version += 1),
            format!("agent minimax is of version {version} here, and {} is wanted", version + 1)
        );
        assert!(refused(&|recipe| recipe.version += 1).starts_with("the rules of kalah are of version"));
        assert!(refused(&|recipe| recipe.agents[1].identity.push('x')).starts_with("agent random: a file"));
        assert!(refused(&|recipe| recipe.seed += 1).starts_with("the pairing comes out as"));
        assert!(refused(&|recipe| recipe.agents[1].name = "rando".to_owned()).contains("did you mean"));
        assert!(
            Recipe::read("{}")
                .err()
                .unwrap()
                .to_string()
                .starts_with("the recipe of a pairing: missing field")
        );
    }
}
