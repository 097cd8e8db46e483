//! Learning from games with itself: every placement is the best by the model as it is, and every position's chances are
//! drawn towards those of the positions after it and the end, TD(λ). Games of a batch are played by the same model, and
//! what they teach is added up in order, so that the result follows from the seed whatever the number of threads.

use super::features::{INPUTS, Row, observe};
use super::model::{HIDDEN, Model, WEIGHTS, shares};
use crate::{Action, State, Tantrix};
use ranka_core::{Actor, Game, MAX_SEATS, Position, Rng, Seat, Seed};

/// What decides how a training goes.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// What all randomness follows from.
    pub seed: u64,
    /// Games in all, and games between two changes of the weights.
    pub games: u64,
    /// Games of one batch.
    pub batch: u64,
    /// How much of a later chance an earlier one is drawn to.
    pub lambda: f64,
    /// The step at the beginning; it falls to a twentieth of it.
    pub step: f64,
    /// The share of placements that are random.
    pub random: f64,
    /// Threads.
    pub threads: usize,
}

/// How a training goes on.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress {
    /// Games played.
    pub games: u64,
    /// The mean logarithm of the chance given to what came, over the last games.
    pub surprise: f64,
}

/// A position of a game that teaches.
struct Lesson {
    rows: [Row; MAX_SEATS],
    /// The chances that the model gave, and those that it should have given.
    chances: [f64; MAX_SEATS],
    target: [f64; MAX_SEATS],
}

/// Trains a model, from an older one or from nothing.
pub fn train(
    options: &TrainingOptions,
    from: Option<Model>,
    report: &mut dyn FnMut(TrainingProgress, &Model),
) -> Model {
    let seed = Seed::new(options.seed);
    let mut model = from.unwrap_or_else(|| fresh(&mut Rng::new(seed.child("weights"))));
    let (mut first, mut second) = (vec![0.0f32; WEIGHTS], vec![0.0f32; WEIGHTS]);
    let (mut games, mut change, mut surprise) = (0, 0, (0.0, 0u64));
    while games < options.games {
        let batch = games..(games + options.batch).min(options.games);
        let lessons = batch_of(options, seed, &model, batch.clone());
        let mut slope = vec![0.0; WEIGHTS];
        let mut count = 0;
        for (lessons, seats, outcome) in &lessons {
            for lesson in lessons {
                count += 1;
                for (seat, &score) in outcome.iter().enumerate().take(*seats) {
                    let (_, units) = model.number(&lesson.rows[seat]);
                    let by = (lesson.chances[seat] - lesson.target[seat]) as f32;
                    model.slope(&lesson.rows[seat], &units, by, &mut slope);
                    surprise.0 -= score * libm::log(lesson.chances[seat].max(1e-9));
                }
                surprise.1 += 1;
            }
        }
        change += 1;
        let done = games as f64 / options.games as f64;
        let step = (options.step * (1.0 - 0.95 * done)) as f32;
        adapt(&mut model.weights, &slope, count as f32, step, change, (&mut first, &mut second));
        games = batch.end;
        if change % 50 == 0 || games == options.games {
            report(TrainingProgress { games, surprise: surprise.0 / surprise.1 as f64 }, &model);
            surprise = (0.0, 0);
        }
    }
    model
}

/// A model that knows nothing, with small random weights.
fn fresh(rng: &mut Rng) -> Model {
    let mut weights = vec![0.0; WEIGHTS].into_boxed_slice();
    for (place, weight) in weights.iter_mut().enumerate() {
        let size = if place < INPUTS * HIDDEN {
            0.15
        } else if place < INPUTS * HIDDEN + HIDDEN {
            0.0
        } else {
            0.2
        };
        *weight = (size * (2.0 * rng.unit() - 1.0)) as f32;
    }
    Model::new("untrained".to_owned(), weights)
}

/// Adam.
fn adapt(
    weights: &mut [f32],
    slope: &[f32],
    count: f32,
    step: f32,
    change: i32,
    past: (&mut [f32], &mut [f32]),
) {
    let (first, second) = past;
    let correct = |keep: f32| 1.0 - libm::powf(keep, change as f32);
    let (one, two) = (correct(0.9), correct(0.999));
    for (((weight, slope), first), second) in weights.iter_mut().zip(slope).zip(first).zip(second) {
        let slope = slope / count;
        *first = 0.9 * *first + 0.1 * slope;
        *second = 0.999 * *second + 0.001 * slope * slope;
        *weight -= step * (*first / one) / (libm::sqrtf(*second / two) + 1e-6);
    }
}

type Taught = (Vec<Lesson>, usize, [f64; MAX_SEATS]);

/// The games of a batch, in order.
fn batch_of(
    options: &TrainingOptions,
    seed: Seed,
    model: &Model,
    batch: std::ops::Range<u64>,
) -> Vec<Taught> {
    let threads = options.threads.max(1) as u64;
    let share = |thread: u64| {
        let numbers = batch.clone().filter(move |number| number % threads == thread);
        numbers
            .map(|number| (number, game(options, seed.child("game").at(number), model, number)))
            .collect::<Vec<_>>()
    };
    let mut all = if threads == 1 {
        share(0)
    } else {
        std::thread::scope(|scope| {
            let share = &share;
            let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("games do not panic")).collect()
        })
    };
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, taught)| taught).collect()
}

/// One game with itself. Half of them are for two, the others for three and four.
fn game(options: &TrainingOptions, seed: Seed, model: &Model, number: u64) -> Taught {
    let mut rng = Rng::new(seed);
    let seats = [2, 3, 2, 4][number as usize % 4];
    let mut state = Tantrix::standard(seats).start(&mut rng);
    let mut lessons: Vec<Lesson> = Vec::with_capacity(60);
    let mut list = Vec::new();
    loop {
        let action = match state.actor() {
            Actor::Over => break,
            Actor::Chance => state.draw(&mut rng),
            Actor::Seat(seat) => {
                list.clear();
                state.actions(&mut list);
                if rng.chance(options.random) { rng.pick(&list) } else { best(model, &state, seat, &list) }
            }
        };
        let placed = action.placement().is_some();
        state.apply(action);
        if placed && state.actor() != Actor::Over {
            let mut rows = [[0.0; INPUTS]; MAX_SEATS];
            observe(&state, &mut rows);
            let mut numbers = [0.0; MAX_SEATS];
            for seat in 0..seats {
                numbers[seat] = model.number(&rows[seat]).0;
            }
            let chances = shares(&numbers[..seats]);
            lessons.push(Lesson { rows, chances, target: chances });
        }
    }
    let mut outcome = [0.0; MAX_SEATS];
    outcome[..seats].copy_from_slice(state.outcome().scores());
    let mut later = outcome;
    for lesson in lessons.iter_mut().rev() {
        lesson.target = later;
        for (later, chance) in later.iter_mut().zip(lesson.chances) {
            *later = options.lambda * *later + (1.0 - options.lambda) * chance;
        }
    }
    (lessons, seats, outcome)
}

/// The placement after which the seat's chances are best; the first of equals.
fn best(model: &Model, state: &State, seat: Seat, list: &[Action]) -> Action {
    if let [only] = list {
        return *only;
    }
    let mut best = (list[0], f64::NEG_INFINITY);
    for &action in list {
        let mut next = state.clone();
        next.apply(action);
        let chance = model.chances(&next)[seat.index()];
        if chance > best.1 {
            best = (action, chance);
        }
    }
    best.0
}
