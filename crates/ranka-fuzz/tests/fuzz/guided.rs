//! The same targets with inputs that libFuzzer chooses, guided by the code that they reach. It needs a build of its own:
//! `crates/ranka-fuzz/guided` makes it and runs it.
//!
//! The environment tells what is wanted: in `RANKA_SAMPLES` a folder into which each target's samples are written, in a
//! folder of its name, and that is all; or in `RANKA_TARGET` a name, and libFuzzer's arguments say how long.
#![no_main]
#![allow(clippy::unwrap_used)] // our own samples

#[path = "targets.rs"]
mod targets;

use libfuzzer_sys::fuzz_target;
use ranka_bots::fuzz::Target;
use std::path::Path;
use std::sync::LazyLock;
use std::{env, fs, process};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("RANKA_TARGET").expect("RANKA_TARGET names a target");
    let found = targets::all().into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target {name:?}"))
});

fn write_samples(folder: &Path) {
    for target in targets::all() {
        let folder = folder.join(&target.name);
        fs::create_dir_all(&folder).unwrap();
        for (number, sample) in target.samples().iter().enumerate() {
            fs::write(folder.join(format!("sample-{number}")), sample).unwrap();
        }
    }
}

fuzz_target!(
    init: {
        if let Some(folder) = env::var_os("RANKA_SAMPLES") {
            write_samples(Path::new(&folder));
            process::exit(0);
        }
        targets::panics::count();
        LazyLock::force(&TARGET);
    },
    |input: &[u8]| {
        TARGET.read(input);
    }
);
