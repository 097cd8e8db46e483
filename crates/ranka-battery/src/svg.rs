//! A tiny reader of SVG: strict about what XML forbids, and interested in nothing but ids.

/// The ids in a well-formed drawing, or what is wrong with it.
pub(crate) fn ids(svg: &str) -> Result<Vec<&str>, String> {
    let mut ids = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg.trim();
    let mut begun = false;
    while !rest.is_empty() {
        let text;
        (text, rest) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        escaped(text)?;
        if open.is_empty() && (begun || !text.is_empty()) {
            return Err(format!(
                "something stands outside the <svg> element: {}",
                start(&(text.to_owned() + rest))
            ));
        }
        if rest.is_empty() {
            break;
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").ok_or("a comment has no end")?.1;
            continue;
        }
        let end = tag_end(rest)?;
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop().unwrap_or_default();
            if last != name.trim_end() {
                return Err(format!("</{name}> closes <{last}>"));
            }
            begun = true;
            continue;
        }
        let (tag, leaf) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == ':') {
            return Err(format!("<{name}> is no element's name"));
        }
        if open.is_empty() && name != "svg" {
            return Err(format!("the outermost element is <{name}>"));
        }
        ids.extend(id(attributes).map_err(|problem| format!("<{tag}>: {problem}"))?);
        if !leaf {
            open.push(name);
        }
    }
    match open.last() {
        Some(name) => Err(format!("<{name}> is not closed")),
        None if !begun => Err("there is no drawing".to_owned()),
        None => Ok(ids),
    }
}

/// Where the tag that begins here ends: at the first `>` outside quotes.
fn tag_end(text: &str) -> Result<usize, String> {
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match quote {
            None if c == '>' => return Ok(i),
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
    }
    Err(format!("a tag has no end: {}", start(text)))
}

/// The value of the attribute `id`, if there is one, after a look at all of them.
fn id(attributes: &str) -> Result<Option<&str>, String> {
    let mut id = None;
    let mut seen = Vec::new();
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, value) = rest.split_once('=').ok_or_else(|| format!("{rest:?} has no value"))?;
        let quote = value.chars().next().filter(|&c| c == '"' || c == '\'');
        let quote = quote.ok_or_else(|| format!("the value of {name} is not quoted"))?;
        let (value, after) =
            value[1..].split_once(quote).ok_or_else(|| format!("the value of {name} has no end"))?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!("{name:?} is no attribute's name"));
        }
        if !after.is_empty() && !after.starts_with(char::is_whitespace) {
            return Err(format!("no space after {name}"));
        }
        if seen.contains(&name) {
            return Err(format!("{name} is given twice"));
        }
        if value.contains('<') {
            return Err(format!("the value of {name} has a bare <"));
        }
        escaped(value)?;
        if name == "id" {
            id = Some(value);
        }
        seen.push(name);
        rest = after.trim_start();
    }
    Ok(id)
}

/// Every `&` begins an entity.
fn escaped(text: &str) -> Result<(), String> {
    for after in text.split('&').skip(1) {
        let entity = after.split_once(';').map_or("", |(entity, _)| entity);
        let named = ["lt", "gt", "amp", "quot", "apos"].contains(&entity);
        let numbered = entity.len() > 1 && entity.starts_with('#');
        if !named && !numbered {
            return Err(format!("a bare & in {:?}", start(text)));
        }
    }
    Ok(())
}

fn start(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found() {
        let svg = "<svg id='a'><!-- <b> --><g id=\"b\" class=\"x>y\"><rect id=\"c\"/>1 &lt; 2</g></svg>";
        assert_eq!(ids(svg), Ok(vec!["a", "b", "c"]));
    }

    #[test]
    fn malformed_drawings_are_refused() {
        for svg in [
            "",
            "text",
            "<g></g>",
            "<svg>",
            "<svg></g>",
            "<svg></svg><svg></svg>",
            "<svg></svg>x",
            "<svg><g></svg></g>",
            "<svg>a & b</svg>",
            "<svg a=\"1\" a=\"2\"></svg>",
            "<svg a=\"1\"b=\"2\"></svg>",
            "<svg a=1></svg>",
            "<svg a></svg>",
            "<svg a=\"1></svg>",
            "<svg a=\"<\"></svg>",
            "<svg>1 < 2</svg>",
        ] {
            assert!(ids(svg).is_err(), "{svg:?} is taken as {:?}", ids(svg));
        }
    }
}
