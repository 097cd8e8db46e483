//! What is told is kept, and what is not kept has not happened.

use crate::client::{Server, actions, mine_or_over};
use ranka_arena::ServerLimits;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn what_the_store_refuses_has_not_happened() {
    let server = Server::start(ServerLimits::default()).await;
    let form = [("game", "kalah"), ("who1", "random"), ("pace", "0"), ("seed", "1")];
    let seat = server.lay(&form).await;
    let (mut client, mut onlooker) =
        (server.connect(&seat).await, server.connect(seat.split('/').next().unwrap()).await);
    let game = client.until(mine_or_over).await;
    onlooker.until(|_| true).await;
    let database = server.database();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON tables BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    database.execute_batch(full).unwrap();
    client.act(&game, &actions(&game)[0]).await;
    assert!(client.complaint().await.contains("could not be kept"));
    // Everybody is told, and nobody sees the action.
    for who in [&mut client, &mut onlooker] {
        let told = who.until(|game| !game["trouble"].is_null()).await;
        assert_eq!(told["at"], 0);
        assert!(told["log"].as_array().unwrap().is_empty());
        assert!(who.heard.iter().all(|text| !text.contains("disk full") && !text.contains("sqlite")));
    }
    client.say(json!({ "do": "resign" })).await;
    assert!(client.complaint().await.contains("could not be kept"));
    // Nothing can be laid either.
    let refuse = "CREATE TRIGGER fuller BEFORE INSERT ON tables BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    database.execute_batch(refuse).unwrap();
    assert_eq!(server.post("/new", &form).await.0, 500);
    // When there is room again, it goes on as if nothing had been.
    database.execute_batch("DROP TRIGGER full; DROP TRIGGER fuller").unwrap();
    client.act(&game, &actions(&game)[0]).await;
    let on = client.until(|game| game["at"].as_u64() > Some(0)).await;
    assert!(on["trouble"].is_null());
    assert_eq!(on["log"][0]["action"], actions(&game)[0].as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn thoughts_outlive_the_server() {
    let server = Server::start(ServerLimits::default()).await;
    let form = [("game", "kalah"), ("who1", "minimax"), ("params1", "depth=2"), ("pace", "0"), ("seed", "1")];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    let mut game = client.until(mine_or_over).await;
    while game["thought"].is_null() {
        let (at, action) = (game["at"].as_u64(), actions(&game)[0].clone());
        client.act(&game, &action).await;
        game = client.until(|game| mine_or_over(game) && game["at"].as_u64() > at).await;
    }
    assert!(!game["thought"]["candidates"].as_array().unwrap().is_empty());
    let mut again = server.another(&[]).await.connect(&seat).await;
    assert_eq!(again.until(|_| true).await["thought"], game["thought"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn why_an_agent_broke_is_told_at_its_own_machine() {
    let server = Server::start(ServerLimits::default()).await;
    let script = server.path("bot.sh");
    std::fs::write(&script, "echo secret-of-this-machine >&2; exit 3").unwrap();
    let bot = format!("cmd=\"sh {}\"", script.display());
    let form = [("game", "kalah"), ("who1", "bot"), ("params1", bot.as_str()), ("pace", "0")];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    let mut game = client.until(mine_or_over).await;
    while game["result"].is_null() {
        let (at, action) = (game["at"].as_u64(), actions(&game)[0].clone());
        client.act(&game, &action).await;
        game = client
            .until(|game| !game["result"].is_null() || mine_or_over(game) && game["at"].as_u64() > at)
            .await;
    }
    assert!(game["result"]["reason"].as_str().unwrap().contains("bot"), "{}", game["result"]);
    assert!(
        game["result"]["detail"].as_str().unwrap().contains("secret-of-this-machine"),
        "{}",
        game["result"]
    );
    let id = seat.split('/').next().unwrap();
    assert!(server.get(&format!("/record/table/{id}")).await.1.contains("secret-of-this-machine"));
    // From elsewhere only what kind of fault it was.
    let far = server.another(&["ranka.example"]).await;
    let game = far.connect(&seat).await.until(|_| true).await;
    assert_ne!(game["result"]["reason"], "");
    assert!(!game.to_string().contains("secret-of-this-machine"), "{}", game["result"]);
    for page in ["record", "replay", "film"] {
        let text = far.get(&format!("/{page}/table/{id}")).await.1;
        assert!(!text.contains("secret-of-this-machine"), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taught_can_be_played_against_from_afar() {
    let server = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    let lesson = [("game", "tubstap"), ("who1", "random"), ("teaches", "mine"), ("pace", "0"), ("seed", "1")];
    let seat = server.lay(&lesson).await;
    let mut client = server.connect(&seat).await;
    let game = client.until(mine_or_over).await;
    let action = game["offers"][0]["action"].as_str().unwrap().to_owned();
    client.act(&game, &action).await;
    client.until(|game| game["at"].as_u64() > Some(0)).await;
    let (status, page) = server.get("/labels/mine").await;
    assert_eq!(status, 200);
    assert!(page.contains("value=\"prune=taught:mine\""), "{page}");
    let taught = "prune=taught:mine,playouts=20";
    let form = [("game", "tubstap"), ("who1", "uct"), ("params1", taught), ("pace", "0")];
    let seat = server.lay(&form).await;
    let game = server.connect(&seat).await.until(mine_or_over).await;
    assert_eq!(game["players"][1]["name"], "uct:playouts=20,prune=taught:mine@1");
    // It comes back after a restart as it was, and nobody is told where the store is.
    let again = server.another(&["ranka.example"]).await;
    assert_eq!(again.connect(&seat).await.until(|_| true).await["players"], game["players"]);
    let (_, watched) = again.get("/watch").await;
    assert!(watched.contains("taught:mine@1") && !watched.contains("sqlite") && !watched.contains(".csv"));
    for wrong in ["prune=taught:yours", "prune=taught:mine@9", "prune=taught:../x"] {
        let form = [("game", "tubstap"), ("who1", "uct"), ("params1", wrong)];
        assert_eq!(server.post("/new", &form).await.0, 400, "{wrong}");
    }
    let asked = json!({ "game": "tubstap", "agent": "uct:prune=taught:mine,playouts=20" }).to_string();
    let head = format!("POST /analyse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", server.host);
    let (status, _, body) = server.request(&head, &asked).await;
    assert_eq!(status, 200, "{body}");
}
