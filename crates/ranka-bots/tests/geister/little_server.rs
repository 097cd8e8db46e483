//! A server that knows the specification and nothing of ours: every ghost by its owner's own coordinates.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Spot {
    At(i32, i32),
    Taken,
    Escaped,
}

/// The board of a game: of each player's ghosts A to H where they are, in the owner's view, and whether they
/// are red.
#[derive(Clone)]
pub(crate) struct LittleGame {
    pub(crate) ghosts: [[(Spot, bool); 8]; 2],
    plies: u32,
}

impl LittleGame {
    pub(crate) fn new(reds: [&str; 2]) -> LittleGame {
        let ghosts = reds.map(|reds| {
            let mut side = [(Spot::Taken, false); 8];
            for (i, ghost) in side.iter_mut().enumerate() {
                let i = i as i32;
                *ghost = (Spot::At(1 + i % 4, 4 + i / 4), reds.contains(char::from(b'A' + i as u8)));
            }
            side
        });
        LittleGame { ghosts, plies: 0 }
    }

    /// The 48 characters.
    pub(crate) fn board(&self, viewer: usize, reveal: bool) -> String {
        let mut out = String::new();
        for (mine, side) in [(true, self.ghosts[viewer]), (false, self.ghosts[1 - viewer])] {
            for (spot, red) in side {
                let letter = if red { 'r' } else { 'b' };
                match spot {
                    Spot::At(x, y) if mine => out += &format!("{x}{y}{}", letter.to_ascii_uppercase()),
                    Spot::At(x, y) => {
                        out += &format!("{}{}{}", 5 - x, 5 - y, if reveal { letter } else { 'u' });
                    }
                    Spot::Taken => out += &format!("99{letter}"),
                    Spot::Escaped => out += &format!("88{letter}"),
                }
            }
        }
        out
    }

    /// Moves a ghost; the answer is the acknowledgement, or nothing if that is illegal.
    pub(crate) fn go(&mut self, player: usize, ghost: usize, direction: char) -> Option<&'static str> {
        let (spot, red) = self.ghosts[player][ghost];
        let Spot::At(x, y) = spot else { return None };
        let (dx, dy) = match direction {
            'N' => (0, -1),
            'S' => (0, 1),
            'E' => (1, 0),
            'W' => (-1, 0),
            _ => return None,
        };
        let (tx, ty) = (x + dx, y + dy);
        if !(0..6).contains(&tx) || !(0..6).contains(&ty) {
            let exits =
                (x, y) == (0, 0) && "NW".contains(direction) || (x, y) == (5, 0) && "NE".contains(direction);
            if red || !exits {
                return None;
            }
            self.ghosts[player][ghost].0 = Spot::Escaped;
            self.plies += 1;
            // As the original does when the step before was a capture: a trap for whoever believes it.
            return Some("OKB");
        }
        if self.ghosts[player].iter().any(|&(spot, _)| spot == Spot::At(tx, ty)) {
            return None;
        }
        let mut answer = "OK ";
        for (spot, red) in &mut self.ghosts[1 - player] {
            if *spot == Spot::At(5 - tx, 5 - ty) {
                *spot = Spot::Taken;
                answer = if *red { "OKR" } else { "OKB" };
            }
        }
        self.ghosts[player][ghost].0 = Spot::At(tx, ty);
        self.plies += 1;
        Some(answer)
    }

    /// Who has won: 0, 1, or 2 for a draw.
    pub(crate) fn winner(&self) -> Option<usize> {
        for player in 0..2 {
            let side = self.ghosts[player];
            let taken = |red| side.iter().filter(|&&ghost| ghost == (Spot::Taken, red)).count();
            if side.iter().any(|&(spot, _)| spot == Spot::Escaped) || taken(true) == 4 {
                return Some(player);
            }
            if taken(false) == 4 {
                return Some(1 - player);
            }
        }
        (self.plies == 300).then_some(2)
    }
}

/// A connection, byte for byte.
pub(crate) struct Wire {
    stream: TcpStream,
    /// Whether lines leave in crumbs.
    pub(crate) crumbs: bool,
}

impl Wire {
    pub(crate) fn accept(listener: &TcpListener) -> Wire {
        let stream = listener.accept().unwrap().0;
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Wire { stream, crumbs: false }
    }

    pub(crate) fn says(&mut self, text: &str) {
        let bytes = format!("{text}\r\n");
        if self.crumbs {
            for crumb in bytes.as_bytes().chunks(7) {
                self.stream.write_all(crumb).unwrap();
                std::thread::sleep(Duration::from_millis(1));
            }
        } else {
            self.stream.write_all(bytes.as_bytes()).unwrap();
        }
    }

    /// The next line; nothing when the client has closed.
    pub(crate) fn hears(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let mut byte = [0];
        while !line.ends_with(b"\r\n") {
            match self.stream.read(&mut byte) {
                Ok(1) => line.push(byte[0]),
                _ => return None,
            }
        }
        Some(String::from_utf8(line).unwrap().trim_end().to_owned())
    }

    /// Asks for the set-up and hears the red ghosts.
    pub(crate) fn greets(&mut self) -> String {
        self.says("SET?");
        let reds = self.hears().unwrap().strip_prefix("SET:").unwrap().to_owned();
        self.says("OK ");
        reds
    }
}

/// Plays a whole game against the client, which is `player`, with moves of our own that follow from `seed`.
/// Answers with who has won.
pub(crate) fn play_out(wire: &mut Wire, player: usize, seed: &mut u32) -> usize {
    let client_reds = wire.greets();
    let mut reds = ["BCFG"; 2];
    reds[player] = &client_reds;
    let mut game = LittleGame::new(reds);
    let mut turn = 0;
    while game.winner().is_none() {
        if turn == player {
            wire.says(&format!("MOV?{}", game.board(player, false)));
            let line = wire.hears().unwrap();
            let (ghost, direction) = line.strip_prefix("MOV:").unwrap().split_once(',').unwrap();
            let ghost = usize::from(ghost.as_bytes()[0] - b'A');
            let answer = game.go(player, ghost, direction.chars().next().unwrap());
            wire.says(answer.unwrap_or_else(|| panic!("{line} is illegal on {}", game.board(player, false))));
        } else {
            loop {
                *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (ghost, direction) = (*seed >> 16 & 7, b"NNESW"[(*seed >> 20) as usize % 5]);
                if game.go(turn, ghost as usize, direction.into()).is_some() {
                    break;
                }
            }
        }
        turn = 1 - turn;
    }
    let winner = game.winner().unwrap();
    let word = if winner == 2 {
        "DRW:"
    } else if winner == player {
        "WON:"
    } else {
        "LST:"
    };
    wire.says(&format!("{word}{}", game.board(player, true)));
    winner
}
