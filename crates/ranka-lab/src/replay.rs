//! Checking records: whoever made them, they must play out by the rules as they say.

mod claims;

use ranka_core::{AnyGame, Error, Record};
use std::sync::Arc;

/// Replays records. Those of one game under the same rules share it.
#[derive(Default)]
pub struct Replayer {
    /// The game that was opened last, by name and rules.
    opened: Option<(String, String, Arc<dyn AnyGame>)>,
}

impl Replayer {
    /// The game of a record.
    pub fn game(&mut self, record: &Record) -> Result<Arc<dyn AnyGame>, Error> {
        if let Some((name, rules, game)) = &self.opened
            && (name, rules) == (&record.game, &record.rules)
        {
            return Ok(game.clone());
        }
        let game = ranka_games::game(&record.game)?.open(&record.rules)?;
        self.opened = Some((record.game.clone(), record.rules.clone(), game.clone()));
        Ok(game)
    }

    /// Plays a record again, or says where it goes wrong.
    pub fn check(&mut self, record: &Record) -> Result<(), Error> {
        let game = self.game(record)?;
        let refuse = |what: &str, found: String| {
            Err(Error::input(format!("record, {what}: {found} in a game of {} seats", game.seats())))
        };
        // Form 1 had no versions.
        let versions = if record.format < 2 { game.seats() } else { record.versions.len() };
        let found = [record.agents.len(), record.numbers.len(), versions, record.outcome.len()];
        for (what, found) in ["agents", "numbers", "versions", "outcome"].into_iter().zip(found) {
            if found != game.seats() {
                return refuse(what, format!("{found} entries"));
            }
        }
        let mut numbers = record.numbers.clone();
        numbers.sort_unstable();
        if !numbers.into_iter().eq(0..game.seats()) {
            return refuse("numbers", format!("{:?}", record.numbers));
        }
        if record.outcome.iter().any(|score| !(0.0..=1.0).contains(score)) {
            return refuse("outcome", format!("{:?}", record.outcome));
        }
        game.replay(record)
    }

    /// The same of a record that comes from elsewhere, which must also claim nothing that cannot have been.
    pub fn check_foreign(&mut self, record: &Record) -> Result<(), Error> {
        self.check(record)?;
        claims::check(record, self.game(record)?.as_ref())
    }
}
