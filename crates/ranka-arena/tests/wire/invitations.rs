//! Seats for other people are invitations that are spent by sitting down.

use crate::client::{Client, Server, mine_or_over};
use ranka_arena::ServerLimits;
use serde_json::{Value, json};
use std::sync::Arc;

const TWO: &[(&str, &str)] = &[("game", "geister"), ("who1", "person"), ("pace", "0")];

fn invitation(game: &Value) -> String {
    game["invitations"][0]["link"].as_str().expect("a seat waits").to_owned()
}

/// Where a redirection leads, without the leading `/t/`.
pub(crate) fn seat_in(head: &str) -> String {
    let location = head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    location.strip_prefix("/t/").unwrap().to_owned()
}

/// A table for two people, both seated.
pub(crate) async fn two_people(server: &Server, form: &[(&str, &str)]) -> [(String, Client); 2] {
    let one = server.lay(form).await;
    let mut first = server.connect(&one).await;
    let link = invitation(&first.until(|_| true).await);
    let (status, head, _) = server.post(&link, &[]).await;
    assert_eq!(status, 303);
    let two = seat_in(&head);
    let second = server.connect(&two).await;
    first.until(|game| game["invitations"][0]["link"].is_null()).await;
    [(one, first), (two, second)]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_spent_by_sitting_down_and_not_by_looking() {
    let server = Server::start(ServerLimits::default()).await;
    let seat = server.lay(TWO).await;
    let id = seat.split('/').next().unwrap();
    let mut layer = server.connect(&seat).await;
    let link = invitation(&layer.until(mine_or_over).await);
    let token = link.rsplit('/').next().unwrap();
    assert_eq!(server.get(&format!("/t/{id}/{token}")).await.0, 404, "an invitation is no seat");
    for _ in 0..3 {
        let (status, page) = server.get(&link).await;
        assert_eq!(status, 200);
        assert!(page.contains("id=\"sit-down\""), "who previews the link spends nothing");
    }
    let foreign = format!("POST {link} HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example", server.host);
    assert_eq!(server.request(&foreign, "").await.0, 403);
    assert_eq!(server.post(&format!("/join/{id}/nonsense"), &[]).await.0, 404);
    let (status, head, _) = server.post(&link, &[]).await;
    assert_eq!(status, 303);
    let taken = layer.until(|game| game["invitations"][0]["link"].is_null()).await;
    assert!(taken["invitations"][0]["says"].as_str().unwrap().contains("taken"));
    let mut other = server.connect(&seat_in(&head)).await;
    let seen = other.until(|_| true).await;
    assert_eq!(seen["players"][1]["you"], true);
    assert!(seen["invitations"].as_array().unwrap().is_empty(), "who was invited invites nobody");
    // Spent is spent, after a restart too; the seat stays.
    for server in [&server, &server.another(&[]).await] {
        assert_eq!(server.get(&link).await.0, 410);
        let (status, _, page) = server.post(&link, &[]).await;
        assert_eq!(status, 410);
        assert!(page.contains("taken this invitation already"), "{page}");
        assert_eq!(server.get(&format!("/t/{}", seat_in(&head))).await.0, 200);
    }
    // Who laid the table is never sent the other's link.
    let secret = seat_in(&head).split('/').nth(1).unwrap().to_owned();
    assert!(layer.heard.iter().all(|text| !text.contains(&secret)));
    assert!(!server.get(&format!("/t/{seat}")).await.1.contains(&secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_at_once_one_sits_down() {
    let server = Arc::new(Server::start(ServerLimits::default()).await);
    let seat = server.lay(TWO).await;
    let link = invitation(&server.connect(&seat).await.until(|_| true).await);
    let mut all = Vec::new();
    for _ in 0..8 {
        let (server, link) = (Arc::clone(&server), link.clone());
        all.push(tokio::spawn(async move { server.post(&link, &[]).await.0 }));
    }
    let mut statuses = Vec::new();
    for one in all {
        statuses.push(one.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 410, 410, 410, 410, 410, 410, 410]);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_game_brings_everybody_along() {
    let server = Server::start(ServerLimits::default()).await;
    let position = "1rrrr1/1bbbb1/6/6/1BBBB1/1RRRR1 1 - 0";
    let form = [
        ("game", "geister"),
        ("rules", "plies=50"),
        ("position", position),
        ("who1", "person"),
        ("pace", "77"),
    ];
    let [(one, mut first), (two, mut second)] = two_people(&server, &form).await;
    let id = one.split('/').next().unwrap().to_owned();
    let mut onlooker = server.connect(&id).await;
    assert_eq!(server.post(&format!("/again/{one}"), &[("shift", "1")]).await.0, 400, "the game goes on");
    second.say(json!({ "do": "resign" })).await;
    first.until(|game| !game["result"].is_null()).await;
    assert_eq!(
        server.post(&format!("/again/{id}"), &[("shift", "1")]).await.0,
        403,
        "an onlooker asks for nothing"
    );
    let (status, head, _) = server.post(&format!("/again/{one}"), &[("shift", "1")]).await;
    assert_eq!(status, 303);
    let own = seat_in(&head);
    // The other is shown the way to the own seat, needs no invitation, and asking once more leads there too.
    let told = second.until(|game| !game["rematch"].is_null()).await;
    let link = told["rematch"]["link"].as_str().unwrap().to_owned();
    let (_, head, _) = server.post(&format!("/again/{two}"), &[("shift", "0")]).await;
    assert_eq!(link, format!("/t/{}", seat_in(&head)));
    let next = own.split('/').next().unwrap();
    let told = onlooker.until(|game| !game["rematch"].is_null()).await;
    assert_eq!(told["rematch"]["link"], format!("/t/{next}"), "who watched watches on");
    for (seat, place) in [(&own, 1), (&seat_in(&head), 0)] {
        assert_eq!(seat.split('/').next().unwrap(), next);
        let game = server.connect(seat).await.until(|_| true).await;
        assert_eq!(game["players"][place]["you"], true, "they have changed seats");
        assert_eq!(game["at"], 0);
        assert!(game["invitations"].as_array().unwrap().is_empty());
        assert!(server.get(&format!("/t/{seat}")).await.1.contains("plies=50"));
    }
    // Position and pace are kept; another seed is drawn.
    let opening = |id: &str| -> Value {
        let sql = "SELECT opening FROM tables WHERE id = ?1";
        let text: String = server.database().query_row(sql, [id], |row| row.get(0)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let (old, new) = (opening(&id), opening(next));
    for key in ["game", "rules", "start", "position", "pace"] {
        assert_eq!(old[key], new[key], "{key}");
    }
    assert_ne!(old["seed"], new["seed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_told_that_the_deal_was_chosen() {
    let server = Server::start(ServerLimits::default()).await;
    let two = [("game", "labyrinth"), ("who1", "person"), ("pace", "0")];
    let told = "has chosen the deal";
    for (form, arranged) in [(two.to_vec(), false), ([two.as_slice(), &[("seed", "5")]].concat(), true)] {
        let seat = server.lay(&form).await;
        let link = invitation(&server.connect(&seat).await.until(mine_or_over).await);
        assert_eq!(server.get(&link).await.1.contains(told), arranged);
        assert_eq!(server.get(&format!("/t/{seat}")).await.1.contains(told), arranged);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_followed_by_another_stays_over() {
    let server = Server::start(ServerLimits::default()).await;
    let form = [("game", "kalah"), ("rules", "houses=1,seeds=1"), ("who1", "random"), ("pace", "0")];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    let mut game = client.until(mine_or_over).await;
    while game["result"].is_null() {
        let (at, action) = (game["at"].as_u64(), game["offers"][0]["action"].as_str().unwrap().to_owned());
        client.act(&game, &action).await;
        game = client.until(|game| mine_or_over(game) && game["at"].as_u64() > at).await;
    }
    assert_eq!(game["can_take_back"], true);
    assert_eq!(server.post(&format!("/again/{seat}"), &[("shift", "0")]).await.0, 303);
    let game = client.until(|game| !game["rematch"].is_null()).await;
    assert_eq!(game["can_take_back"], false);
    client.say(json!({ "do": "take-back" })).await;
    assert!(client.complaint().await.contains("nothing can be taken back"));
}
