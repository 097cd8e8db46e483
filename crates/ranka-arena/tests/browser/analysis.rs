//! The analysis board, the look back at a game, and puzzles.

use crate::driver::{Browser, available};
use crate::games::play_to_the_end;
use crate::server::Server;
use serde_json::json;

const LIT: &str = "return document.querySelector('#board .next') !== null";

/// The moves of the line that is shown, the branches beside it, and which is the present one.
const TRIED: &str = "return [...document.querySelectorAll('#tried li')].map((line) => line.querySelectorAll('button').length)";

async fn tried(browser: &Browser, so: &serde_json::Value) {
    let same = format!("{}.toString() === {so}.toString()", TRIED.replacen("return ", "return (", 1) + ")");
    browser.until(&format!("{so} was tried"), &same).await;
    browser.until("one can go on", LIT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_keeps_still_under_the_pointer_while_one_analyses() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(1366, 768, "en").await;
    browser.go(&format!("{}/position?game=tubstap", server.url)).await;
    browser.until("something can be touched", LIT).await;
    browser.until("much is considered", "return document.querySelectorAll('#thought tr').length > 5").await;
    browser.click("#end").await;
    tried(&browser, &json!([1])).await;
    assert_eq!(browser.ask("return window.scrollY").await, json!(0), "the page has scrolled");
    let seen = "return document.getElementById('tried').getBoundingClientRect().bottom <= innerHeight";
    browser.until("what was tried is in view", seen).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_are_moved_and_branches_are_kept() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/position?game=kalah", server.url)).await;
    browser.until("something can be touched", LIT).await;
    // The judge tells what every house is worth, without being asked.
    let drawn = "const labels = [...document.querySelectorAll('#board g.thoughts .label')]; return labels.length === 6 && labels.every((label) => /^[+−]\\d+$/.test(label.textContent))";
    browser.until("the judge's candidates are drawn", drawn).await;
    // The start of the standard board is known by heart: the third house wins by eight, and nothing else by as many.
    let values = "return [...document.querySelectorAll('#thought tr')].map((row) => `${row.cells[0].textContent}: ${row.cells[1].textContent}`)";
    let known = browser.ask(values).await;
    let best = known[0].as_str().unwrap();
    assert!(best.contains('3') && best.ends_with("wins +8"), "{known}");
    assert_eq!(known.as_array().unwrap().len(), 6, "every house has its value: {known}");
    let least = known[2].as_str().unwrap();
    assert!(least.ends_with("loses −2"), "of what loses, what loses least comes first: {known}");

    browser.click("#house-s1").await;
    tried(&browser, &json!([1])).await;
    browser.click("#house-n2").await;
    tried(&browser, &json!([1, 1])).await;
    // Back, and something else: a branch.
    browser.click("#back").await;
    browser.until("it is back", "return !document.getElementById('forth').disabled").await;
    browser.click("#house-n3").await;
    tried(&browser, &json!([1, 2])).await;
    browser.click("#tried .branch").await;
    browser.until("the other branch is shown", "return document.querySelector('#tried li:nth-child(2) [aria-current]:not(.branch)')?.textContent.includes('2') ?? false").await;
    // The arrow keys step, the address and the notation follow.
    let key = |name: &str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{name}', bubbles: true }})); return true"
        )
    };
    browser.ask("document.activeElement.blur(); return true").await;
    browser.ask(&key("Home")).await;
    browser.until("the start is shown", "return document.getElementById('back').disabled").await;
    let notation = browser.ask("return document.getElementById('notation').value").await;
    assert_eq!(notation, json!("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"));
    browser.ask(&key("ArrowRight")).await;
    browser.until("one on", "return !document.getElementById('back').disabled").await;
    let there = browser.ask("return new URLSearchParams(location.search).get('position') === document.getElementById('notation').value").await;
    assert_eq!(there, json!(true));
    // A position is edited as text.
    browser.click(".edit summary").await;
    browser
        .ask("document.getElementById('notation').value = '<6,20,18,0,0,0,0,0,1,0,3,2,0,4,0> S'; return true")
        .await;
    browser.click("#show").await;
    browser
        .until("the other position is shown", "return document.querySelectorAll('#board .next').length === 1")
        .await;
    browser.click("#house-s6").await;
    browser
        .until("the end is told", "return document.getElementById('ask').textContent.includes('27')")
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_with_hidden_things_and_chance_are_analysed_too() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    for game in ["labyrinth", "tantrix", "tubstap"] {
        browser.go(&format!("{}/position?game={game}", server.url)).await;
        browser.until("something can be touched", LIT).await;
        let click = "const lit = document.querySelectorAll('#board .next'); lit[Math.floor(lit.length / 2)]?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#tried li').length >= 3";
        browser.until("three actions were tried", click).await;
        browser.until("one can go on", LIT).await;
        let percent = "return [...document.querySelectorAll('#thought tr')].length > 0 && [...document.querySelectorAll('#thought tr')].every((row) => /^(≤ )?\\d+ %$|wins|loses/.test(row.cells[1].textContent))";
        browser.until(&format!("chances in {game} are percent"), percent).await;
    }
    // Of four, what is not one's own is not another's.
    browser.go(&format!("{}/position?game=labyrinth&rules=players%3D4", server.url)).await;
    browser.until("it was analysed", "return document.querySelectorAll('#thought tr').length > 0").await;
    assert_eq!(browser.ask("return document.getElementById('ahead').hidden").await, json!(true));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_back_names_the_turning_points_and_leads_to_them() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/kalah?agent=minimax:depth%3D5", server.url)).await;
    browser.click("#begin").await;
    play_to_the_end(&browser).await;
    browser.click("#replay").await;
    browser.click("#ask-review").await;
    browser
        .until(
            "turning points are named",
            "return document.querySelectorAll('#turning-points button').length > 0",
        )
        .await;
    let first = browser.text("#turning-points button").await;
    assert!(first.starts_with("Move ") && first.contains("gave away"), "{first}");
    let number: u64 = first.split(' ').nth(1).unwrap().trim_end_matches(',').parse().unwrap();
    browser.click("#turning-points button").await;
    let there = format!("return document.getElementById('count').textContent.startsWith('{} /')", number - 1);
    browser.until("the position before it is shown", &there).await;
    assert!(browser.text("#review").await.contains("50 %"), "the plot is in percent");
    // From there it goes on at the analysis board.
    browser.click("#analyse-here").await;
    browser.until("the same position can be tried out", LIT).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn puzzles_are_solved_missed_and_remembered() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.url).await;
    browser.click(".today .primary").await;
    browser.until("today's puzzle is there", LIT).await;
    for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
        let puzzle = &ranka_games::puzzles(game)[0];
        browser.go(&format!("{}/puzzles/{game}/1", server.url)).await;
        browser.until("the puzzle is there", LIT).await;
        let entry = ranka_games::game(game).unwrap();
        let opened = entry.open(&puzzle.rules).unwrap();
        let mut table = opened
            .table(Some(&puzzle.position), &vec![None; opened.seats()], ranka_core::Seed::new(0))
            .unwrap();
        let solver = table.actor().seat().unwrap();
        for action in puzzle.line.split(' ') {
            if browser.ask("return document.getElementById('verdict').dataset.done === 'true'").await
                == json!(true)
            {
                break;
            }
            let offer = table.offers(solver).into_iter().find(|offer| offer.action == action).unwrap();
            for id in &offer.clicks {
                let lit =
                    format!("return document.getElementById('{id}')?.classList.contains('next') ?? false");
                browser.until(&format!("{id} can be touched"), &lit).await;
                browser.ask(&format!("document.getElementById('{id}').dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); return true")).await;
            }
            table.act(action).unwrap();
            browser.until("it is answered", "return document.getElementById('verdict').dataset.done === 'true' || document.querySelector('#board .next') !== null").await;
        }
        browser
            .until("it is solved", "return document.getElementById('verdict').dataset.done === 'true'")
            .await;
    }
    // One that is missed is missed, can be tried again, and shows how it is done.
    browser.go(&format!("{}/puzzles/kalah/2", server.url)).await;
    browser.until("the puzzle is there", LIT).await;
    let right = ranka_games::proof_of("kalah", &ranka_games::puzzles("kalah")[1]).unwrap().right;
    let right = serde_json::to_string(&right).unwrap();
    let miss = format!(
        "const wrong = [...document.querySelectorAll('#board .next')].find((house) => !{right}.includes(house.id.slice(-1))); wrong.dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); return true"
    );
    browser.ask(&miss).await;
    browser.until("it is missed", "return document.getElementById('verdict').dataset.done === 'false'").await;
    browser.click("#solution").await;
    browser
        .until("a line is shown", "return document.querySelectorAll('#line-moves button').length > 0")
        .await;
    browser.go(&format!("{}/puzzles", server.url)).await;
    let states = "return ['/puzzles/kalah/1', '/puzzles/kalah/2', '/puzzles/kalah/3'].map((way) => document.querySelector(`[data-puzzle='${way}']`).dataset.state)";
    assert_eq!(browser.ask(states).await, json!(["first", "missed", ""]));
    assert!(browser.text("#kalah [data-record]").await.contains("1 of"));
    browser.close().await;
}
