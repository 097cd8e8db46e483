//! Two games that differ only in what a seat may not know look the same to it, byte by byte, until it is revealed.

use crate::client::{Server, actions, mine_or_over};
use ranka_arena::Limits;

/// Plays the same in both games as one seat, and gives all that it was sent by page and by wire: as long as it may not
/// know better, and after the reveal.
async fn heard(server: &Server, form: &[(&str, &str)], turns: usize) -> (String, Vec<String>, Vec<String>) {
    let seat = server.lay(form).await;
    let (status, page) = server.get(&format!("/t/{seat}")).await;
    assert_eq!(status, 200);
    let mut client = server.connect(&seat).await;
    // A state may be sent twice: each is answered once.
    let mut seen = None;
    for turn in 0..turns {
        let game = client.until(|game| mine_or_over(game) && game["at"].as_u64() > seen).await;
        seen = game["at"].as_u64();
        assert!(game["result"].is_null(), "the game goes on in turn {turn}");
        let actions = actions(&game);
        client.act(&game, &actions[(7 * turn) % actions.len()]).await;
    }
    client.until(|game| mine_or_over(game) && game["at"].as_u64() > seen).await;
    let before = std::mem::take(&mut client.heard);
    // The replay would show everything: not as long as the game goes on.
    let id = seat.split('/').next().unwrap();
    for path in ["/replay/table/", "/record/table/", "/review/table/"] {
        assert_eq!(server.get(&format!("{path}{id}")).await.0, 404, "{path}");
    }
    client.say(serde_json::json!({ "do": "resign" })).await;
    client.until(|game| !game["result"].is_null()).await;
    // Names and secrets are drawn anew for each table; they say nothing of the game.
    let secret = seat.split('/').nth(1).unwrap();
    (page.replace(id, "TABLE").replace(secret, "SECRET"), before, client.heard)
}

async fn looks_the_same(game: &str, rules: &str, positions: [&str; 2], turns: usize) {
    let server = Server::start(Limits::default()).await;
    let mut all = Vec::new();
    for position in positions {
        let form = [
            ("game", game),
            ("rules", rules),
            ("position", position),
            ("seed", "5"),
            ("who1", "random"),
            ("pace", "0"),
        ];
        all.push(heard(&server, &form, turns).await);
    }
    let [(page, before, after), (other_page, other_before, other_after)] = <[_; 2]>::try_from(all).unwrap();
    assert_eq!(page, other_page, "the pages differ");
    // States that came while nobody looked may be skipped, so each is compared by how far the game was.
    let by_turn = |heard: &[String]| {
        let mut states: Vec<String> =
            heard.iter().filter(|text| text.contains("\"mine\":true")).cloned().collect();
        states.dedup();
        states
    };
    assert_eq!(by_turn(&before), by_turn(&other_before), "what the seat is sent differs");
    assert!(by_turn(&before).len() > turns / 2, "the games were played");
    assert_ne!(after.last(), other_after.last(), "after the end it is revealed");
}

#[tokio::test(flavor = "multi_thread")]
async fn geister_keeps_its_colours() {
    let positions = ["1rrrr1/1bbbb1/6/6/1BBBB1/1RRRR1 1 - 0", "1brbr1/1rbrb1/6/6/1BBBB1/1RRRR1 1 - 0"];
    looks_the_same("geister", "", positions, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn labyrinth_keeps_its_cards() {
    let game = ranka_games::game("labyrinth").unwrap().open("").unwrap();
    let start = game.start(ranka_core::Seed::new(11));
    // The other's cards the other way round.
    let other = swap_cards(&start);
    assert_ne!(start, other);
    looks_the_same("labyrinth", "", [&start, &other], 6).await;
}

/// The same deal with the last two cards of the second player exchanged.
fn swap_cards(position: &str) -> String {
    let (before, rest) = position.split_once("cards=").unwrap();
    let (cards, after) = rest.split_once(' ').unwrap();
    let (own, others) = cards.split_once(';').unwrap();
    let mut others: Vec<&str> = others.split('+').collect();
    let last = others.len() - 1;
    others.swap(last, last - 1);
    format!("{before}cards={own};{} {after}", others.join("+"))
}
