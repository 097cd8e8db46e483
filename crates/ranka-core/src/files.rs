//! Reading files that somebody names: never more than makes sense, for a name may be that of an endless device.

use crate::Error;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The most bytes of a file that a person could have written: an experiment, a map, a record.
pub const SMALL_FILE: u64 = 64 << 20;

/// The most bytes of a file that a program wrote: tables, many records.
pub const LARGE_FILE: u64 = 1 << 30;

/// Whether a word can only be a file's path, for it names folders.
pub fn is_path(word: &str) -> bool {
    word.contains(std::path::is_separator)
}

/// The bytes of a file; refused if there are more than `most`.
pub fn read_bytes(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, Error> {
    let path = path.as_ref();
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| Error::reading(path, &e))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|e| Error::reading(path, &e))?;
    if bytes.len() as u64 > most {
        let message = format!("it has more than {} MiB, which is too large for such a file", most >> 20);
        return Err(Error::input(message).in_file(path));
    }
    Ok(bytes)
}

/// The text of a file; refused if it has more than `most` bytes.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> Result<String, Error> {
    let path = path.as_ref();
    let text = String::from_utf8(read_bytes(path, most)?);
    text.map_err(|e| {
        let place = e.utf8_error().valid_up_to();
        Error::input(format!("it is not text: byte {} is not UTF-8", place + 1)).in_file(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[cfg(unix)]
    #[test]
    fn endless_files_are_refused() {
        let refused = read_text("/dev/zero", 1 << 20).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Input);
        let expected = "/dev/zero: it has more than 1 MiB, which is too large for such a file";
        assert_eq!(refused.to_string(), expected);
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        let path = std::env::temp_dir().join(format!("ranka-not-text-{}", std::process::id()));
        std::fs::write(&path, b"ab\xffcd").unwrap();
        let refused = read_text(&path, SMALL_FILE).unwrap_err();
        assert!(refused.to_string().ends_with(": it is not text: byte 3 is not UTF-8"), "{refused}");
        assert_eq!(read_bytes(&path, 5).unwrap().len(), 5);
        assert_eq!(read_bytes(&path, 4).unwrap_err().kind(), ErrorKind::Input);
        std::fs::remove_file(&path).unwrap();
    }
}
