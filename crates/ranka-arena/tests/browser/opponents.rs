//! Opponents by strength, what happens told in words and motion, an end that explains, and a server that freezes.

use crate::driver::{Browser, available};
use crate::games::play_to_the_end;
use crate::server::Server;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const LIT: &str = "return document.querySelector('#board .next') !== null";
const NAMES: &str = "return document.getElementById('players').textContent";

#[tokio::test(flavor = "multi_thread")]
async fn a_strength_is_chosen_and_changed_after_the_game() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.url).await;
    let offered = "return [...document.querySelectorAll('select[data-game=kalah] option')].map((option) => option.value)";
    assert_eq!(
        browser.ask(offered).await,
        json!(["beginner", "easy", "medium", "hard", "champion", "adapts"])
    );
    browser.ask("const level = document.querySelector('select[data-game=kalah]'); level.value = 'easy'; level.dispatchEvent(new Event('change')); return true").await;
    browser.click("#play-kalah").await;
    browser.until("something can be touched", LIT).await;
    assert_eq!(browser.ask(NAMES).await, json!("YouSouthEasyNorth"), "no parameters are shown to a player");
    play_to_the_end(&browser).await;
    // What happened is told in words, with the notation as small print.
    assert!(browser.text("#news").await.contains("House"), "{}", browser.text("#news").await);
    let line = browser.text("#moves li").await;
    assert!(line.contains("House") && line.contains("sows"), "{line}");
    let reason = browser.text("#reason").await;
    assert!(
        reason.contains("seeds: a row is empty")
            && (reason.contains("wins by")
                || reason.starts_with(char::is_numeric)
                || reason.starts_with("A draw")),
        "{reason}"
    );
    // The same once more, but harder.
    browser.ask("document.querySelector('.again select').value = 'hard'; return true").await;
    browser.click(".again button[value='0']").await;
    browser
        .until(
            "a harder one sits there",
            "return document.getElementById('players').textContent === 'YouSouthHardNorth'",
        )
        .await;
    // What was chosen on the first page is offered there again.
    browser.go(&server.url).await;
    assert_eq!(
        browser.ask("return document.querySelector('select[data-game=kalah]').value").await,
        json!("easy")
    );
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_play_by_the_rules_is_not_offered() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/kalah", server.url)).await;
    let offered = |name: &str| {
        format!("return !document.querySelector('[name=who1] option[value=\"{name}\"]').disabled")
    };
    for (name, able) in
        [("max-q", false), ("level-adapts", true), ("minimax", true), ("level-hard", true), ("bot", false)]
    {
        assert_eq!(browser.ask(&offered(name)).await, json!(able), "{name}");
    }
    let small = "for (const [name, value] of [['houses', 3], ['seeds', 3]]) { const field = document.querySelector(`[name=\"rule-${name}\"]`); field.value = value; field.dispatchEvent(new Event('input')); } return true";
    browser.ask(small).await;
    browser.until("a table fits this board", &offered("max-q")).await;
    // "Play against it" never leads to an error.
    browser.go(&format!("{}/agents/kalah", server.url)).await;
    let links = browser
        .ask("return [...document.querySelectorAll('.agent a.button')].map((link) => link.href)")
        .await;
    let links: Vec<String> =
        links.as_array().unwrap().iter().map(|link| link.as_str().unwrap().to_owned()).collect();
    assert!(links.len() >= 6 && !links.iter().any(|link| link.contains("agent=bot")), "{links:?}");
    for link in links.iter().filter(|link| !link.contains("perfect")) {
        browser.go(link).await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        let name = link.split("agent=").nth(1).unwrap().split('&').next().unwrap();
        assert_eq!(browser.ask(NAMES).await, json!(format!("YouSouth{name}North")));
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seeds_travel_and_who_acts_has_seen_enough() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::moving().await;
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    // Every step that is played leaves a dot behind: they are counted as they come.
    browser.ask("window.dots = 0; new MutationObserver((changes) => { for (const change of changes) for (const node of change.addedNodes) if (node.classList?.contains('loose')) window.dots++; }).observe(document.getElementById('board'), { childList: true, subtree: true }); return true").await;
    browser.click("#house-s2").await;
    browser.until("four seeds have travelled", "return window.dots >= 4").await;
    browser
        .until(
            "the move is told",
            "return document.getElementById('news').textContent.startsWith('You · House 2')",
        )
        .await;
    browser
        .until(
            "the other's is told after it",
            "return document.getElementById('news').textContent.startsWith('random · House')",
        )
        .await;
    browser.until("it is my turn again", LIT).await;
    // After the motion the picture is the server's: nothing that flew is left over.
    assert_eq!(browser.ask("return document.querySelectorAll('#board [data-gone]').length").await, json!(0));
    // A key ends the motion at once.
    browser.ask("document.querySelector('#board .next').dispatchEvent(new MouseEvent('click', { bubbles: true })); return true").await;
    let skipped = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' })); return document.querySelector('#board .next') !== null || !document.getElementById('banner').hidden";
    browser.until("it is skipped", skipped).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_walk_in_every_game_without_an_error() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for game in ["geister", "labyrinth", "tantrix", "tubstap"] {
        let browser = Browser::moving().await;
        browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        browser.ask("window.wrong = []; window.addEventListener('error', (event) => window.wrong.push(event.message)); window.addEventListener('unhandledrejection', (event) => window.wrong.push(String(event.reason))); window.moved = window.faded = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...args) { if (this.dataset.piece) window.moved++; if (this.dataset.piece && args[0][0].opacity === 0) window.faded++; return animate.apply(this, args); }; return true").await;
        let click = "const lit = document.querySelectorAll('#board .next'); lit[Math.floor(lit.length / 2)]?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#moves li').length > 7 && window.moved > 3";
        browser.until("pieces have moved", click).await;
        assert_eq!(browser.ask("return window.wrong").await, json!([]), "{game}");
        // What only stands there does not fade in again, whoever is to move.
        let faded = browser.ask("return window.faded").await;
        let most = if game == "geister" { 16 } else { 12 };
        assert!(
            faded.as_u64().is_some_and(|faded| faded <= most),
            "{game}: {faded} pieces came out of nothing"
        );
        browser.close().await;
    }
}

