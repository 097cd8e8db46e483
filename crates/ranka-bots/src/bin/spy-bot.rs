//! A bot that does what no bot should, for the tests: its arguments are deeds, `WHAT:OBJECT`. It says on its standard error
//! which of them it could do, and then plays. Called with `confine` it is the launcher of a sandbox.
#![allow(clippy::print_stdout)]

use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio, exit};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [confine, cell] = arguments.as_slice()
        && confine == "confine"
    {
        eprintln!("{}", ranka_bots::stdio::sandbox::confine(cell));
        exit(125);
    }
    let mut actions = String::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "ranka" => {
                for deed in &arguments {
                    eprintln!("{deed} {}", if done(deed) { "done" } else { "refused" });
                }
            }
            "isready" => println!("ready"),
            "actions" => actions = rest.to_owned(),
            "go" => println!("action {}", actions.split(' ').next().unwrap_or("")),
            "quit" => break,
            _ => {}
        }
    }
}

/// Whether it could be done.
fn done(deed: &str) -> bool {
    let (what, object) = deed.split_once(':').unwrap_or((deed, ""));
    match what {
        "read" => fs::read(object).is_ok(),
        "list" => fs::read_dir(object).is_ok_and(|mut entries| entries.next().is_some()),
        "write" => fs::write(object, "spoilt").is_ok(),
        "remove" => fs::remove_file(object).is_ok(),
        "connect" => TcpStream::connect(object).is_ok(),
        #[cfg(unix)]
        "unix" => std::os::unix::net::UnixStream::connect(object).is_ok(),
        #[cfg(unix)]
        "kill" => object
            .parse()
            .ok()
            .and_then(rustix::process::Pid::from_raw)
            .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok()),
        "fill" => fill(object).is_ok(),
        "fork" => fork(object.parse().unwrap_or(0)),
        "memory" => vec_of(object.parse().unwrap_or(0)),
        "variable" => std::env::var_os(object).is_some(),
        _ => false,
    }
}

/// Writes half a gigabyte into files of a folder.
fn fill(folder: &str) -> io::Result<()> {
    let block = vec![7; 1 << 20];
    for number in 0..16 {
        let mut file = fs::File::create(format!("{folder}/fill-{number}"))?;
        for _ in 0..32 {
            file.write_all(&block)?;
        }
    }
    Ok(())
}

/// Has so many children at a time.
fn fork(count: usize) -> bool {
    let mut children = Vec::new();
    for _ in 0..count {
        match Command::new("sleep").arg("3").stdin(Stdio::null()).stdout(Stdio::null()).spawn() {
            Ok(child) => children.push(child),
            Err(_) => break,
        }
    }
    let all = children.len() == count;
    for mut child in children {
        let _ = child.kill();
        let _ = child.wait();
    }
    all
}

/// Takes so many MiB of memory, and touches them.
fn vec_of(mebibytes: usize) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    let taken = memory.try_reserve_exact(mebibytes << 20).is_ok();
    if taken {
        memory.resize(mebibytes << 20, 1);
    }
    taken
}
