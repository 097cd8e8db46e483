//! Lines of play are drawn where everybody may know them, and nowhere else.

use crate::client::Server;
use ranka_arena::ServerLimits;
use serde_json::{Value, json};

async fn line(server: &Server, asked: &Value) -> (u16, Value) {
    let head = format!("POST /line HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", server.host);
    let (status, _, body) = server.request(&head, &asked.to_string()).await;
    (status, serde_json::from_str(&body).unwrap_or_default())
}

fn at_table(seat: &str, at: usize, actions: &[&str]) -> Value {
    let id = seat.split('/').next().unwrap();
    json!({ "from": { "table": { "id": id, "at": at, "seat": 0 } }, "actions": actions })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_drawn_as_far_as_it_is_legal() {
    let server = Server::start(ServerLimits::default()).await;
    let seat = server.lay(&[("game", "kalah"), ("who1", "random")]).await;
    let (status, said) = line(&server, &at_table(&seat, 0, &["3", "6", "nonsense", "1"])).await;
    assert_eq!(status, 200);
    let frames = said["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 3, "the start and two actions");
    assert!(frames.iter().all(|frame| frame["picture"].as_str().unwrap().starts_with("<svg")));
    let position = json!({ "from": { "position": { "game": "kalah" } }, "actions": ["3"] });
    assert_eq!(line(&server, &position).await.1["frames"].as_array().unwrap().len(), 2);
    let nonsense =
        json!({ "from": { "position": { "game": "kalah", "position": "nonsense" } }, "actions": [] });
    assert_eq!(line(&server, &nonsense).await.0, 400);
    assert_eq!(line(&server, &at_table("nowhere", 0, &[])).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_has_no_lines_before_the_end() {
    let server = Server::start(ServerLimits::default()).await;
    for game in ["geister", "labyrinth"] {
        let seat = server.lay(&[("game", game), ("who1", "random")]).await;
        let (status, said) = line(&server, &at_table(&seat, 0, &[])).await;
        assert_eq!(status, 400, "{game}");
        assert!(
            said["frames"].is_null() && said["error"].as_str().unwrap().contains("after the end"),
            "{said}"
        );
        let mut client = server.connect(&seat).await;
        client.until(|_| true).await;
        client.say(json!({ "do": "resign" })).await;
        client.until(|game| !game["result"].is_null()).await;
        assert_eq!(line(&server, &at_table(&seat, 0, &[])).await.0, 200, "{game}");
    }
}

/// Every line of the answer to who wants to see a thought grow.
async fn growing(server: &Server, asked: &Value) -> (u16, Vec<Value>) {
    let head = format!("POST /analyse HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json", server.host);
    let (status, _, body) = server.request(&head, &asked.to_string()).await;
    (status, body.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thought_that_is_cut_short_is_told_as_far_as_it_came() {
    let limits = ServerLimits { analysis: std::time::Duration::from_secs(2), ..ServerLimits::default() };
    let server = Server::start(limits).await;
    let asked = json!({ "game": "kalah", "rules": "seeds=6", "agent": "perfect", "growing": true });
    let (status, told) = growing(&server, &asked).await;
    assert_eq!(status, 200);
    let candidates = told.last().unwrap()["thought"]["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 6);
    assert!(candidates.iter().all(|candidate| candidate["at_most"] == true), "{candidates:?}");

    let asked = json!({ "game": "kalah", "agent": "perfect", "growing": true });
    let (_, told) = growing(&server, &asked).await;
    let exact = |candidate: &Value| candidate["at_most"].is_null();
    assert!(told.last().unwrap()["thought"]["candidates"].as_array().unwrap().iter().all(exact), "{told:?}");

    let (status, told) = growing(&server, &json!({ "game": "kalah", "position": "nonsense" })).await;
    assert_eq!(status, 400);
    assert!(told[0]["error"].as_str().unwrap().contains("nonsense"));
}
