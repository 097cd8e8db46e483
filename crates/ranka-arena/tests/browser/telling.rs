//! What players are told: chances that are no promises, who played, what moves did in words, and all of it legible.

use crate::driver::{Browser, available};
use crate::games::play_to_the_end;
use crate::server::Server;
use serde_json::json;

const LIT: &str = "return document.querySelector('#board .next') !== null";
const GAMES: [&str; 5] = ["kalah", "geister", "labyrinth", "tantrix", "tubstap"];

/// Lays a table against a level and plays it to its end.
async fn played(browser: &Browser, server: &Server, game: &str, rules: &str) {
    browser.go(&format!("{}/new/{game}?rules={rules}", server.url)).await;
    let choose = "const who = document.querySelector('[name=who1]'); who.value = 'level-beginner'; who.dispatchEvent(new Event('change', { bubbles: true })); return true";
    browser.ask(choose).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    play_to_the_end(browser).await;
}

/// A game of Labyrinth with three agents of the same name that was given up after some moves.
async fn four_have_played(browser: &Browser, server: &Server) {
    browser.go(&format!("{}/new/labyrinth?rules=players%3D4", server.url)).await;
    let choose = "for (const who of document.querySelectorAll('[name^=who]:not([name=who0])')) who.value = 'level-beginner'; return true";
    browser.ask(choose).await;
    browser.click("#begin").await;
    let some = "document.querySelector('#board .next')?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#moves li').length >= 12";
    browser.until("some moves are made", some).await;
    browser.resign().await;
}

/// What each candidate is said to be worth.
const VALUES: &str =
    "return [...document.querySelectorAll('#thought tr')].map((row) => row.cells[1].textContent)";

async fn values(browser: &Browser, server: &Server, game: &str, position: &str) -> Vec<String> {
    let position = position.replace('+', "%2B").replace(' ', "+");
    browser.go(&format!("{}/position?game={game}&agent=champion&position={position}", server.url)).await;
    let thought = "return document.querySelectorAll('#thought tr').length > 0 && document.getElementById('thought').dataset.thinking === ''";
    browser.until("somebody has thought", thought).await;
    serde_json::from_value(browser.ask(VALUES).await).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_good_chance_is_no_sure_win() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    let position = "r1rbb1/1b1br1/3r2/2BR2/1B1RR1/1BR1B1 1 - 10 b5d5c4e5b6c6d4e6,e2d2d3a1e1d1c1b2";
    let chances = values(&browser, &server, "geister", position).await;
    assert!(chances.len() > 5 && chances.iter().all(|chance| chance.ends_with(" %")), "{chances:?}");
    // What is proven is told as such.
    let proven = values(&browser, &server, "kalah", "<6,28,10,0,0,0,0,1,1,0,3,2,0,3,0> S").await;
    assert!(proven.iter().any(|value| value == "wins"), "{proven:?}");
    assert!(!proven.iter().any(|value| value == "100 %" || value == "0 %"), "{proven:?}");
    browser.close().await;
}

/// Of a candidate with a winning chance of 30 %, what is listed and what is written on the board, by what is proven of it.
const PROVEN: &str = "const done = arguments[0];
    const svg = document.querySelector('#board svg');
    import('/static/thought.js').then(({ value, draw }) => done([{ most: 0 }, { least: 0 }, { least: -40, most: 6 }, { most: 0, least: 0 }, { most: -2 }, { least: 4, most: 9 }].map((proven) => {
        const sure = proven.most < 0 ? 0 : proven.least > 0 ? 1 : proven.least === 0 && proven.most === 0 ? 0.5 : 0.3;
        const thought = { candidates: [{ action: '1', value: sure, proven }], chances: [sure], paths: [['house-s1']], scale: 'score', win: 1, choice: '1' };
        const words = document.getElementById('thought').dataset;
        const drawn = [];
        const board = { pixel: 1, find: () => svg, middle: () => ({ x: 0, y: 0 }), label: (layer, at, said) => drawn.push(said) };
        draw(board, svg, thought, words);
        return [value(0, thought, words), ...drawn];
    })), (error) => done(String(error)))";

