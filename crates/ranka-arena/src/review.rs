//! A look back: how good each action of a game was, in the eyes of the game's sparring partner.

use crate::hall::Hall;
use crate::pages::{table_after, words};
use crate::words::Language;
use ranka_core::{AnyGame, Budget, InputError, Record, Seat, Seed, Settings, Svg, TextThought, theme};
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
    work: impl FnOnce(&AtomicBool) -> Result<T, InputError> + Send + 'static,
) -> Result<T, InputError> {
    let Ok(permit) = Arc::clone(&hall.analyses).try_acquire_owned() else {
        return Err(InputError::new("everybody is thinking: ask again in a moment"));
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
    done.map_err(|_| InputError::new("the analysis broke off"))?
}

/// One action, judged.
struct Judged {
    frame: usize,
    seat: Seat,
    /// From 0, nothing worse was there, to 1, nothing better.
    accuracy: f64,
    best: String,
}

/// Looks at every action of a finished game.
pub(crate) async fn of(
    hall: &Hall,
    game: Arc<dyn AnyGame>,
    record: Record,
    language: Language,
) -> Result<Value, InputError> {
    let seats = record.agents.len();
    let judged = aside(hall, move |cancel| judge(game.as_ref(), &record, cancel)).await?;
    let means: Vec<Option<f64>> = Seat::all(seats).map(|seat| mean(&judged, seat)).collect();
    let moves: Vec<Value> = (judged.iter())
        .map(|j| json!({ "frame": j.frame, "seat": j.seat.index(), "accuracy": j.accuracy, "best": j.best }))
        .collect();
    Ok(json!({ "means": means, "moves": moves, "plot": plot(&judged, &means, language) }))
}

fn mean(judged: &[Judged], seat: Seat) -> Option<f64> {
    let own: Vec<f64> = judged.iter().filter(|j| j.seat == seat).map(|j| j.accuracy).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}

fn judge(game: &dyn AnyGame, record: &Record, cancel: &AtomicBool) -> Result<Vec<Judged>, InputError> {
    let agent = game.agent(game.info().sparring)?;
    let settings = Settings { budget: Some(Budget::Millis(LOOK)), cancel, ..Settings::default() };
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
            if let Some(accuracy) = thought.as_ref().ok().and_then(|thought| accuracy(thought, action)) {
                let best = thought.map_or_else(|_| String::new(), |thought| thought.choice);
                judged.push(Judged { frame: number + 1, seat, accuracy, best });
            }
        }
        table.replay(action)?;
    }
    Ok(judged)
}

/// Where an action stands between the worst and the best that were considered.
fn accuracy(thought: &TextThought, action: &str) -> Option<f64> {
    let values =
        || thought.candidates.iter().map(|candidate| candidate.value).filter(|value| value.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let played = thought.candidates.iter().find(|candidate| candidate.action == action)?.value;
    if !played.is_finite() {
        return Some(0.0);
    }
    Some(if high > low { (played - low) / (high - low) } else { 1.0 })
}

/// A bar for each action, in the colour of its seat.
fn plot(judged: &[Judged], means: &[Option<f64>], language: Language) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 96.0;
    const FOOT: f64 = 22.0;
    let last = judged.last().map_or(1, |j| j.frame) as f64;
    let title = language.say("How good the moves were");
    let mut svg = Svg::new(WIDTH, HEIGHT + FOOT, title, title);
    for share in [0.0, 0.5, 1.0] {
        let y = 4.0 + (HEIGHT - 8.0) * (1.0 - share);
        svg.path(&format!("M0 {y}H{WIDTH}"), &format!("stroke=\"{}\" stroke-width=\"1\"", theme::LINE));
    }
    let width = (WIDTH / last).clamp(1.5, 14.0) * 0.8;
    for j in judged {
        let x = (j.frame as f64 - 0.5) / last * WIDTH;
        let height = (HEIGHT - 8.0) * j.accuracy;
        svg.group(&format!("data-frame=\"{}\"", j.frame));
        svg.title(&format!("{}: {:.0} %", j.frame, 100.0 * j.accuracy));
        let fill = format!("fill=\"{}\"", theme::SERIES[j.seat.index()]);
        svg.rect(x - width / 2.0, HEIGHT - 4.0 - height.max(2.0), width, height.max(2.0), 1.0, &fill);
        svg.close();
    }
    for (seat, mean) in means.iter().enumerate() {
        let Some(mean) = mean else { continue };
        let text =
            language.fill("Seat {0}: {1} %", [&(seat + 1).to_string(), &format!("{:.0}", 100.0 * mean)]);
        let (x, y) = (120.0 * seat as f64, HEIGHT + 15.0);
        svg.circle(x + 5.0, y - 4.0, 4.5, &format!("fill=\"{}\"", theme::SERIES[seat]));
        svg.text(x + 14.0, y, 12.0, &format!("fill=\"{}\"", theme::INK), &text);
    }
    svg.finish()
}
