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
