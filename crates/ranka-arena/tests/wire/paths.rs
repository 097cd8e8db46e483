//! Whatever goes wrong, nobody from elsewhere learns where files lie on this machine.

use crate::client::{Client, Server, mine_or_over};
use ranka_arena::ServerLimits;
use ranka_kalah::{Endgame, Kalah};
use serde_json::json;

/// A table laid at the machine itself, whose agents and rules name files and programs of it.
const MAP: &str = "private.tbsmap";
const TABLE: &str = "private.csv";
const BOT: &str = "private-bot.sh";
const NETWORK: &str = "private.net";
const LADDER: &str = "private.toml";
const EVALUATIONS: [&str; 2] = ["private-tantrix.bin", "private-tubstap.bin"];
const ENDGAME: &str = "private.endgame";

const SHOWN: [&str; 8] = [
    "/t/",
    "/replay/table/",
    "/record/table/",
    "/film/table/",
    "/review/table/",
    "/replay/table/*/1",
    "/thought/table/*/0",
    "/join/*/nobody",
];

/// Everything that a visitor from elsewhere was told.
struct Heard {
    server: Server,
    texts: Vec<(String, String)>,
}

impl Heard {
    async fn get(&mut self, path: &str) -> u16 {
        let (status, head, body) =
            self.server.request(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.server.host), "").await;
        self.texts.push((format!("GET {path}"), head + &body));
        status
    }

    async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> u16 {
        let (status, head, body) = self.server.post(path, form).await;
        self.texts.push((format!("POST {path} {form:?}"), head + &body));
        status
    }

    async fn json(&mut self, path: &str, asked: serde_json::Value) -> u16 {
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", self.server.host);
        let (status, _, body) = self.server.request(&head, &asked.to_string()).await;
        self.texts.push((format!("POST {path} {asked}"), body));
        status
    }

    fn take(&mut self, client: Client) {
        self.texts.extend(client.heard.into_iter().map(|text| ("a live connection".to_owned(), text)));
    }

    /// Asserts that nothing names the folder of the store and the files, nor the home folder.
    fn assert_silent(&self) {
        let folder = self.server.path("");
        let folder = folder.to_str().unwrap().trim_end_matches('/');
        let home = std::env::var("HOME").ok().filter(|home| home.len() > 1);
        let secrets =
            [Some(folder.to_owned()), home, Some("store.sqlite".to_owned()), Some("private".to_owned())];
        for (what, text) in &self.texts {
            for secret in secrets.iter().flatten() {
                assert!(!text.contains(secret.as_str()), "{what} tells {secret:?}:\n{text}");
            }
        }
        assert!(self.texts.len() > 10, "hardly anything was asked");
    }
}

