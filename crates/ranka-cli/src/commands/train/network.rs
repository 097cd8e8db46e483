//! Networks, by self-play.

use super::Asked;
use crate::failure::{Done, Failure};
use crate::game_args::thread_count;
use crate::{interrupt, print};
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AnyAgent, AnyGame, Error, LARGE_FILE, Seed, read_bytes};
use ranka_lab::NewFile;
use ranka_learn::train::{Generation, Training, TrainingOptions};
use serde_json::json;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is asked of self-play alone.
#[derive(clap::Args)]
#[command(next_help_heading = "Networks")]
pub(super) struct NetworkArgs {
    /// Generations of games [default: what takes three minutes in Kalah and half an hour in Geister, on two cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,
    /// Games of a generation, side by side [default: 128]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    games: Option<u16>,
    /// Channels of the network: 16, 32, … 128 [default: 16]
    #[arg(long, value_name = "N")]
    channels: Option<usize>,
    /// Residual blocks of the network [default: 2]
    #[arg(long, value_name = "N")]
    blocks: Option<usize>,
    /// An agent that it also plays against, in a sixteenth of the games; may be given several times, `none` for nobody
    #[arg(long, value_name = "AGENT")]
    against: Vec<String>,
    /// An agent against which its strength is told; may be given several times
    #[arg(long, value_name = "AGENT")]
    yardstick: Vec<String>,
    /// Games against each yardstick
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    yardstick_games: u16,
    /// Generations between two measurements [default: a twentieth of all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// How many threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

impl NetworkArgs {
    /// Whether any setting of the learning itself was given.
    pub(super) fn given(&self) -> bool {
        let sizes = self.games.is_some() || self.channels.is_some() || self.blocks.is_some();
        sizes || self.generations.is_some() || !self.against.is_empty() || !self.yardstick.is_empty()
    }

    fn settings(&self, game: &str, seed: u64) -> TrainingOptions {
        let usual = usual(game);
        let default = TrainingOptions::default();
        let games = self.games.map_or(default.games, usize::from);
        let named: Vec<&str> = if self.against.is_empty() {
            usual.against.to_vec()
        } else {
            self.against.iter().map(String::as_str).filter(|name| *name != "none").collect()
        };
        let places = (games / 16).max(1);
        TrainingOptions {
            seed,
            games,
            generations: self.generations.unwrap_or(usual.generations),
            ply_cap: usual.ply_cap,
            channels: self.channels.unwrap_or(default.channels),
            blocks: self.blocks.unwrap_or(default.blocks),
            opponents: named.into_iter().map(|name| (name.to_owned(), places)).collect(),
            ..default
        }
    }

    fn yardsticks(&self, game: &dyn AnyGame) -> Result<Vec<(String, AnyAgent)>, Error> {
        let usual = usual(game.info().name);
        let named: Vec<String> = if self.yardstick.is_empty() {
            usual.yardsticks.iter().map(|&name| name.to_owned()).collect()
        } else {
            self.yardstick.clone()
        };
        named.into_iter().map(|name| Ok((name.clone(), game.agent(&name)?))).collect()
    }
}

/// What a game is learned with where nothing else is asked for.
struct Usual {
    generations: u64,
    ply_cap: u32,
    against: &'static [&'static str],
    yardsticks: &'static [&'static str],
}

fn usual(game: &str) -> Usual {
    match game {
        "kalah" => Usual {
            generations: 1500,
            ply_cap: 120,
            against: &["random", "minimax:depth=2"],
            yardsticks: &["minimax:depth=2", "minimax:depth=4"],
        },
        // Without rushers among its opponents it forgets how to stop them.
        "geister" => Usual {
            generations: 1000,
            ply_cap: 200,
            against: &["blue-rush", "red-rush", "purple-max:depth=1"],
            yardsticks: &["naotti-1.0", "purple-max"],
        },
        "labyrinth" => Usual {
            generations: 400,
            ply_cap: 200,
            against: &["static"],
            yardsticks: &["distance", "static"],
        },
        "tubstap" => Usual {
            generations: 400,
            ply_cap: 400,
            against: &["standard"],
            yardsticks: &["standard", "pair"],
        },
        _ => Usual { generations: 400, ply_cap: 400, against: &[], yardsticks: &["random"] },
    }
}

