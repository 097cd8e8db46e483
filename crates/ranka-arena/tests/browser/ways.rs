//! Other ways to use the pages: by keyboard, in Japanese, on a phone, to teach, to experiment, to look things up.

use crate::driver::{Browser, available};
use crate::games::play_to_the_end;
use crate::server::Server;
use fantoccini::key::Key;
use serde_json::json;

const LIT: &str = "return document.querySelector('#board .next') !== null";

async fn press(browser: &Browser, key: Key) {
    let active = browser.client.active_element().await.unwrap();
    active.send_keys(&char::from(key).to_string()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_is_enough() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/geister?agent=random", server.url)).await;
    browser.find("#begin").await.send_keys(&char::from(Key::Enter).to_string()).await.unwrap();
    browser.until("something can be touched", LIT).await;
    // The set-up: four ghosts, one after the other.
    for _ in 0..4 {
        browser.ask("document.querySelector('#board .next').focus(); return true").await;
        press(&browser, Key::Enter).await;
    }
    browser.until("the game has begun", "return document.querySelectorAll('#moves li').length >= 2").await;
    browser.until("it is my turn", LIT).await;
    // Chooses a ghost, thinks better of it, chooses again.
    browser.ask("document.querySelector('#board .next').focus(); return true").await;
    let first = browser.ask("return document.activeElement.id").await;
    press(&browser, Key::Right).await;
    press(&browser, Key::Left).await;
    press(&browser, Key::Enter).await;
    browser.until("a ghost is chosen", "return document.querySelector('#board .chosen') !== null").await;
    press(&browser, Key::Escape).await;
    assert_eq!(browser.ask("return document.querySelector('#board .chosen') === null").await, json!(true));
    assert!(first.as_str().is_some_and(|id| !id.is_empty()));
    let before = browser.ask("return document.querySelectorAll('#moves li').length").await.as_u64().unwrap();
    press(&browser, Key::Enter).await;
    press(&browser, Key::Enter).await;
    let more = format!("return document.querySelectorAll('#moves li').length > {before}");
    browser.until("the ghost has moved", &more).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_language_is_the_browsers_and_can_be_changed() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(1100, 900, "ja").await;
    browser.go(&server.url).await;
    assert_eq!(browser.ask("return document.documentElement.lang").await, json!("ja"));
    assert!(browser.text("h1").await.contains("五つ"));
    browser.go(&format!("{}/agents/kalah", server.url)).await;
    browser.click(".choices button[name=language]").await;
    browser.until("the page is English", "return document.documentElement.lang === 'en'").await;
    assert!(browser.address().await.ends_with("/agents/kalah"), "it leads back to where it was chosen");
    browser.click(".choices button[name=theme]").await;
    browser.until("it is night", "return document.documentElement.dataset.theme === 'dark'").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_is_wide_enough() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(360, 780, "en").await;
    let narrow = "return [innerWidth, Math.max(document.documentElement.scrollWidth, 360)]";
    for page in [
        "/",
        "/new/tantrix",
        "/agents/tubstap",
        "/experiments",
        "/position?game=tantrix",
        "/watch",
        "/puzzles",
        "/puzzles/tubstap/1",
        "/learn/labyrinth",
    ] {
        browser.go(&format!("{}{page}", server.url)).await;
        assert_eq!(browser.ask(narrow).await, json!([360, 360]), "{page}");
    }
    browser.go(&server.url).await;
    browser.click("#play-kalah").await;
    browser.until("something can be touched", LIT).await;
    assert_eq!(browser.ask(narrow).await, json!([360, 360]), "a table");
    // Houses are small here: the first touch shows what would come of it.
    browser.click("#board .next").await;
    browser.until("it is shown", "return document.querySelector('#board g.marks .label') !== null").await;
    browser.click("#board .next").await;
    browser.until("there is a move", "return document.querySelectorAll('#moves li').length > 0").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_teaches_an_agent() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/tubstap?agent=random", server.url)).await;
    browser.ask("document.querySelector('[name=\"rule-limit\"]').value = '4'; document.querySelector('[name=teaches]').value = 'mine'; return true").await;
    browser.click("#begin").await;
    let step = "
        if (!document.getElementById('banner').hidden) return 'over';
        const judge = document.getElementById('judge');
        if (!judge.hidden) {
            judge.querySelector('[data-label=bad]').click();
            window.judged = (window.judged ?? 0) + 1;
            return 'judged';
        }
        const lit = document.querySelectorAll('#board .next');
        if (lit.length === 0) return 'wait';
        lit[lit.length - 1].dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return 'clicked';";
    let mut over = false;
    for _ in 0..4000 {
        match browser.ask(step).await.as_str().unwrap() {
            "over" => {
                over = true;
                break;
            }
            _ => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    }
    assert!(over, "the lesson ends with the game");
    browser.follow(".panel a[href='/labels/mine']").await;
    let counts = browser.text("#counts").await;
    assert!(!counts.contains("0 bad"), "{counts}");
    assert!(browser.ask("return document.querySelectorAll('table tr').length").await.as_u64().unwrap() > 1);
    // A membership is a share, however often something was judged.
    let shares = browser.ask("return [...document.querySelectorAll('table.facts tr td:nth-child(6)')].map((cell) => Number(cell.textContent))").await;
    let shares: Vec<f64> = shares.as_array().unwrap().iter().filter_map(serde_json::Value::as_f64).collect();
    assert!(!shares.is_empty() && shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    // The agent that learned it can be played against at once.
    browser.click("#play-taught").await;
    browser
        .until(
            "the taught agent sits at the table",
            "return document.getElementById('players')?.textContent.includes('prune=') ?? false",
        )
        .await;
    browser.close().await;
}

/// What is written in cells of tables with hardly more than a letter to a line.
const STACKED: &str = "return [...document.querySelectorAll('td, th')].filter((cell) => {
        const whole = document.createRange();
        whole.selectNodeContents(cell);
        const lines = new Set([...whole.getClientRects()].map((box) => Math.round(box.top))).size;
        return lines > 2 && cell.textContent.length < 3 * lines;
    }).map((cell) => cell.textContent)";

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_is_started_and_watched() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.way_in).await;
    browser.go(&format!("{}/experiments/kalah/table-1-n3m3", server.url)).await;
    browser.click(".sizes button[value=quick]").await;
    browser.until("it runs", "return !document.getElementById('run').hidden").await;
    browser.until("it is finished", "return !document.getElementById('run-report').hidden").await;
    assert_eq!(browser.ask("return document.getElementById('run-progress').value > 0").await, json!(true));
    browser.follow("#run-report").await;
    browser.find("table").await;
    assert!(
        browser.text("body").await.contains("independent solver"),
        "the report says whose figures stand beside the measured"
    );
    // Whatever it links to is there.
    let links = browser.ask("return [...document.querySelectorAll('main a[href], section a[href]')].map((link) => link.href).filter((link) => !link.includes('#'))").await;
    let links: std::collections::BTreeSet<String> = serde_json::from_value(links).unwrap();
    // In Japanese, which may be broken anywhere, no narrow window stacks the letters of a table.
    let phone = Browser::with(390, 844, "ja").await;
    phone.go(&format!("{}/report/kalah/table-1-n3m3", server.url)).await;
    phone.find("table").await;
    assert_eq!(phone.ask(STACKED).await, json!([]));
    phone.close().await;
    assert!(
        links.iter().any(|link| link.ends_with(".csv"))
            && links.iter().any(|link| link.ends_with(".parquet")),
        "{links:?}"
    );
    browser.go(&server.url).await;
    for link in links.iter().filter(|link| link.contains("/report/")) {
        let load = format!(
            "const done = arguments[arguments.length - 1]; fetch('{link}').then((answer) => answer.blob().then((blob) => done([answer.status, blob.size])))"
        );
        let loaded = browser.client.execute_async(&load, Vec::new()).await.unwrap();
        assert!(loaded[0] == 200 && loaded[1].as_u64().unwrap() > 20, "{link}: {loaded}");
    }
    browser.go(&format!("{}/experiments", server.url)).await;
    browser.find("a[href='/report/kalah/table-1-n3m3']").await;
    // Its games can be watched.
    browser.go(&format!("{}/watch", server.url)).await;
    browser.follow("a[href^='/watch/']").await;
    browser.ask("document.querySelector('select[name=show]').value = '1'; return true").await;
    browser.follow("form.versus button").await;
    let lost = browser.ask("return [...document.querySelectorAll('table.games tbody td:nth-child(3)')].map((cell) => cell.textContent)").await;
    let lost: Vec<String> = serde_json::from_value(lost).unwrap();
    assert!(!lost.is_empty() && lost.iter().all(|result| !result.contains("random")), "{lost:?}");
    browser.click("table.games a[href^='/replay/']").await;
    browser.find("#frame").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_of_ones_own_is_written_and_watched() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.way_in).await;
    // A copy of a paper's, with a mistake: it is told at its line.
    browser.go(&format!("{}/experiments/kalah/table-1-n3m3", server.url)).await;
    browser.follow("#edit").await;
    browser.find("#source").await;
    browser.ask("const source = document.getElementById('source'); source.value = source.value.replace(/^game = .*$/m, 'game = \"kala\"'); window.line = source.value.split('\\n').findIndex((line) => line.startsWith('game = ')) + 1; return true").await;
    let line = browser.ask("return window.line").await;
    browser.follow("form.toml button[value=quick]").await;
    let told = browser.text("#error").await;
    assert!(told.contains(&format!("{line} │ game = \"kala\"")) && told.contains("kalah"), "{told}");
    let chosen = browser.ask("const source = document.getElementById('source'); return source.value.slice(source.selectionStart, source.selectionEnd)").await;
    assert_eq!(chosen, json!("game = \"kala\""));
    // One agent against another.
    browser.go(&format!("{}/experiments", server.url)).await;
    browser.ask("document.querySelector('#versus [name=a]').value = 'minimax:depth=2'; document.querySelector('#versus [name=b]').value = 'random'; document.querySelector('#versus [name=games]').value = '60'; return true").await;
    browser.click("#versus button").await;
    browser.until("it is finished", "return document.getElementById('run-report') !== null && !document.getElementById('run-report').hidden").await;
    let score = browser.text("#run-score").await;
    assert!(score.contains('%') && score.contains('–'), "the score with its interval: {score}");
    browser.follow("#run-report").await;
    assert!(browser.text("body").await.contains("minimax:depth=2 against random"));
    // An agent that nobody knows.
    browser.go(&format!("{}/experiments", server.url)).await;
    browser.ask("document.querySelector('#versus [name=a]').value = 'minmax'; document.querySelector('#versus [name=b]').value = 'random'; return true").await;
    browser.follow("#versus button").await;
    assert!(browser.text("#error").await.contains("minimax"), "the nearest names are offered");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_taking_back_resigning_and_positions() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/new/kalah?agent=random", server.url)).await;
    browser.click("#begin").await;
    browser.until("something can be touched", LIT).await;
    browser.click("#hint").await;
    browser
        .until("the hint is drawn", "return document.querySelector('#board g.hints .label') !== null")
        .await;
    let whose = "return document.getElementById('whose').textContent";
    assert_eq!(browser.ask(whose).await, json!("A hint for you"));
    assert_eq!(browser.ask("return document.getElementById('hint').disabled").await, json!(false));
    // What comes of a house is told before it is chosen.
    browser.ask("document.querySelector('#board .next').focus(); return true").await;
    browser
        .until("a preview is drawn", "return document.querySelector('#board g.marks .label') !== null")
        .await;
    let count = "return document.querySelectorAll('#moves li').length";
    press(&browser, Key::Enter).await;
    browser.until("it was played", "return document.querySelectorAll('#moves li').length > 0").await;
    browser.until("it is my turn again", LIT).await;
    browser.click("#take-back").await;
    browser.until("it was taken back", "return document.querySelectorAll('#moves li').length === 0").await;
    assert_eq!(browser.ask(count).await, json!(0));
    browser.click("#resign").await;
    browser.click("#resign").await;
    browser.until("it is over", "return !document.getElementById('banner').hidden").await;
    assert_eq!(browser.text("#result").await, "You lose");

    browser.go(&format!("{}/position?game=kalah&rules=houses%3D3,seeds%3D3", server.url)).await;
    browser.until("it was analysed", "return document.querySelectorAll('#thought tr').length > 0").await;
    browser.go(&format!("{}/position?game=kalah&position=nonsense", server.url)).await;
    assert!(browser.text(".error").await.contains("nonsense"));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adapting_opponent_shows_what_it_takes_the_person_for() {
    if !available() {
        return;
    }
    const ABOUT: &str = "return (document.querySelector('#players [title]')?.title ?? '')";
    let server = Server::start().await;
    let browser = Browser::open().await;
    let sits = |spec: &str| format!("{}.startsWith('{spec}')", ABOUT);
    browser.go(&format!("{}/new/kalah?agent=select-q&rules=houses%3D3,seeds%3D3", server.url)).await;
    browser.click("#begin").await;
    play_to_the_end(&browser).await;
    assert_eq!(browser.ask("return document.getElementById('believes').hidden").await, json!(false));
    // The partner says it in words, and knows the person at the next game.
    browser.go(&server.url).await;
    let choose = "const level = document.querySelector('select[data-game=kalah]'); level.value = 'adapts'; level.dispatchEvent(new Event('change')); return true";
    browser.ask(choose).await;
    browser.click("#play-kalah").await;
    browser.until("it sits down", &sits("partner")).await;
    assert_eq!(browser.ask(ABOUT).await, json!("partner"), "of a new person nothing is known");
    play_to_the_end(&browser).await;
    let says = "return document.querySelector('#believes figcaption').textContent";
    let said = browser.ask(says).await;
    assert!(said.as_str().unwrap().starts_with("It takes you to be"), "{said}");
    assert_eq!(browser.ask("return document.querySelectorAll('#believes text').length").await, json!(5));
    browser.click(".again button[value='0']").await;
    browser.until("it knows the person", &sits("partner:opponent=")).await;
    // Also at a table that is laid anew in the same browser, but not in another.
    browser.go(&server.url).await;
    browser.click("#play-kalah").await;
    browser.until("it knows the person", &sits("partner:opponent=")).await;
    browser.close().await;
    let other = Browser::open().await;
    other.go(&server.url).await;
    other.ask(choose).await;
    other.click("#play-kalah").await;
    other.until("it sits down", &sits("partner")).await;
    assert_eq!(other.ask(ABOUT).await, json!("partner"));
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_records_is_dropped_and_listed() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&server.way_in).await;
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
    let agents = vec![game.agent("random").unwrap(); 2];
    let seats: Vec<_> = agents.iter().zip(0..).collect();
    let record = |deal| {
        let seeds = ranka_core::GameSeeds::of(ranka_core::Seed::new(3), deal, 0);
        let played = game.play(&seats, &seeds, &ranka_core::Settings::default(), None);
        serde_json::to_string(&played.record).unwrap()
    };
    let lines: Vec<String> = (0..3).map(record).collect();
    let text = serde_json::to_string(&lines.join("\n")).unwrap();
    browser.go(&format!("{}/watch", server.url)).await;
    browser.until("files are taken", "return !document.getElementById('from-file').hidden").await;
    let drop = |text: &str| {
        format!(
            "const data = new DataTransfer(); data.items.add(new File([{text}], 'games.jsonl')); \
             document.getElementById('paste').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, cancelable: true, bubbles: true }})); return true"
        )
    };
    browser.ask(&drop("'x'.repeat(2000000)")).await;
    browser.until("it is too long", "return !document.getElementById('too-long').hidden").await;
    browser.ask(&drop(&text)).await;
    browser
        .until("they are listed", "return document.querySelectorAll('table.games tbody tr').length === 3")
        .await;
    let aligned = "const [head, cell] = ['thead th', 'tbody td, tbody th'].map((part) => document.querySelector(`table.games ${part}`).getBoundingClientRect()); return head.left === cell.left && head.bottom <= cell.top";
    assert_eq!(browser.ask(aligned).await, json!(true), "cells stand below their headings");
    browser.click("table.games a[href='/replay/import/2']").await;
    browser.find("#frame").await;
    browser.close().await;
}

