//! What a bot is made of: the files whose content is part of its identity, so that a bot that was changed is another.

use super::command::{Words, find};
use ranka_core::{Error, digest, read_bytes};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// A folder with more files than this is hardly a bot's own.
const MOST_FILES: usize = 2_000;
/// Nor is one with more bytes than this.
const MOST_BYTES: u64 = 512 << 20;

/// Files that tell that a folder is a build's, and so can be made again: <https://bford.info/cachedir/>, and Cargo's
/// own, for it tags only a folder that was not there before.
const CACHE_TAGS: &[&str] = &["CACHEDIR.TAG", ".rustc_info.json"];
/// Folders that programs leave behind while they run.
const LEFT_BEHIND: &[&str] = &["__pycache__", "node_modules"];

/// The digest of everything that a bot is made of. `files` names it, words as in a command line; otherwise it is found:
/// the program, the folder that it or its script lies in, each file that the command names, and what it may `read` beside.
pub(super) fn identity(
    words: &Words,
    files: Option<&str>,
    folder: Option<&Path>,
    read: &[String],
) -> Result<String, Error> {
    let at = |name: &str| folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
    let mut parts = Parts::default();
    match files {
        Some(named) => {
            for name in listed("files", named)? {
                parts.add(&at(&name), &name).map_err(|error| error.at("files"))?;
            }
        }
        None => {
            let commanded = words.commanded();
            let program = commanded.first().and_then(|program| find(program, folder));
            if let Some(program) = &program {
                parts.add_file(program, &commanded[0])?;
            }
            let arguments = commanded.get(1..).unwrap_or_default();
            let named: Vec<&String> = arguments.iter().filter(|word| at(word).is_file()).collect();
            for name in &named {
                parts.add_file(&at(name), name)?;
            }
            // A program of the system's is an interpreter, and the bot is what it reads.
            let own = program.filter(|program| !is_of_the_system(program));
            let home = own.or_else(|| named.first().map(|name| at(name)));
            let home = folder.map(Path::to_owned).or_else(|| home.as_deref().map(folder_of));
            let home = home.or_else(|| arguments.iter().find_map(|word| folder_named(word, at)));
            if let Some(home) = home.filter(|home| !is_cache(home)) {
                parts.add_folder(&home, "")?;
            }
            for name in read {
                parts.add(Path::new(name), name).map_err(|error| error.at("read"))?;
            }
        }
    }
    Ok(parts.digest())
}

/// The words of a parameter that names files and folders, as in a command line.
pub(super) fn listed(key: &str, named: &str) -> Result<Vec<String>, Error> {
    shlex::split(named).ok_or_else(|| Error::input(format!("{key} {named:?}: a quote is not closed")))
}

/// A digest of all files of a folder, by their names in it.
pub fn folder_digest(folder: &Path) -> Result<String, Error> {
    let mut parts = Parts::default();
    parts.add_folder(folder, "")?;
    Ok(parts.digest())
}

/// All files of a folder that a bot is made of, by their names in it, in order.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    let within = |path: PathBuf| path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path);
    Ok(found.into_iter().map(within).collect())
}

/// The same for a folder that somebody else handed in: a link that leads out of it would show its author, and then everybody,
/// what only we may read, and is refused by its name.
pub fn files_within(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let real = |path: &Path| path.canonicalize().map_err(|error| Error::reading(path, &error));
    let home = real(folder)?;
    let files = files_of(folder)?;
    for file in &files {
        let path = folder.join(file);
        if !real(&path)?.starts_with(&home) {
            return Err(Error::input("it is a link that leads out of the bot's folder").in_file(path));
        }
    }
    Ok(files)
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The folder of a bot of which the command names no file: the folder itself (`java -cp classes Bot`), or a module
/// (`python3 -m bot.main`), which is a folder or a file.
fn folder_named(word: &str, at: impl Fn(&str) -> PathBuf) -> Option<PathBuf> {
    // What is no name, such as `..`, leads to a place and not to a bot; a path is no module.
    let top = word.split('.').next().filter(|_| !word.contains('/')).unwrap_or(word);
    let named = [word, top].into_iter().filter(|name| name.contains(char::is_alphanumeric));
    let folder = named.map(&at).find(|path| path.is_dir());
    folder.or_else(|| {
        let module = at(&format!("{top}.py"));
        module.is_file().then(|| folder_of(&module))
    })
}

/// Whether a program lies where the system keeps its own.
fn is_of_the_system(program: &Path) -> bool {
    let Ok(folder) = folder_of(program).canonicalize() else { return false };
    let known = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&known).filter_map(|known| known.canonicalize().ok()).any(|known| known == folder)
}

