//! A look back: how good each action of a game was, in the eyes of the game's sparring partner.

use crate::hall::Hall;
use crate::pages::{table_after, words};
use crate::review_plot::{Sight, plot};
use crate::words::Language;
use ranka_core::{AnyGame, Budget, Error, Record, Scale, Seat, Seed, Settings, Thought};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long each action is looked at, in milliseconds.
const LOOK: u64 = 60;

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
    work: impl FnOnce(&AtomicBool) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let Ok(permit) = Arc::clone(&hall.analyses).try_acquire_owned() else {
        return Err(Error::busy("everybody is thinking: ask again in a moment"));
    };
    let cancel = Arc::new(AtomicBool::new(false));
    let stop = Stop(Arc::clone(&cancel));
    let mut working = tokio::task::spawn_blocking(move || {
        let done = work(&cancel);
        drop(permit);
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

/// One action, judged.
pub(crate) struct Judged {
    /// The action's number, from 1.
    pub(crate) frame: usize,
    pub(crate) seat: Seat,
    /// From 0, nothing worse was there, to 1, nothing better.
    pub(crate) accuracy: f64,
    /// What the seat could hope for before it.
    pub(crate) hope: Hope,
    best: String,
}

/// The value of a position for the seat that is to act.
#[derive(Clone, Copy)]
pub(crate) enum Hope {
    /// A sure win, or a sure loss.
    Sure(bool),
    /// A share of the score.
    Share(f64),
    /// Points of the agent's own, comparable only with each other.
    Points(f64),
}

impl Hope {
    fn of(thought: &Thought<String>) -> Option<Hope> {
        let values = thought.candidates.iter().map(|candidate| candidate.value);
        let best = values.filter(|value| value.is_finite()).max_by(f64::total_cmp)?;
        Some(match (thought.win, thought.scale) {
            (Some(win), _) if best.abs() > win / 2.0 => Hope::Sure(best > 0.0),
            (_, Scale::Score) => Hope::Share(best),
            _ => Hope::Points(best),
        })
    }
}

/// Looks at every action of a finished game.
pub(crate) async fn of(
    hall: &Hall,
    game: Arc<dyn AnyGame>,
    record: Record,
    language: Language,
) -> Result<Value, Error> {
    let (seats, actions, open) = (record.agents.len(), words(&record).count(), game.open_information());
    let judged = aside(hall, move |cancel| judge(game.as_ref(), &record, LOOK, cancel)).await?;
    let means: Vec<Option<f64>> = Seat::all(seats).map(|seat| mean(&judged, seat)).collect();
    let moves: Vec<Value> = (judged.iter())
        .map(|j| json!({ "frame": j.frame, "seat": j.seat.index(), "accuracy": j.accuracy, "best": j.best }))
        .collect();
    let sight = Sight { means: &means, actions, open };
    Ok(json!({ "means": means, "moves": moves, "plot": plot(&judged, &sight, language) }))
}

fn mean(judged: &[Judged], seat: Seat) -> Option<f64> {
    let own: Vec<f64> = judged.iter().filter(|j| j.seat == seat).map(|j| j.accuracy).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}

/// Judges every action of a record, looking at each for so many milliseconds.
pub(crate) fn judge(
    game: &dyn AnyGame,
    record: &Record,
    look: u64,
    cancel: &AtomicBool,
) -> Result<Vec<Judged>, Error> {
    let agent = game.agent(game.info().sparring)?;
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
                && let (Some(accuracy), Some(hope)) = (accuracy(&thought, action), Hope::of(&thought))
            {
                judged.push(Judged { frame: number + 1, seat, accuracy, hope, best: thought.choice });
            }
        }
        table.replay(action)?;
    }
    Ok(judged)
}

/// Where an action stands between the worst and the best that were considered.
fn accuracy(thought: &Thought<String>, action: &str) -> Option<f64> {
    let values =
        || thought.candidates.iter().map(|candidate| candidate.value).filter(|value| value.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let played = thought.candidates.iter().find(|candidate| candidate.action == action)?.value;
    if !played.is_finite() {
        return Some(0.0);
    }
    Some(if high > low { (played - low) / (high - low) } else { 1.0 })
}
