//! The site of a league: files that need no server.

use crate::axe::{axe, violations};
use crate::driver::{Browser, available};
use ranka_arena::{Arena, Config, ServerLimits, write_site};
use ranka_lab::Store;
use ranka_league::{League, NightPlan};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Two agents that have met so often.
fn league(place: &Path, games: u64) -> League {
    let folder = place.join("league");
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "title = \"Course\"\nseed = 5\n\
         [[game]]\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\ngames = {games}\n\
         [ratings]\nanchor = \"random\"\nrating = 1000\n\
         [[entrant]]\nname = \"random\"\nagent = \"random\"\n\
         [[entrant]]\nname = \"greedy\"\nagent = \"minimax:depth=1\"\n"
    );
    fs::write(folder.join("league.toml"), text).unwrap();
    let league = League::open(&folder).unwrap();
    let night = NightPlan { threads: 1, until: None, means: None, cancel: &AtomicBool::new(false) };
    league.run(&night, &mut league.store().unwrap(), &mut |_| {}).unwrap();
    league
}

/// The site of two agents that have met four times.
fn site(place: &Path) -> std::path::PathBuf {
    let site = place.join("site");
    write_site(&league(place, 4), &site).unwrap();
    site
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_league_that_is_played_follow_it() {
    if !available() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let folder = league(place.path(), 4).folder().to_owned();
    let config = Config {
        host: [127, 0, 0, 1].into(),
        port: 0,
        next_port: false,
        names: Vec::new(),
        limits: ServerLimits::default(),
    };
    let store = Store::open(&place.path().join("store.sqlite")).unwrap();
    let arena = Arena::bind(&config, store).await.unwrap();
    arena.show_league(folder);
    let url = format!("http://{}/league", arena.address().unwrap());
    tokio::spawn(arena.serve(std::future::pending()));

    let browser = Browser::open().await;
    browser.go(&url).await;
    let has =
        |count: u64| format!("return document.querySelector('main').textContent.includes('{count} games')");
    browser.until("four games", &has(4)).await;
    // What does not change stays the very same, and what is marked stays marked.
    browser.ask("window.kept = document.querySelector('h2'); document.querySelector('tbody a').focus(); return true").await;
    league(place.path(), 6);
    browser.until("six games", &has(6)).await;
    let same =
        "return window.kept === document.querySelector('h2') && document.activeElement.matches('tbody a')";
    assert_eq!(browser.ask(same).await, json!(true));
    assert_eq!(browser.ask("return document.activeElement.textContent.length > 0").await, json!(true));

    // A game that is looked at goes on, and the list beside it grows.
    browser.click(".cross td a").await;
    browser
        .until("the game is there", "return document.getElementById('film-player')?.hidden === false")
        .await;
    browser.click("#film-moves li:nth-child(2) button").await;
    league(place.path(), 8);
    browser
        .until("eight games", "return document.querySelectorAll('#film-games tbody tr').length === 8")
        .await;
    assert_eq!(browser.ask("return document.getElementById('film-frame').value").await, json!("2"));
    browser.click("#film-games tbody tr:nth-child(8) a").await;
    browser
        .until("game 8 is shown", "return document.getElementById('film-title').textContent.includes('8')")
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leagues_games_are_played_back_from_files() {
    if !available() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let site = site(place.path());
    let browser = Browser::open().await;
    browser.go(&format!("file://{}", site.join("bots/greedy.html").display())).await;
    browser.click("a[href*='/games/']").await;
    browser
        .until("the game is there", "return document.getElementById('film-player')?.hidden === false")
        .await;
    let board = "return document.getElementById('film-board').innerHTML";
    let first = browser.ask(board).await;
    assert!(first.as_str().unwrap().starts_with("<svg"), "{first}");
    // A move in the list leads to the picture after it, and the slider follows.
    browser.click("#film-moves li:nth-child(2) button").await;
    assert_eq!(browser.ask("return document.getElementById('film-frame').value").await, json!("2"));
    assert_ne!(browser.ask(board).await, first);
    let end = "return document.getElementById('film-end').hidden";
    assert_eq!(browser.ask(end).await, json!(true), "it is not told how the game ends before it does");
    let to_the_last = "const slider = document.getElementById('film-frame'); slider.value = slider.max; slider.dispatchEvent(new Event('input')); return true";
    browser.ask(to_the_last).await;
    assert_eq!(browser.ask(end).await, json!(false));
    // Another of their games, by its link.
    browser.click("#film-games tr:nth-child(3) a").await;
    browser.until("game 3 is shown", "return document.getElementById('film-title').textContent.includes('3') && document.getElementById('film-frame').value === '0'").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leagues_pages_are_accessible() {
    let Some(axe) = axe().filter(|_| available()) else { return };
    let place = tempfile::tempdir().unwrap();
    let site = site(place.path());
    let game = fs::read_dir(site.join("games")).unwrap().next().unwrap().unwrap().file_name();
    let game = format!("games/{}", game.to_str().unwrap());
    let mut wrong = Vec::new();
    for width in [1440, 390] {
        let browser = Browser::with(width, 844, "en").await;
        for folder in ["", "ja/"] {
            for page in ["index.html", "bots/greedy.html", &game] {
                browser.go(&format!("file://{}", site.join(folder).join(page).display())).await;
                browser.until("the page is there", "return document.readyState === 'complete' && document.querySelector('#film-player')?.hidden !== true").await;
                let found = violations(&browser, &axe).await;
                wrong.extend(found.into_iter().map(|line| format!("{width} {folder}{page}: {line}")));
            }
        }
        browser.close().await;
    }
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
}
