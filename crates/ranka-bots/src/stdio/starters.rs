//! Minimal working bots to start from.

/// A file of a starter: where it goes, and what is in it.
pub type StarterFile = (&'static str, &'static str);

/// A bot in Python, of the standard library alone.
pub const PYTHON: &[StarterFile] = &[("bot.py", include_str!("../../starters/bot.py"))];

/// A bot in Rust, a package without dependencies.
pub const RUST: &[StarterFile] = &[
    ("Cargo.toml", include_str!("../../starters/manifest.toml")),
    ("src/main.rs", include_str!("../../starters/main.rs")),
];
