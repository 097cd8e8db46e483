//! Learning a game: rules with pictures, and a first lesson.

use crate::driver::{Browser, available};
use crate::server::Server;
use ranka_core::{GameEntry, Locale, Offer};
use serde_json::json;

const LIT: &str = "return document.querySelector('#board .next') !== null";

/// Actions that solve a lesson from here, each with what is touched for it.
fn solution(entry: &dyn GameEntry, number: usize, actions: &mut Vec<String>) -> Option<Vec<Offer>> {
    let taught = entry.teach(number, actions, Locale::ENGLISH).unwrap();
    match taught.done {
        Some(true) => return Some(Vec::new()),
        Some(false) => return None,
        None => {}
    }
    for offer in taught.offers {
        actions.push(offer.action.clone());
        let rest = solution(entry, number, actions);
        actions.pop();
        if let Some(mut rest) = rest {
            rest.insert(0, offer);
            return Some(rest);
        }
    }
    None
}

async fn touch(browser: &Browser, offer: &Offer) {
    for id in &offer.clicks {
        let lit = format!("return document.getElementById('{id}')?.classList.contains('next') ?? false");
        browser.until(&format!("{id} can be touched"), &lit).await;
        let click = format!(
            "document.getElementById('{id}').dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); return true"
        );
        browser.ask(&click).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_game_is_learned_from_its_page() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    for entry in ranka_games::catalogue() {
        let game = entry.info().name;
        browser.go(&format!("{}/learn/{game}", server.url)).await;
        browser.until("a position is there", LIT).await;
        let marked = entry
            .rule_steps()
            .iter()
            .filter(|step| step.board.as_ref().is_some_and(|b| !b.marks.is_empty()))
            .count();
        let drawn = format!(
            "return [...document.querySelectorAll('.rule-board')].filter((place) => place.shadowRoot?.querySelector('g.marks .label')).length >= {marked}"
        );
        browser.until("the pictures are marked", &drawn).await;
        let lessons = entry.lessons();
        for (number, [task, praise, _]) in lessons.iter().enumerate() {
            let at = format!("return document.getElementById('task').textContent === {}", json!(task));
            browser.until(task, &at).await;
            for offer in solution(entry.as_ref(), number, &mut Vec::new()).unwrap() {
                touch(&browser, &offer).await;
            }
            let praised = format!(
                "return document.getElementById('verdict').textContent.startsWith({})",
                json!(praise)
            );
            browser.until(praise, &praised).await;
            if number + 1 < lessons.len() {
                browser.click("#next").await;
            }
        }
        let done = "return document.querySelectorAll('#tasks .done').length";
        assert_eq!(browser.ask(done).await, json!(lessons.len()), "{game}");
    }
    // From the lesson to the first game.
    browser.click("#play-now").await;
    browser.until("a game has begun", LIT).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_is_explained_and_tried_again() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(1100, 900, "ja").await;
    browser.go(&format!("{}/learn/kalah", server.url)).await;
    browser.until("a position is there", LIT).await;
    let place = "return document.getElementById('play-now').getBoundingClientRect().top + scrollY";
    let before = browser.ask(place).await;
    browser.click("#house-s1").await;
    browser.until("it can be tried again", "return !document.getElementById('retry').hidden").await;
    assert!(browser.text("#verdict").await.contains("数えてください"));
    assert_eq!(browser.ask(place).await, before, "nothing moves when it is judged");
    assert!(!browser.text("#news").await.is_empty(), "what it did is told");
    assert_eq!(browser.ask("return document.querySelector('#board .next') === null").await, json!(true));
    browser.click("#retry").await;
    browser.until("the position is back", LIT).await;
    browser.click("#house-s3").await;
    browser.until("it goes on", "return !document.getElementById('next').hidden").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_read_at_the_table() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/tubstap?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    browser.click("#of-rules").await;
    let shown = "return [...document.querySelectorAll('#rules .rule-board')].filter((place) => place.shadowRoot?.querySelector('svg')?.getBoundingClientRect().width > 100).length > 2";
    browser.until("the rules are drawn", shown).await;
    let tables = "return [...document.querySelectorAll('#rules table')].map((table) => table.rows.length)";
    assert_eq!(browser.ask(tables).await, json!([7, 7, 7]));
    assert!(browser.text("#rules").await.contains("105"), "damage is told in figures");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_server_is_told_and_no_board_is_lost() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/puzzles/kalah/1", server.url)).await;
    browser.until("something can be touched", LIT).await;
    let busy = "window.fetch = async () => new Response('{}', { status: 503 }); return true";
    browser.ask(busy).await;
    browser.ask("document.querySelector('#board .next').dispatchEvent(new MouseEvent('click', { bubbles: true })); return true").await;
    browser
        .until("it is told", "return document.getElementById('verdict').textContent.includes('busy')")
        .await;
    browser.until("it can be tried again", LIT).await;
    assert!(!browser.text("#board").await.contains("undefined"));
    browser.close().await;
}
