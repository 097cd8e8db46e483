//! `ranka solve`

use crate::failure::{Done, Failure};
use crate::game_args::thread_count;
use crate::interrupt;
use crate::print::{self, TextTable};
use clap::Subcommand;
use ranka_core::{Actor, Error, Game as _, Notation as _, Params, Position as _, Seat, read_bytes};
use ranka_kalah::{Book, Draft, Endgame, House, Interval, Kalah, Scope, Solver, SolverProgress, State};
use ranka_lab::NewFile;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

/// How often the draft of a book is written to its file.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// The most bytes of a draft that is read: 19 million positions.
const MOST_DRAFT: u64 = 256 << 20;

/// Bytes that the endgame tables must leave.
const LEAST_FOR_SEARCH: u64 = 8 << 10;

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
Values are the final margin for the side to move under perfect play of both. They do not depend on the number of
threads; how many positions are searched does.

Ctrl-C ends a solve with what is proven until then. The same command begins anew, except for tables kept by --tables
and for books: what is solved of one is kept in a draft beside it (FILE.draft). perfect, strong and champion play from
a book by their parameter book=FILE.

Examples:
  ranka solve kalah --rules houses=4,seeds=3
  ranka solve kalah '<3,1,0,0,4,4,3,3,3> S' --json
  ranka solve kalah --value --endgame off
  ranka solve kalah --value --endgame 22 --tables kalah-22.endgame
  ranka solve kalah --rules seeds=5 --value --line --endgame 26 --memory 4096
  ranka solve kalah --rules houses=5,seeds=3 --value --at-least 4
  ranka solve kalah --book kalah.book --book-plies 4 --book-seeds 42")]
struct KalahArgs {
    /// The position; `start` for the start
    #[arg(default_value = "start")]
    position: String,
    /// Options of the rules that differ from the defaults, key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// Only the value of the position, not of every move
    #[arg(long)]
    value: bool,
    /// With --value: a line of perfect play as well
    #[arg(long, requires = "value")]
    line: bool,
    /// With --value: only whether it is at least this, which is less work than the value itself
    #[arg(
        long,
        value_name = "MARGIN",
        requires = "value",
        conflicts_with = "line",
        allow_negative_numbers = true
    )]
    at_least: Option<i32>,
    /// Endgame tables for up to this many seeds: a number, `auto` or `off`
    #[arg(long, value_name = "SEEDS", default_value = "auto")]
    endgame: String,
    /// Keep the endgame tables in this file: read if it is there, else built and written
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// MiB for all tables together, and for what building them takes
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Room for 2^BITS positions in the search's table, 8 bytes each, instead of what --memory leaves
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=32))]
    table_bits: Option<u32>,
    /// Threads; as many as the machine has unless given
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Write an opening book of solved positions to this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "value", "json"])]
    book: Option<PathBuf>,
    /// Begin with what this book of as many houses knows, unless there is a draft
    #[arg(long, value_name = "BOOK", requires = "book")]
    book_from: Option<PathBuf>,
    /// The book holds every position of so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 4, requires = "book", value_parser = clap::value_parser!(u32).range(..=20))]
    book_plies: u32,
    /// And what a perfect player can meet with at least so many seeds in the houses
    #[arg(long, value_name = "SEEDS", default_value_t = 42, requires = "book", value_parser = clap::value_parser!(u32).range(1..=255))]
    book_seeds: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let Solvable::Kalah(args) = &args.game;
    with_large_pages();
    let options = Params::parse(&args.rules, Kalah::options()).map_err(|e| e.at("rules of kalah"))?;
    let game = Kalah::new(&options).map_err(|e| e.at("rules of kalah"))?;
    let state = match args.position.trim() {
        "start" => game.first(),
        text => game.read_state(text).map_err(|e| Error::from(e).at("kalah position"))?,
    };
    // The position decides what it shows, so the solver is for its board.
    let game = Kalah { houses: state.houses(), ..game };
    let Actor::Seat(mover) = state.actor() else {
        return Err(Failure::usage("kalah position: the game is over, there is nothing to solve"));
    };
    let begun = Instant::now();
    let mut solver = prepare(args, &game, &state)?;
    let tables = begun.elapsed();
    if let Some(path) = &args.book {
        return make_book(&solver, args, path);
    }
    let Found { value, moves, line } = find(&mut solver, args, &state, mover)?;
    let took = begun.elapsed();

    let write = |house| game.write_action(house);
    let line: Vec<String> = line.iter().map(|&house| write(house)).collect();
    let seeds = solver.endgame().map_or(0, Endgame::most);
    if args.json {
        let moves =
            moves.iter().map(|&(house, known)| json!({ "action": write(house), "value": known.lower }));
        return print::json(&json!({
            "game": "kalah", "rules": options.full(), "position": game.write_state(&state),
            "value": value.is_exact().then_some(value.lower), "lower": value.lower, "upper": value.upper,
            "moves": moves.collect::<Vec<_>>(), "pv": line,
            "nodes": solver.nodes(), "endgame": seeds, "threads": threads(args),
            "lookups": solver.lookups().all, "lookup_hits": solver.lookups().hits,
            "seconds": took.as_secs_f64(), "seconds_for_tables": tables.as_secs_f64(),
        }));
    }
    let mut out = format!("{}\nvalue {}\n", game.write_state(&state), told(value));
    if !args.value {
        let mut table = TextTable::headed(["house", "final margin"]).right([1]);
        for &(house, margin) in &moves {
            let mark = if margin == value { " ◀" } else { "" };
            table.row([write(house) + mark, told(margin)]);
        }
        let _ = write!(out, "\n{}\n", table.render("  "));
    }
    if !line.is_empty() {
        let _ = writeln!(out, "line  {}", line.join(" "));
    }
    let _ = writeln!(
        out,
        "{} positions searched, endgame tables of {seeds} seeds, {took:.2?} ({tables:.2?} for the tables), threads: {}",
        solver.nodes(),
        threads(args)
    );
    print::text(&out)
}

