//! A root folder that has nothing in it but what the bot may see.

use super::Cell;
use super::launcher::{DEVICES, HOME, SCRATCH, SYSTEM, told};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const NOTHING: Option<&str> = None;
/// A folder that every system has, to mount on.
const BASE: &str = "/tmp";
const OLD: &str = "/old";
const NEW: &str = "/new";

/// Makes the root of this process's mount namespace anew.
pub(super) fn build(cell: &Cell) -> Result<(), String> {
    // Whatever happens from here on, happens here alone.
    mount(NOTHING, "/", NOTHING, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NOTHING).map_err(told("mounts"))?;
    // First to a place in memory from which the old root can be seen, also what lies under it.
    memory(BASE, 1 << 20)?;
    let at = |name: &str| PathBuf::from(format!("{BASE}{name}"));
    for name in [OLD, NEW] {
        fs::create_dir(at(name)).map_err(told("root"))?;
    }
    nix::unistd::pivot_root(BASE, &at(OLD)).map_err(told("root"))?;
    nix::unistd::chdir("/").map_err(told("root"))?;
    memory(NEW, 1 << 20)?;
    for path in SYSTEM.iter().map(Path::new).chain(cell.fence.read.iter().map(PathBuf::as_path)) {
        show(path)?;
    }
    for device in DEVICES {
        show_at(Path::new(device), Path::new(device), false)?;
    }
    show_at(&cell.folder, Path::new(HOME), true)?;
    let processes = within(Path::new("/proc"));
    fs::create_dir(&processes).map_err(told("/proc"))?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    // In some containers it may not be mounted: then the bot has none.
    let _ = mount(Some("proc"), &processes, Some("proc"), flags, NOTHING);
    let scratch = within(Path::new(SCRATCH));
    fs::create_dir(&scratch).map_err(told("scratch"))?;
    memory(&scratch.to_string_lossy(), cell.fence.scratch)?;
    let fixed = MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(NOTHING, NEW, NOTHING, fixed, NOTHING).map_err(told("root"))?;
    umount2(OLD, MntFlags::MNT_DETACH).map_err(told("old root"))?;
    nix::unistd::chdir(NEW).map_err(told("root"))?;
    nix::unistd::pivot_root(".", ".").map_err(told("root"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(told("root"))?;
    nix::unistd::chdir("/").map_err(told("root"))
}

fn memory(path: &str, bytes: u64) -> Result<(), String> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let options = format!("size={bytes},mode=1777,nr_inodes=10000");
    mount(Some("tmpfs"), path, Some("tmpfs"), flags, Some(options.as_str())).map_err(told("memory"))
}

fn within(path: &Path) -> PathBuf {
    Path::new(NEW).join(path.strip_prefix("/").unwrap_or(path))
}

/// Shows a file or folder of the old root at its own place, to be read only. What is not there is passed over.
fn show(path: &Path) -> Result<(), String> {
    let old = old(path);
    if let Ok(target) = fs::read_link(&old) {
        let link = within(path);
        make_parent(&link)?;
        return symlink(target, &link).map_err(told(&path.display().to_string()));
    }
    if old.exists() { show_at(path, path, true) } else { Ok(()) }
}

fn old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

fn show_at(path: &Path, place: &Path, fixed: bool) -> Result<(), String> {
    let (old, new) = (old(path), within(place));
    let named = path.display().to_string();
    make_parent(&new)?;
    if old.is_dir() {
        fs::create_dir_all(&new).map_err(told(&named))?;
    } else {
        File::create(&new).map_err(told(&named))?;
    }
    mount(Some(&old), &new, NOTHING, MsFlags::MS_BIND | MsFlags::MS_REC, NOTHING).map_err(told(&named))?;
    if fixed {
        // What was forbidden there stays so: who has not mounted it may not allow it.
        let were = nix::sys::statvfs::statvfs(&new).map_err(told(&named))?.flags();
        let were = MsFlags::from_bits_truncate(were.bits());
        let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | were;
        mount(NOTHING, &new, NOTHING, flags, NOTHING).map_err(told(&named))?;
    }
    Ok(())
}

fn make_parent(path: &Path) -> Result<(), String> {
    path.parent().map_or(Ok(()), |parent| fs::create_dir_all(parent).map_err(told("root")))
}
