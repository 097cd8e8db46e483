//! The reference of experiment files, written from their schema: `docs/experiments.md` holds it.

use super::figure::GRAMMAR;
use super::schema;
use serde_json::Value;
use std::fmt::Write as _;

/// All keys of an experiment file, as Markdown.
pub fn reference() -> String {
    let schema = schema().to_value();
    let mut out = String::from("### The file\n\n");
    let _ = writeln!(out, "{}\n", one_line(&schema["description"]));
    keys(&mut out, &schema);
    for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
        let _ = writeln!(out, "\n### {}\n\n{}\n", heading(name), one_line(&part["description"]));
        let variants = part["oneOf"].as_array().or(part["anyOf"].as_array());
        match variants {
            None => keys(&mut out, part),
            Some(variants) if variants.iter().any(|variant| variant["properties"].is_object()) => {
                for variant in variants {
                    let kind = text(&variant["properties"]["kind"]["const"]);
                    let _ = writeln!(out, "**`kind = \"{kind}\"`**: {}\n", one_line(&variant["description"]));
                    keys(&mut out, variant);
                    out.push('\n');
                }
            }
            Some(variants) => {
                for variant in variants {
                    let word = match variant["const"].as_str() {
                        Some(word) => format!("`{word}`"),
                        None => kind_of(variant),
                    };
                    let _ = writeln!(out, "- {word}: {}", one_line(&variant["description"]));
                }
            }
        }
    }
    let _ = writeln!(out, "\n### Figures\n\nA figure is {GRAMMAR}.");
    out
}

/// What a part of the schema is called in a file.
fn heading(name: &str) -> String {
    match name {
        "PairingEntry" => "`[[pairing]]`".to_owned(),
        "RoundRobinEntry" => "`[round-robin]`".to_owned(),
        "RowEntry" => "`[[row]]`".to_owned(),
        "TestEntry" => "`[[test]]`".to_owned(),
        "PositionEntry" => "`[[position]]`".to_owned(),
        "PlotEntry" => "`[[plot]]`".to_owned(),
        other => {
            // `ReferenceTest` is a reference test.
            let mut words = String::new();
            for (i, c) in other.char_indices() {
                if c.is_uppercase() && i > 0 {
                    words.push(' ');
                }
                words.extend(if i == 0 {
                    c.to_uppercase().collect::<Vec<_>>()
                } else {
                    c.to_lowercase().collect()
                });
            }
            words
        }
    }
}

fn keys(out: &mut String, part: &Value) {
    let Some(properties) = part["properties"].as_object() else { return };
    let required: Vec<&str> = part["required"].as_array().into_iter().flatten().map(text).collect();
    out.push_str("| key | value | | what |\n|---|---|---|---|\n");
    for (key, value) in properties.iter().filter(|(key, value)| *key != "kind" || value["const"].is_null()) {
        let needed = if required.contains(&key.as_str()) { "needed" } else { "" };
        let what = one_line(&value["description"]).replace('|', "\\|");
        let _ = writeln!(out, "| `{key}` | {} | {needed} | {what} |", kind_of(value));
    }
}

/// What a value may be, in words.
fn kind_of(value: &Value) -> String {
    if let Some(name) = value["$ref"].as_str() {
        return heading(name.rsplit('/').next().unwrap_or(name)).to_lowercase();
    }
    if let Some(choices) = value["anyOf"].as_array() {
        let choices: Vec<String> = choices.iter().filter(|c| c["type"] != "null").map(kind_of).collect();
        return choices.join(" or ");
    }
    let kinds: Vec<&str> = match &value["type"] {
        Value::Array(kinds) => kinds.iter().map(text).filter(|&kind| kind != "null").collect(),
        kind => vec![text(kind)],
    };
    match kinds.first().copied().unwrap_or("") {
        "string" => "text".to_owned(),
        "integer" => "whole number".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        "array" if value["items"].is_object() => format!("list of {}", kind_of(&value["items"])),
        "array" => "list".to_owned(),
        "object" if value["additionalProperties"].is_object() => {
            format!("table of {}", kind_of(&value["additionalProperties"]))
        }
        "object" => "table".to_owned(),
        other => other.to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn one_line(value: &Value) -> String {
    text(value).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The page is written by hand around what the code knows best.
    #[test]
    fn the_page_holds_what_is_made_from_the_code() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/experiments.md");
        let page = fs::read_to_string(path).expect("the page is there");
        let columns = format!("{}\n{}", crate::export::dictionary(), crate::report::dictionary());
        let mut written = page.clone();
        for (name, text) in [("reference", reference()), ("columns", columns)] {
            let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
            let (before, rest) = written.split_once(&begin).expect("the place is marked");
            let (_, after) = rest.split_once(&end).expect("the end is marked");
            written = format!("{before}{begin}{text}{end}{after}");
        }
        if std::env::var_os("RANKA_BLESS").is_some() {
            fs::write(path, &written).expect("the page can be written");
        } else {
            assert!(page == written, "docs/experiments.md is old: RANKA_BLESS=1 renews it");
        }
    }
}
