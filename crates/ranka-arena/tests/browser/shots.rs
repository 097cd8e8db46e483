//! Screenshots of every page, for people to look at: `RANKA_SHOTS=FOLDER cargo test -p ranka-arena --test browser shots -- --ignored`.

use crate::driver::{Browser, available};
use crate::server::Server;
use std::path::Path;

const LIT: &str = "return document.querySelector('#board .next') !== null";

async fn shoot(browser: &Browser, folder: &Path, name: &str) {
    let picture = browser.client.screenshot().await.unwrap();
    std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "makes pictures for people to look at"]
async fn shots() {
    let Some(folder) = std::env::var_os("RANKA_SHOTS").filter(|_| available()) else { return };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).unwrap();
    let server = Server::start().await;
    for (width, height, language, theme) in [
        (1440, 900, "en", "light"),
        (2560, 1440, "en", "light"),
        (1366, 768, "ja", "dark"),
        (390, 844, "en", "dark"),
        (390, 844, "ja", "light"),
    ] {
        let browser = Browser::with(width, height, language).await;
        let look = format!("{width}-{language}-{theme}");
        browser.go(&format!("{}/settings?theme={theme}&back=/", server.url)).await;
        shoot(&browser, folder, &format!("home-{look}")).await;
        for page in [
            "learn/kalah",
            "learn/geister",
            "learn/labyrinth",
            "learn/tantrix",
            "learn/tubstap",
            "new/kalah",
            "watch",
            "agents/kalah",
            "experiments",
            "position",
            "puzzles",
            "puzzles/geister/9",
            "puzzles/tantrix/9",
        ] {
            browser.go(&format!("{}/{page}", server.url)).await;
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            shoot(&browser, folder, &format!("{}-{look}", page.replace('/', "-"))).await;
            if page.starts_with("learn") {
                browser.until("the lesson is there", LIT).await;
                browser.ask("document.getElementById('lesson').scrollIntoView(); return true").await;
                shoot(&browser, folder, &format!("{}-lesson-{look}", page.replace('/', "-"))).await;
            }
        }
        for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
            browser.go(&format!("{}/new/{game}?agent=random", server.url)).await;
            browser.click("#begin").await;
            browser.until("something can be touched", LIT).await;
            let click = "const lit = document.querySelectorAll('#board .next'); lit[Math.floor(lit.length / 2)]?.dispatchEvent(new MouseEvent('click', { bubbles: true })); return document.querySelectorAll('#moves li').length > 6";
            browser.until("some moves are made", click).await;
            browser.until("it is my turn", LIT).await;
            browser.ask("document.querySelector('#board .next')?.focus(); return true").await;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
            shoot(&browser, folder, &format!("{game}-{look}")).await;
            browser.resign().await;
            shoot(&browser, folder, &format!("{game}-end-{look}")).await;
        }
        browser.click("#replay").await;
        browser.find("#frame").await;
        browser.click("#ask-review").await;
        browser.until("it was looked at", "return !document.getElementById('review').hidden").await;
        shoot(&browser, folder, &format!("replay-{look}")).await;
        browser.close().await;
    }
}
