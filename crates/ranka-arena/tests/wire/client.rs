//! A server in this process and a little client, written against the addresses and messages alone.

use futures_util::{SinkExt as _, StreamExt as _};
use ranka_arena::{Arena, Config, ServerLimits};
use ranka_lab::Store;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A generous bound: who waits longer waits in vain.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// An arena whose store is gone with it.
pub(crate) struct Server {
    pub(crate) host: String,
    /// What proves that one sits at the machine; it is shown with every request.
    pub(crate) token: Option<String>,
    folder: Arc<tempfile::TempDir>,
}

impl Server {
    pub(crate) async fn start(limits: ServerLimits) -> Server {
        Server::with_names(limits, &[]).await
    }

    /// One that visitors from elsewhere know by these names, and that trusts nobody therefore.
    pub(crate) async fn with_names(limits: ServerLimits, names: &[&str]) -> Server {
        Server::at(Arc::new(tempfile::tempdir().unwrap()), limits, names).await
    }

    /// Another one with the same store: what it knows was kept.
    pub(crate) async fn another(&self, names: &[&str]) -> Server {
        Server::at(Arc::clone(&self.folder), ServerLimits::default(), names).await
    }

    async fn at(folder: Arc<tempfile::TempDir>, limits: ServerLimits, names: &[&str]) -> Server {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let store = Store::open(&folder.path().join("store.sqlite")).unwrap();
        let config = Config { host: [127, 0, 0, 1].into(), port: 0, next_port: false, names, limits };
        let arena = Arena::bind(&config, store).await.unwrap();
        let host = arena.address().unwrap().to_string();
        let token = arena.token().map(str::to_owned);
        tokio::spawn(arena.serve(std::future::pending()));
        Server { host, token, folder }
    }

    /// One in another process, with its store in a folder of ours.
    pub(crate) fn elsewhere(host: &str, token: Option<&str>, folder: Arc<tempfile::TempDir>) -> Server {
        Server { host: host.to_owned(), token: token.map(str::to_owned), folder }
    }

    /// The same server for whoever did not come by the address that it printed.
    pub(crate) fn without_token(&self) -> Server {
        Server { host: self.host.clone(), token: None, folder: Arc::clone(&self.folder) }
    }

    fn cookie(&self) -> Option<String> {
        let port = self.host.rsplit_once(':').unwrap().1;
        self.token.as_ref().map(|token| format!("token-{port}={token}"))
    }

    /// A place beside the store.
    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// The store, for who wants to spoil it.
    pub(crate) fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path("store.sqlite")).unwrap()
    }

    /// A request by hand: status line and headers, then the body.
    pub(crate) async fn request(&self, head: &str, body: &str) -> (u16, String, String) {
        let (status, head, body) = self.bytes(head, body).await;
        (status, head, String::from_utf8(body).unwrap())
    }

    /// The same for a body that is no text.
    pub(crate) async fn bytes(&self, head: &str, body: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).await.unwrap();
        let cookie = self.cookie().map_or_else(String::new, |cookie| format!("\r\nCookie: {cookie}"));
        let request =
            format!("{head}{cookie}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
        let split = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap();
        let body = answer.split_off(split + 4);
        let head = String::from_utf8(answer).unwrap().trim_end().to_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, body)
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        let (status, _, body) =
            self.request(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.host), "").await;
        (status, body)
    }

    /// Lays a table; gives the path of the first person's seat, without the leading `/t/`.
    pub(crate) async fn lay(&self, form: &[(&str, &str)]) -> String {
        let (status, head, body) = self.post("/new", form).await;
        assert_eq!(status, 303, "{body}");
        let location = head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
        location.strip_prefix("/t/").unwrap().to_owned()
    }

    pub(crate) async fn post(&self, path: &str, form: &[(&str, &str)]) -> (u16, String, String) {
        let encode = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02X}")).collect() };
        let body: Vec<String> =
            form.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded",
            self.host
        );
        self.request(&head, &body.join("&")).await
    }

    pub(crate) async fn connect(&self, seat: &str) -> Client {
        let mut request = format!("ws://{}/live/{seat}", self.host).into_client_request().unwrap();
        if let Some(cookie) = self.cookie() {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        let (socket, _) = connect_async(request).await.unwrap();
        Client { socket, heard: Vec::new() }
    }
}

/// A connection to a table.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Every text that came, as it came.
    pub(crate) heard: Vec<String>,
}

impl Client {
    /// The next message; nothing if the server has left.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("somebody answers");
            match message {
                // That the server is there says nothing of the game.
                Some(Ok(Message::Text(text))) if text.starts_with("{\"kind\":\"beat\"") => {}
                Some(Ok(Message::Text(text))) => {
                    self.heard.push(text.to_string());
                    return Some(serde_json::from_str(&text).unwrap());
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next state of the game for which `wanted` holds.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().await.expect("the server stays");
            if message["kind"] == "game" && wanted(&message) {
                return message;
            }
        }
    }

    /// The next complaint.
    pub(crate) async fn complaint(&mut self) -> String {
        loop {
            let message = self.next().await.expect("the server stays");
            if message["kind"] == "error" {
                return message["message"].as_str().unwrap().to_owned();
            }
        }
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.socket.send(message).await
    }

    pub(crate) async fn act(&mut self, game: &Value, action: &str) {
        self.say(json!({ "do": "act", "at": game["at"], "action": action })).await;
    }
}

pub(crate) fn mine_or_over(game: &Value) -> bool {
    game["mine"] == true || !game["result"].is_null()
}

pub(crate) fn actions(game: &Value) -> Vec<String> {
    let offers = game["offers"].as_array().unwrap();
    offers.iter().map(|offer| offer["action"].as_str().unwrap().to_owned()).collect()
}
