//! The rows that the original program appends to a CSV file after automatic matches.

use crate::kinds::Team;
use crate::state::State;

/// The results of games of two players on one map, without change of sides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultRow {
    /// The map's file name.
    pub map: String,
    /// Who played red, and who blue.
    pub players: [String; 2],
    /// How many games.
    pub games: u64,
    /// Red's wins, and blue's.
    pub wins: [u64; 2],
    /// Draws.
    pub draws: u64,
    /// Games that reached the turn limit.
    pub limit: u64,
    /// Wins by judgement there, red's and blue's.
    pub judged: [u64; 2],
    /// Whether the HP were changed at random.
    pub hp_noise: bool,
    /// Whether the places were changed at random.
    pub place_noise: bool,
}

impl ResultRow {
    /// Counts one more game by where it ended.
    pub fn count(&mut self, end: &State) {
        let wiped_out = Team::BOTH.into_iter().any(|team| end.hp(team) == 0);
        self.games += 1;
        self.limit += u64::from(!wiped_out);
        match end.verdict() {
            Some(winner) => {
                self.wins[winner as usize] += 1;
                self.judged[winner as usize] += u64::from(!wiped_out);
            }
            None => self.draws += 1,
        }
    }

    /// Counts one more game, which this side gave up.
    pub fn count_surrender(&mut self, loser: Team) {
        self.games += 1;
        self.wins[loser.other() as usize] += 1;
    }
}

/// The rows as text, a line each.
pub fn results_csv(rows: &[ResultRow]) -> String {
    let line = |row: &ResultRow| {
        let names = [&row.map, &row.players[0], &row.players[1]].map(|name| quoted(name));
        let counts =
            [row.games, row.wins[0], row.wins[1], row.draws, row.limit, row.judged[0], row.judged[1]];
        let flags = [row.hp_noise, row.place_noise].map(u64::from);
        let numbers = counts.iter().chain(&flags).map(u64::to_string);
        names.into_iter().chain(numbers).collect::<Vec<_>>().join(",") + "\n"
    };
    rows.iter().map(line).collect()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tubstap;
    use ranka_core::{Game as _, Notation as _, Params};

    #[test]
    fn games_are_counted_by_how_they_ended() {
        let game = Tubstap::new(&Params::defaults(Tubstap::options())).unwrap();
        let end = |units: &str, turn| {
            let text =
                format!("grid=00000/01110/00000 units={units} turn={turn} limit=9 threshold=5 first=r");
            game.read_state(&text).unwrap()
        };
        let mut row = ResultRow::default();
        row.count(&end("0:I:r:1,1:3:0", 4));
        row.count(&end("0:I:r:1,1:3:0;1:I:b:3,1:9:0", 9));
        row.count(&end("0:I:r:1,1:4:0;1:I:b:3,1:9:0", 9));
        row.count_surrender(Team::Red);
        let ResultRow { games, wins, draws, limit, judged, .. } = row;
        assert_eq!((games, wins, draws, limit, judged), (4, [1, 2], 1, 2, [0, 1]));
    }

    #[test]
    fn rows_have_twelve_columns() {
        let row = ResultRow {
            map: "pass.tbsmap".to_owned(),
            players: ["uct:c=0.15,expand=20", "standard"].map(str::to_owned),
            games: 100,
            wins: [60, 30],
            draws: 10,
            limit: 40,
            judged: [20, 10],
            hp_noise: false,
            place_noise: true,
        };
        assert_eq!(
            results_csv(&[row]),
            "pass.tbsmap,\"uct:c=0.15,expand=20\",standard,100,60,30,10,40,20,10,0,1\n"
        );
    }
}
