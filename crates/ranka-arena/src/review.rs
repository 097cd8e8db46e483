//! A look back: what each action of a game gave away, in the eyes of the game's judge, and where the game turned.

use crate::hall::Hall;
use crate::pages::{table_after, words};
use crate::review_plot::{Sight, plot};
use crate::turns::Turn;
use crate::visit::Visit;
use crate::words::Language;
use ranka_core::{AnyAgent, AnyGame, AnyTable, Budget, Error, Record, Seat, Seed, Settings, Thought};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long each action is looked at, in milliseconds, where there is time enough for all of them.
const LOOK: u64 = 60;

/// How long each action of so many is looked at: together they take four fifths of what they may, for thinking stops late.
fn look(actions: usize, limit: Duration) -> u64 {
    let share = limit.as_millis() as u64 * 4 / 5 / actions.max(1) as u64;
    share.clamp(1, LOOK)
}

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

/// How long one waits for others who think, and how often one looks whether they have done.
const PATIENCE: Duration = Duration::from_secs(3);
const GLANCE: Duration = Duration::from_millis(50);

/// A turn to think beside the games, if one becomes free in time.
async fn turn(hall: &Hall, visitor: IpAddr) -> Result<Turn, Error> {
    let wait = async {
        loop {
            if let Some(turn) = hall.analyses.now(visitor) {
                return turn;
            }
            tokio::time::sleep(GLANCE).await;
        }
    };
    let busy = |_| Error::busy("everybody is thinking: ask again in a moment");
    tokio::time::timeout(PATIENCE, wait).await.map_err(busy)
}

/// Does work of the mind beside the games: refused if others do for long, and stopped when its time is up or nobody waits for
/// it. Whatever `work` has by then is its answer.
pub(crate) async fn aside<T: Send + 'static>(
    hall: &Hall,
    visitor: IpAddr,
    work: impl FnOnce(&AtomicBool) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let turn = turn(hall, visitor).await?;
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

/// The agent that judges games and positions for people: the strongest that knows the board.
pub(crate) fn analyst(game: &dyn AnyGame) -> Result<AnyAgent, Error> {
    let able = ranka_games::analysts(game.info().name)?.iter().find_map(|analyst| game.agent(analyst).ok());
    able.map_or_else(|| game.agent(game.info().sparring), Ok)
}

/// How long a glance at one position takes at most: somebody waits for it.
const GLIMPSE: Duration = Duration::from_millis(1500);

/// How long a position is looked at while somebody watches what is thought of it.
const STUDY: Duration = Duration::from_secs(6);

/// What the analyst may take for a position, where so much time is allowed: less than that, for thinking stops late.
pub(crate) fn time_for(studied: bool, allowed: Duration) -> Budget {
    let wanted = if studied { STUDY } else { GLIMPSE };
    Budget::Millis((wanted.min(allowed * 4 / 5).as_millis() as u64).max(1))
}

/// A table after these actions with the analyst at every seat, which has heard there what its seat may know: who judges by
/// what the others have done sees more than the position.
pub(crate) fn attended<'a>(
    game: &dyn AnyGame,
    agent: &AnyAgent,
    start: &str,
    actions: impl Iterator<Item = &'a str>,
    seed: Seed,
) -> Result<Box<dyn AnyTable>, Error> {
    let mut table = game.table(Some(start), &vec![Some(agent); game.seats()], seed)?;
    for action in actions {
        table.replay(action)?;
    }
    Ok(table)
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

impl Judged {
    /// What a turning point is called: whose move it was, and what it cost.
    pub(crate) fn told(&self, names: &[String], language: Language) -> String {
        let (move_number, lost) = (self.frame.to_string(), format!("{:.0}", 100.0 * self.lost));
        let who = &names[self.seat.index()];
        language.fill(
            "Move {0}, {1}: gave away {2} percentage points of winning chance",
            [&move_number, who, &lost],
        )
    }
}

/// Looks at every action of a finished game of players with these names.
pub(crate) async fn of(
    hall: &Hall,
    game: Arc<dyn AnyGame>,
    record: Record,
    names: &[String],
    visit: Visit,
) -> Result<Value, Error> {
    let language = visit.language;
    let (seats, actions, open) = (record.agents.len(), words(&record).count(), game.open_information());
    let table = table_after(game.as_ref(), &record, 0)?;
    let colours: Vec<&str> = Seat::all(seats).map(|seat| table.colour(Seat::FIRST, seat)).collect();
    drop(table);
    let look = look(actions, hall.limits.analysis);
    let (judged, whole) = aside(hall, visit.address, move |cancel| {
        let judged = look_back(game.as_ref(), &record, look, cancel)?;
        Ok((judged, !cancel.load(Ordering::Relaxed)))
    })
    .await?;
    let last = judged.last().map_or(0, |judged| judged.frame).to_string();
    let until =
        if whole { String::new() } else { language.fill("Time was up: this is of moves 1 to {0}.", [&last]) };
    let means: Vec<Option<f64>> = Seat::all(seats).map(|seat| mean(&judged, seat)).collect();
    let moves: Vec<Value> = (judged.iter())
        .map(|j| json!({ "frame": j.frame, "seat": j.seat.index(), "lost": j.lost, "best": j.best }))
        .collect();
    let turns = turning_points(&judged);
    let told: Vec<Value> = (turns.iter())
        .map(|turn| {
            json!({ "frame": turn.frame, "seat": turn.seat.index(), "says": turn.told(names, language) })
        })
        .collect();
    let sight = Sight { means: &means, names, colours: &colours, actions, open };
    let plot = plot(&judged, &turns, &sight, language);
    Ok(json!({ "means": means, "moves": moves, "turns": told, "plot": plot, "until": until }))
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
    let agent = analyst(game)?;
    let settings = Settings { budget: Some(Budget::Millis(look)), cancel, ..Settings::default() };
    let seed = Seed::new(record.seed.0).child("review");
    let mut table = attended(game, &agent, &record.start, std::iter::empty(), seed)?;
    let mut judged = Vec::new();
    for (number, action) in words(record).enumerate() {
        if let Some(seat) = table.actor().seat()
            && table.choices(seat).len() > 1
        {
            let thought = table.choose(&settings);
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
