//! The server: addresses, and which page answers to what.

use crate::hall::Hall;
use crate::league::live::LiveLeague;
use crate::opening::secret;
use crate::pages;
use crate::server_limits::ServerLimits;
use crate::visit::{Doorkeeper, Key, Names, Peer, guard};
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use qrcodegen::{QrCode, QrCodeEcc};
use ranka_core::Error;
use ranka_lab::Store;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::Layer as _;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

/// Where the arena is found.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// Whether another port will do if this one is in use.
    pub next_port: bool,
    /// Names by which browsers may call the server, beside the address and, on loopback, `localhost`.
    pub names: Vec<String>,
    /// How much is taken from anybody.
    pub limits: ServerLimits,
}

/// A server that listens.
pub struct Arena {
    listener: TcpListener,
    router: Router,
    limits: ServerLimits,
    token: Option<Arc<str>>,
    hall: Arc<Hall>,
}

/// How long nobody is let in when there is no room.
const SHORTLY: Duration = Duration::from_millis(100);

/// How many ports are tried after one that is in use.
const PORTS_TRIED: u16 = 20;

impl Arena {
    /// Listens, but serves nobody yet.
    pub async fn bind(config: &Config, store: Store) -> Result<Arena, Error> {
        let listener = listen(config).await?;
        let mut own = vec![config.host.to_string()];
        let every_address = config.host.is_unspecified();
        if config.host.is_loopback() || every_address {
            own.push("localhost".to_owned());
        }
        let names = Names { own, every_address, given: config.names.clone() };
        // Who gives the server a name expects visitors from elsewhere, if only by way of a proxy: then it trusts nobody.
        let token = (config.host.is_loopback() && config.names.is_empty()).then(|| Arc::from(secret()));
        let port = listener.local_addr().map_or(config.port, |address| address.port());
        let keeper =
            Doorkeeper { names, key: token.clone().map(|token| Key { token, port }), limits: config.limits };
        let hall = Hall::new(store, config.limits, keeper.key.clone())?;
        let router = pages::router(Arc::clone(&hall))
            .layer(DefaultBodyLimit::max(config.limits.bytes))
            .layer(CompressionLayer::new().compress_when(worth_compressing()))
            .layer(from_fn_with_state(Arc::new(keeper), guard));
        Ok(Arena { listener, router, limits: config.limits, token, hall })
    }

    /// Shows the league of a folder below `/league`, as it is played. The first one that is named stays.
    pub fn show_league(&self, folder: PathBuf) {
        let _ = self.hall.league.set(LiveLeague::new(folder));
    }

    /// What proves that a visitor sits at this machine, if it trusts anybody at all: `/?token=…` is the way in.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` comes.
    pub async fn serve(self, end: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        tokio::select! {
            () = accept(self.listener, self.router, self.limits) => Ok(()),
            // Whoever is connected reconnects to the next server: there is nothing to wait for.
            () = end => Ok(()),
        }
    }
}

/// What is small is not worth it, and what is told line by line should not wait for more.
fn worth_compressing() -> impl Predicate {
    SizeAbove::new(800).and(NotForContentType::const_new("application/x-ndjson"))
}

/// Takes connections, so many at a time: who says nothing for long gives way.
async fn accept(listener: TcpListener, router: Router, limits: ServerLimits) {
    let free = Arc::new(Semaphore::new(limits.connections));
    let mut http = Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new()).header_read_timeout(limits.patience);
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        let Ok((socket, from)) = listener.accept().await else {
            // Out of files, say: others will end.
            tokio::time::sleep(SHORTLY).await;
            continue;
        };
        // A move is small and should not wait for more.
        let _ = socket.set_nodelay(true);
        let service = Extension(Peer(from.ip())).layer(router.clone());
        let (http, service) = (http.clone(), TowerToHyperService::new(service));
        tokio::spawn(async move {
            // Whoever breaks off has no use for an answer.
            let _ = http.serve_connection_with_upgrades(TokioIo::new(socket), service).await;
            drop(permit);
        });
    }
}

async fn listen(config: &Config) -> Result<TcpListener, Error> {
    let most = if config.next_port { PORTS_TRIED } else { 0 };
    let mut port = config.port;
    loop {
        match TcpListener::bind((config.host, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error)
                if error.kind() == io::ErrorKind::AddrInUse && port < config.port.saturating_add(most) =>
            {
                port += 1;
            }
            Err(error) => {
                let place = SocketAddr::new(config.host, config.port);
                let why = format!("cannot listen at {place}: {error}");
                return Err(match error.kind() {
                    io::ErrorKind::AddrInUse => Error::busy(format!(
                        "{why}; try --port {}, or --port 0 for any that is free",
                        config.port.saturating_add(1)
                    )),
                    _ => Error::input(why),
                });
            }
        }
    }
}

/// A text as a code that phones read, drawn with half blocks for a terminal.
pub fn qr_for_terminal(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let (size, quiet) = (code.size(), 2);
    let light = |x, y| !code.get_module(x, y);
    let line = |y: i32| {
        let cell = |x: i32| match (light(x, y), light(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        (-quiet..size + quiet).map(cell).collect::<String>()
    };
    Some((-quiet..size + quiet).step_by(2).map(line).collect::<Vec<_>>().join("\n"))
}