/// What was asked for.
struct Found {
    /// The position's margin for its mover.
    value: Interval,
    /// Each legal move's, unless only the value was asked for.
    moves: Vec<(House, Interval)>,
    line: Vec<House>,
}

/// Finds out what was asked for; where Ctrl-C ends it, what is proven until then is told.
fn find(solver: &mut Solver, args: &KalahArgs, state: &State, seat: Seat) -> Result<Found, Failure> {
    let cancel = interrupt::flag();
    let watching = Watching::search(solver.progress());
    let wanted = args.at_least.map_or(Interval::ANY, Interval::at_least);
    let (value, moves) = if args.value {
        (solver.bounds(state, seat, wanted, cancel), Vec::new())
    } else {
        let moves = each_house(solver, state, seat, &watching);
        let best =
            |bound: fn(&Interval) -> i32| moves.iter().map(|(_, known)| bound(known)).max().unwrap_or(0);
        (Interval { lower: best(|known| known.lower), upper: best(|known| known.upper) }, moves)
    };
    let answered = value.answers(wanted) && moves.iter().all(|(_, known)| known.is_exact());
    let line = if !answered {
        None
    } else if args.line || !args.value {
        watching.at("line: ".to_owned());
        solver.line(state, cancel).ok()
    } else {
        Some(Vec::new())
    };
    drop(watching);
    let stopped = || Failure::Interrupted(stopped(args, solver, value, &moves));
    Ok(Found { line: line.ok_or_else(stopped)?, value, moves })
}

/// What is found out of each move until Ctrl-C.
fn each_house(solver: &mut Solver, state: &State, seat: Seat, watching: &Watching) -> Vec<(House, Interval)> {
    let mut houses = Vec::new();
    state.actions(&mut houses);
    let mut known = |house: House| {
        let mut next = *state;
        next.apply(house);
        watching.at(format!("house {}: ", solver.game().write_action(house)));
        (house, solver.bounds(&next, seat, Interval::ANY, interrupt::flag()))
    };
    houses.into_iter().map(&mut known).collect()
}

/// What Ctrl-C leaves.
fn stopped(args: &KalahArgs, solver: &Solver, value: Interval, moves: &[(House, Interval)]) -> String {
    let each = |(house, known): &(House, Interval)| {
        format!("house {} {}", solver.game().write_action(*house), told(*known))
    };
    let proven =
        if moves.is_empty() { told(value) } else { moves.iter().map(each).collect::<Vec<_>>().join(", ") };
    let kept = if args.tables.is_some() {
        "but for its endgame tables the same command"
    } else {
        "the same command"
    };
    format!("stopped after {} positions; proven: {proven}; {kept} begins anew", solver.nodes())
}

