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
    let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
    let output =
        command.args(args).env("COLUMNS", "100").write_stdin(input.into()).output().expect("ranka runs");
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
    /// What was printed by a run that did its work and had nothing else to say.
    pub(crate) fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
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