/// How often the checkpoint is written.
const KEEP: Duration = Duration::from_secs(60);

pub(super) fn run(args: &NetworkArgs, game: &dyn AnyGame, asked: &Asked<'_>) -> Done {
    let threads = args.threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::input(format!("--threads: {error}")))?;
    pool.install(|| learn(args, game, asked))
}

fn learn(args: &NetworkArgs, game: &dyn AnyGame, asked: &Asked<'_>) -> Done {
    let settings = args.settings(game.info().name, asked.seed);
    let yardsticks = args.yardsticks(game)?;
    let every = args.every.unwrap_or((settings.generations / 20).max(1));
    let generations = settings.generations;
    let mut training = Training::new(game, settings)?;
    let kept = kept_at(asked.out);
    // Fails at once where nothing could be written later.
    let file = NewFile::create(asked.out)?;
    if kept.exists() {
        let bytes = read_bytes(&kept, LARGE_FILE)?;
        training.resume(&bytes, &kept.display().to_string())?;
        print::note!("goes on from generation {} in {}", training.generation(), kept.display());
    }
    interrupt::flag();
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} generations, {msg}, {eta} left");
    let bar = ProgressBar::new(generations).with_style(style.expect("the template is well formed"));
    bar.set_position(training.generation());
    bar.reset_eta();
    let mut saved = Instant::now();
    while !training.is_over() {
        let generation = training.advance()?;
        bar.set_position(generation.number);
        bar.set_message(format!(
            "entropy {:.2}, value loss {:.3}",
            generation.entropy, generation.value_loss
        ));
        if interrupt::happened() {
            bar.finish_and_clear();
            keep(&training, &kept)?;
            let message = format!("stopped; the same command goes on from {}", kept.display());
            return Err(Failure::Interrupted(message));
        }
        if saved.elapsed() > KEEP {
            keep(&training, &kept)?;
            saved = Instant::now();
        }
        if generation.number % every == 0 || training.is_over() {
            let games = usize::from(args.yardstick_games);
            let seed = Seed::new(asked.seed).at(u64::MAX);
            let scores: Vec<(&str, f64)> = yardsticks
                .iter()
                .map(|(name, agent)| Ok((name.as_str(), training.measure(agent, games, seed)?)))
                .collect::<Result<_, Error>>()?;
            bar.suspend(|| tell(&generation, &scores, asked.json))?;
        }
    }
    bar.finish_and_clear();
    write(file, asked, &mut training)?;
    if kept.exists() {
        std::fs::remove_file(&kept).map_err(|error| Error::writing(&kept, error))?;
    }
    Ok(())
}

fn write(mut file: NewFile, asked: &Asked<'_>, training: &mut Training<'_>) -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let command = format!("ranka {}", words.join(" "));
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let bytes = training.network(&command, &format!("a processor with {cores} threads"))?;
    file.write_all(&bytes).map_err(|error| file.failed(error))?;
    file.finish()?;
    if asked.json {
        return print::json(&json!({ "file": asked.out, "bytes": bytes.len() }));
    }
    print::text(&format!("{} bytes written to {}\n", bytes.len(), asked.out.display()))
}

fn tell(generation: &Generation, scores: &[(&str, f64)], json: bool) -> Done {
    if json {
        let scores: serde_json::Map<_, _> =
            scores.iter().map(|&(name, score)| (name.to_owned(), json!(score))).collect();
        return print::json(&json!({
            "generation": generation.number, "decisions": generation.decisions, "entropy": generation.entropy,
            "value_loss": generation.value_loss, "scores": scores,
        }));
    }
    let scores: Vec<String> =
        scores.iter().map(|(name, score)| format!("{name} {:.1} %", 100.0 * score)).collect();
    print::text(&format!(
        "generation {:>5}  {:>9} decisions  entropy {:.2}  value loss {:.3}  {}\n",
        generation.number,
        generation.decisions,
        generation.entropy,
        generation.value_loss,
        scores.join("  ")
    ))
}

/// Where a training is kept until it is done.
fn kept_at(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".training");
    name.into()
}

fn keep(training: &Training<'_>, kept: &Path) -> Result<(), Error> {
    let mut file = NewFile::create(kept)?;
    file.write_all(&training.checkpoint()).map_err(|error| file.failed(error))?;
    file.finish()
}
