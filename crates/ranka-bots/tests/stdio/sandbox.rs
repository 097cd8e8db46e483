//! Nasty bots in a sandbox. Each deed is done without one, so that these tests fail where it does not hold.

use super::{game, play};
use ranka_bots::stdio::sandbox::{SandboxKind, set_launcher};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;

/// What a spy could do of some deeds.
fn deeds(folder: &Path, sandbox: &str, deeds: &[String]) -> BTreeMap<String, bool> {
    set_launcher(env!("CARGO_BIN_EXE_spy-bot").into(), &["confine"]);
    let spy = folder.join("spy");
    if !spy.exists() {
        fs::copy(env!("CARGO_BIN_EXE_spy-bot"), &spy).unwrap();
    }
    let kalah = game("kalah");
    let deeds: Vec<String> = deeds.iter().map(|deed| format!("'{deed}'")).collect();
    let spec = format!(
        "bot:cmd=\"./spy {}\",folder=\"{}\",name=Spy,sandbox={sandbox},memory=512,scratch=16,processes=20,files=\"spy\"",
        deeds.join(" "),
        folder.display()
    );
    let (bot, random) = (kalah.agent(&spec).unwrap(), kalah.agent("random").unwrap());
    let played = play(kalah.as_ref(), [&bot, &random], 0).record;
    assert_eq!(played.end.reason.name(), "rules", "{sandbox}: {:?}", played.end);
    let told = played.end.detail.unwrap_or_default();
    let (_, told) = told.split_once("standard error: ").unwrap_or_else(|| panic!("{sandbox}: {told:?}"));
    let line = |line: &str| {
        let (deed, came) = line.rsplit_once(' ').unwrap();
        (deed.to_owned(), came == "done")
    };
    told.lines().map(line).collect()
}

/// The means that work here. Those that do not are told loudly; at least Landlock must work for the tests to be worth
/// anything on Linux.
fn means() -> Vec<&'static str> {
    set_launcher(env!("CARGO_BIN_EXE_spy-bot").into(), &["confine"]);
    let works = |name: &&'static str| match SandboxKind::named(name) {
        Ok(_) => true,
        Err(error) => {
            eprintln!("\n*** SKIPPED: {name} is not tested: {error} ***\n");
            false
        }
    };
    let found: Vec<_> = ["bubblewrap", "namespaces", "landlock"].into_iter().filter(works).collect();
    assert!(found.contains(&"landlock"), "this kernel has no Landlock, so no sandbox can be tested");
    found
}

#[test]
fn a_sandbox_shows_a_bot_nothing_but_its_own_folder() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).display().to_string();
    for folder in ["mine", "other"] {
        fs::create_dir(at(folder)).unwrap();
        fs::write(at(&format!("{folder}/bot.py")), "secret").unwrap();
    }
    fs::write(at("league.sqlite"), "games").unwrap();
    let inet = TcpListener::bind("127.0.0.1:0").unwrap();
    let _unix = UnixListener::bind(at("socket")).unwrap();
    let referee = std::process::id();
    let deeds_of_all = [
        format!("read:{}", at("league.sqlite")),
        format!("write:{}", at("league.sqlite")),
        format!("read:{}", at("other/bot.py")),
        format!("list:{}", at("other")),
        format!("list:{}", at("")),
        format!("read:/proc/{referee}/environ"),
        format!("read:/proc/{referee}/cmdline"),
        format!("list:/proc/{referee}/fd"),
        "read:/etc/passwd".to_owned(),
        format!("connect:{}", inet.local_addr().unwrap()),
        format!("unix:{}", at("socket")),
        format!("kill:{referee}"),
        format!("write:{}", at("mine/bot.py")),
        "write:bot.py".to_owned(),
        "write:new".to_owned(),
        format!("fill:{}", place.path().display()),
        "fork:40".to_owned(),
        "memory:1024".to_owned(),
        "variable:CARGO_MANIFEST_DIR".to_owned(),
    ];
    // Tried last, because what they do stays done.
    let open = deeds(&place.path().join("mine"), "off", &deeds_of_all);
    for means in means() {
        fs::write(at("league.sqlite"), "games").unwrap();
        let held = deeds(&place.path().join("mine"), means, &deeds_of_all);
        for deed in &deeds_of_all {
            // A bot's own memory limit holds without a sandbox too; the rest would be done.
            if !deed.starts_with("memory") && !deed.starts_with("fill") {
                assert!(open[deed], "{deed} is not even done without a sandbox");
            }
            let root_is_not_counted = means != "namespaces" && deed.starts_with("fork") && is_root();
            assert!(!held[deed] || root_is_not_counted, "{means}: {deed} was done");
        }
        assert_eq!(fs::read_to_string(at("league.sqlite")).unwrap(), "games");
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn a_bot_in_a_sandbox_has_its_files_and_a_scratch_folder_of_limited_size() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("weights"), "1 2 3").unwrap();
    for means in means() {
        let tried = ["read:weights", "write:/tmp/notes", "read:/tmp/notes", "fill:/tmp", "fork:3"];
        let held = deeds(place.path(), means, &tried.map(str::to_owned));
        assert!(held["read:weights"] && held["fork:3"], "{means}: {held:?}");
        let scratch = means != "landlock";
        assert_eq!([held["write:/tmp/notes"], held["read:/tmp/notes"]], [scratch; 2], "{means}: {held:?}");
        assert!(!held["fill:/tmp"], "{means}: half a gigabyte fits into 16 MiB");
        assert!(!Path::new("/tmp/notes").exists(), "{means}: the scratch folder is the system's");
    }
}
