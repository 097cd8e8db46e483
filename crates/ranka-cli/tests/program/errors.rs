//! The exit code tells whose trouble it is, and `--help` and the documentation tell what it means.
#![allow(clippy::unwrap_used)]

use crate::run::ranka;
use ranka_core::ErrorKind;
use std::fs;
use std::path::Path;

#[test]
fn every_kind_ends_with_its_own_code() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let store = at("store.sqlite");
    fs::write(at("bad.toml"), "title = 3").unwrap();
    fs::write(at("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    fs::write(
        at("text.sqlite"),
        "this is a text and no database at all, long enough to be looked at. ".repeat(20),
    )
    .unwrap();
    ranka(&["match", "kalah", "random", "random", "--games", "1", "--store", &store]).done();
    let bot = "bot:cmd=\"sh -c 'exit 3'\"";
    for (args, kind, said) in [
        (&["experiment", "run", &at("bad.toml"), "--store", &store][..], ErrorKind::Input, "bad.toml"),
        (&["experiment", "run", &at("binary.toml"), "--store", &store], ErrorKind::Input, "it is not text"),
        (&["record", "list", "--store", &at("text.sqlite")], ErrorKind::Input, "it is no store of Ranka"),
        (&["match", "kalah", "random", "minimux"], ErrorKind::Input, "minimax"),
        (&["perft", "tubstap", "1", "--rules", "map=brigde"], ErrorKind::Input, "bridge"),
        (&["experiment", "run", &at("nowhere.toml")], ErrorKind::Storage, "nowhere.toml: it cannot be read"),
        (&["perft", "tubstap", "1", "--rules", "map=nowhere.tbsmap"], ErrorKind::Storage, "nowhere.tbsmap: "),
        (&["record", "list", "--store", "/dev/null/store"], ErrorKind::Storage, "/dev/null"),
        (
            &["record", "list", "--store", &at("nowhere")],
            ErrorKind::Storage,
            "nowhere: there is no such store",
        ),
        (&["match", "kalah", "random", "random", "--threads", "1000000"], ErrorKind::Input, "from 1 to 1024"),
        (&["solve", "kalah", "--threads", "0"], ErrorKind::Input, "from 1 to 1024"),
        (&["train", "kalah", "--out", "x", "--threads", "1025"], ErrorKind::Input, "from 1 to 1024"),
        (&["league", "run", "--threads", "1025"], ErrorKind::Input, "from 1 to 1024"),
        (
            &["match", "kalah", "random", "random", "--records", "/dev/null/x"],
            ErrorKind::Storage,
            "cannot be written",
        ),
        (&["record", "show", "0123456789ab/0", "--store", &store], ErrorKind::NotFound, "no such pairing"),
        (&["record", "show", "import/7", "--store", &store], ErrorKind::NotFound, "no such game"),
        (&["reproduce", "no-such-paper", "--store", &store], ErrorKind::NotFound, "no-such-paper"),
        (&["experiment", "show", "kalah/no-such-table"], ErrorKind::NotFound, "no-such-table"),
        (&["analyse", "kalah", "start", "--with", bot], ErrorKind::Outside, "exit code 3"),
        (&["bot", "kgp", "--connect", "127.0.0.1:1"], ErrorKind::Outside, "server 127.0.0.1:1"),
    ] {
        let complaint = ranka(args).failed(kind);
        assert!(complaint.contains(said), "{args:?}: {complaint}");
    }
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // An agent's own file must be one whose content stays, so no device: one of zeros that takes no room.
    let [map, table, file] = ["zero.tbsmap", "zero.csv", "zero"].map(|name| {
        fs::File::create(at(name)).unwrap().set_len(2 << 30).unwrap();
        at(name)
    });
    let trained = at("zero.net");
    std::os::unix::fs::symlink("/dev/zero", at("zero.net.training")).unwrap();
    let map = format!("map={map}");
    let agent = |words: &str| format!("{words}={file}");
    let [pruned, q] = [format!("uct:prune={table}"), agent("max-q:q")];
    let [network, evaluation] = ["network:file", "champion:evaluation"].map(agent);
    let [tables, book, ladder] = ["perfect:tables", "perfect:book", "level:ladder"].map(agent);
    for (args, said) in [
        (&["experiment", "run", "/dev/zero"][..], "/dev/zero: it has more than 64 MiB"),
        (&["record", "import", "/dev/zero", "--format", "tubstap"], "/dev/zero: it has more than 64 MiB"),
        (&["record", "import", "/dev/zero", "--format", "geister-log"], "/dev/zero: it has more than 64 MiB"),
        (&["perft", "tubstap", "1", "--rules", &map], "it has more than 64 MiB"),
        (&["match", "tubstap", &pruned, "random"], "it has more than 64 MiB"),
        (&["match", "kalah", &q, "random", "--rules", "houses=3,seeds=3"], "not a Q table"),
        (&["match", "kalah", &network, "random"], "network: it has more than 64 MiB"),
        (&["match", "tantrix", &evaluation, "random"], "it has more than 64 MiB"),
        (&["match", "tubstap", &evaluation, "random"], "it has more than 64 MiB"),
        (&["match", "kalah", &tables, "random"], "no endgame table of Kalah"),
        (&["match", "kalah", &book, "random"], "it has more than 64 MiB"),
        (&["match", "kalah", &ladder, "random"], "it has more than 64 MiB"),
        (&["match", "kalah", "bot:cmd=true,files=/dev/zero", "random"], "it is a device or a pipe"),
        (&["match", "kalah", "network:file=/dev/zero", "random"], "is no file whose content stays"),
        (&["perft", "tubstap", "1", "--rules", "map=/dev/zero"], "is no file whose content stays"),
        (&["train", "kalah", "--out", &trained], "zero.net.training: it has more than 1024 MiB"),
    ] {
        let complaint = ranka(args).refused();
        assert!(complaint.contains(said), "{args:?}: {complaint}");
    }
}

#[test]
fn what_is_no_number_is_told_in_words() {
    let random = ["match", "kalah", "random", "random"];
    for (more, said) in [
        (["--games", "x"], "invalid value 'x' for '--games <N>': expected a whole number\n"),
        (["--games", "0"], "invalid value '0' for '--games <N>': expected a whole number above 0\n"),
        (["--games", "99999999999999999999"], "for '--games <N>': the number is too large\n"),
        (["--seed", "x"], "for '--seed <S>': expected a whole number\n"),
    ] {
        let complaint = ranka(&[&random[..], &more].concat()).refused();
        assert!(complaint.contains(said), "{complaint}");
    }
    let complaint = ranka(&["sprt", "kalah", "random", "random", "--alpha", "x"]).refused();
    assert!(complaint.contains("invalid value 'x' for '--alpha <P>': expected a number\n"), "{complaint}");
}

#[test]
fn help_and_documentation_tell_all_exit_codes() {
    let help = ranka(&["--help"]).done();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let page = fs::read_to_string(page).unwrap();
    for kind in ErrorKind::ALL {
        let (code, status, meaning) = (kind.exit_code(), kind.http_status(), kind.meaning());
        assert!(help.contains(&format!("\n  {code:<4} {meaning}\n")), "{kind:?}: {help}");
        assert!(page.contains(&format!("| `{kind:?}` | {code} | {status} | {meaning} | ")), "{kind:?}");
    }
    for code in [0, 10, 11, 130] {
        assert!(help.lines().any(|line| line.starts_with(&format!("  {code:<4} "))), "{code}: {help}");
        assert!(page.contains(&format!("\n| {code} | ")), "{code}");
    }
}
