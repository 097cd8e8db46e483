//! What `docs/reliability.md` promises is tested: each promise names its tests, and they are where it says.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// Whether a source has a test of this name. A platform may be told beside it, or why it is left out of usual runs.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let named = |line: &str| {
        let function = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
        function.is_some_and(|rest| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))
    };
    lines.iter().enumerate().filter(|(_, line)| named(line)).any(|(at, _)| {
        let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
        attributes.into_iter().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}

/// The names between backticks.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_promise_names_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/reliability.md")).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with("| promise | tests |")).skip(2);
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 20, "{rows:?}");
    for row in rows {
        let tests = row.trim_end_matches([' ', '|']).rsplit_once(" | ").unwrap().1;
        for place in tests.split("; ") {
            let (file, tests) = place.split_once(": ").unwrap_or_else(|| panic!("{row}: tests have a file"));
            let file = names(file).next().unwrap_or_else(|| panic!("{row}: a file stands between backticks"));
            let source =
                fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(names(tests).count() > 0, "{row}: {file} has no test");
            for test in names(tests) {
                assert!(has_test(&source, test), "{file} has no test {test}");
            }
        }
    }
}

#[test]
fn a_test_that_is_none_is_noticed() {
    let source = "fn helper() {}\n#[cfg(unix)]\n#[test]\nfn one() {}\n    #[tokio::test]\n    async fn two() {}\n// fn three()\n";
    assert!(has_test(source, "one") && has_test(source, "two"));
    assert!(!["helper", "three", "on", "missing"].into_iter().any(|name| has_test(source, name)));
}
