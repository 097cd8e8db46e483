//! A server in this process, on threads of its own: when it goes away, so does everything that it had open.

use ranka_arena::{Arena, Config, ServerLimits};
use ranka_core::Error;
use ranka_lab::Store;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// An arena with a store of its own.
pub(crate) struct Server {
    pub(crate) url: String,
    /// The address that the server prints: who comes by it is trusted.
    pub(crate) way_in: String,
    port: u16,
    folder: Arc<TempDir>,
    runtime: Option<Runtime>,
}

/// A server that is not there any more.
pub(crate) struct Stopped {
    port: u16,
    folder: Arc<TempDir>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Server {
    pub(crate) async fn start() -> Server {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Server::at(folder, 0, ServerLimits::default()).await
    }

    /// One that tells so often that it is there.
    pub(crate) async fn beating(beat: Duration) -> Server {
        Server::at(
            Arc::new(tempfile::tempdir().unwrap()),
            0,
            ServerLimits { beat, ..ServerLimits::default() },
        )
        .await
    }

    async fn at(folder: Arc<TempDir>, port: u16, limits: ServerLimits) -> Server {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let mut tries = 0;
        let arena = loop {
            let store = store_of(folder.path());
            match runtime.spawn(async move { bind(&store, port, limits).await }).await.unwrap() {
                Ok(arena) => break arena,
                // The one before may still be going.
                Err(error) if port != 0 && tries < 100 => {
                    tries += 1;
                    eprintln!("again: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(error) => panic!("{error}"),
            }
        };
        let port = arena.address().unwrap().port();
        let url = format!("http://127.0.0.1:{port}");
        let way_in = format!("{url}/?token={}", arena.token().unwrap());
        runtime.spawn(arena.serve(std::future::pending()));
        Server { url, way_in, port, folder, runtime: Some(runtime) }
    }

    /// Ends it as a crash would: every connection is cut.
    pub(crate) fn crash(mut self) -> Stopped {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
        Stopped { port: self.port, folder: Arc::clone(&self.folder) }
    }
}

impl Stopped {
    /// Another one at the same place.
    pub(crate) async fn start_again(self) -> Server {
        Server::at(self.folder, self.port, ServerLimits::default()).await
    }
}

async fn bind(store: &Path, port: u16, limits: ServerLimits) -> Result<Arena, Error> {
    let config = Config {
        host: [127, 0, 0, 1].into(),
        port,
        next_port: false,
        names: Vec::new(),
        limits: ServerLimits { searches: 2, ..limits },
    };
    Arena::bind(&config, Store::open(store)?).await
}

fn store_of(folder: &Path) -> PathBuf {
    folder.join("store.sqlite")
}