/// Whether a folder is one that a build made.
fn is_tagged(folder: &Path) -> bool {
    CACHE_TAGS.iter().any(|tag| folder.join(tag).is_file())
}

/// Whether a folder is, or lies in, one that a build made.
fn is_cache(folder: &Path) -> bool {
    folder.canonicalize().is_ok_and(|folder| folder.ancestors().any(is_tagged))
}

/// Name and content of each file.
#[derive(Default)]
struct Parts {
    lines: Vec<String>,
    bytes: u64,
}

impl Parts {
    /// A file, or a folder with all that is in it.
    fn add(&mut self, path: &Path, name: &str) -> Result<(), Error> {
        if path.is_dir() { self.add_folder(path, name) } else { self.add_file(path, name) }
    }

    fn add_file(&mut self, path: &Path, name: &str) -> Result<(), Error> {
        let found = path.metadata().map_err(|error| Error::reading(path, &error))?;
        if !found.is_file() {
            // A device has no size, and may have no end.
            return Err(
                Error::input("it is a device or a pipe, not a file that a bot is made of").in_file(path)
            );
        }
        if self.bytes + found.len() > MOST_BYTES {
            return Err(too_much(path));
        }
        let content = read_bytes(path, MOST_BYTES - self.bytes)?;
        self.bytes += content.len() as u64;
        self.lines.push(format!("{name} is {}", digest(&content)));
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path, name: &str) -> Result<(), Error> {
        for file in files_of(folder)? {
            // Spelled alike on every system.
            let parts = file.components().filter(|part| matches!(part, Component::Normal(_)));
            let inner: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
            self.add_file(&folder.join(&file), &format!("{name}/{}", inner.join("/")))?;
        }
        Ok(())
    }

    fn digest(mut self) -> String {
        self.lines.sort();
        self.lines.dedup();
        let mut text = String::new();
        for line in self.lines {
            let _ = writeln!(text, "{line}");
        }
        digest(text.as_bytes())
    }
}

/// Hidden files, and folders that a build or a run leaves behind, are not part of a bot.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let refuse = |error: std::io::Error| Error::reading(folder, &error);
    let mut entries =
        std::fs::read_dir(folder).map_err(refuse)?.collect::<Result<Vec<_>, _>>().map_err(refuse)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || LEFT_BEHIND.contains(&&*name) {
            continue;
        }
        let path = entry.path();
        // Whoever links to what is not there has nothing there.
        let Ok(kind) = path.metadata() else { continue };
        if kind.is_dir() {
            // A link could lead round in a circle.
            if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) && !is_tagged(&path) {
                collect(&path, found)?;
            }
        } else if kind.is_file() {
            found.push(path);
        }
        if found.len() > MOST_FILES {
            return Err(too_much(folder));
        }
    }
    Ok(())
}

