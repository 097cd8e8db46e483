//! Films of a move in each game: told in order, mine before theirs with a breath between, and nothing jumps at the end.

use crate::driver::{Browser, available};
use crate::server::Server;
use serde_json::{Value, json};

const LIT: &str = "return document.querySelector('#board .next') !== null";

/// Writes down what is told and what moves, and when. What a picture lets glide after the motion is told apart by its fill.
const FILM: &str = "
    window.film = []; window.glides = [];
    const walked = new Set();
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        const piece = this.dataset?.piece ?? '';
        const moved = /translate\\(([-\\d.e]+)px, ([-\\d.e]+)px\\)/.exec(frames[0].transform ?? '');
        if (options.fill === 'forwards') {
            // Words are heard of after what moves at once: each shot says what stood there.
            window.film.push({ at: performance.now(), news: document.getElementById('news').textContent });
            if (piece && options.duration !== 420) walked.add(piece);
        } else if (moved && walked.has(piece)) {
            window.glides.push([piece, Math.abs(moved[1]) + Math.abs(moved[2])]);
        }
        return animate.call(this, frames, options);
    };
    new MutationObserver(() => {
        const news = document.getElementById('news').textContent;
        if (news.startsWith('You')) walked.clear();
        window.film.push({ at: performance.now(), news });
    }).observe(document.getElementById('news'), { childList: true, characterData: true, subtree: true });
    return true";

/// Touches what can be touched until the other has answered so often.
const PLAY: &str = "
    const lit = document.querySelectorAll('#board .next');
    lit[Math.floor(lit.length / 3)]?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return window.film.filter((shot, i) => shot.news?.startsWith('random') && window.film.slice(0, i).findLast((before) => before.news)?.news.startsWith('You')).length >= 3 && lit.length > 0";

#[tokio::test(flavor = "multi_thread")]
async fn a_film_tells_my_move_then_a_breath_then_theirs() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
        let browser = Browser::moving().await;
        browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
        // The same game each time.
        browser.ask("document.querySelector('[name=seed]').value = '1'; return true").await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        browser.ask(FILM).await;
        browser.until("the other has answered", PLAY).await;
        let film: Vec<Value> = serde_json::from_value(browser.ask("return window.film").await).unwrap();
        let (mut mine, mut last, mut answers) = (false, 0.0, 0);
        for shot in &film {
            let (at, news) = (shot["at"].as_f64().unwrap(), shot["news"].as_str().unwrap());
            let theirs = news.starts_with("random");
            if theirs && mine {
                answers += 1;
                assert!(at - last >= 200.0, "{game}: {news} only {} ms after the last step", at - last);
            }
            (mine, last) = (news.starts_with("You"), at);
        }
        assert!(answers > 0, "{game}: {film:?}");
        // Where a piece was brought, there it stands: the picture that comes after lets it not glide on.
        let glides: Vec<(String, f64)> =
            serde_json::from_value(browser.ask("return window.glides").await).unwrap();
        let jumps: Vec<_> = glides.iter().filter(|(_, far)| *far > 6.0 && game != "tantrix").collect();
        assert!(jumps.is_empty(), "{game}: {jumps:?}");
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_many_actions_is_shown_to_its_end() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::moving().await;
    browser.go(&format!("{}/new/tubstap?agent=random&rules=map%3Dcitadel", server.url)).await;
    browser.ask("document.querySelector('[name=seed]').value = '1'; return true").await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    // What is shown falls behind what happens.
    let slow = "const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            return animate.call(this, frames, { ...options, duration: 8 * options.duration });
        };
        return true";
    browser.ask(slow).await;
    browser.ask(FILM).await;
    browser.click("#end").await;
    browser.until("the other has moved all units", LIT).await;
    let glides: Vec<(String, f64)> =
        serde_json::from_value(browser.ask("return window.glides").await).unwrap();
    assert!(glides.iter().all(|(_, far)| *far < 6.0), "{glides:?}");
    browser.close().await;
}

/// A pawn on the cell that falls out: row 5 goes to the right, and the pawn comes in again at its left end.
const FALLS_OUT: &str = "tiles=L1,I1,T1:KnightHelmet,L2,T1:Candles,T3:Mermaid,L2/I0,L2:Bomb,I0,L3,T0:Pony,I1,L0/\
    T0:Dagger,T1:Cannon,T0:Diamond,L0,T1:Treasure,L0:Owl,T2:Ring/I0,L1,T2:Ghost,I1,L1:Mouse,I1,L2/\
    T0:HolyGrail,L2:Bug,T3:Keys,I0,T2:Crown,L3,T2:Potion/T0:Dinosaur,I1,L3:Cat,I1,L0,T1:Bat,I0/\
    L0,L1,T3:Coins,I0,T3:Book,L1,L3 extra=L1:Lizard \
    pawns=6,5;3,5 homes=0,0;6,6 cards=Cat;Book found=-;- last=- mover=0 phase=push";

