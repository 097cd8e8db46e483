//! What axe-core finds on every page, in both themes. `./check` installs it into the target folder and names it by `RANKA_AXE`;
//! where it is absent this says so and passes, unless `RANKA_BROWSER=required`.

use crate::driver::{Browser, available};
use crate::games::play_to_the_end;
use crate::server::Server;

/// The text of axe-core, if it is there.
pub(crate) fn axe() -> Option<String> {
    let text = std::env::var("RANKA_AXE").ok().and_then(|path| std::fs::read_to_string(path).ok());
    if text.is_none() {
        let message = "SKIPPED: RANKA_AXE names no axe.min.js, so accessibility is not tested";
        assert!(std::env::var("RANKA_BROWSER").as_deref() != Ok("required"), "{message}");
        eprintln!("\n*** {message} ***\n");
    }
    text
}

/// What is wrong with the page that is open, a line for each rule and element.
pub(crate) async fn violations(browser: &Browser, axe: &str) -> Vec<String> {
    browser.client.execute(axe, Vec::new()).await.unwrap();
    let run = "const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then(
            ({ violations }) => done(violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id} at ${node.target.join(' ')}: ${node.failureSummary}`))),
            (error) => done([String(error)]));";
    let found = browser.client.execute_async(run, Vec::new()).await.unwrap();
    serde_json::from_value(found).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_accessible_in_both_themes() {
    let Some(axe) = axe().filter(|_| available()) else { return };
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.way_in).await;
    let mut pages: Vec<String> = [
        "/",
        "/agents",
        "/agents/tubstap",
        "/experiments",
        "/experiments/own",
        "/experiments/kalah/table-1-n3m3",
        "/watch",
        "/watch/import",
        "/puzzles",
        "/nothing",
    ]
    .map(str::to_owned)
    .to_vec();
    for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
        for page in ["new/GAME", "learn/GAME", "position?game=GAME", "puzzles/GAME/1"] {
            pages.push(format!("/{}", page.replace("GAME", game)));
        }
    }
    // A game that goes on, one that is over, and its replay.
    browser.go(&format!("{}/new/geister?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("a table is there", "return document.querySelector('#board .next') !== null").await;
    pages.push(browser.ask("return location.pathname").await.as_str().unwrap().to_owned());
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    browser.click("#begin").await;
    play_to_the_end(&browser).await;
    pages.push(browser.ask("return location.pathname").await.as_str().unwrap().to_owned());
    let replay = browser.ask("return document.querySelector('#replay').getAttribute('href')").await;
    pages.push(replay.as_str().unwrap().to_owned());
    // A report.
    browser.go(&format!("{}/experiments/kalah/table-1-n3m3", server.url)).await;
    browser.click(".sizes button[value=quick]").await;
    browser.until("it is finished", "return !document.getElementById('run-report').hidden").await;
    pages.push("/report/kalah/table-1-n3m3".to_owned());
    // A pairing of it, and one of its games.
    for (page, link) in [("/watch", "/watch/"), ("", "/replay/")] {
        if !page.is_empty() {
            browser.go(&format!("{}{page}", server.url)).await;
        }
        let first = format!(
            "return [...document.querySelectorAll('main a[href^=\"{link}\"]')].map((a) => a.getAttribute('href')).find((href) => !/import|table/.test(href)) ?? null"
        );
        let found = browser.ask(&first).await;
        let found = found.as_str().unwrap_or_else(|| panic!("{link} is linked to")).to_owned();
        browser.go(&format!("{}{found}", server.url)).await;
        pages.push(found);
    }
    // A table for two people, and the invitation to it.
    browser.go(&format!("{}/new/kalah", server.url)).await;
    browser.ask("document.querySelector('[name=who1]').value = 'person'; return true").await;
    browser.click("#begin").await;
    browser.find(".links input").await;
    pages.push(browser.ask("return location.pathname").await.as_str().unwrap().to_owned());
    let invitation = "return new URL(document.querySelector('.links input').value).pathname";
    pages.push(browser.ask(invitation).await.as_str().unwrap().to_owned());
    let mut wrong = Vec::new();
    for theme in ["light", "dark"] {
        browser.go(&format!("{}/settings?theme={theme}&back=/", server.url)).await;
        for page in &pages {
            browser.go(&format!("{}{page}", server.url)).await;
            browser.until("the page is there", "return document.readyState === 'complete'").await;
            let found = violations(&browser, &axe).await;
            wrong.extend(found.into_iter().map(|line| format!("{theme} {page}: {line}")));
        }
    }
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
    browser.close().await;
}

/// On a phone lists scroll by themselves that a large window shows whole.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_game_is_accessible_on_a_phone() {
    let Some(axe) = axe().filter(|_| available()) else { return };
    let server = Server::start().await;
    let browser = Browser::with(390, 844, "en").await;
    let mut wrong = Vec::new();
    for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
        browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
        // The same games each time: none of these is short.
        browser.ask("document.querySelector('[name=seed]').value = '1'; return true").await;
        browser.click("#begin").await;
        let long = "document.querySelector('#board .next')?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#moves li').length >= 14";
        browser.until("a dozen moves are told", long).await;
        wrong.extend(violations(&browser, &axe).await.into_iter().map(|line| format!("{game}: {line}")));
        browser.resign().await;
        browser.click("#replay").await;
        browser.click("#ask-review").await;
        browser.until("the graph is drawn", "return document.querySelector('#review svg') !== null").await;
        let found = violations(&browser, &axe).await;
        wrong.extend(found.into_iter().map(|line| format!("the look back at {game}: {line}")));
    }
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
    browser.close().await;
}