/// A server at which somebody has played with files and programs of the machine, and the same store for visitors from
/// elsewhere; with the table's name.
async fn tables_of_this_machine() -> (Heard, Vec<String>) {
    let here = Server::start(ServerLimits::default()).await;
    let map = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../ranka-tubstap/maps/duel.tbsmap");
    std::fs::copy(map, here.path(MAP)).unwrap();
    let table =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../ranka-tubstap/tables/synthetic-440.csv");
    std::fs::copy(table, here.path(TABLE)).unwrap();
    let network =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../ranka-geister/networks/first.net");
    std::fs::copy(network, here.path(NETWORK)).unwrap();
    let prune = format!("playouts=10,prune={}", here.path(TABLE).display());
    let rank = "[[rank]]\nbound = 1.0\nelo = 0.0\nerror = 0.0\ntemperature =";
    let ladder = format!(
        "version = 1\njudge = \"uct:{prune}\"\nslope = 1.0\nexperiment = \"none\"\n{rank} 1.0\n{rank} 0.0\n"
    );
    std::fs::write(here.path(LADDER), ladder).unwrap();
    std::fs::write(here.path(BOT), "echo broken in $0 >&2; exit 3").unwrap();
    for (game, name) in ["tantrix", "tubstap"].into_iter().zip(EVALUATIONS) {
        let evaluation = format!("../ranka-{game}/networks/evaluation.bin");
        let evaluation = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(evaluation);
        std::fs::copy(evaluation, here.path(name)).unwrap();
    }
    let endgame = Endgame::build(&Kalah::standard(3, 3), 9, 1);
    endgame.write(&mut std::fs::File::create(here.path(ENDGAME)).unwrap()).unwrap();
    let of_tantrix = format!("nodes=10,evaluation=\"{}\"", here.path(EVALUATIONS[0]).display());
    let of_tubstap = format!("nodes=10,evaluation=\"{}\"", here.path(EVALUATIONS[1]).display());
    let endgame = format!("tables=\"{}\"", here.path(ENDGAME).display());
    let rules = format!("map=\"{}\"", here.path(MAP).display());
    let bot = format!("cmd=\"sh {}\"", here.path(BOT).display());
    let network = format!("network=\"{}\"", here.path(NETWORK).display());
    let ladder = format!("ladder=\"{}\"", here.path(LADDER).display());
    let mut tables = Vec::new();
    for (game, rules, agent, params) in [
        ("tubstap", rules.as_str(), "uct", &prune),
        ("tubstap", &rules, "bot", &bot),
        ("geister", "", "champion", &network),
        ("tubstap", "map=duel", "level", &ladder),
        ("tantrix", "", "champion", &of_tantrix),
        ("tubstap", "map=duel", "champion", &of_tubstap),
        ("kalah", "houses=3,seeds=3", "perfect", &endgame),
    ] {
        let form = [("game", game), ("rules", rules), ("who1", agent), ("params1", params), ("pace", "0")];
        let seat = here.lay(&form).await;
        let mut client = here.connect(&seat).await;
        client.until(mine_or_over).await;
        client.say(json!({ "do": "resign" })).await;
        let end = client.until(|game| !game["result"].is_null()).await;
        assert!(end["players"][1]["name"].as_str().unwrap().contains("private"), "here everything is told");
        tables.push(seat.split('/').next().unwrap().to_owned());
    }
    let far = here.another(&["ranka.example"]).await;
    (Heard { server: far, texts: Vec::new() }, tables)
}

