//! `ranka serve`, and `ranka` alone

use crate::failure::{Done, Failure};
use crate::lab_args::StoreArgs;
use crate::whereabouts::{announce, beside};
use crate::{interrupt, print};
use owo_colors::OwoColorize;
use ranka_arena::{Arena, Config, ServerLimits, qr_for_terminal};
use ranka_core::Error;
use std::fs::{File, TryLockError};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The port when nobody names one.
const PORT: u16 = 4126;

#[derive(clap::Args)]
#[command(after_help = "\
Everything is kept in the store: games go on where they were when the server is started again.
The printed address has a token: who comes by it may let agents read files and run programs, and start experiments.
On another address than loopback, or with a --name, everybody who reaches it can play, but agents may not read files \
or run programs that visitors name, and nobody starts experiments; give the names by which browsers call the server \
with --name.

Examples:
  ranka                                     the same as ranka serve
  ranka serve --open                        and open a browser
  ranka serve --port 8000 --store class.sqlite
  ranka serve --lan                         for a class room: others in the same network can play
  ranka serve --host 0.0.0.0 --name lab.example")]
pub(crate) struct Args {
    /// The address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port; 0 takes any that is free [default: 4126, or the next one that is free]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// A name by which browsers may call the server, beside its address; can be given several times
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Let others in the same network play: listens at every address, and prints one that works for them, with a code for phones
    #[arg(long, conflicts_with = "host")]
    lan: bool,
    /// Open a browser
    #[arg(long)]
    open: bool,
    /// Show the league of this folder, as it is played
    #[arg(long, value_name = "FOLDER")]
    league: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How much is taken from anybody.
#[derive(clap::Args)]
struct LimitArgs {
    /// How many agents may think at a time [default: two for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    searches: Option<u16>,
    /// After how many seconds an agent that thinks about one action loses [default: 120; 10 for visitors from elsewhere]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    think: Option<u64>,
    /// How many games may be played at a time
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,
}

impl LimitArgs {
    fn limits(&self, public: bool) -> ServerLimits {
        let usual = if public { ServerLimits::for_strangers() } else { ServerLimits::default() };
        ServerLimits {
            searches: self.searches.map_or(usual.searches, usize::from),
            think: self.think.map_or(usual.think, Duration::from_secs),
            tables: self.tables as usize,
            ..usual
        }
    }
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::flag();
    let store = args.store.open()?;
    let host = if args.lan { Ipv4Addr::UNSPECIFIED.into() } else { args.host };
    let config = Config {
        host,
        port: args.port.unwrap_or(PORT),
        next_port: args.port.is_none(),
        names: args.name.clone(),
        limits: args.limits.limits(!host.is_loopback() || !args.name.is_empty()),
    };
    let place = store.path().to_owned();
    let held = hold(&place)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(config.limits.threads())
        .build()
        .map_err(|e| Error::internal(format!("cannot start the server: {e}")))?;
    let served = runtime.block_on(async {
        let arena = Arena::bind(&config, store).await?;
        let address = arena.address()?;
        announce(&held, at(address));
        if let Some(folder) = &args.league {
            // Better now than when somebody asks for a page.
            ranka_league::League::open(folder)?;
            arena.show_league(folder.clone());
        }
        // Whoever has this address may let agents run programs and read files of this machine.
        let token = arena.token().map_or_else(String::new, |token| format!("?token={token}"));
        let url = format!("http://{}/{token}", at(address));
        let _ = print::text(&format!("{} is at {}\n", "爛柯 Ranka".bold(), url.cyan().underline()));
        if args.league.is_some() {
            print::note!("The league is at http://{}/league", at(address));
        }
        if args.lan
            && let Some(code) = qr_for_terminal(&url)
        {
            print::note!("{code}");
        }
        print::note!("Games are kept in {}. Ctrl-C ends it; nothing is lost.", place.display());
        if args.open {
            open(&url)?;
        }
        arena.serve(interrupted()).await.map_err(Failure::from)
    });
    // A search that nobody waits for any more need not be waited for either.
    runtime.shutdown_timeout(Duration::from_millis(200));
    let _ = held.set_len(0);
    served
}

/// Holds the store for this arena: two would play on in the same games without knowing of each other.
fn hold(store: &Path) -> Result<File, Error> {
    let name = beside(store);
    let file = File::options().create(true).truncate(false).write(true).open(&name);
    let file = file.map_err(|e| Error::writing(&name, e))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::busy(
            "the store is in use by another arena that runs already: open that one, or give this one another --store",
        )
        .in_file(store)),
        // Where files cannot be locked nobody can be kept out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// An address as a browser takes it: nobody browses to "every address of this machine".
fn at(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if ip.is_unspecified() => {
            SocketAddr::new(in_network().unwrap_or([127, 0, 0, 1].into()), address.port())
        }
        _ => address,
    }
}

/// The address by which others in the network reach this machine: the one from which it would speak to them. Nothing is sent.
fn in_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

async fn interrupted() {
    while !interrupt::happened() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Opens a browser as this system does it.
fn open(url: &str) -> Result<(), Error> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.map(drop).map_err(|e| {
        Error::outside(format!("cannot open a browser with {program}: {e}; open {url} yourself"))
    })
}
