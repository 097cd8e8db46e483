//! A look back: what each action of a game gave away, in the eyes of the game's judge, and where the game turned.

use crate::hall::Hall;
use crate::pages::{table_after, words};
use crate::review_plot::{Sight, plot};
use crate::visit::Visit;
use ranka_core::{AnyAgent, AnyGame, Budget, Error, Record, Seat, Seed, Settings, Thought};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long each action is looked at, in milliseconds.
const LOOK: u64 = 60;

/// So many turning points are named.
const TURNS: usize = 5;

/// Who gives away less than this share of the score has not turned the game.
const TURNING: f64 = 0.1;

/// Stops what is being thought when nobody waits for it any more.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does work of the mind beside the games: refused while others do, and stopped when its time is up or nobody waits for
/// it. Whatever `work` has by then is its answer.
pub(crate) async fn aside<T: Send + 'static>(
    hall: &Hall,
    visitor: IpAddr,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let Some(turn) = hall.analyses.now(visitor) else {
        return Err(Error::busy("everybody is thinking: ask again in a moment"));
    };
    let cancel = Arc::new(AtomicBool::new(false));
    let stop = Stop(Arc::clone(&cancel));
    let mut working = tokio::task::spawn_blocking(move || {
        let done = work(&cancel);
        drop(turn);
        done
    });
    let done = match tokio::time::timeout(hall.limits.analysis, &mut working).await {
        Ok(done) => done,
        Err(_) => {
            drop(stop);
            working.await
        }
    };
    done.map_err(|_| Error::internal("the analysis broke off"))?
}

/// The agent that judges games and positions for people.
pub(crate) fn judge(game: &dyn AnyGame) -> Result<AnyAgent, Error> {
    let judge = ranka_games::judge(game.info().name)?;
    // It may not know every board.
    game.agent(judge).or_else(|_| game.agent(game.info().sparring))
}

/// One action, judged.
pub(crate) struct Judged {
    /// The action's number, from 1.
    pub(crate) frame: usize,
    pub(crate) seat: Seat,
    /// The winning chance before it, for the seat that acted.
    pub(crate) chance: f64,
    /// How much of that it gave away.
    pub(crate) lost: f64,
    best: String,
}

/// Looks at every action of a finished game.
pub(crate) async fn of(
    hall: &Hall,
    game: Arc<dyn AnyGame>,
    record: Record,
    visit: Visit,
) -> Result<Value, Error> {
    let language = visit.language;
    let (seats, actions, open) = (record.agents.len(), words(&record).count(), game.open_information());
    let judged =
        aside(hall, visit.address, move |cancel| look_back(game.as_ref(), &record, LOOK, cancel)).await?;
    let means: Vec<Option<f64>> = Seat::all(seats).map(|seat| mean(&judged, seat)).collect();
    let moves: Vec<Value> = (judged.iter())
        .map(|j| json!({ "frame": j.frame, "seat": j.seat.index(), "lost": j.lost, "best": j.best }))
        .collect();
    let turns = turning_points(&judged);
    let told: Vec<Value> = (turns.iter())
        .map(|turn| {
            let points = format!("{:.0}", 100.0 * turn.lost);
            let says = language.fill("Move {0} gave away {1} points", [&turn.frame.to_string(), &points]);
            json!({ "frame": turn.frame, "seat": turn.seat.index(), "says": says })
        })
        .collect();
    let sight = Sight { means: &means, actions, open };
    Ok(
        json!({ "means": means, "moves": moves, "turns": told, "plot": plot(&judged, &turns, &sight, language) }),
    )
}

/// The actions that gave away most, in the order of the game.
fn turning_points(judged: &[Judged]) -> Vec<&Judged> {
    let mut turns: Vec<&Judged> = judged.iter().filter(|j| j.lost >= TURNING).collect();
    turns.sort_by(|a, b| b.lost.total_cmp(&a.lost));
    turns.truncate(TURNS);
    turns.sort_by_key(|turn| turn.frame);
    turns
}

/// How much of what it could hope for a seat kept, on average.
fn mean(judged: &[Judged], seat: Seat) -> Option<f64> {
    let own: Vec<f64> = judged.iter().filter(|j| j.seat == seat).map(|j| 1.0 - j.lost).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}

/// Judges every action of a record, looking at each for so many milliseconds.
pub(crate) fn look_back(
    game: &dyn AnyGame,
    record: &Record,
    look: u64,
    cancel: &AtomicBool,
) -> Result<Vec<Judged>, Error> {
    let agent = judge(game)?;
    let settings = Settings { budget: Some(Budget::Millis(look)), cancel, ..Settings::default() };
    let mut table = table_after(game, record, 0)?;
    let mut judged = Vec::new();
    for (number, action) in words(record).enumerate() {
        if let Some(seat) = table.actor().seat()
            && table.choices(seat).len() > 1
        {
            let seed = Seed::new(record.seed.0).at(number as u64);
            let thought = game.analyse(&table.view(seat), &agent, seed, &settings, &mut |_| {});
            if cancel.load(Ordering::Relaxed) {
                // What was seen so far is told.
                return Ok(judged);
            }
            if let Ok(thought) = thought
                && let Some((chance, lost)) = given_away(game, &agent, &thought, action)
            {
                judged.push(Judged { frame: number + 1, seat, chance, lost, best: thought.choice });
            }
        }
        table.replay(action)?;
    }
    Ok(judged)
}

/// The winning chance after the judge's choice, and how much of it an action gave away. What looks better than the choice
/// was tried too seldom to be believed.
fn given_away(
    game: &dyn AnyGame,
    agent: &AnyAgent,
    thought: &Thought<String>,
    action: &str,
) -> Option<(f64, f64)> {
    let chances = ranka_games::chances(game.info().name, &agent.short, thought)?;
    let chances: Vec<f64> =
        chances.into_iter().map(|chance| if chance.is_finite() { chance } else { 0.0 }).collect();
    let place = |action: &str| thought.candidates.iter().position(|candidate| candidate.action == action);
    let best = chances[place(&thought.choice)?];
    Some((best, (best - chances[place(action)?]).max(0.0)))
}
