//! `ranka puzzles`

use crate::failure::Done;
use crate::game_args::GameArgs;
use crate::{interrupt, print};
use ranka_core::Seed;
use ranka_games::{Hunt, proof_of, puzzles, solvers, write_puzzles};

#[derive(clap::Args)]
#[command(after_help = "\
Agents play games with some random actions, and every position is tried. What is printed is the file puzzles.toml of the \
game's crate. The difficulty is 1 and one more for each of three agents of growing strength that misses the solution.

What a proof is: in Kalah exact values of all moves; in Geister a win by force that df-pn finds with purple pieces, so that \
it holds for all colours; in Labyrinth all pushes; in Tantrix all that is left to play; in TUBSTAP all that one side can do in \
its turn.

Examples:
  ranka puzzles kalah --count 2 --games 40
  ranka puzzles labyrinth --prove")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How many puzzles are wanted
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    count: u64,
    /// The most games that are played for them
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Who plays them [default: the weakest of the three agents]
    #[arg(long, value_name = "AGENT")]
    by: Option<String>,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Find nothing; prove the puzzles that come with the game once more
    #[arg(long)]
    prove: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let name = game.info().name;
    if args.prove {
        return prove(name);
    }
    let weakest = solvers(name)?.first().map(String::as_str);
    let by = args.game.agent(game.as_ref(), args.by.as_deref().or(weakest))?;
    let hunt = Hunt {
        game: game.as_ref(),
        by: &by,
        seed: Seed::new(args.seed),
        count: args.count as usize,
        games: args.games,
        cancel: interrupt::flag(),
    };
    let mut played = 0;
    let found = hunt.run(&mut |games, _| played = games)?;
    interrupt::check_without_store()?;
    print::text(&format!(
        "# {} puzzles of {played} games: ranka puzzles {name} --count {} --games {} --by {} --seed {}\n\n{}",
        found.len(),
        args.count,
        args.games,
        by.short,
        args.seed,
        write_puzzles(found)
    ))
}

fn prove(name: &str) -> Done {
    let mut lines = String::new();
    for (number, puzzle) in (1..).zip(puzzles(name)) {
        interrupt::check_without_store()?;
        let proof = proof_of(name, puzzle)?;
        lines += &format!(
            "{number} {} · {} {}\n",
            "●".repeat(usize::from(puzzle.difficulty)),
            proof.right.join(" "),
            proof.says
        );
    }
    print::text(&lines)
}
