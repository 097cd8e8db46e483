//! What a game of a store is called, in the program and on the arena's pages: `IDENTITY/NUMBER` by the identity of its
//! pairing, of which the first digits suffice, and its number in it; `import/NUMBER` if it came from elsewhere.

/// The word for games that came from elsewhere.
pub const IMPORT: &str = "import";

/// How many digits of an identity are shown.
const DIGITS: usize = 12;

/// As much of a pairing's identity as is shown.
pub fn short_identity(identity: &str) -> &str {
    identity.get(..DIGITS).unwrap_or(identity)
}

/// The name of a game of a pairing.
pub fn game_name(identity: &str, number: impl std::fmt::Display) -> String {
    format!("{}/{number}", short_identity(identity))
}

/// The name of a game that came from elsewhere.
pub fn imported_name(number: i64) -> String {
    format!("{IMPORT}/{number}")
}
