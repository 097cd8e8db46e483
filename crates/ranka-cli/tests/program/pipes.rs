//! The program between pipes: readers that leave, writers that wait, disks that are full.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

fn filter() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
    command.args(["moves", "kalah"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("ranka runs")
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut filter = filter();
    drop(filter.stdout.take());
    let mut input = filter.stdin.take().unwrap();
    // Sooner or later the program is gone, and then this fails too.
    while input.write_all(format!("{START}\n").repeat(1000).as_bytes()).is_ok() {}
    drop(input);
    assert_eq!(filter.wait().unwrap().code(), Some(0));
    let mut complaint = String::new();
    filter.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!(complaint, "");
}

#[test]
fn whoever_waits_for_an_answer_gets_it_before_asking_again() {
    let mut filter = filter();
    let mut input = filter.stdin.take().unwrap();
    let mut answers = BufReader::new(filter.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(input, "{START}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "1 2 3 4 5 6\n");
    }
    drop(input);
    assert_eq!(filter.wait().unwrap().code(), Some(0));
}

/// `/dev/zero` is one line that never ends.
#[test]
#[cfg(target_os = "linux")]
fn a_line_that_never_ends_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let labels = folder.path().join("labels.sqlite");
    let labels = labels.to_str().unwrap();
    for (args, said) in [
        (&["moves", "kalah"][..], "standard input, line 1: the line has more than 1024 KiB"),
        (&["step", "kalah", "--json"], "standard input, line 1: the line has more than 1024 KiB"),
        (&["play", "kalah"], "standard input, line 1: the line has more than 1024 KiB"),
        (&["fuzzy", "label", "--store", labels], "standard input, line 1: the line has more than 1024 KiB"),
        (&["bot", "serve"], "standard input, line 1: the line has more than 1024 KiB"),
        (&["record", "import", "/dev/stdin"], "/dev/stdin, line 1: the line has more than 16384 KiB"),
    ] {
        let zero = std::fs::File::open("/dev/zero").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
        let output = command.args(args).stdin(zero).output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
        assert!(complaint.contains(said), "{args:?}: {complaint}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    for args in [&["games"][..], &["perft", "kalah", "2"], &["play", "kalah", "--seat", "watch"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ranka")).args(args).stdout(full).output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{complaint}");
        assert!(complaint.starts_with("ranka: standard input or output: "), "{complaint}");
    }
}
