//! A bot for Ranka. It plays at random: make it think in `choose`.

use std::io::{self, BufRead, Write};

/// The action to take; `view` is what you see, in the game's notation.
fn choose<'a>(_game: &str, _view: &str, actions: &[&'a str], random: &mut u64) -> &'a str {
    // xorshift64*: enough to play at random.
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    let number = random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
    actions[number as usize % actions.len()]
}

fn say(line: &str) {
    // Nobody listens any more when this fails; the end of the input comes next.
    let _ = writeln!(io::stdout(), "{line}");
    let _ = io::stdout().flush();
}

fn main() -> io::Result<()> {
    let (mut game, mut view, mut actions) = (String::new(), String::new(), String::new());
    let mut random = 1;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            // Hello; it tells the protocol's version. `games kalah geister` would say what is played, if not everything.
            "ranka" => say("name My first bot\nauthor Me"),
            "isready" => say("ready"),
            "newgame" => game = rest.split(' ').next().unwrap_or("").to_owned(),
            // The same seed, the same game again.
            "seed" => random = rest.parse().unwrap_or(1).max(1),
            "view" => view = rest.to_owned(),
            "actions" => actions = rest.to_owned(),
            "go" => {
                let legal: Vec<&str> = actions.split_whitespace().collect();
                let action = choose(&game, &view, &legal, &mut random);
                say(&format!("action {action}"));
            }
            "quit" => break,
            // All else (rules, seats, seat, did, over, stop, and what later versions bring) need not be heard.
            _ => {}
        }
    }
    Ok(())
}