#[tokio::test(flavor = "multi_thread")]
async fn files_and_programs_of_agents_are_not_told() {
    let (mut heard, tables) = tables_of_this_machine().await;
    assert_eq!(heard.get("/watch").await, 200);
    for id in &tables {
        for page in SHOWN {
            let path = if page.contains('*') { page.replace('*', id) } else { format!("{page}{id}") };
            heard.get(&path).await;
        }
        let mut onlooker = heard.server.connect(id).await;
        onlooker.until(|_| true).await;
        heard.take(onlooker);
        heard
            .json("/line", json!({ "from": { "table": { "id": id, "at": 0, "seat": 0 } }, "actions": [] }))
            .await;
    }
    assert!(
        heard.texts.iter().any(|(_, text)| text.contains("prune=…")),
        "that there is a file may be known"
    );
    // What visitors name themselves is refused, whatever there is.
    for agent in [("uct", "prune=/etc/passwd"), ("bot", "cmd=reboot")] {
        let form = [("game", "tubstap"), ("who1", agent.0), ("params1", agent.1)];
        assert_eq!(heard.post("/new", &form).await, 400);
    }
    heard.assert_silent();
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_gone_are_not_named() {
    let (mut heard, tables) = tables_of_this_machine().await;
    for file in [MAP, TABLE, BOT, NETWORK, LADDER].into_iter().chain(EVALUATIONS).chain([ENDGAME]) {
        std::fs::remove_file(heard.server.path(file)).unwrap();
    }
    for id in &tables {
        for page in SHOWN {
            let path = if page.contains('*') { page.replace('*', id) } else { format!("{page}{id}") };
            let status = heard.get(&path).await;
            assert_eq!(status, 500, "{path}: a file of the server is missing");
        }
        heard
            .json("/line", json!({ "from": { "table": { "id": id, "at": 0, "seat": 0 } }, "actions": [] }))
            .await;
    }
    heard.assert_silent();
    // Who sits at the machine is told which.
    let here = heard.server.another(&[]).await;
    let (status, page) = here.get(&format!("/t/{}", tables[0])).await;
    assert_eq!(status, 500);
    assert!(page.contains(MAP) && page.contains("cannot be read"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_spoilt_are_not_named() {
    let (mut heard, tables) = tables_of_this_machine().await;
    for file in [TABLE, NETWORK, LADDER].into_iter().chain(EVALUATIONS).chain([ENDGAME]) {
        std::fs::write(heard.server.path(file), "nonsense").unwrap();
    }
    let bots = 1;
    for (place, id) in tables.iter().enumerate().filter(|&(place, _)| place != bots) {
        for page in ["/t/", "/replay/table/", "/film/table/", "/review/table/"] {
            assert_eq!(heard.get(&format!("{page}{id}")).await, 400, "{page} of table {place}");
        }
    }
    // A ladder whose judge cannot judge.
    let far = heard.server.path(TABLE);
    let text = format!("version = 1\njudge = \"level:ladder={}\"\nslope = 1.0\n", far.display());
    let rank = "[[rank]]\nbound = 1.0\nelo = 0.0\nerror = 0.0\ntemperature =";
    let text = format!("{text}experiment = \"none\"\n{rank} 1.0\n{rank} 0.0\n");
    std::fs::write(heard.server.path(LADDER), text).unwrap();
    assert_eq!(heard.get(&format!("/t/{}", tables[3])).await, 400);
    heard.assert_silent();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_fails_is_not_named() {
    let far = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    let form = [("game", "kalah"), ("who1", "random"), ("pace", "0"), ("seed", "1")];
    let teach = [("game", "tubstap"), ("who1", "random"), ("teaches", "mine"), ("pace", "0"), ("seed", "1")];
    let (seat, lesson) = (far.lay(&form).await, far.lay(&teach).await);
    let mut client = far.connect(&seat).await;
    let game = client.until(mine_or_over).await;
    let mut pupil = far.connect(&lesson).await;
    let taught = pupil.until(mine_or_over).await;
    // From now on nothing can be written, and nothing but the tables in memory can be read.
    let spoil = "DROP TABLE labels; DROP TABLE records; DROP TABLE games; ALTER TABLE tables RENAME TO lost; DROP TABLE reports";
    far.database().execute_batch(spoil).unwrap();
    client.act(&game, game["offers"][0]["action"].as_str().unwrap()).await;
    assert!(client.complaint().await.contains("could not be kept"));
    pupil.act(&taught, taught["offers"][0]["action"].as_str().unwrap()).await;
    pupil.complaint().await;
    let mut heard = Heard { server: far, texts: Vec::new() };
    heard.take(client);
    heard.take(pupil);
    for page in [
        "/",
        "/watch",
        "/experiments",
        "/experiments/kalah/ladder",
        "/report/kalah/ladder",
        "/t/nowhere",
        "/labels/mine",
        "/labels/mine/table.csv",
        "/watch/0123456789ab",
        "/watch/import",
        "/replay/0123456789ab/0",
        "/replay/import/1",
        "/record/import/1",
    ] {
        let status = heard.get(page).await;
        assert_eq!(status, 500, "{page}");
    }
    assert_eq!(heard.post("/new", &form).await, 500);
    let record = json!({ "format": 1 }).to_string();
    assert_eq!(heard.post("/paste", &[("record", &record)]).await, 400);
    heard.json("/analyse", json!({ "game": "tubstap", "agent": "uct:prune=taught:mine" })).await;
    assert!(heard.texts.iter().any(|(_, text)| text.contains("no such table")), "what SQLite says is told");
    heard.assert_silent();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_that_is_not_there_names_no_store() {
    let far = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    let here = far.another(&[]).await;
    let mut texts = Vec::new();
    for (server, told) in [(&far, false), (&here, true)] {
        let (status, page) = server.get("/replay/0123456789ab/0").await;
        assert_eq!(status, 404);
        assert_eq!(page.contains("store.sqlite"), told, "{page}");
        texts.push(page);
    }
    assert!(texts.iter().all(|page| page.contains("no such pairing")));
}
