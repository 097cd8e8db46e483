//! Every game is played to its end by clicking, and replayed.

use crate::driver::{Browser, available};
use crate::server::Server;
use serde_json::json;

/// Clicks what is lit until the game is over. Every click is on an element that the page offers.
pub(crate) async fn play_to_the_end(browser: &Browser) {
    let step = "
        const banner = document.getElementById('banner');
        if (!banner) return 'wait'; // the page of the table is still on its way
        if (!banner.hidden) return 'over';
        const lit = [...document.querySelectorAll('#board .next')];
        if (lit.length === 0) return 'wait';
        window.testClicks = (window.testClicks ?? 0) + 1;
        const element = lit[(window.testClicks * 7919) % lit.length];
        element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return 'clicked';";
    for _ in 0..20_000 {
        match browser.ask(step).await.as_str().unwrap() {
            "over" => return,
            "wait" => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
            _ => {}
        }
    }
    panic!("the game did not end; the page says: {}", browser.text("main").await);
}

/// Lays a table by the form, against random agents.
async fn begin(browser: &Browser, server: &Server, game: &str, rules: &[(&str, &str)]) {
    browser.go(&format!("{}/new/{game}", server.url)).await;
    let set = |name: &str, value: &str| {
        format!(
            "const field = document.querySelector('[name=\"{name}\"]'); field.value = '{value}'; \
             field.dispatchEvent(new Event('change', {{ bubbles: true }})); \
             field.dispatchEvent(new Event('input', {{ bubbles: true }})); return true;"
        )
    };
    for (key, value) in rules {
        browser.ask(&set(&format!("rule-{key}"), value)).await;
    }
    for seat in 1..4 {
        browser.ask(&set(&format!("who{seat}"), "random")).await;
    }
    browser.click("#begin").await;
    browser.find("#board svg").await;
}

async fn plays_and_replays(game: &str, rules: &[(&str, &str)]) {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    begin(&browser, &server, game, rules).await;
    // The first path goes by real clicks of the pointer, the rest by the same events from a script: faster.
    browser.until("something can be touched", "return document.querySelector('#board .next') !== null").await;
    browser.click("#board .next").await;
    play_to_the_end(&browser).await;
    let result = browser.text("#result").await;
    assert!(["You win", "You lose", "A draw", "random wins"].contains(&result.as_str()), "{result}");

    browser.click("#replay").await;
    browser.find("#frame").await;
    let frames = browser.ask("return Number(document.getElementById('frame').max)").await.as_u64().unwrap();
    assert!(frames > 1, "a game of {frames} actions");
    browser
        .until("the first position is shown", "return document.querySelector('#board svg') !== null")
        .await;
    let first = browser.ask("return document.getElementById('board').innerHTML").await;
    browser.ask("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' })); return true").await;
    browser
        .until("the last is", &format!("return Number(document.getElementById('frame').value) === {frames}"))
        .await;
    let changed = format!("return document.getElementById('board').innerHTML !== {first}");
    browser.until("the picture changes", &changed).await;
    assert_eq!(browser.ask("return location.hash").await, json!(format!("#{frames}")));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kalah() {
    plays_and_replays("kalah", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn geister() {
    plays_and_replays("geister", &[("plies", "60")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn labyrinth() {
    plays_and_replays("labyrinth", &[("players", "3"), ("ply-cap", "40")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tantrix() {
    plays_and_replays("tantrix", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tubstap() {
    plays_and_replays("tubstap", &[("limit", "6")]).await;
}