#[tokio::test(flavor = "multi_thread")]
async fn a_bound_that_says_less_than_the_chance_is_not_told() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/position?game=kalah", server.url)).await;
    let told = browser.client.execute_async(PROVEN, Vec::new()).await.unwrap();
    // As long as the result is open the board has the chance of each house; else the seeds at the end.
    let expected = json!([
        ["30 % a draw at best", "30 %"],
        ["30 % a draw at least", "30 %"],
        ["30 %", "30 %"],
        ["draws 0", "0"],
        ["loses ≤ −2", "≤ −2"],
        ["wins +4 … +9", "+4 … +9"],
    ]);
    assert_eq!(told, expected);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_picture_takes_a_name_of_the_page_and_every_look_back_is_seen() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    let twice = "const inside = new Set([...document.querySelectorAll('#board [id]')].map((element) => element.id));
        return [...document.querySelectorAll('[id]')].filter((element) => !element.closest('#board, .preview') && inside.has(element.id)).map((element) => element.id)";
    for game in GAMES {
        browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        assert_eq!(browser.ask(twice).await, json!([]), "at a table of {game}");
        browser.go(&format!("{}/position?game={game}", server.url)).await;
        browser.until("something can be touched", LIT).await;
        assert_eq!(browser.ask(twice).await, json!([]), "on the analysis board of {game}");
    }
    played(&browser, &server, "tantrix", "").await;
    browser.click("#replay").await;
    browser.find("#frame").await;
    assert_eq!(browser.ask(twice).await, json!([]));
    browser.click("#ask-review").await;
    browser.until("the graph is drawn", "return document.querySelector('#review svg') !== null").await;
    let seen = "return [...document.querySelectorAll('ul.turns li button')].filter((button) => button.getBoundingClientRect().height > 0 && /gave away/.test(button.textContent)).length > 0";
    assert_eq!(browser.ask(seen).await, json!(true), "turning points are seen");
    // They stand where they take nothing from the board.
    let beside = "const [turns, board] = ['ul.turns', '#board'].map((css) => document.querySelector(css).getBoundingClientRect()); return turns.left >= board.right";
    assert_eq!(browser.ask(beside).await, json!(true), "turning points stand beside the board");
    // Whose curve and bars these are is told by the board's colours and by name.
    let colours = "return [...document.querySelectorAll('#review [data-player]')].map((mark) => [mark.dataset.player, mark.getAttribute('fill')])";
    assert_eq!(browser.ask(colours).await, json!([["0", "#d63a2f"], ["1", "#2f74d0"]]));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_back_at_the_own_game_calls_the_players_as_the_table_did() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    played(&browser, &server, "kalah", "").await;
    let told = [browser.text("#result").await, browser.text("#reason").await];
    browser.click("#replay").await;
    browser.find("#frame").await;
    let names =
        "return [...document.querySelectorAll('.players .player-name')].map((name) => name.textContent)";
    assert_eq!(browser.ask(names).await, json!(["You", "Beginner"]));
    assert_eq!([browser.text("#result").await, browser.text("#reason").await], told);
    browser.click("#ask-review").await;
    browser.until("the graph is drawn", "return document.querySelector('#review svg') !== null").await;
    let plot = browser.text("#review").await;
    assert!(plot.contains("Beginner") && plot.contains("You") && !plot.contains("eat 1"), "{plot}");
    // Whoever comes by without having played is told who did, too.
    let bare = browser.ask("return location.pathname").await;
    browser.go(&format!("{}{}", server.url, bare.as_str().unwrap())).await;
    assert_eq!(browser.ask(names).await, json!(["Person", "Beginner"]));
    // The bar of who is ahead says whose chances it shows.
    browser.click("#of-analysis").await;
    browser.click("#think").await;
    browser.until("the bar is there", "return !document.getElementById('ahead').hidden").await;
    let whose = browser.ask("return document.getElementById('ahead').dataset.percent").await;
    assert!(whose.as_str().unwrap().starts_with("Person"), "{whose}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_is_told_in_words_that_can_be_found_on_the_board() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    let said = "return [...document.querySelectorAll('#moves .says')].map((line) => line.textContent)";
    played(&browser, &server, "tantrix", "").await;
    let lines: Vec<String> = serde_json::from_value(browser.ask(said).await).unwrap();
    assert!(lines.iter().any(|line| line.contains("is drawn from the bag")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("draw:")), "{lines:?}");
    let reason = browser.text("#reason").await;
    assert!(reason.contains("You (red)") && reason.contains("Beginner (blue)"), "{reason}");

    played(&browser, &server, "geister", "plies%3D80").await;
    let lines: Vec<String> = serde_json::from_value(browser.ask(said).await).unwrap();
    assert!(lines.iter().all(|line| !line.contains("set:") && !line.contains("if it is")), "{lines:?}");
    let setups = lines.iter().filter(|line| line.starts_with("The ghosts ")).count();
    assert_eq!(setups, 2, "{lines:?}");

    browser.go(&format!("{}/new/labyrinth?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    let click = "document.querySelector('#board .next')?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#moves li').length >= 4";
    browser.until("both have moved", click).await;
    let lines: Vec<String> = serde_json::from_value(browser.ask(said).await).unwrap();
    assert!(lines[0].starts_with("Pushes the tile in from ") && lines[1].contains("column "), "{lines:?}");
    // What is considered is told in words first.
    browser.until("it is my turn", LIT).await;
    browser.click("#hint").await;
    browser.click("#of-analysis").await;
    browser.until("there is a hint", "return document.querySelectorAll('#thought tr').length > 0").await;
    let first = browser.ask("return document.querySelector('#thought tr').cells[0].textContent").await;
    assert!(first.as_str().unwrap().len() > 12, "{first}");
    assert!(!browser.text("#thought").await.contains("n = "));
    browser.close().await;
}

/// What is wrong with what is written on the boards of a page, those of its rules included, and in a look back: smaller than
/// twelve pixels, over other writing or turning points, or outside of its picture. Overlays have their own size, and marks
/// may cover what is written.
const ILLEGIBLE: &str = "const rules = [...document.querySelectorAll('.rule-board')].map((place) => place.shadowRoot?.querySelector('svg'));
    const wrong = [];
    for (const svg of [document.querySelector('#board svg'), document.querySelector('#review svg'), ...rules]) {
        const whole = svg?.getBoundingClientRect();
        if (!whole?.width) continue;
        const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() && text.getBoundingClientRect().width > 0 && !text.closest('.overlay'));
        const boxes = texts.map((text) => {
            const size = parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a;
            if (size < 11.95) wrong.push(`${text.textContent} has ${size} px`);
            const { left, right, top, bottom, height } = text.getBoundingClientRect();
            // A line of text is higher than what is written in it, unless that is Japanese.
            const spare = svg.closest('#review') ? 0 : 0.18 * height;
            return { said: text.textContent, left: left + 0.5, right: right - 0.5, top: top + spare, bottom: bottom - spare };
        });
        const turns = [...svg.querySelectorAll('[data-frame] circle')].map((turn) => {
            const { left, right, top, bottom } = turn.getBoundingClientRect();
            return { said: 'a turning point', left, right, top, bottom };
        });
        boxes.forEach((box, i) => {
            if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1) wrong.push(`${box.said} is cut off`);
            for (const other of [...boxes.slice(0, i), ...turns]) {
                if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) wrong.push(`${box.said} over ${other.said}`);
            }
        });
    }
    return wrong";

