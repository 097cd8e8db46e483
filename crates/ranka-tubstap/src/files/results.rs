//! The rows that the original program appends to a CSV file after automatic matches.

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
