//! Running the program and looking at what it says.

use assert_cmd::Command;
use ranka_core::ErrorKind;
use serde_json::Value;

/// What the program said, and its exit code.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

/// Runs `ranka` with arguments and something on stdin.
pub(crate) fn ranka_reading(args: &[&str], input: impl Into<Vec<u8>>) -> Said {
    // What a test does not keep on purpose is kept for nobody.
    let folder = tempfile::tempdir().expect("a folder for the store");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
    command.args(args).env("COLUMNS", "100").env("RANKA_STORE", folder.path().join("store.sqlite"));
    let output = command.write_stdin(input.into()).output().expect("ranka runs");
    Said {
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
        code: output.status.code().expect("no signal ended it"),
    }
}

/// Runs `ranka` with arguments.
pub(crate) fn ranka(args: &[&str]) -> Said {
    ranka_reading(args, "")
}

impl Said {
    /// What was printed by a run that did its work and had nothing else to say, but for where games are.
    pub(crate) fn done(self) -> String {
        assert_eq!((self.code, self.complaint().as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// What it said on stderr beside where games are.
    pub(crate) fn complaint(&self) -> String {
        let where_games_are = |line: &&str| {
            line.starts_with("The games ")
                || line.starts_with("  ranka record ")
                || line.starts_with("  http://")
        };
        self.err.split_inclusive('\n').filter(|line| !where_games_are(line)).collect()
    }

    /// The complaint of a run that was refused because of its input, and printed nothing else.
    pub(crate) fn refused(self) -> String {
        self.failed(ErrorKind::Input)
    }

    /// The complaint of a run that ended by such an error, and printed nothing else.
    pub(crate) fn failed(self, kind: ErrorKind) -> String {
        assert_eq!((self.code, self.out.as_str()), (kind.exit_code().into(), ""), "{}", self.err);
        assert!(self.err.starts_with("ranka: "), "{}", self.err);
        self.err
    }

    /// What was printed, as JSON.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.done()).expect("JSON")
    }
}
