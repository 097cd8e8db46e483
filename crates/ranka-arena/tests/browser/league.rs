//! The site of a league: files that need no server.

use crate::axe::{axe, violations};
use crate::driver::{Browser, available};
use ranka_arena::write_site;
use ranka_league::{League, NightPlan};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Two agents that have met four times.
fn site(place: &Path) -> std::path::PathBuf {
    let (league, site) = (place.join("league"), place.join("site"));
    fs::create_dir(&league).unwrap();
    let text = "title = \"Course\"\nseed = 5\n\
         [[game]]\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\ngames = 4\n\
         [ratings]\nanchor = \"random\"\nrating = 1000\n\
         [[entrant]]\nname = \"random\"\nagent = \"random\"\n\
         [[entrant]]\nname = \"greedy\"\nagent = \"minimax:depth=1\"\n";
    fs::write(league.join("league.toml"), text).unwrap();
    let league = League::open(&league).unwrap();
    let night = NightPlan { threads: 1, until: None, means: None, cancel: &AtomicBool::new(false) };
    league.run(&night, &mut league.store().unwrap(), &mut |_| {}).unwrap();
    write_site(&league, &site).unwrap();
    site
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
    browser.until("the game is there", "return !document.getElementById('film-player').hidden").await;
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
