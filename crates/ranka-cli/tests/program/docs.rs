//! What README and `docs/` show of the program is what it prints. Every console block is run, in the order of its page:
//! exactly where a seed decides, by its shape where a clock does.
//!
//! A block that is not run has a line above it that says why: `<!-- not run: … -->`. In the output shown, a line `…` stands
//! for any lines, and the output ends where the block does.
#![cfg(unix)]

use crate::run::Said;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The marker of a block that is not run.
const NOT_RUN: &str = "<!-- not run: ";

/// A command of a page and what the page shows of its output.
#[derive(Debug)]
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of a page's console blocks, but for blocks that say why they are not run.
fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let (mut inside, mut excused, mut run) = (false, false, true);
    // A block in a list is indented, and so is what it shows.
    let mut indent = 0;
    for (i, line) in page.lines().enumerate() {
        let unindented = line.trim_start();
        let spaces = line.len() - unindented.len();
        if inside && unindented.starts_with("```") {
            inside = false;
        } else if unindented.starts_with("```console") {
            (inside, run, indent) = (true, !excused, spaces);
        } else if inside && run {
            let line = &line[indent.min(spaces)..];
            if let Some(command) = line.strip_prefix("$ ") {
                let command = command.split("  #").next().unwrap_or(command).trim().to_owned();
                found.push(Shown { line: i + 1, command, output: Vec::new() });
            } else if let Some(shown) = found.last_mut() {
                shown.output.push(line.to_owned());
            }
        }
        excused = if line.trim().is_empty() { excused } else { unindented.starts_with(NOT_RUN) };
    }
    for shown in &mut found {
        while shown.output.last().is_some_and(|line| line.trim().is_empty()) {
            shown.output.pop();
        }
    }
    found
}

/// A line without what a clock decides, and without the spaces that only align.
fn shape(line: &str) -> String {
    let timed = |word: &str| {
        let number = word.trim_end_matches(['n', 'µ', 'm', 's', ',', ';', '.']);
        let unit = word[number.len()..].trim_end_matches([',', ';', '.']);
        ["ns", "µs", "ms", "s"].contains(&unit) && !number.is_empty() && number.parse::<f64>().is_ok()
    };
    let words = line.split_whitespace().filter(|word| !word.chars().all(|c| c == '─' || c == '-'));
    words.map(|word| if timed(word) { "TIME" } else { word }).collect::<Vec<_>>().join(" ")
}

/// Where the output differs from what is shown; nothing if it does not.
fn difference(shown: &[String], printed: &str) -> Option<String> {
    let mut printed = printed.lines().map(shape).filter(|line| !line.is_empty()).peekable();
    let mut shown = shown.iter().map(|line| shape(line)).filter(|line| !line.is_empty()).peekable();
    while let Some(expected) = shown.next() {
        if expected == "…" {
            let next = shown.peek().cloned();
            while printed.peek().is_some_and(|line| Some(line) != next.as_ref()) {
                printed.next();
            }
            continue;
        }
        let got = printed.next();
        if got.as_ref() != Some(&expected) {
            return Some(format!(
                "shown:   {expected}\nprinted: {}",
                got.unwrap_or("nothing more".to_owned())
            ));
        }
    }
    printed.next().map(|more| format!("printed beyond what is shown: {more}"))
}

/// A place to run a page's commands in: an empty folder, a store of its own, and this program as `ranka`.
pub(crate) struct Place {
    folder: TempDir,
    path: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder to work in");
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).expect("a folder to work in");
        symlink(env!("CARGO_BIN_EXE_ranka"), bin.join("ranka")).expect("a folder to work in");
        fs::create_dir(folder.path().join("work")).expect("a folder to work in");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        Place { folder, path }
    }

    /// What a command prints and its exit code.
    pub(crate) fn run(&self, command: &str) -> Said {
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder.path().join("work"))
            .env("PATH", &self.path)
            .env("RANKA_STORE", self.folder.path().join("store.sqlite"))
            .env("COLUMNS", "100")
            .output()
            .expect("sh runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().expect("no signal ended it");
        Said { out: text(&output.stdout), err: text(&output.stderr), code }
    }
}

/// Runs the commands of a page. One that is followed by `echo $?` may fail: then its complaint is what is shown.
fn check(name: &str) {
    check_at(&Place::new(), name);
}

fn check_at(place: &Place, name: &str) {
    let page = fs::read_to_string(root().join(name)).expect("the page is there");
    let (mut wrong, mut last) = (Vec::new(), 0);
    let mut shown = commands(&page).into_iter().peekable();
    while let Some(Shown { line, command, output }) = shown.next() {
        let differs = if command == "echo $?" {
            difference(&output, &last.to_string())
        } else {
            let said = place.run(&command);
            last = said.code;
            let may_fail = shown.peek().is_some_and(|next| next.command == "echo $?");
            match (said.code, may_fail) {
                (0, _) if output.is_empty() => None,
                (0, _) => difference(&output, &said.out),
                (_, true) if said.out.is_empty() => difference(&output, &said.err),
                (_, true) => difference(&output, &said.out),
                (code, false) => Some(format!("exit code {code}: {}{}", said.out, said.err)),
            }
        };
        wrong.extend(differs.map(|differs| format!("{name}:{line}: {command}\n{differs}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_readme_shows_what_is_printed() {
    // The Japanese one has commands of the other, whose games are in the store by then.
    let place = Place::new();
    check_at(&place, "README.md");
    check_at(&place, "README.ja.md");
}

#[test]
fn the_other_pages_show_what_is_printed() {
    let mut pages: Vec<String> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .collect();
    pages.sort();
    assert!(pages.len() > 10, "{pages:?}");
    pages.iter().for_each(|page| check(&format!("docs/{page}")));
}

#[test]
fn a_wrong_page_is_noticed() {
    let page = "text\n```console\n$ ranka games  # all\na   b 3.1ms\n…\nz\n\n```\n<!-- not run: slow -->\n```console\n$ slow\n```\n";
    let shown = commands(page);
    assert_eq!(shown.len(), 1);
    assert_eq!((shown[0].line, shown[0].command.as_str()), (3, "ranka games"));
    let listed = "1. text\n   ```console\n   $ ranka games\n     a\n   ```\n   <!-- not run: slow -->\n   ```console\n   $ slow\n   ```\n";
    let indented = commands(listed);
    assert_eq!(indented.len(), 1, "{indented:?}");
    assert_eq!(
        (indented[0].command.as_str(), &indented[0].output[..]),
        ("ranka games", &["  a".to_owned()][..])
    );
    let differs = |printed: &str| difference(&shown[0].output, printed);
    assert_eq!(differs("a b 77.25ms\nc\nd\nz\n"), None);
    assert!(differs("a b 77.25ms\nc\nd\n").is_some(), "the last line is missing");
    assert!(differs("a b 77.25ms\nz\nmore\n").is_some(), "a line too many");
    assert!(differs("a b 77.25\nz\n").is_some(), "no time where one is shown");
}