/// The analysis board of that position.
async fn where_a_pawn_falls_out(server: &Server) -> Browser {
    let browser = Browser::moving().await;
    browser
        .go(&format!("{}/position?game=labyrinth&position={}", server.url, FALLS_OUT.replace(' ', "%20")))
        .await;
    browser.until("something can be touched", LIT).await;
    browser
}

#[tokio::test(flavor = "multi_thread")]
async fn who_falls_out_comes_in_where_the_next_picture_shows_it() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = where_a_pawn_falls_out(&server).await;
    let watch = "window.walks = []; window.glides = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            const [piece, moved] = [this.dataset?.piece ?? '', /translate/.test(frames[0].transform ?? '')];
            if (piece.startsWith('pawn') && moved) (options.fill === 'forwards' ? window.walks : window.glides).push(piece);
            return animate.call(this, frames, options);
        };
        return true";
    browser.ask(watch).await;
    browser.click("#entry-9").await;
    browser.click("#turn-2").await;
    browser.until("the row has gone", "return document.querySelector('#tried button') !== null").await;
    browser.until("something can be touched again", LIT).await;
    // The other goes along with its row; who fell out goes to the entry, and there aside for the treasure.
    assert_eq!(browser.ask("return window.walks").await, json!(["pawn-1", "pawn-0", "pawn-0"]));
    assert_eq!(browser.ask("return window.glides").await, json!([]));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_still_glides_has_arrived_when_the_next_motion_begins() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = where_a_pawn_falls_out(&server).await;
    browser.click("#live").await;
    // Whoever is quick is quicker than any glide here.
    let slow = "const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            return animate.call(this, frames, options.fill === 'forwards' ? options : { ...options, duration: 60000 });
        };
        return true";
    browser.ask(slow).await;
    // The mermaid falls out at the top, and glides to its place beside the board while the other pushes it in as it lies.
    for (touch, then) in
        [("#entry-6", ".next"), ("#turn-0", "#cell-6-5.next"), ("#cell-6-5", "#entry-0.next")]
    {
        browser.click(touch).await;
        browser.until(then, &format!("return document.querySelector('#board {then}') !== null")).await;
    }
    browser.ask(FILM).await;
    // No pointer rests on anything: where one does, all that glides has arrived.
    for touch in ["#entry-0", "#turn-3"] {
        let click = format!(
            "document.querySelector('{touch}').dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); return true"
        );
        browser.ask(&click).await;
    }
    browser.until("it was pushed in", "return document.querySelectorAll('#tried button').length === 3").await;
    browser.until("one may walk", LIT).await;
    let glides: Vec<(String, f64)> =
        serde_json::from_value(browser.ask("return window.glides").await).unwrap();
    assert!(glides.iter().all(|(_, far)| *far < 6.0), "{glides:?}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_leave_figures_legible_and_a_table_needs_no_scrolling() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for (width, height) in [(1440, 900), (1366, 768)] {
        let browser = Browser::with(width, height, "en").await;
        for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
            browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
            browser.click("#begin").await;
            browser.until("something can be touched", LIT).await;
            let more = "return document.documentElement.scrollHeight - innerHeight";
            assert_eq!(browser.ask(more).await, json!(0), "{game} at {width}×{height}");
        }
        // What a store will gain stands beside what lies in it.
        browser.go(&format!("{}/learn/kalah", server.url)).await;
        let covered = "const places = [...document.querySelectorAll('.rule-board')].map((place) => place.shadowRoot);
            if (!places.every((root) => root?.querySelector('.marks .label'))) return null;
            const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            return places.flatMap((root) => [...root.querySelectorAll('[id=store-s] text')].filter((text) => {
                const { left, right, top, bottom, height } = text.getBoundingClientRect();
                const box = { left, right, top: top + 0.25 * height, bottom: bottom - 0.25 * height };
                return [...root.querySelectorAll('.marks rect')].some((rect) => over(rect.getBoundingClientRect(), box));
            })).length";
        browser.until("no figure is covered", &format!("return (() => {{ {covered} }})() === 0")).await;
        browser.close().await;
    }
}
