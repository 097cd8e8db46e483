//! `ranka stats`

use crate::failure::{Done, Failure};
use crate::play_args::Model;
use crate::print;
use ranka_lab::stats::{
    BinomialTest, ChiSquare, Elo, LEVEL, Power, Scores, Sprt, SprtDecision, SprtResult, Tally, chi_square,
    clopper_pearson, decided_z, normal_below, score_of, sign_test,
};
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(after_help = "\
Where games were played in pairs with seats swapped, --pairs gives more exact figures: the two games of a \
pair share their deal and hang together. It counts the pairs that brought 0, ½, 1, 1½ and 2 points.

Examples:
  ranka stats 1012 913 175
  ranka stats 33 17 --json
  ranka stats 87 50 63 --elo1 20 --alpha 0.01
  ranka stats --pairs 34,54,63,64,75
  ranka stats --pairs 365,16618,36229,16974,390 --elo1 2 --model normalized")]
pub(crate) struct Args {
    /// Games won
    #[arg(required_unless_present = "pairs", requires = "losses", value_parser = count, allow_negative_numbers = true)]
    wins: Option<u64>,
    /// Games lost
    #[arg(required_unless_present = "pairs", value_parser = count, allow_negative_numbers = true)]
    losses: Option<u64>,
    /// Games drawn
    #[arg(default_value = "0", value_parser = count, allow_negative_numbers = true)]
    draws: u64,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points
    #[arg(long, value_name = "A,B,C,D,E", value_parser = pairs, allow_hyphen_values = true)]
    pairs: Option<[u64; 5]>,
    /// H0 of the sequential test: the difference is this
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// H1 of the sequential test: the difference is this
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How probable it may be to accept H1 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    alpha: f64,
    /// How probable it may be to accept H0 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true)]
    beta: f64,
    /// Which Elo the sequential test speaks of: logistic, or normalized as in fastchess and OpenBench
    #[arg(long, value_enum, value_name = "MODEL", default_value_t)]
    model: Model,
    /// The confidence of intervals
    #[arg(long, value_name = "P", default_value_t = LEVEL, value_parser = level, allow_negative_numbers = true)]
    level: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn pairs(text: &str) -> Result<[u64; 5], String> {
    let counts: Vec<u64> = text.split(',').map(count).collect::<Result<_, _>>()?;
    counts.try_into().map_err(|counts: Vec<u64>| {
        format!("expected five numbers, of pairs with 0, ½, 1, 1½ and 2 points; given: {}", counts.len())
    })
}

fn level(text: &str) -> Result<f64, String> {
    let level = text.parse().ok().filter(|level| (1e-9..=1.0 - 1e-9).contains(level));
    level.ok_or_else(|| "expected a number above 0 and below 1, such as 0.95".to_owned())
}

pub(crate) fn run(args: &Args) -> Done {
    let figures = Figures::of(args)?;
    if args.json { print::json(&figures.json(args)) } else { print::text(&figures.text(args)) }
}

/// Everything that is told about the counts.
struct Figures {
    games: u64,
    /// What is known only where games were counted.
    single: Option<Single>,
    scores: Scores,
    elo: Elo,
    normalised: Elo,
    superiority: f64,
    sprt: SprtResult,
    /// How many games would show the score, and how many H1, with 80 % power at 5 %.
    needed: [Option<f64>; 2],
}

struct Single {
    wins: u64,
    losses: u64,
    draws: u64,
    win_interval: [f64; 2],
    z: f64,
    chi: ChiSquare,
    sign: BinomialTest,
}

impl Single {
    /// The decided games by themselves.
    fn of(wins: u64, losses: u64, draws: u64, level: f64) -> Result<Single, Failure> {
        Ok(Single {
            wins,
            losses,
            draws,
            win_interval: clopper_pearson(wins, wins + losses + draws, level),
            z: decided_z(wins, losses),
            chi: chi_square(&[wins, losses], &[1.0, 1.0])?,
            sign: sign_test(wins, losses),
        })
    }

    fn win_share(&self) -> f64 {
        self.wins as f64 / (self.wins + self.losses + self.draws) as f64
    }
}

impl Figures {
    fn of(args: &Args) -> Result<Figures, Failure> {
        let sprt = Sprt::new(args.model.into(), args.elo0, args.elo1, args.alpha, args.beta)?;
        let (tally, games) = args.tally()?;
        let single = match (args.wins, args.losses) {
            (Some(wins), Some(losses)) => Some(Single::of(wins, losses, args.draws, args.level)?),
            _ => None,
        };
        let scores = tally.scores();
        let needed = |score| tally.games_needed(score, Power::default());
        Ok(Figures {
            games,
            single,
            scores,
            elo: tally.elo(args.level),
            normalised: tally.normalised_elo(args.level),
            superiority: tally.superiority(),
            sprt: sprt.test(&tally),
            needed: [scores.mean(), args.score_at_elo1(&tally)].map(needed),
        })
    }

    fn json(&self, args: &Args) -> Value {
        let single = self.single.as_ref();
        let normal = single.map(|s| json!({ "z": s.z, "p": normal_below(-s.z) }));
        let won = single.map(|s| json!({ "value": s.win_share(), "interval": s.win_interval }));
        let [score, elo1] = self.needed;
        json!({
            "games": self.games,
            "wins": single.map(|s| s.wins),
            "losses": single.map(|s| s.losses),
            "draws": single.map(|s| s.draws),
            "pairs": args.pairs,
            "level": args.level,
            "score": self.scores.mean(),
            "interval": self.scores.interval_at(args.level),
            "win_share": won,
            "elo": self.elo,
            "normalised_elo": self.normalised,
            "superiority": self.superiority,
            "normal_test": normal,
            "chi_square": single.map(|s| s.chi),
            "sign_test": single.map(|s| s.sign),
            "sprt": {
                "model": args.model.name(), "results": results_of(args.pairs.is_some()),
                "elo0": args.elo0, "elo1": args.elo1, "alpha": args.alpha, "beta": args.beta,
                "llr": self.sprt.llr, "bounds": self.sprt.bounds, "decision": self.sprt.decision,
            },
            "games_needed": { "score": score.map(|n| n as u64), "elo1": elo1.map(|n| n as u64) },
        })
    }

    fn text(&self, args: &Args) -> String {
        let mut table = print::TextTable::plain();
        let mut row = |name: &str, value: String, more: String, meaning: &str| {
            table.row([name.to_owned(), value, more, meaning.to_owned()]);
        };
        let sure = format!("{} %", short(100.0 * args.level));
        let interval = self.scores.interval_at(args.level);
        row(
            "score",
            print::percent(self.scores.mean()),
            percents(interval),
            &format!("share of the points (Wilson's interval, generalised to draws and pairs, {sure})"),
        );
        if let Some(single) = &self.single {
            let meaning = format!("share of games won (Clopper and Pearson's interval, {sure})");
            row("won", print::percent(single.win_share()), percents(single.win_interval), &meaning);
        }
        let difference = |elo: &Elo| {
            let [low, high] = elo.interval.map(|end| print::signed(end, 1));
            (print::signed(elo.value, 1), format!("{low} to {high}"))
        };
        let (value, ends) = difference(&self.elo);
        row("Elo", value, ends, "rating difference at which this score is expected");
        let (value, ends) = difference(&self.normalised);
        row(
            "normalised Elo",
            value,
            ends,
            "the same measured by how much results vary; draws do not shrink it",
        );
        row(
            "superiority",
            chance(self.superiority),
            String::new(),
            "how sure it is that the true score is above 50 %",
        );
        if let Some(single) = &self.single {
            let decided = format!("{} decided games", grouped((single.wins + single.losses) as f64));
            row(
                "normal test",
                equals("z", single.z),
                p(normal_below(-single.z)),
                &format!("one-sided, {decided}: so many more wins by chance?"),
            );
            row(
                "χ² test",
                equals("χ²", single.chi.statistic),
                p(single.chi.p),
                &format!("two-sided, {decided} against even"),
            );
            row(
                "sign test",
                "exact".to_owned(),
                p(single.sign.two_sided),
                &format!("two-sided, the same without approximation; one-sided {}", p(single.sign.greater)),
            );
        }
        let [lower, upper] = self.sprt.bounds;
        let [elo0, elo1] = [args.elo0, args.elo1].map(short);
        let unit = if args.model == Model::Normalized { "normalised Elo" } else { "Elo" };
        let decision = match self.sprt.decision {
            SprtDecision::H0 => format!("stop: {elo0} {unit}, not {elo1}"),
            SprtDecision::H1 => format!("stop: {elo1} {unit}, not {elo0}"),
            SprtDecision::GoOn => format!("go on: {elo0} or {elo1} {unit} is not decided yet"),
        };
        let model = format!("{} Elo, {}; {decision}", args.model.name(), results_of(args.pairs.is_some()));
        row("SPRT", equals("LLR", self.sprt.llr), format!("{} to {}", minus(lower), minus(upper)), &model);
        let [for_score, for_elo] = self.needed.map(|games| games.map_or("∞".to_owned(), grouped));
        row(
            "games needed",
            for_score,
            String::new(),
            "to tell such a score from 50 %, with 80 % power at 5 %",
        );
        row("", for_elo, String::new(), &format!("to tell {elo1} {unit} from 0, likewise"));
        format!("{}\n\n{}", self.counts(args), table.render(""))
    }

    /// What was given.
    fn counts(&self, args: &Args) -> String {
        let mut out =
            format!("{} {}", grouped(self.games as f64), if self.games == 1 { "game" } else { "games" });
        if let Some(Single { wins, losses, draws, .. }) = &self.single {
            out += &format!(": {wins} won, {losses} lost, {draws} drawn");
        }
        if let Some([a, b, c, d, e]) = args.pairs {
            out += &format!("; pairs with 0, ½, 1, 1½ and 2 points: {a}, {b}, {c}, {d}, {e}");
        }
        out
    }
}

impl Args {
    /// The score that H1 expects.
    fn score_at_elo1(&self, tally: &Tally) -> f64 {
        match self.model {
            Model::Logistic => score_of(self.elo1),
            Model::Normalized => tally.score_of_normalised(self.elo1),
        }
    }

    /// The results by pairs if these are given, else by games; and how many games there were.
    fn tally(&self) -> Result<(Tally, u64), Failure> {
        let games = self.wins.zip(self.losses).map(|(wins, losses)| [wins, losses, self.draws]);
        let too_many = || Failure::usage(&format!("more games than {} cannot be counted", u64::MAX));
        let sum =
            |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &n| sum.checked_add(n)).ok_or_else(too_many);
        let number_of_games = games.map(|counts| sum(&counts)).transpose()?;
        let in_pairs =
            self.pairs.map(|pairs| sum(&pairs)?.checked_mul(2).ok_or_else(too_many)).transpose()?;
        let (tally, number) = match (self.pairs, in_pairs, games, number_of_games) {
            (Some(pairs), Some(in_pairs), games, number) => {
                if let (Some(games), Some(number)) = (games, number) {
                    agree(games, number, pairs, in_pairs)?;
                }
                (Tally::Pairs(pairs), in_pairs)
            }
            (_, _, Some([wins, losses, draws]), Some(number)) => {
                (Tally::games([wins, draws, losses]), number)
            }
            _ => return Err(Failure::usage("wins and losses are needed, or --pairs")),
        };
        if number == 0 {
            return Err(Failure::usage("no games were given, so there is nothing to tell"));
        }
        Ok((tally, number))
    }
}

/// Refuses pairs that cannot be those of the games.
fn agree([wins, _, draws]: [u64; 3], number: u64, pairs: [u64; 5], in_pairs: u64) -> Done {
    let half_points = u128::from(wins) * 2 + u128::from(draws);
    let half_points_in_pairs: u128 =
        pairs.iter().zip(0u128..).map(|(&n, points)| u128::from(n) * points).sum();
    if number != in_pairs || half_points != half_points_in_pairs {
        let points = |half: u128| half as f64 / 2.0;
        return Err(Failure::usage(&format!(
            "the pairs are not those of the games: {number} games with {} points, but {in_pairs} with {} in pairs",
            points(half_points),
            points(half_points_in_pairs),
        )));
    }
    Ok(())
}

/// A chance in percent, which is never said to be certain if it is not.
fn chance(share: f64) -> String {
    match print::percent(share).as_str() {
        "100.0 %" if share < 1.0 => "> 99.9 %".to_owned(),
        "0.0 %" if share > 0.0 => "< 0.1 %".to_owned(),
        text => text.to_owned(),
    }
}

fn percents([low, high]: [f64; 2]) -> String {
    format!("{:.1}–{:.1} %", 100.0 * low, 100.0 * high)
}

/// What the test counts.
fn results_of(pairs: bool) -> &'static str {
    if pairs { "pentanomial" } else { "trinomial" }
}

/// A number as it was given, without what rounding adds and without a sign of zero.
fn short(number: f64) -> String {
    let text = format!("{number:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

fn equals(name: &str, number: f64) -> String {
    format!("{name} = {}", minus(number))
}

/// A number with two decimals; short where it is too large for them.
fn minus(number: f64) -> String {
    let text = if number.abs() < 1e6 { format!("{number:.2}") } else { format!("{number:.2e}") };
    print::minus(&text)
}

fn p(p: f64) -> String {
    match p {
        _ if p >= 0.001 => format!("p = {p:.3}"),
        _ if p > 0.0 => format!("p = {p:.1e}").replace('-', "−"),
        _ => "p < 1e−300".to_owned(),
    }
}

/// A whole number with its thousands apart.
fn grouped(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.1e}");
    }
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}