fn too_much(place: &Path) -> Error {
    Error::input(format!(
        "a bot's folder has at most {MOST_FILES} files of {} MiB together; files=\"…\" names those that it is made of",
        MOST_BYTES >> 20
    ))
    .in_file(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn of(line: &str, files: Option<&str>) -> String {
        identity(&Words::read(line, false, None).unwrap(), files, None, &[]).unwrap()
    }

    #[test]
    fn every_file_of_its_folder_makes_a_bot_another() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("lib")).unwrap();
        fs::create_dir(at("__pycache__")).unwrap();
        for name in ["bot.sh", "lib/evaluation.sh", ".hidden", "__pycache__/x"] {
            fs::write(at(name), "one").unwrap();
        }
        let line = format!("sh {}", at("bot.sh").display());
        let first = of(&line, None);
        for (name, other) in
            [("bot.sh", true), ("lib/evaluation.sh", true), (".hidden", false), ("__pycache__/x", false)]
        {
            fs::write(at(name), "two").unwrap();
            assert_eq!(of(&line, None) != first, other, "{name}");
            fs::write(at(name), "one").unwrap();
            assert_eq!(of(&line, None), first);
        }
        fs::write(at("new"), "").unwrap();
        assert_ne!(of(&line, None), first, "a new file");
        fs::remove_file(at("new")).unwrap();
        fs::rename(at("lib/evaluation.sh"), at("lib/values.sh")).unwrap();
        assert_ne!(of(&line, None), first, "another name");
    }

    #[test]
    fn a_script_without_an_ending_is_a_file_and_a_module_is_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("package")).unwrap();
        for name in ["run", "module.py", "values", "package/main.py"] {
            fs::write(at(name), "one").unwrap();
        }
        for (word, home) in [
            ("package", Some("package")),
            ("package.main", Some("package")),
            ("module", Some("")),
            ("start", None),
            ("-m", None),
            ("..", None),
            ("package/.hidden", None),
            ("package/values", None),
            ("", None),
        ] {
            assert_eq!(folder_named(word, at), home.map(at), "{word:?}");
        }
        // What the command names, if nothing else, and all that lies beside it.
        for (named, other) in [("run", "values"), ("package", "package/main.py")] {
            let line = format!("sh {}", at(named).display());
            let first = of(&line, None);
            fs::write(at(other), "two").unwrap();
            assert_ne!(of(&line, None), first, "{named}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_of_a_folder_are_refused_by_name() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("bot");
        fs::create_dir_all(folder.join("lib")).unwrap();
        fs::write(place.path().join("secret"), "seed").unwrap();
        fs::write(folder.join("bot.sh"), "one").unwrap();
        symlink("../bot.sh", folder.join("lib/same")).unwrap();
        assert_eq!(files_within(&folder).unwrap(), [Path::new("bot.sh"), Path::new("lib/same")]);
        for target in ["../../secret", "/etc/passwd"] {
            symlink(target, folder.join("lib/stolen")).unwrap();
            let refused = files_within(&folder).unwrap_err().to_string();
            assert!(refused.contains("lib/stolen: it is a link that leads out"), "{refused}");
            fs::remove_file(folder.join("lib/stolen")).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn endless_files_are_refused() {
        let words = Words::read("sh bot.sh", false, None).unwrap();
        let refused = identity(&words, Some("/dev/zero"), None, &[]).unwrap_err();
        assert!(refused.to_string().starts_with("/dev/zero: files: it is a device"), "{refused}");
        let missing = identity(&words, Some("/no/such"), None, &[]).unwrap_err();
        assert_eq!(missing.kind(), ranka_core::ErrorKind::Storage);
    }

    #[test]
    fn what_is_named_is_what_counts() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["bot.sh", "values", "notes"] {
            fs::write(at(name), "one").unwrap();
        }
        let line = format!("sh {}", at("bot.sh").display());
        let files = format!("{} {}", at("bot.sh").display(), at("values").display());
        let first = of(&line, Some(&files));
        fs::write(at("notes"), "two").unwrap();
        assert_eq!(of(&line, Some(&files)), first);
        fs::write(at("values"), "two").unwrap();
        assert_ne!(of(&line, Some(&files)), first);
        let words = Words::read(&line, false, None).unwrap();
        let missing = identity(&words, Some("no-such-file"), None, &[]).unwrap_err().to_string();
        assert!(missing.starts_with("no-such-file: files: "), "{missing}");
    }

    #[test]
    fn what_it_may_read_makes_a_bot_another() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        ["bot", "data"].iter().for_each(|name| fs::create_dir(at(name)).unwrap());
        for name in ["bot/bot.sh", "data/values", "book"] {
            fs::write(at(name), "one").unwrap();
        }
        let words = Words::read(&format!("sh {}", at("bot/bot.sh").display()), false, None).unwrap();
        let read = ["data", "book"].map(|name| at(name).display().to_string());
        let of = |files: Option<&str>| identity(&words, files, None, &read).unwrap();
        let named = at("bot/bot.sh").display().to_string();
        for changed in ["data/values", "book"] {
            let before = [of(None), of(Some(&named))];
            fs::write(at(changed), "two").unwrap();
            assert_ne!(of(None), before[0], "{changed}");
            assert_eq!(of(Some(&named)), before[1], "what is named is what counts");
        }
        assert!(listed("read", "a \"b").unwrap_err().to_string().ends_with("a quote is not closed"));
    }

    #[test]
    fn a_program_in_a_build_folder_stands_alone() {
        for tag in CACHE_TAGS {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::write(at(tag), "").unwrap();
            fs::create_dir(at("release")).unwrap();
            for name in ["release/bot", "release/other"] {
                fs::write(at(name), "one").unwrap();
            }
            let line = at("release/bot").display().to_string();
            let first = of(&line, None);
            fs::write(at("release/other"), "two").unwrap();
            assert_eq!(of(&line, None), first, "{tag}");
            fs::write(at("release/bot"), "two").unwrap();
            assert_ne!(of(&line, None), first, "{tag}");
        }
    }

    #[test]
    fn a_folder_that_is_no_bots_own_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..=MOST_FILES {
            fs::write(folder.path().join(number.to_string()), "").unwrap();
        }
        let line = format!("sh {}", folder.path().join("7").display());
        let error =
            identity(&Words::read(&line, false, None).unwrap(), None, None, &[]).unwrap_err().to_string();
        assert!(error.contains("files=\"…\" names those"), "{error}");
    }
}
