//! The subcommands, one file each.

mod agents;
mod analyse;
mod bench;
mod bot;
mod experiment;
mod fuzzy;
mod games;
mod league;
mod levels;
mod map;
mod match_;
mod moves;
mod perft;
mod picture;
mod play;
mod puzzles;
mod record;
mod reproduce;
pub(crate) mod serve;
mod solve;
mod sprt;
mod stats;
mod step;
mod tournament;
mod train;

mod filter;

use crate::failure::Done;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Open the arena: play, watch and experiment in the browser (what `ranka` alone does)
    Serve(serve::Args),
    /// List the games
    Games(games::Args),
    /// List a game's agents and the options of its rules
    Agents(agents::Args),
    /// Play in the terminal
    Play(play::Args),
    /// Play many games between agents and tell who is stronger
    Match(match_::Args),
    /// Let everybody play everybody: standings, ratings, cross table
    Tournament(tournament::Args),
    /// A league of other people's bots: night after night, with a site to publish
    League(league::Args),
    /// Let two agents play until it is decided which of two differences in strength is the true one
    Sprt(sprt::Args),
    /// Calibrate levels of strength, and try out players that adapt to their opponents
    Levels(levels::Args),
    /// Run the experiments of the papers, and set what is measured beside their figures or an independent program's
    Reproduce(reproduce::Args),
    /// Run experiments of your own
    Experiment(experiment::Args),
    /// Games that were played: list, show, export, import, replay
    Record(record::Args),
    /// Tell what wins, losses and draws are worth: intervals, Elo, tests
    Stats(stats::Args),
    /// Tell what an agent thinks of a position
    Analyse(analyse::Args),
    /// Read positions, one per line, and print the legal actions of each
    Moves(moves::Args),
    /// Read `position<TAB>action` lines and print the position after each
    Step(step::Args),
    /// Count the action sequences from a position
    Perft(perft::Args),
    /// Draw a position as SVG
    Picture(picture::Args),
    /// Find positions in which it is proved what is right, for people to solve
    Puzzles(puzzles::Args),
    /// Compute exact values
    Solve(solve::Args),
    /// Learn tables
    Train(train::Args),
    /// Measure the project's own speed
    Bench(bench::Args),
    /// Bots in any language, and the protocols of the games' communities
    Bot(bot::Args),
    /// TUBSTAP's maps: list, show, make
    Map(map::Args),
    /// TUBSTAP's fuzzy evaluation: label actions, show and explain tables, make one
    Fuzzy(fuzzy::Args),
}

impl Command {
    /// Does what it says.
    pub(crate) fn run(&self) -> Done {
        match self {
            Command::Serve(args) => serve::run(args),
            Command::Games(args) => games::run(args),
            Command::Agents(args) => agents::run(args),
            Command::Play(args) => play::run(args),
            Command::Match(args) => match_::run(args),
            Command::Tournament(args) => tournament::run(args),
            Command::League(args) => league::run(args),
            Command::Sprt(args) => sprt::run(args),
            Command::Levels(args) => levels::run(args),
            Command::Reproduce(args) => reproduce::run(args),
            Command::Experiment(args) => experiment::run(args),
            Command::Record(args) => record::run(args),
            Command::Stats(args) => stats::run(args),
            Command::Analyse(args) => analyse::run(args),
            Command::Moves(args) => moves::run(args),
            Command::Step(args) => step::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Picture(args) => picture::run(args),
            Command::Puzzles(args) => puzzles::run(args),
            Command::Solve(args) => solve::run(args),
            Command::Train(args) => train::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Bot(args) => bot::run(args),
            Command::Map(args) => map::run(args),
            Command::Fuzzy(args) => fuzzy::run(args),
        }
    }
}
