//! Where games are when they were played, and how to look at one.

use crate::lab_args::StoreArgs;
use crate::print;
use ranka_lab::{Store, game_name, short_identity};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an arena may take to take a call before nobody waits for it.
const SOON: Duration = Duration::from_millis(200);

/// The file beside a store that the arena which shows it holds, and in which it says where it is.
pub(crate) fn beside(store: &Path) -> PathBuf {
    let mut name = OsString::from(store);
    name.push("-arena");
    name.into()
}

/// Writes down where the arena that holds this file is, for programs that play into the same store.
pub(crate) fn announce(mut file: &File, at: SocketAddr) {
    // Without it there is no link, and nothing else is lost.
    let _ = file.set_len(0).and_then(|()| file.write_all(at.to_string().as_bytes()));
}

/// The arena that shows a store, if one runs here.
fn arena(store: &Path) -> Option<SocketAddr> {
    let at: SocketAddr = std::fs::read_to_string(beside(store)).ok()?.trim().parse().ok()?;
    // One that was killed could not take its address back.
    TcpStream::connect_timeout(&at, SOON).ok().map(|_| at)
}

/// Says on stderr where the games of pairings are and how to see one, by each pairing's identity and how many of its
/// games are there; nothing where there are none.
pub(crate) fn tell<'a>(args: &StoreArgs, store: &Store, pairings: impl IntoIterator<Item = (&'a str, u64)>) {
    let played = pairings.into_iter().filter(|(_, games)| *games > 0);
    let pairings: BTreeMap<&str, u64> = played.collect();
    let Some((first, _)) = pairings.first_key_value() else { return };
    let option = args.option();
    let (of, list, page) = match pairings.len() {
        1 => (String::new(), format!(" {}", short_identity(first)), format!("/{}", short_identity(first))),
        several => (format!(" of {several} pairings"), String::new(), String::new()),
    };
    let mut ways = vec![
        format!("ranka record list{list}{option}"),
        format!("ranka record show {}{option}", game_name(first, 0)),
    ];
    ways.extend(arena(store.path()).map(|at| format!("http://{at}/watch{page}")));
    print::note!("The games{of} are in {}. To see them:", store.path().display());
    ways.iter().for_each(|way| print::note!("  {way}"));
}
