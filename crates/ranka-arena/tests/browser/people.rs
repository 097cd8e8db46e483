//! People among themselves, and what happens when the server goes away.

use crate::driver::{Browser, available};
use crate::games::play_to_the_end;
use crate::server::Server;
use serde_json::json;

const LIT: &str = "return document.querySelector('#board .next') !== null";

/// Lays a table for two people in the first browser and seats the second.
async fn sit_two(server: &Server, game: &str) -> [Browser; 2] {
    let (one, two) = (Browser::open().await, Browser::open().await);
    one.go(&format!("{}/new/{game}", server.url)).await;
    one.ask("document.querySelector('[name=who1]').value = 'person'; return true").await;
    one.click("#begin").await;
    one.find(".links input").await;
    let link = one.ask("return document.querySelector('.links input').value").await;
    two.go(link.as_str().unwrap()).await;
    // Looking spends nothing; sitting down does.
    two.client.refresh().await.unwrap();
    two.click("#sit-down").await;
    two.find("#board svg").await;
    one.until("the seat is taken", "return document.querySelector('.links input') === null").await;
    let over = one.ask("return document.getElementById('invitations').hidden").await;
    assert_eq!(over, json!(true), "nothing is left to send");
    [one, two]
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_each_other() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let [one, two] = sit_two(&server, "kalah").await;
    one.until("the first is asked", LIT).await;
    assert_eq!(two.ask(LIT).await, json!(false), "the second waits");
    // Both go on until it is over; whoever is not asked waits.
    tokio::join!(play_to_the_end(&one), play_to_the_end(&two));
    let results = [one.text("#result").await, two.text("#result").await];
    let fits = matches!(
        [results[0].as_str(), results[1].as_str()],
        ["You win", "You lose"] | ["You lose", "You win"] | ["A draw", "A draw"]
    );
    assert!(fits, "{results:?}");
    // One wants another game and is led to it; the other is shown the way to the own seat there.
    one.click(".again button[value='1']").await;
    one.until("there is a new game", "return document.querySelectorAll('#moves li').length === 0").await;
    two.until("the other is asked", "return !document.getElementById('rematch').hidden").await;
    two.click("#rematch").await;
    two.until("the second plays first now", LIT).await;
    assert_eq!(one.ask(LIT).await, json!(false), "they have changed seats");
    two.click("#board .next").await;
    one.until("the move is seen", "return document.querySelectorAll('#moves li').length > 0").await;
    one.close().await;
    two.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_where_it_was_when_the_server_comes_back() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/kalah", server.url)).await;
    browser.ask("const who = document.querySelector('[name=who1]'); who.value = 'random'; who.dispatchEvent(new Event('change', { bubbles: true })); return true").await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    browser.click("#board .next").await;
    browser.until("there is a move", "return document.querySelectorAll('#moves li').length > 0").await;
    browser.until("it is my turn again", LIT).await;
    let moves = "return [...document.querySelectorAll('#moves li')].map((line) => line.textContent).join()";
    let before = browser.ask(moves).await;
    // Whoever has lost the link finds the way back from the first page.
    browser.go(&server.url).await;
    browser.click("#yours a").await;
    browser.until("it is the same game", LIT).await;
    assert_eq!(browser.ask(moves).await, before);
    // What is touched while there is no connection is not done, and can be touched again.
    browser.ask("Object.defineProperty(WebSocket.prototype, 'readyState', { get: () => WebSocket.CLOSED, configurable: true }); return true").await;
    browser.click("#board .next").await;
    assert_eq!(browser.ask(LIT).await, json!(true), "the board is lit again");
    assert_eq!(browser.ask(moves).await, before);
    browser.ask("delete WebSocket.prototype.readyState; return true").await;
    // A crash cuts every connection, and the page notices.
    let gone = server.crash();
    browser.until("the page has noticed", "return !document.getElementById('connection').hidden").await;
    let server = gone.start_again().await;
    browser.until("it is connected again", "return document.getElementById('connection').hidden").await;
    browser.until("it can be played on", LIT).await;
    assert_eq!(browser.ask(moves).await, before);
    // Loading the page again loses nothing either.
    browser.client.refresh().await.unwrap();
    browser.until("it can be played on", LIT).await;
    assert_eq!(browser.ask(moves).await, before);
    play_to_the_end(&browser).await;
    browser.close().await;
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_time_left_loses() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    // Nobody wants to wait for a minute.
    browser.ask("document.querySelector('[name=clock] option:last-child').value = '6'; document.querySelector('[name=clock]').selectedIndex = 5; return true").await;
    browser.click("#begin").await;
    browser
        .until(
            "the clock runs",
            "return (document.querySelector('.turn .clock')?.textContent ?? '0:06') < '0:06'",
        )
        .await;
    assert_eq!(
        browser.ask("return document.querySelectorAll('.clock').length").await,
        json!(1),
        "agents have none"
    );
    browser.until("it is over", "return !document.getElementById('banner').hidden").await;
    assert_eq!(browser.text("#result").await, "You lose");
    assert!(browser.text("#banner").await.contains("on time"));
    browser.close().await;
}
