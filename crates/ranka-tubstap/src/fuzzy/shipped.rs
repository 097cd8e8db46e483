//! Tables that come with Ranka, so that experiments need no file beside their own. A search made them, which takes too long to
//! be done whenever an agent is prepared: `ranka fuzzy synthetic FILE --examples N --rules map=crossing,limit=20` makes the same again.

use super::MembershipTable;
use ranka_core::{Error, is_path, unknown};
use std::path::Path;

/// Name and file of each table.
const TABLES: [(&str, &str); 2] = [
    ("synthetic-440", include_str!("../../tables/synthetic-440.csv")),
    ("synthetic-1246", include_str!("../../tables/synthetic-1246.csv")),
];

/// What a parameter may say without naming a file: no table, or one that comes with Ranka.
pub(crate) const CHOICES: &[&str] = &["", "synthetic-440", "synthetic-1246"];

/// The names of the tables that come with Ranka.
pub fn names() -> Vec<&'static str> {
    TABLES.iter().map(|&(name, _)| name).collect()
}

/// The table with this name, or in the file with this path. A text of several lines is the table itself.
pub fn table(name: &str) -> Result<MembershipTable, Error> {
    if name.contains('\n') {
        return MembershipTable::read_csv(name).map_err(|error| error.at("table"));
    }
    if let Some((_, text)) = TABLES.iter().find(|(known, _)| *known == name) {
        return MembershipTable::read_csv(text).map_err(|error| error.at(name));
    }
    let path = Path::new(name);
    if path.extension().is_some() || is_path(name) || path.is_file() {
        return MembershipTable::load(path);
    }
    Err(Error::input(unknown("table", name, &names()) + ", or a CSV file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_offered() {
        assert_eq!(names(), CHOICES[1..]);
    }

    #[test]
    fn tables_have_as_many_examples_as_their_names_say() {
        for name in names() {
            let (entries, examples) = table(name).unwrap().size();
            assert_eq!(format!("synthetic-{examples}"), name);
            assert!(entries > 50, "{name}: {entries}");
        }
    }

    #[test]
    fn unknown_tables_are_told_with_the_known_ones() {
        let error = table("synthetic-44").unwrap_err().to_string();
        assert!(error.contains("synthetic-440"), "{error}");
        assert!(table("no-such.csv\n").unwrap_err().to_string().contains("line 1"));
        let text = table("synthetic-440").unwrap().write_csv();
        assert_eq!(table(&text).unwrap().write_csv(), text);
        assert!(table("no-such.csv").unwrap_err().to_string().contains("cannot be read"));
        let nowhere = table("/no/such/table").unwrap_err();
        assert_eq!(nowhere.kind(), ranka_core::ErrorKind::Storage);
        assert!(!nowhere.public().contains("/no/such"), "{}", nowhere.public());
    }
}
