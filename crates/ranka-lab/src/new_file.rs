//! A file that appears under its name only when it is complete.

use ranka_core::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file being written: it lies beside its place under another name until [`finish`](NewFile::finish)
/// moves it there. Dropped before that, it leaves nothing behind and what was there before untouched.
pub struct NewFile {
    place: PathBuf,
    part: PathBuf,
    out: Option<BufWriter<File>>,
}

impl NewFile {
    /// Starts a file. Fails at once where it could not be written later.
    pub fn create(place: &Path) -> Result<NewFile, Error> {
        // A link is followed, so that it stays a link.
        let place = fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        if place.exists() && !place.is_file() {
            return Err(Error::writing(&place, "it is not an ordinary file"));
        }
        let Some(name) = place.file_name() else { return Err(Error::writing(&place, "it names no file")) };
        let part = place.with_file_name(format!(".{}.{}.part", name.display(), std::process::id()));
        let out = File::create(&part).map_err(|e| Error::writing(&place, e))?;
        Ok(NewFile { place, part, out: Some(BufWriter::new(out)) })
    }

    /// The error for a failed write, told with the file's name.
    pub fn failed(&self, error: impl std::fmt::Display) -> Error {
        Error::writing(&self.place, error)
    }

    /// Completes the file and moves it to its place.
    pub fn finish(mut self) -> Result<(), Error> {
        let written = self.out.take().map_or(Ok(()), |mut out| {
            out.flush()?;
            out.get_ref().sync_all()
        });
        written.and_then(|()| fs::rename(&self.part, &self.place)).map_err(|e| Error::writing(&self.place, e))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(bytes.len()), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After `finish` there is nothing under this name any more, and that is fine.
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_appears_only_when_finished() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("records.jsonl");
        fs::write(&place, "old").unwrap();
        let mut file = NewFile::create(&place).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&place).unwrap(), "old");
        let mut file = NewFile::create(&place).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    }

    #[test]
    fn what_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(NewFile::create(folder.path()).is_err());
        assert!(NewFile::create(&folder.path().join("no/such/file")).is_err());
        assert!(NewFile::create(Path::new("/dev/null")).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