/// Starts the program once more where memory then comes in large pages: tables of gigabytes are read up to three times
/// as fast. Only the environment can tell glibc so, and only before the program begins.
pub(super) fn with_large_pages() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt as _;
        const ASKS: &str = "GLIBC_TUNABLES";
        let kind = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
        if std::env::var_os(ASKS).is_none() && kind.is_ok_and(|kind| kind.contains("[madvise]")) {
            let Ok(program) = std::env::current_exe() else { return };
            // It returns only if that did not work, and then all goes on as it was.
            let _ = std::process::Command::new(program)
                .args(std::env::args_os().skip(1))
                .env(ASKS, "glibc.malloc.hugetlb=1")
                .exec();
        }
    }
}

fn threads(args: &KalahArgs) -> usize {
    args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// The solver with its endgame tables, all within the memory allowed.
fn prepare(args: &KalahArgs, game: &Kalah, state: &State) -> Result<Solver, Failure> {
    Solver::new(game, None, 0)?; // refuses rules that cannot be solved before the tables are built
    let memory = args.memory << 20;
    check_bits(args, memory)?;
    let seeds = endgame_seeds(args, game, state)?;
    let endgame = if seeds == 0 { None } else { Some(endgame(args, game, seeds)?) };
    let left = memory.saturating_sub(endgame.as_ref().map_or(0, Endgame::bytes));
    if left < LEAST_FOR_SEARCH {
        let message = format!("--memory {}: the endgame tables leave no room for the search", args.memory);
        return Err(Failure::usage(&message));
    }
    check_bits(args, left)?;
    // More seeds need more room, and the memory is the limit.
    let most = (left / 8).ilog2();
    let table_bits = args.table_bits.unwrap_or_else(|| (state.in_houses() * 2 / 3).max(14).min(most));
    Ok(Solver::new(game, endgame.map(Arc::new), table_bits)?.on(threads(args)))
}

/// Refuses a table of bounds that does not fit.
fn check_bits(args: &KalahArgs, left: u64) -> Done {
    match args.table_bits {
        Some(bits) if 8 << bits > left => Err(Failure::usage(&format!(
            "--table-bits {bits}: that takes {} MiB, and --memory {} leaves {}",
            (8u64 << bits).div_ceil(1 << 20),
            args.memory,
            left >> 20
        ))),
        _ => Ok(()),
    }
}

/// The endgame tables, from their file if they are kept in one.
fn endgame(args: &KalahArgs, game: &Kalah, seeds: u32) -> Result<Endgame, Failure> {
    if let Some(path) = args.tables.as_deref().filter(|path| path.exists()) {
        let table = Endgame::load(game, path, (args.memory << 20) - LEAST_FOR_SEARCH)?;
        let wanted = args.endgame.parse().unwrap_or(table.most());
        if table.most() != wanted {
            let message = format!("{}: tables of {} seeds, --endgame {wanted}", path.display(), table.most());
            return Err(Error::input(message).into());
        }
        return Ok(table);
    }
    let file = args.tables.as_deref().map(NewFile::create).transpose()?;
    let threads = (1..=threads(args)).rev().find(|&n| fits(args, game, seeds, n)).unwrap_or(1);
    let solved = Arc::new(AtomicU64::new(0));
    let watching = Watching::tables(Arc::clone(&solved), Endgame::size(game.houses, seeds).unwrap_or(0));
    let table = Endgame::build_unless(game, seeds, threads, interrupt::flag(), &solved);
    drop(watching);
    let table = table.ok_or_else(|| {
        let message =
            "stopped while the endgame tables were built; nothing is kept, the same command begins anew";
        Failure::Interrupted(message.to_owned())
    })?;
    if let Some(mut file) = file {
        table.write(&mut file).map_err(|error| file.failed(error))?;
        file.finish()?;
    }
    Ok(table)
}

/// Makes an opening book. What is solved is kept in a draft beside it, from which the next run goes on.
fn make_book(solver: &Solver, args: &KalahArgs, path: &Path) -> Done {
    let scope = Scope { plies: args.book_plies, seeds: args.book_seeds };
    // Behind the whole name, for a book may have any name.
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".draft");
    let unfinished = Path::new(&unfinished);
    let mut draft = if unfinished.exists() {
        Draft::read(&read_bytes(unfinished, MOST_DRAFT)?, solver.game())
            .map_err(|error| error.in_file(unfinished))?
    } else if let Some(smaller) = &args.book_from {
        Draft::of(&Book::load(smaller, solver.game())?)
    } else {
        Draft::new(solver.game())
    };
    // Refused now what could not be written after hours.
    let book_file = NewFile::create(path)?;
    let keep = |mut file: NewFile, bytes: &[u8]| {
        file.write_all(bytes).map_err(|error| file.failed(error))?;
        file.finish()
    };
    let save = |draft: &Draft| keep(NewFile::create(unfinished)?, &draft.bytes());
    let (mut told, mut saved) = (Instant::now(), Instant::now());
    let made = Book::make(solver, scope, &mut draft, interrupt::flag(), &mut |draft, left| {
        if stderr().is_terminal() && told.elapsed() > Duration::from_millis(500) {
            eprint!("{} positions solved, {left} of this ply to come …  \r", draft.len());
            told = Instant::now();
        }
        if saved.elapsed() > SAVE_EVERY {
            save(draft)?;
            saved = Instant::now();
        }
        Ok(())
    })?;
    save(&draft)?;
    let Some(book) = made else {
        let message =
            format!("stopped; {} solved positions are kept, and the same command goes on", draft.len());
        return Err(Failure::Interrupted(message));
    };
    let bytes = book.bytes();
    keep(book_file, &bytes)?;
    print::text(&format!("{} positions in {} bytes\n", book.len(), bytes.len()))
}