/// That, once what was drawn has its size: an observer of sizes is heard in the next frame.
async fn illegible(browser: &Browser) -> serde_json::Value {
    let settled = format!(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done((() => {{ {ILLEGIBLE} }})())))"
    );
    browser.client.execute_async(&settled, Vec::new()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_on_a_board_is_legible_however_small_it_is() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for (width, height, language) in [(390, 844, "en"), (1440, 900, "ja"), (1366, 768, "en")] {
        let browser = Browser::with(width, height, language).await;
        for game in GAMES {
            let to_the_end = ["kalah", "tantrix"].contains(&game);
            if to_the_end {
                played(&browser, &server, game, "").await;
            } else {
                browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
                browser.click("#begin").await;
                browser.until("something can be touched", LIT).await;
            }
            let wrong = illegible(&browser).await;
            assert_eq!(wrong, json!([]), "{game} at {width}×{height}");
            // The rules are drawn smaller than the board.
            let drawn = "return document.querySelector('.rule-board') !== null && [...document.querySelectorAll('.rule-board')].every((place) => place.shadowRoot?.querySelector('link').sheet && (JSON.parse(place.dataset.marks).length === 0 || place.shadowRoot.querySelector('.marks')))";
            browser.click("#of-rules").await;
            browser.until("the rules are illustrated", drawn).await;
            let wrong = illegible(&browser).await;
            assert_eq!(wrong, json!([]), "the rules of {game} at {width}×{height}");
            browser.go(&format!("{}/learn/{game}", server.url)).await;
            browser.until("the lesson has begun", LIT).await;
            browser.until("the rules are illustrated", drawn).await;
            let wrong = illegible(&browser).await;
            assert_eq!(wrong, json!([]), "learning {game} at {width}×{height}");
        }
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_back_is_legible_on_a_phone() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for (language, game) in [("ja", "kalah"), ("en", "labyrinth"), ("ja", "labyrinth")] {
        let browser = Browser::with(390, 844, language).await;
        if game == "kalah" {
            played(&browser, &server, game, "").await;
        } else {
            four_have_played(&browser, &server).await;
        }
        browser.click("#replay").await;
        browser.click("#ask-review").await;
        browser.until("the graph is drawn", "return document.querySelector('#review svg') !== null").await;
        assert_eq!(illegible(&browser).await, json!([]), "{game} in {language}");
        // Notation is no word to be broken, and who is called the same is told apart.
        let broken = "return [...document.querySelectorAll('#moves code')].filter((code) => code.getClientRects().length > 1).map((code) => code.textContent)";
        assert_eq!(browser.ask(broken).await, json!([]), "{game} in {language}");
        let names = "const names = [...document.querySelectorAll('.player-name')].map((name) => name.textContent); return new Set(names).size === names.length";
        assert_eq!(browser.ask(names).await, json!(true), "{game} in {language}");
        browser.close().await;
    }
}

/// Beside a review the board is at its smallest on a desk, and its words are larger than they are drawn.
#[tokio::test(flavor = "multi_thread")]
async fn words_below_a_small_board_stand_beside_each_other() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    for language in ["en", "ja"] {
        let browser = Browser::with(1366, 768, language).await;
        browser.go(&format!("{}/new/tubstap?agent=random", server.url)).await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        let click = "const lit = document.querySelectorAll('#board .next'); lit[Math.floor(lit.length / 2)]?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#moves li').length > 6";
        browser.until("some moves are made", click).await;
        browser.resign().await;
        browser.click("#replay").await;
        browser.click("#ask-review").await;
        browser.until("it was looked at", "return !document.getElementById('review').hidden").await;
        let beside = "const words = [...document.querySelectorAll('.board-side .board > svg text')].filter((text) => /HP|ターン|turn|End/.test(text.textContent)).map((text) => text.getBoundingClientRect()); return words.length >= 4 && words.every((one, i) => words.slice(i + 1).every((other) => one.left >= other.right || other.left >= one.right || one.top + 3 >= other.bottom || other.top + 3 >= one.bottom))";
        browser.until("the words stand beside each other", beside).await;
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_turns_the_phone_can_still_read() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(1440, 900, "en").await;
    let wide = "return [...document.querySelectorAll('.rule-board')].map((place) => place.shadowRoot.querySelector('svg').viewBox.baseVal).every(({ width, height }) => width > height)";
    let high = wide.replace("width > height", "width < height");
    browser.go(&format!("{}/learn/labyrinth", server.url)).await;
    browser.until("the panel is beside the board", wide).await;
    browser.client.set_window_size(500, 900).await.unwrap();
    browser.until("the panel is below the board", &high).await;
    assert_eq!(illegible(&browser).await, json!([]), "upright");
    browser.client.set_window_size(900, 530).await.unwrap();
    browser.until("the panel is beside the board again", wide).await;
    assert_eq!(illegible(&browser).await, json!([]), "on its side");
    for game in GAMES {
        browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
        browser.click("#begin").await;
        browser.until("something can be touched", LIT).await;
        assert_eq!(illegible(&browser).await, json!([]), "{game} on its side");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn buttons_stay_in_place_and_the_last_move_in_sight() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(1440, 900, "en").await;
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    // Looked at before each touch; a short game may be over before fourteen moves are told, and its buttons with it.
    let click = "const over = !document.getElementById('banner').hidden;
        if (!over) (window.places ??= []).push(document.getElementById('hint').getBoundingClientRect().top);
        document.querySelector('#board .next')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return over || document.querySelectorAll('#moves li').length >= 14";
    browser.until("fourteen moves are told", click).await;
    let places: Vec<f64> = serde_json::from_value(browser.ask("return window.places").await).unwrap();
    assert!(places.len() > 5 && places.iter().all(|place| *place == places[0]), "{places:?}");
    play_to_the_end(&browser).await;
    let seen = "const last = document.querySelector('#moves li:last-child').getBoundingClientRect(); const panel = document.getElementById('tab-moves').getBoundingClientRect(); return last.bottom <= panel.bottom + 1";
    assert_eq!(browser.ask(seen).await, json!(true), "the last move is seen when the game is over");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_drawn_without_a_warning() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(1440, 900, "en").await;
    // Templates with a tree of their own are left alone, with a warning, by who only sets the inner text.
    let watch = "window.set = []; const inner = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
        Object.defineProperty(Element.prototype, 'innerHTML', { ...inner, set(text) { if (/shadowrootmode/.test(text)) window.set.push(this.id); inner.set.call(this, text); } }); return true";
    browser.go(&format!("{}/new/tubstap?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    browser.ask(watch).await;
    browser.click("#of-rules").await;
    let drawn = "return document.querySelector('#rules .rule-board')?.shadowRoot?.querySelector('svg') instanceof SVGElement";
    browser.until("the rules are drawn", drawn).await;
    assert_eq!(browser.ask("return window.set").await, json!([]));
    // On the page of its own the widest table shows all of its columns, or that there are more.
    browser.go(&format!("{}/learn/tubstap", server.url)).await;
    browser.find(".rule-steps .wide").await;
    let wide = "return [...document.querySelectorAll('.rule-steps .wide')].every((place) => place.scrollWidth <= place.clientWidth || getComputedStyle(place).boxShadow !== 'none' || getComputedStyle(place).backgroundImage !== 'none')";
    assert_eq!(browser.ask(wide).await, json!(true));
    // What is written below a small board does not lie under its button.
    let covered = "return [...document.querySelectorAll('.rule-board')].map((place) => place.shadowRoot).filter((root) => root?.getElementById('end')).filter((root) => {
        const button = root.getElementById('end').getBoundingClientRect();
        return [...root.querySelectorAll('text')].some((text) => { const box = text.getBoundingClientRect(); return !text.closest('#end, .overlay') && box.right > button.left && box.left < button.right && box.bottom > button.top + 1 && box.top < button.bottom - 1; }); }).length";
    assert_eq!(browser.ask(covered).await, json!(0));
    browser.close().await;
}
