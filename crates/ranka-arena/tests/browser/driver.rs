//! A browser and its driver.

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, SemaphorePermit};

/// A generous bound for what a page does by itself; a test that needs more is stuck.
const PATIENCE: Duration = Duration::from_secs(90);

/// Windows are never narrower than this; below it a phone is emulated.
const NARROWEST: u32 = 500;

/// Two processors: no more browsers at a time than that.
static BROWSERS: Semaphore = Semaphore::const_new(2);

/// Chromedriver, ended with the test.
struct Driver {
    process: Child,
    port: u16,
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Its browsers end with it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser window.
pub(crate) struct Browser {
    pub(crate) client: Client,
    // In this order: the window goes before its driver.
    _driver: Driver,
    _permit: SemaphorePermit<'static>,
    _profile: tempfile::TempDir,
}

/// Whether there is a browser. Says so if not.
pub(crate) fn available() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        if std::env::var("RANKA_BROWSER").as_deref() == Ok("elsewhere") {
            return false;
        }
        let found =
            |program: &str| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
        let both = found("chromium") && found("chromedriver");
        if !both {
            let message =
                "SKIPPED: chromium and chromedriver are not installed, so nothing is tested in a browser";
            assert!(std::env::var("RANKA_BROWSER").as_deref() != Ok("required"), "{message}");
            eprintln!("\n*** {message} ***\n");
        }
        both
    })
}

impl Browser {
    pub(crate) async fn open() -> Browser {
        Browser::with(1100, 900, "en").await
    }

    /// A window of this size whose person reads this language, and wants to see nothing move.
    pub(crate) async fn with(width: u32, height: u32, language: &str) -> Browser {
        Browser::launch(width, height, language, &["--force-prefers-reduced-motion"]).await
    }

    /// A window in which things move.
    pub(crate) async fn moving() -> Browser {
        Browser::launch(1100, 900, "en", &["--autoplay-policy=no-user-gesture-required"]).await
    }

    async fn launch(width: u32, height: u32, language: &str, more: &[&str]) -> Browser {
        let permit = BROWSERS.acquire().await.unwrap();
        let driver = start();
        let profile = tempfile::tempdir().unwrap();
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            format!("--lang={language}"),
            format!("--accept-lang={language}"),
            format!("--window-size={width},{height}"),
            format!("--user-data-dir={}", profile.path().display()),
        ];
        arguments.extend(more.iter().map(|flag| (*flag).to_owned()));

        let mut options = json!({ "args": arguments, "prefs": { "intl.accept_languages": language } });
        if width < NARROWEST {
            let metrics = json!({ "width": width, "height": height, "pixelRatio": 2.0, "mobile": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let wanted = json!({ "goog:chromeOptions": options });
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        builder.capabilities(wanted.as_object().unwrap().clone());
        let client = builder.connect(&format!("http://127.0.0.1:{}", driver.port)).await.unwrap();
        Browser { client, _driver: driver, _permit: permit, _profile: profile }
    }

    pub(crate) async fn go(&self, url: &str) {
        self.client.goto(url).await.unwrap();
    }

    pub(crate) async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("nothing like {css:?}: {error}"))
    }

    pub(crate) async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap();
    }

    /// Clicks what leads to another page, and waits for that: else what is asked next may be answered by the page before.
    pub(crate) async fn follow(&self, css: &str) {
        self.find(css).await;
        self.ask("window.before = true; return true").await;
        self.click(css).await;
        self.until("the next page", "return !window.before && document.readyState === 'complete'").await;
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    pub(crate) async fn address(&self) -> String {
        self.client.current_url().await.unwrap().to_string()
    }

    /// What a script in the page answers.
    pub(crate) async fn ask(&self, script: &str) -> serde_json::Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Gives up the game that is played, and waits for its end.
    pub(crate) async fn resign(&self) {
        self.ask("for (const _ of [1, 2]) document.getElementById('resign').click(); return true").await;
        self.until("it is over", "return !document.getElementById('banner').hidden").await;
    }

    /// Waits until a script answers `true`.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        let begun = Instant::now();
        while self.ask(script).await != json!(true) {
            assert!(
                begun.elapsed() < PATIENCE,
                "waited in vain until {what}; the page says: {}",
                self.text("main").await
            );
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    pub(crate) async fn close(self) {
        self.client.clone().close().await.unwrap();
    }
}

fn start() -> Driver {
    let mut process = Command::new("chromedriver")
        .args(["--port=0", "--allowed-ips=127.0.0.1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = BufReader::new(process.stdout.take().unwrap());
    // "ChromeDriver was started successfully on port 41234.", after a line that tells which port was asked for.
    let port = said
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok());
    Driver { process, port: port.expect("the driver tells its port") }
}