/// Whether tables of so many seeds can be built on so many threads within the memory allowed.
fn fits(args: &KalahArgs, game: &Kalah, seeds: u32, threads: usize) -> bool {
    let room = (args.memory << 20) - LEAST_FOR_SEARCH;
    Endgame::build_bytes(game, seeds, threads).is_some_and(|bytes| bytes <= room)
}

/// Tells on a terminal how far the solver is, until it is dropped.
struct Watching {
    over: Arc<AtomicBool>,
    /// What is solved now.
    at: Arc<Mutex<String>>,
    teller: Option<thread::JoinHandle<()>>,
}

impl Watching {
    /// How far the building of tables with so many boards is.
    fn tables(solved: Arc<AtomicU64>, boards: u64) -> Watching {
        let millions = move |boards: u64| boards / 1_000_000;
        Watching::new(move || {
            let solved = solved.load(Ordering::Relaxed);
            format!("endgame tables: {} of {} million boards", millions(solved), millions(boards))
        })
    }

    /// How far a search is.
    fn search(progress: Arc<SolverProgress>) -> Watching {
        Watching::new(move || {
            format!("{} million positions, {}", progress.nodes() / 1_000_000, told(progress.proven()))
        })
    }

    fn new(far: impl Fn() -> String + Send + 'static) -> Watching {
        let (over, at) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(String::new())));
        let (ends, now) = (Arc::clone(&over), Arc::clone(&at));
        let teller = stderr().is_terminal().then(|| {
            thread::spawn(move || {
                loop {
                    thread::park_timeout(Duration::from_millis(100));
                    if ends.load(Ordering::Relaxed) {
                        break;
                    }
                    let at = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    eprint!("{at}{} …  \r", far());
                }
                eprint!("\x1b[2K");
            })
        });
        Watching { over, at, teller }
    }

    fn at(&self, what: String) {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(teller) = self.teller.take() {
            teller.thread().unpark();
            let _ = teller.join();
        }
    }
}

/// With a sign, and with the minus that goes with figures.
fn signed(value: i32) -> String {
    format!("{value:+}").replace('-', "−")
}

/// What is known of a margin.
fn told(known: Interval) -> String {
    if known.is_exact() {
        signed(known.lower)
    } else {
        format!("{} to {}", signed(known.lower), signed(known.upper))
    }
}

/// How many seeds the endgame tables shall hold.
fn endgame_seeds(args: &KalahArgs, game: &Kalah, state: &State) -> Result<u32, Error> {
    /// A table of more boards takes longer to build than it saves, unless it is kept.
    const BOARDS: u64 = 150_000_000;
    let seeds = state.in_houses();
    // Half of the memory: five bits and a third a value.
    let room = ((args.memory << 20) * 3 / 4).min(1 << 32);
    let within = |boards: u64| {
        (0..=Endgame::affordable(game, boards)).rev().find(|&n| n == 0 || fits(args, game, n, 1)).unwrap_or(0)
    };
    let most = within(room);
    match args.endgame.as_str() {
        "off" => Ok(0),
        "auto" => Ok(within(BOARDS.min(room)).min(seeds * 2 / 5)),
        number => number.parse().ok().filter(|n| (1..=most).contains(n)).ok_or_else(|| {
            Error::input(format!(
                "--endgame {number}: expected auto, off or a number of seeds 1..{most} (with --memory {})",
                args.memory
            ))
        }),
    }
}