/// Passes everything on, until it is told to freeze: then it says nothing more but keeps the connections open.
async fn proxy(to: String, frozen: Arc<AtomicBool>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (to, frozen) = (to.clone(), Arc::clone(&frozen));
            tokio::spawn(async move {
                let server = TcpStream::connect(&to).await.unwrap();
                let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
                    (client.into_split(), server.into_split());
                let up = async { tokio::io::copy(&mut from_client, &mut to_server).await };
                let down = async {
                    let mut bytes = vec![0; 8192];
                    while let Ok(count @ 1..) = from_server.read(&mut bytes).await {
                        while frozen.load(Ordering::SeqCst) {
                            tokio::time::sleep(Duration::from_millis(20)).await;
                        }
                        if to_client.write_all(&bytes[..count]).await.is_err() {
                            break;
                        }
                    }
                };
                tokio::join!(up, down)
            });
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_freezes_is_noticed() {
    if !available() {
        return;
    }
    let server = Server::beating(Duration::from_millis(300)).await;
    let frozen = Arc::new(AtomicBool::new(false));
    let port = proxy(server.url.trim_start_matches("http://").to_owned(), Arc::clone(&frozen)).await;
    let browser = Browser::open().await;
    browser.go(&format!("http://127.0.0.1:{port}/new/kalah?agent=random")).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(browser.ask("return document.getElementById('connection').hidden").await, json!(true));
    frozen.store(true, Ordering::SeqCst);
    browser.until("it is noticed", "return !document.getElementById('connection').hidden").await;
    frozen.store(false, Ordering::SeqCst);
    browser.until("it is connected again", "return document.getElementById('connection').hidden").await;
    browser.click("#board .next").await;
    browser.until("it can be played on", "return document.querySelectorAll('#moves li').length > 0").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn going_back_shows_the_game_that_was_begun() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.url).await;
    assert_eq!(browser.ask("return document.getElementById('yours').hidden").await, json!(true));
    browser.click("#play-kalah").await;
    browser.until("something can be touched", LIT).await;
    browser.ask("history.back(); return true").await;
    browser
        .until(
            "it is listed",
            "return location.pathname === '/' && document.getElementById('yours')?.hidden === false",
        )
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_are_listed_in_this_browser_and_links_can_be_copied() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    browser.resign().await;
    browser.go(&server.url).await;
    assert_eq!(
        browser.ask("return document.getElementById('yours').hidden").await,
        json!(true),
        "it goes on no more"
    );
    assert_eq!(
        browser.ask("return document.querySelector('#finished a').textContent").await,
        json!("Kalah – random: You lose")
    );
    assert_eq!(
        browser.ask("return JSON.parse(decodeURIComponent(document.getElementById('finished-save').href.split(',').slice(1).join(',')))[0].reason").await,
        json!("by resignation")
    );
    // A table for two: the invitation can be copied, and says that it works here only.
    browser.go(&format!("{}/new/kalah", server.url)).await;
    browser.ask("document.querySelector('[name=who1]').value = 'person'; return true").await;
    browser.click("#begin").await;
    browser.find(".links .copied button").await;
    assert_eq!(
        browser.ask("return document.getElementById('only-this-computer').hidden").await,
        json!(false)
    );
    assert_eq!(
        browser.ask("return document.getElementById('hint').hidden").await,
        json!(true),
        "nobody agreed to hints"
    );
    browser.close().await;
}
