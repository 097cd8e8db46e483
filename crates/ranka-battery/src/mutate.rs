//! Spoils text in the ways that people, programs and malice do.

use ranka_core::Rng;

/// `text` with one to three things wrong with it; now and then it comes out as it was.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(3) {
        spoil(&mut chars, rng);
    }
    chars.into_iter().collect()
}

const STRANGE: [char; 24] = [
    ' ', ' ', '0', '1', '9', '-', '+', ',', '/', '|', '<', '>', '(', ')', '?', '=', 'a', 'Z', '\t', '\n',
    '\0', 'é', '柯', '🂡',
];

fn spoil(chars: &mut Vec<char>, rng: &mut Rng) {
    let length = chars.len();
    // A gap between characters, and a part of the text that may be empty.
    let gap = rng.index(length + 1);
    let part = gap..gap + rng.index((length - gap).min(8) + 1);
    let at = gap.min(length.saturating_sub(1));
    let kind = rng.below(11);
    if length == 0 || kind == 0 {
        let strange = rng.pick(&STRANGE);
        chars.insert(gap, strange);
        return;
    }
    match kind {
        1 => drop(chars.remove(at)),
        2 => chars[at] = rng.pick(&STRANGE),
        // What occurs in the text is the likeliest to be taken.
        3 => chars[at] = chars[rng.index(length)],
        4 => chars.insert(gap, chars[rng.index(length)]),
        5 => chars.swap(at, rng.index(length)),
        6 => chars.truncate(gap),
        7 => drop(chars.splice(part.end..part.end, chars[part.clone()].to_vec())),
        8 => drop(chars.splice(part, std::iter::repeat_n('9', 1 << rng.below(10)))),
        9 => chars[at] = char::from(b'0' + rng.below(10) as u8),
        _ if rng.chance(0.1) => chars.clear(),
        _ => chars[at] = char::from_u32(rng.below(0x11_0000)).unwrap_or('\u{fffd}'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::Seed;

    #[test]
    fn most_texts_are_spoilt_and_none_breaks_it() {
        let mut rng = Rng::new(Seed::new(1));
        for text in ["", "a", "3+1/é,T", "0123456789"] {
            let spoilt = (0..500).filter(|_| mutate(text, &mut rng) != text).count();
            assert!(spoilt > 400, "{text:?}: {spoilt} of 500");
        }
    }
}
