//! How a bot is started.

use super::command::Words;
use super::process::ResourceLimits;
#[cfg(unix)]
use super::sandbox;
use super::sandbox::SandboxPolicy;
use ranka_core::Error;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

/// A program with all that is to be known to start it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    pub(super) words: Words,
    /// Where it runs; here, if nothing is said.
    pub(super) folder: Option<PathBuf>,
    pub(super) limits: ResourceLimits,
    /// What it may see and use, if it runs in a sandbox.
    pub(super) fence: Option<SandboxPolicy>,
}

impl Launch {
    /// The program of a command line, taken apart as a shell would, or left to one.
    pub fn new(line: &str, shell: bool) -> Result<Launch, Error> {
        Launch::within(line, shell, None)
    }

    /// The same, to run in a folder: what it names is looked for there.
    pub fn within(line: &str, shell: bool, folder: Option<&Path>) -> Result<Launch, Error> {
        let words = Words::read(line, shell, folder)?;
        Ok(Launch {
            words,
            folder: folder.map(Path::to_owned),
            limits: ResourceLimits::default(),
            fence: None,
        })
    }

    /// The same with so many bytes of memory, for each process and for all together, and so many seconds of processor time
    /// for each.
    pub fn limited(mut self, memory: Option<u64>, cpu: Option<u64>) -> Launch {
        self.limits = ResourceLimits { memory, cpu, ..self.limits };
        self
    }

    /// The same in a sandbox.
    pub fn fenced(mut self, fence: SandboxPolicy) -> Launch {
        self.fence = Some(fence);
        self
    }

    /// Ready to be started.
    #[cfg(unix)]
    pub(super) fn command(&self) -> std::io::Result<Command> {
        if let Some(fence) = &self.fence {
            let here = std::env::current_dir()?;
            return sandbox::command(self.words.all(), self.folder.as_ref().unwrap_or(&here), fence);
        }
        let mut command = self.words.command(self.folder.as_deref());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }
}
