//! `ranka solve`

use crate::failure::{Done, Failure};
use crate::print::{self, Table};
use clap::Subcommand;
use ranka_core::{Actor, Error, Game as _, Notation as _, Params, Position as _};
use ranka_kalah::{Endgame, Kalah, Solver, State};
use serde_json::json;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Solvable,
}

#[derive(Subcommand)]
enum Solvable {
    /// Exact final margins of Kalah positions
    Kalah(KalahArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Values are the final margin for the side to move under perfect play of both.

Examples:
  ranka solve kalah --rules houses=4,seeds=3
  ranka solve kalah '<3,1,0,0,4,4,3,3,3> S' --json
  ranka solve kalah --endgame off")]
struct KalahArgs {
    /// The position; `start` for the start
    #[arg(default_value = "start")]
    position: String,
    /// Options of the rules that differ from the defaults, key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// Endgame tables for up to this many seeds, built first: a number, `auto` or `off`
    #[arg(long, value_name = "SEEDS", default_value = "auto")]
    endgame: String,
    /// Room for 2^BITS positions in the search's table, 16 bytes each
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=28))]
    table_bits: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let Solvable::Kalah(args) = &args.game;
    let options = Params::parse(&args.rules, Kalah::options()).map_err(|e| e.at("rules of kalah"))?;
    let game = Kalah::new(&options).map_err(|e| e.at("rules of kalah"))?;
    let state = match args.position.trim() {
        "start" => game.first(),
        text => game.read_state(text).map_err(|e| Error::from(e).at("kalah position"))?,
    };
    // The position decides what it shows, so the solver is for its board.
    let game = Kalah { houses: state.houses(), ..game };
    if state.actor() == Actor::Over {
        return Err(Failure::usage("kalah position: the game is over, there is nothing to solve"));
    }
    let begun = Instant::now();
    let seeds = endgame_seeds(&args.endgame, &state)?;
    Solver::new(&game, None, 0)?; // refuses rules that cannot be solved before the tables are built
    let endgame = (seeds > 0).then(|| Arc::new(Endgame::build(&game, seeds)));
    let table_bits = args.table_bits.unwrap_or_else(|| (state.in_houses() / 2).clamp(14, 22));
    let mut solver = Solver::new(&game, endgame, table_bits)?;
    let solution = solver
        .solve(&state, &AtomicBool::new(false))
        .map_err(|_| Error::internal("the search was cancelled"))?;
    let took = begun.elapsed();

    let write = |house| game.write_action(house);
    let line: Vec<String> = solution.line.iter().map(|&house| write(house)).collect();
    if args.json {
        let moves =
            solution.moves.iter().map(|&(house, value)| json!({ "action": write(house), "value": value }));
        return print::json(&json!({
            "game": "kalah", "rules": options.full(), "position": game.write_state(&state),
            "value": solution.value, "moves": moves.collect::<Vec<_>>(), "pv": line,
            "nodes": solver.nodes(), "endgame": seeds, "seconds": took.as_secs_f64(),
        }));
    }
    let mut table = Table::headed(["house", "final margin"]).right([1]);
    for &(house, value) in &solution.moves {
        let mark = if value == solution.value { " ◀" } else { "" };
        table.row([write(house) + mark, signed(value)]);
    }
    let mut out =
        format!("{}\nvalue {}\n\n{}\n", game.write_state(&state), signed(solution.value), table.render("  "));
    let _ = writeln!(out, "line  {}", line.join(" "));
    let _ =
        writeln!(out, "{} positions searched, endgame tables of {seeds} seeds, {took:.2?}", solver.nodes());
    print::text(&out)
}

/// With a sign, and with the minus that goes with figures.
fn signed(value: i32) -> String {
    format!("{value:+}").replace('-', "−")
}

/// How many seeds the endgame tables shall hold.
fn endgame_seeds(wish: &str, state: &State) -> Result<u32, Error> {
    /// A table of more boards takes longer to build than it saves.
    const BOARDS: u64 = 20_000_000;
    let seeds = state.in_houses();
    let most = Endgame::affordable(state.houses(), 1 << 30);
    match wish {
        "off" => Ok(0),
        // A third of the seeds, as far as that is quickly built.
        "auto" => Ok(Endgame::affordable(state.houses(), BOARDS).min(seeds / 3)),
        number => number.parse().ok().filter(|n| (1..=most).contains(n)).ok_or_else(|| {
            Error::input(format!("--endgame {number}: expected auto, off or a number of seeds 1..{most}"))
        }),
    }
}
