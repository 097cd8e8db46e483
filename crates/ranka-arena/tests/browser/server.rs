//! A server in this process.

use ranka_arena::{Arena, Config, Limits};
use ranka_lab::Store;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::Notify;

/// An arena with a store of its own.
pub(crate) struct Server {
    pub(crate) url: String,
    /// The address that the server prints: who comes by it is trusted.
    pub(crate) way_in: String,
    port: u16,
    folder: Arc<TempDir>,
    end: Arc<Notify>,
    served: tokio::task::JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start() -> Server {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Server::at(folder, 0, Limits::default()).await
    }

    /// One that tells so often that it is there.
    pub(crate) async fn beating(beat: std::time::Duration) -> Server {
        Server::at(Arc::new(tempfile::tempdir().unwrap()), 0, Limits { beat, ..Limits::default() }).await
    }

    async fn at(folder: Arc<TempDir>, port: u16, limits: Limits) -> Server {
        let config = Config {
            host: [127, 0, 0, 1].into(),
            port,
            next_port: false,
            names: Vec::new(),
            limits: Limits { searches: 2, ..limits },
        };
        let store = Store::open(&store_of(folder.path())).unwrap();
        let arena = Arena::bind(&config, store).await.unwrap();
        let port = arena.address().unwrap().port();
        let url = format!("http://127.0.0.1:{port}");
        let way_in = format!("{url}/?token={}", arena.token().unwrap());
        let end = Arc::new(Notify::new());
        let ended = Arc::clone(&end);
        let served =
            tokio::spawn(async move { arena.serve(async move { ended.notified().await }).await.unwrap() });
        Server { url, way_in, port, folder, end, served }
    }

    /// Ends it and starts another at the same place, as after a crash or an update.
    pub(crate) async fn restart(self) -> Server {
        self.end.notify_one();
        self.served.await.unwrap();
        Server::at(self.folder, self.port, Limits::default()).await
    }
}

fn store_of(folder: &Path) -> PathBuf {
    folder.join("store.sqlite")
}
