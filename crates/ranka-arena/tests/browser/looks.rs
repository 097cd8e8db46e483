//! What is seen and touched: everything that matters is in the window, large enough for a finger, and lines of play
//! can be stepped through.

use crate::driver::{Browser, available};
use crate::server::Server;
use serde_json::json;

const LIT: &str = "return document.querySelector('#board .next') !== null";
const GAMES: [&str; 5] = ["kalah", "geister", "labyrinth", "tantrix", "tubstap"];

async fn press(browser: &Browser, key: &str) {
    let script = format!(
        "(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true, cancelable: true }})); return true"
    );
    browser.ask(&script).await;
}

/// Whether elements are shown and lie inside the window without scrolling.
fn in_the_window(css: &str) -> String {
    format!(
        "const boxes = [...document.querySelectorAll('{css}')].map((element) => element.getBoundingClientRect()); \
         return boxes.length > 0 && scrollY === 0 && boxes.every((box) => box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth)"
    )
}

async fn begin(browser: &Browser, server: &Server, game: &str) {
    browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
}

/// A game that was given up.
async fn finished(browser: &Browser, server: &Server, game: &str) {
    begin(browser, server, game).await;
    browser.resign().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_matters_is_in_a_low_window() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for (width, height) in [(1100, 700), (1366, 650)] {
        let browser = Browser::with(width, height, "en").await;
        for game in GAMES {
            begin(&browser, &server, game).await;
            for css in ["#ask", "#board svg"] {
                assert_eq!(
                    browser.ask(&in_the_window(css)).await,
                    json!(true),
                    "{css} of {game} at {width}×{height}"
                );
            }
            browser
                .ask("for (const _ of [1, 2]) document.getElementById('resign').click(); return true")
                .await;
            browser.until("the banner is in the window", &in_the_window("#banner, #banner button")).await;
            // The board is in sight beside it.
            assert_eq!(
                browser.ask(&in_the_window("#board svg")).await,
                json!(true),
                "{game} at {width}×{height}"
            );
            let apart = "const [one, two] = ['banner', 'board'].map((id) => document.getElementById(id).getBoundingClientRect()); return one.left >= two.right";
            assert_eq!(browser.ask(apart).await, json!(true), "{game}: the result covers the board");
        }
        // The questions of a lesson.
        browser.go(&format!("{}/new/tubstap?agent=random", server.url)).await;
        browser.ask("document.querySelector('[name=teaches]').value = 'mine'; return true").await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        browser.ask("document.getElementById('end').dispatchEvent(new MouseEvent('click', { bubbles: true })); return true").await;
        browser.until("an action is to be judged", "return !document.getElementById('judge').hidden").await;
        assert_eq!(browser.ask(&in_the_window("#judge button")).await, json!(true), "at {width}×{height}");
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_is_wider_than_a_phone_and_fingers_find_what_they_touch() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(360, 780, "en").await;
    let mut pages: Vec<String> = [
        "/",
        "/agents",
        "/experiments",
        "/experiments/kalah/table-1-n3m3",
        "/watch",
        "/puzzles",
        "/nothing",
        "/new/chess",
        "/labels/mine",
    ]
    .map(str::to_owned)
    .to_vec();
    for game in GAMES {
        pages.extend([
            format!("/new/{game}"),
            format!("/agents/{game}"),
            format!("/position?game={game}"),
            format!("/learn/{game}"),
            format!("/puzzles/{game}/1"),
        ]);
    }
    for game in GAMES {
        finished(&browser, &server, game).await;
        let replay = browser.ask("return document.querySelector('#replay').getAttribute('href')").await;
        pages.push(replay.as_str().unwrap().to_owned());
        pages.push(browser.ask("return location.pathname").await.as_str().unwrap().to_owned());
    }
    let wide = "return [innerWidth, document.documentElement.scrollWidth]";
    let small = "return [...document.querySelectorAll('button, a.button, .top a, select, summary')]
        .map((element) => [element.textContent.trim(), element.getBoundingClientRect()])
        .filter(([, box]) => box.height > 0 && box.height < 39.5).map(([text, box]) => `${text} ${box.height}`)";
    for page in &pages {
        browser.go(&format!("{}{page}", server.url)).await;
        assert_eq!(browser.ask(wide).await, json!([360, 360]), "{page}");
        assert_eq!(browser.ask(small).await, json!([]), "too small on {page}");
        let header = browser.ask("return document.querySelector('.top').offsetHeight").await;
        assert!(header.as_f64().unwrap() < 100.0, "the header of {page} is {header} high");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finger_beside_a_small_cell_finds_it_and_looks_before_it_takes() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(360, 780, "en").await;
    begin(&browser, &server, "labyrinth").await;
    // A touch beside the first arrow.
    let touch = "const at = (element) => element.getBoundingClientRect();
        const touch = (x, y) => {
            const on = document.elementFromPoint(x, y);
            on.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch', clientX: x, clientY: y }));
            on.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, clientX: x, clientY: y }));
        };";
    let beside = format!(
        "{touch} const box = at(document.querySelector('#board .next')); window.small = Math.min(box.width, box.height) < 40; \
         touch(box.x + box.width / 2, box.bottom + 2); return window.small"
    );
    assert_eq!(browser.ask(&beside).await, json!(true), "the arrows are small here");
    browser.until("the arrow is chosen", "return document.querySelector('#board .chosen') !== null").await;
    // Kalah's houses are small too, and one touch would be the whole move.
    begin(&browser, &server, "kalah").await;
    let first = format!(
        "{touch} const box = at(document.querySelector('#board .next')); touch(box.x + box.width / 2, box.y + box.height / 2); \
         return document.querySelectorAll('#moves li').length"
    );
    assert_eq!(browser.ask(&first).await, json!(0), "the first touch only shows");
    assert!(browser.text("#ask").await.contains("touch again"));
    browser.ask(&first).await;
    browser.until("the second takes", "return document.querySelectorAll('#moves li').length > 0").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_play_is_stepped_through_with_the_arrow_keys() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    let board = "return document.getElementById('board').innerHTML";
    let at = "return [...document.querySelectorAll('#line-moves button')].findIndex((move) => move.hasAttribute('aria-current'))";

    browser.go(&format!("{}/position?game=kalah&agent=minimax", server.url)).await;
    browser.click("#thought .open-line").await;
    browser.until("the line is open", "return !document.getElementById('line').hidden").await;
    let first = browser.ask(board).await;
    assert_eq!(browser.ask(at).await, json!(0));
    press(&browser, "ArrowRight").await;
    assert_eq!(browser.ask(at).await, json!(1));
    assert_ne!(browser.ask(board).await, first);
    press(&browser, "ArrowLeft").await;
    assert_eq!(browser.ask(at).await, json!(0));
    assert_eq!(browser.ask(board).await, first);
    press(&browser, "Escape").await;
    browser.until("the line is left", "return document.getElementById('line').hidden").await;
    browser
        .until(
            "the candidates are drawn again",
            "return document.querySelector('#board g.thoughts .label') !== null",
        )
        .await;

    // At a table, after the hint; the game goes on where it was.
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    browser.click("#hint").await;
    browser.until("there is a line", "return document.querySelector('#thought .open-line') !== null").await;
    browser.click("#of-analysis").await;
    browser.click("#thought .open-line").await;
    browser.until("the line is open", "return !document.getElementById('line').hidden").await;
    assert_eq!(browser.ask(LIT).await, json!(false), "what is only thought of cannot be touched");
    press(&browser, "ArrowRight").await;
    assert_eq!(browser.ask(at).await, json!(1));
    browser.click("#line-end").await;
    browser.until("the game goes on", LIT).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_house_has_its_value_or_a_bound_of_it() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    let values = "return [...document.querySelectorAll('#thought tr')].map((row) => `${row.cells[0].textContent} ${row.cells[1].textContent}`).sort().join(', ')";
    // The start of the standard board is known by heart, each house exactly.
    browser.go(&format!("{}/position?game=kalah&agent=perfect", server.url)).await;
    browser
        .until("all houses are there", "return document.querySelectorAll('#thought tr').length === 6")
        .await;
    let known = browser.ask(values).await;
    assert!(known.as_str().is_some_and(|known| known.contains("3 +8") && !known.contains('≤')), "{known}");
    // Nobody can tell what this one is worth while somebody waits: bounds are shown before the agent has answered.
    browser.go(&format!("{}/position?game=kalah&agent=perfect&rules=seeds%3D6", server.url)).await;
    let bounded = "return document.querySelectorAll('#thought tr').length === 6 && document.getElementById('thought').dataset.thinking === 'yes'";
    browser.until("bounds are shown while it thinks", bounded).await;
    let bounds = browser.ask(values).await;
    assert!(bounds.as_str().is_some_and(|bounds| bounds.matches('≤').count() == 6), "{bounds}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_analysed_shared_and_saved() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    begin(&browser, &server, "kalah").await;
    browser.click("#board .next").await;
    browser.until("it is my turn again", "return document.querySelectorAll('#moves li').length > 1 && document.querySelector('#board .next') !== null").await;
    browser.resign().await;
    browser.click("#replay").await;
    browser.find("#frame").await;
    let marks =
        "return [...document.querySelectorAll('#moves .seat-mark')].map((mark) => mark.dataset.seat)[0]";
    assert_eq!(browser.ask(marks).await, json!("0"), "the list says who acted");

    // Tabs by the keyboard alone.
    browser.ask("document.getElementById('of-moves').focus(); return true").await;
    press(&browser, "ArrowRight").await;
    assert_eq!(browser.ask("return document.activeElement.id").await, json!("of-analysis"));
    assert_eq!(browser.ask("return document.getElementById('tab-analysis').hidden").await, json!(false));
    assert_eq!(
        browser.ask("return document.getElementById('tab-analysis').getAttribute('aria-labelledby')").await,
        json!("of-analysis")
    );
    browser.click("#think").await;
    browser.click("#thought .open-line").await;
    browser.until("the line is open", "return !document.getElementById('line').hidden").await;
    press(&browser, "ArrowRight").await;
    press(&browser, "Escape").await;
    browser.until("the line is left", "return document.getElementById('line').hidden").await;
    assert_eq!(browser.ask("return Number(document.getElementById('frame').value)").await, json!(0));

    browser.click("#ask-review").await;
    browser
        .until("the graph is drawn", "return document.querySelector('#review svg .cursor') !== null")
        .await;
    press(&browser, "End").await;
    browser
        .until(
            "the link leads here",
            "return document.getElementById('link').value === location.href && location.hash !== '#0'",
        )
        .await;

    // The saved page stands alone: it has every picture, loads nothing, and steps by its own script.
    let film = browser.ask("return document.querySelector('a[href^=\"/film/\"]').getAttribute('href')").await;
    let text = browser
        .ask(&format!("const request = new XMLHttpRequest(); request.open('GET', {film}, false); request.send(); return [request.getResponseHeader('content-security-policy'), request.responseText]"))
        .await;
    let (policy, text) = (text[0].as_str().unwrap(), text[1].as_str().unwrap());
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    assert!(!text.contains("src=\"") && !text.contains("href=\""), "it loads nothing");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.html");
    std::fs::write(&file, text).unwrap();
    browser.go(&format!("file://{}", file.display())).await;
    let first = browser.ask("return document.getElementById('board').innerHTML").await;
    assert!(first.as_str().unwrap().starts_with("<svg"));
    press(&browser, "End").await;
    assert_ne!(browser.ask("return document.getElementById('board').innerHTML").await, first);
    browser.close().await;
}