/// Nobody is held by what was touched: another takes its place, and the same again, a tap beside it and the button let go.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_touched_is_let_go() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::with(390, 844, "en").await;
    let ghosts = "&position=r1rbb1/1b1br1/3r2/2BR2/1B1RR1/1BR1B1+1+-+10+b5d5c4e5b6c6d4e6,e2d2d3a1e1d1c1b2";
    for (game, position) in [("geister", ghosts), ("labyrinth", ""), ("tantrix", ""), ("tubstap", "")] {
        browser.go(&format!("{}/position?game={game}{position}", server.url)).await;
        browser.until("something can be touched", LIT).await;
        let tapped = "const board = document.getElementById('board');
            const tap = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
            const find = (id) => board.querySelector(`[id=\"${CSS.escape(id)}\"]`);
            const ids = (kind) => [...board.querySelectorAll(kind)].map((element) => element.id);
            const firsts = ids('.next');
            const back = document.getElementById('let-go');
            const told = [back.hidden];
            tap(find(firsts[0]));
            told.push(ids('.chosen').join() === firsts[0], !back.hidden);
            const other = firsts.find((id) => id !== firsts[0] && !ids('.next').includes(id));
            tap(find(other));
            told.push(ids('.chosen').join() === other);
            back.click();
            told.push(ids('.chosen').length === 0, back.hidden);
            tap(find(other));
            tap(board);
            told.push(ids('.chosen').length === 0);
            tap(find(other));
            tap(document.getElementById('news'));
            told.push(ids('.chosen').length === 0);
            tap(find(other));
            // Where that means to stay, it is a step on.
            const stays = ids('.next').includes(other);
            tap(find(other));
            told.push(stays || ids('.chosen').length === 0);
            return told";
        assert_eq!(browser.ask(tapped).await, json!(vec![true; 9]), "{game}");
    }
    browser.close().await;
}

/// In a class room pages do not come by HTTPS and have no clipboard.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_copied_without_a_clipboard_is_copied() {
    if !available() {
        return;
    }
    let server = Server::start().await;
    let browser = Browser::open().await;
    browser.go(&format!("{}/position?game=kalah", server.url)).await;
    browser.until("something can be touched", LIT).await;
    let bare = "Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.addEventListener('copy', () => (window.copied = String(document.activeElement.value)));
        return true";
    browser.ask(bare).await;
    browser.click("#copy-position").await;
    let told = "return document.getElementById('copy-position').textContent === 'Copied' && window.copied === document.getElementById('notation').value";
    browser.until("the position is copied", told).await;
    browser.ask("document.execCommand = () => false; return true").await;
    browser.click("#copy-position").await;
    let told = "return document.getElementById('copy-position').textContent === 'This browser does not let a page copy'";
    browser.until("it is told that nothing was", told).await;
    browser.close().await;
}
