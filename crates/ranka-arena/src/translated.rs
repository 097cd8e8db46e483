//! Reports in Japanese. They are kept in English: a page is translated when it is served, text by text, and what has no
//! Japanese stays as it is.

use crate::words::Language;
use ranka_lab::plot::{shorten, width, wrap};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::iter::Peekable;
use std::sync::LazyLock;

/// The words of reports. They are apart from those of the pages: a word that heads a column may mean something else
/// elsewhere.
const FILE: &str = include_str!("../../../words/reports.ja.toml");

static WORDS: LazyLock<Words> = LazyLock::new(|| Words::read(FILE));

/// A report's page, or one of its plots, in this language.
pub(crate) fn page(html: &str, language: Language) -> String {
    match language {
        Language::English => html.to_owned(),
        Language::Japanese => Translator::default().page(html),
    }
}

/// One of a report's texts in this language.
pub(crate) fn text(english: &str, language: Language) -> String {
    let told = match language {
        Language::English => None,
        Language::Japanese => Translator::default().told(english),
    };
    told.unwrap_or_else(|| english.to_owned())
}

/// What is known in Japanese: whole texts, and patterns with places in them.
#[derive(Default)]
struct Words {
    whole: HashMap<String, String>,
    /// In the order in which they are tried.
    patterns: Vec<Pattern>,
}

/// What holds the parts of a text together most loosely.
const JOINTS: [&str; 4] = [", ", ": ", "; ", " – "];

/// `cards left to {0}`: what stands around the places, which are counted from left to right.
struct Pattern {
    around: Vec<String>,
    japanese: String,
}

impl Words {
    fn read(file: &str) -> Words {
        let entries: BTreeMap<String, String> = toml::from_str(file).unwrap_or_default();
        let (patterns, whole): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|(english, _)| english.contains("{0}"));
        let mut patterns: Vec<Pattern> =
            patterns.into_iter().map(|(english, japanese)| Pattern::new(&english, japanese)).collect();
        patterns.sort_by_key(Pattern::rank);
        Words { whole: whole.into_iter().collect(), patterns }
    }
}

impl Pattern {
    fn new(english: &str, japanese: String) -> Pattern {
        let mut around = Vec::new();
        let mut rest = english;
        while let Some((before, after)) = rest.split_once(&format!("{{{}}}", around.len())) {
            around.push(before.to_owned());
            rest = after;
        }
        around.push(rest.to_owned());
        Pattern { around, japanese }
    }

    /// Who joins parts goes first, so that `a, b first` is `a` and `b first`; then who says more.
    fn rank(&self) -> Reverse<(usize, usize)> {
        let joints = |text: &String| JOINTS.iter().map(|joint| text.matches(joint).count()).sum::<usize>();
        Reverse((self.around.iter().map(joints).sum(), self.around.iter().map(String::len).sum()))
    }
}

/// One page's translation.
#[derive(Default)]
struct Translator {
    /// Long tables say the same again and again.
    told: RefCell<HashMap<String, Option<String>>>,
}

/// Elements whose content is no prose.
const RAW: [&str; 4] = ["style", "script", "pre", "code"];

impl Translator {
    fn page(&self, html: &str) -> String {
        let mut out = String::with_capacity(html.len());
        let mut pieces = Pieces(html).peekable();
        while let Some(piece) = pieces.next() {
            let tag = match piece {
                Piece::Text(text) => {
                    out.push_str(&self.text(text));
                    continue;
                }
                Piece::Tag(tag) => tag,
            };
            let name = element(tag);
            if name == "text" {
                self.lines(&svg_lines(tag, &mut pieces), None, &mut out);
                continue;
            }
            out.push_str(&self.attribute(tag, " title=\""));
            if RAW.contains(&name) {
                copy_to_end_of(name, &mut pieces, &mut out);
            } else if name == "desc" {
                if let Some(Piece::Text(text)) = pieces.next_if(|piece| matches!(piece, Piece::Text(_))) {
                    out.push_str(&self.sentences(text));
                }
            } else if tag == "<g class=\"cut\">" {
                self.cut(&mut pieces, &mut out);
            }
        }
        out
    }

    /// A text with the blanks around it.
    fn text(&self, raw: &str) -> String {
        let words = raw.trim();
        match self.told(&unescaped(words)) {
            Some(japanese) if !words.is_empty() => raw.replacen(words, &escaped(&japanese), 1),
            _ => raw.to_owned(),
        }
    }

    /// The same, sentence by sentence.
    fn sentences(&self, raw: &str) -> String {
        let all = unescaped(raw);
        let sentences = all.trim().split_inclusive(". ").map(str::trim).map(|sentence| {
            let bare = sentence.strip_suffix('.').unwrap_or(sentence);
            let told = self.told(sentence).or_else(|| Some(format!("{}。", self.told(bare)?)));
            told.unwrap_or_else(|| sentence.to_owned())
        });
        escaped(&sentences.collect::<Vec<_>>().join(" "))
    }

    /// A tag with the value of an attribute in Japanese.
    fn attribute(&self, tag: &str, begin: &str) -> String {
        let Some((before, (value, after))) =
            tag.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once('"')?)))
        else {
            return tag.to_owned();
        };
        format!("{before}{begin}{}\"{after}", self.text(value))
    }

    /// A label that is cut to its room: its title has all of it, and so what is cut is cut anew.
    fn cut<'a>(&self, pieces: &mut Peekable<Pieces<'a>>, out: &mut String) {
        let mut whole = None;
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Text(text) => {
                    whole = self.told(&unescaped(text));
                    out.push_str(&self.text(text));
                }
                Piece::Tag(tag) if element(tag) == "text" => {
                    self.lines(&svg_lines(tag, pieces), whole.as_deref(), out);
                }
                Piece::Tag(tag) => {
                    out.push_str(tag);
                    if tag == "</g>" {
                        return;
                    }
                }
            }
        }
    }

    /// Lines of a plot that stand below each other: as many of them as are one text are told as one.
    fn lines(&self, lines: &[(&str, &str)], whole: Option<&str>, out: &mut String) {
        let mut rest = lines;
        while !rest.is_empty() {
            let joined = |n: usize| rest[..n].iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ");
            let known = (1..=rest.len()).rev().find_map(|n| Some((n, self.told(&unescaped(&joined(n)))?)));
            let known = whole.map(|whole| (rest.len(), whole.to_owned())).or(known);
            let Some((n, japanese)) = known else {
                let (tag, text) = rest[0];
                out.push_str(&format!("{tag}{text}</text>"));
                rest = &rest[1..];
                continue;
            };
            put_lines(&rest[..n], &japanese, whole.is_some(), out);
            rest = &rest[n..];
        }
    }

    /// The text in Japanese: as a whole, or by a pattern whose places can be told.
    fn told(&self, text: &str) -> Option<String> {
        if !text.contains(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        if let Some(known) = self.told.borrow().get(text) {
            return known.clone();
        }
        let whole = WORDS.whole.get(text).map(String::as_str).or_else(|| Language::Japanese.known(text));
        let told = whole.map(str::to_owned).or_else(|| {
            let by = |pattern: &Pattern| self.by_pattern(pattern, text);
            WORDS.patterns.iter().find_map(by)
        });
        self.told.borrow_mut().insert(text.to_owned(), told.clone());
        told
    }

    fn by_pattern(&self, pattern: &Pattern, text: &str) -> Option<String> {
        let (first, rest) = pattern.around.split_first()?;
        let mut places = Vec::new();
        self.fill(rest, text.strip_prefix(first.as_str())?, &mut places).then(|| {
            let places = (0..).zip(&places);
            let told = places
                .fold(pattern.japanese.clone(), |told, (i, place)| told.replace(&format!("{{{i}}}"), place));
            closed_up(&told)
        })
    }

    /// Finds what stands in the places between these texts.
    fn fill(&self, around: &[String], text: &str, places: &mut Vec<String>) -> bool {
        let Some((next, rest)) = around.split_first() else { return text.is_empty() };
        let ends = match rest.is_empty() {
            true => text.ends_with(next.as_str()).then(|| text.len() - next.len()).into_iter().collect(),
            false => text.match_indices(next.as_str()).map(|(at, _)| at).collect::<Vec<_>>(),
        };
        ends.into_iter().any(|end| {
            let Some(place) = self.place(&text[..end]) else { return false };
            places.push(place);
            let filled = self.fill(rest, &text[end + next.len()..], places);
            if !filled {
                places.pop();
            }
            filled
        })
    }

    /// What may stand in a place: a text that has its Japanese, a number, or a name, which is a single word.
    fn place(&self, text: &str) -> Option<String> {
        let name = || !text.is_empty() && !text.contains(' ') && !text.ends_with([':', '.', ',', ';']);
        let number = || !text.is_empty() && !text.contains(|c: char| c.is_ascii_alphabetic());
        self.told(text).or_else(|| (name() || number()).then(|| text.to_owned()))
    }
}

/// A text without the blanks that patterns have beside their places, where no Latin letter needs them.
fn closed_up(text: &str) -> String {
    let wide = |c: Option<char>| c.is_some_and(|c| c >= '\u{3000}');
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != ' ' || !wide(out.chars().next_back()) || !wide(rest.clone().next()) {
            out.push(c);
        }
    }
    out
}

/// Where the width of a plot ends.
const SHEET: f64 = 640.0;
const EDGE: f64 = 14.0;

/// Writes a text in the place of these lines.
fn put_lines(lines: &[(&str, &str)], japanese: &str, cut: bool, out: &mut String) {
    let number = |name: &str| value(lines[0].0, name).and_then(|text| text.parse::<f64>().ok());
    let (x, size) = (number("x").unwrap_or(0.0), number("font-size").unwrap_or(16.0));
    let was = lines.iter().map(|(_, text)| width(&unescaped(text), size)).fold(0.0, f64::max);
    let sheet = match value(lines[0].0, "text-anchor") {
        Some("end") => x - 4.0,
        Some("middle") => 2.0 * x.min(SHEET - x) - 4.0,
        _ => SHEET - EDGE - x,
    };
    let written = match (cut, lines.len()) {
        (true, 1) => vec![shorten(japanese, size, was)],
        (true, most) => wrap(japanese, size, was, most),
        (false, 1) => vec![japanese.to_owned()],
        (false, most) => wrap(japanese, size, sheet, most),
    };
    for (i, (tag, _)) in lines.iter().enumerate() {
        let line = written.get(i).map_or("", String::as_str);
        // What would leave the sheet is pressed together.
        match width(line, size) > sheet {
            true => out.push_str(&tag.replacen(
                '>',
                &format!(" textLength=\"{sheet:.0}\" lengthAdjust=\"spacingAndGlyphs\">"),
                1,
            )),
            false => out.push_str(tag),
        }
        out.push_str(&escaped(line));
        out.push_str("</text>");
    }
}

/// The lines of text of a plot from this one on that follow each other at the same place from left to right.
fn svg_lines<'a>(tag: &'a str, pieces: &mut Peekable<Pieces<'a>>) -> Vec<(&'a str, &'a str)> {
    let alike = |other: &str| {
        ["x", "font-size", "text-anchor", "font-weight", "class"]
            .iter()
            .all(|of| value(other, of) == value(tag, of))
    };
    let mut lines = Vec::new();
    let mut next = Some(tag);
    while let Some(tag) = next {
        let text = pieces.next_if(|piece| matches!(piece, Piece::Text(_)));
        lines.push((
            tag,
            match text {
                Some(Piece::Text(text)) => text,
                _ => "",
            },
        ));
        pieces.next_if(|piece| matches!(piece, Piece::Tag("</text>")));
        let more =
            pieces.next_if(|piece| matches!(piece, Piece::Tag(tag) if element(tag) == "text" && alike(tag)));
        next = match more {
            Some(Piece::Tag(tag)) => Some(tag),
            _ => None,
        };
    }
    lines
}

/// An attribute's value.
fn value<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    Some(tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0)
}

/// The name of the element that a tag opens.
fn element(tag: &str) -> &str {
    let name = tag.strip_prefix('<').unwrap_or(tag);
    name.split([' ', '>', '/']).next().unwrap_or(name)
}

fn copy_to_end_of(name: &str, pieces: &mut Peekable<Pieces<'_>>, out: &mut String) {
    let end = format!("</{name}>");
    for piece in pieces.by_ref() {
        let (Piece::Tag(text) | Piece::Text(text)) = piece;
        out.push_str(text);
        if text == end {
            return;
        }
    }
}

/// A page in pieces.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Tag(&'a str),
    Text(&'a str),
}

struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let tag = self.0.starts_with('<');
        let end = match tag {
            true => self.0.find('>').map(|at| at + 1),
            false => self.0.find('<'),
        };
        let (piece, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest;
        Some(if tag { Piece::Tag(piece) } else { Piece::Text(piece) })
    }
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_lab::experiment::{Experiment, Findings, Run, Size, draw};
    use ranka_lab::papers::{Paper, papers};
    use ranka_lab::report::{Made, Report, Section};
    use ranka_lab::{Runner, Store};
    use std::sync::atomic::AtomicBool;

    /// Names that are the same in Japanese.
    const NAMES: &str = "\
        Ranka ranka PurpleMax Naotti EACP Suspicion Purple suspicion Blue Red rush df-pn NaottiMinMax Tachiki \
        StrongStrongMasashi GAT Minimax maxQ minQ selectQ selectQValue AI Big Brain Saboteur Darwin UCT UCB FPU \
        HP TUBSTAP CSV SVG JSON LaTeX Parquet Elo Holm Wilson Student Welch Spearman Mantel Davidson Bradley \
        Terry inf level delta selfplay min max arctan FILE crossing ridge sky readings deepest time";

    /// Words of a report that are left in English; what is a name, an agent or in the notation of files is none.
    fn english(page: &str) -> Vec<String> {
        let agents: Vec<&str> =
            ranka_games::catalogue().iter().flat_map(|game| game.agents()).map(|kind| kind.name).collect();
        let mut left = Vec::new();
        let mut raw: Option<&str> = None;
        for piece in Pieces(page) {
            let text = match piece {
                Piece::Tag(tag) => {
                    let name = element(tag);
                    raw = raw.filter(|raw| tag != format!("</{raw}>"));
                    raw = raw.or(RAW.into_iter().find(|raw| *raw == name));
                    value(tag, "title").unwrap_or_default()
                }
                Piece::Text(text) => text,
            };
            if raw.is_some() {
                continue;
            }
            let text = unescaped(text);
            let quoted = text.split('`').step_by(2).collect::<String>();
            let words = quoted.split(|c: char| !c.is_ascii_alphanumeric() && !"-:=@_/.[]…".contains(c));
            let foreign = |word: &&str| {
                let bare = word.trim_matches(['.', ':', '/']);
                let position = bare.chars().all(|c| "rbuRB".contains(c));
                let notation =
                    position || bare.contains(|c: char| c.is_ascii_digit() || "-:=@_/.[]…".contains(c));
                bare.len() > 1
                    && !notation
                    && !NAMES.split_whitespace().any(|name| name == bare)
                    && !agents.contains(&bare)
            };
            if words.into_iter().any(|word| foreign(&word)) {
                left.push(text);
            }
        }
        left.sort();
        left.dedup();
        left
    }

    /// The section of an experiment of which so many games of each pairing are played.
    fn section(experiment: &Experiment, games: u64) -> Section {
        let cancel = AtomicBool::new(games == 0);
        let size = if games == 0 { Size::Quick } else { Size::Games(games) };
        let run =
            Run { size, runner: Runner { threads: 1, cancel: &cancel }, fresh: false, any_version: false };
        let played = run.play(experiment, &mut Store::in_memory().unwrap(), &mut |_| {}).unwrap();
        let findings = Findings::of(experiment, size, &played).unwrap();
        let drawings = draw(experiment, &played, &findings).unwrap();
        Section { findings, drawings, source: experiment.source.clone() }
    }

    fn report(paper: Paper, sections: Vec<Section>) -> String {
        let made = Made {
            command: "ranka reproduce".to_owned(),
            version: "1.0".to_owned(),
            machine: "4 threads".to_owned(),
            when: "2026-01-01".to_owned(),
        };
        page(&Report { paper, sections, made }.html(), Language::Japanese)
    }

    /// An experiment with what those of the papers have little of.
    const TOURNAMENT: &str = r#"
        title = "Kalah"
        question = "Kalah"
        game = "kalah"
        rules = "houses=3,seeds=3"
        games = { quick = 4, full = 4 }
        figures = ["score", "win@1", "mean margin"]
        measures = ["margin", "chance"]

        [round-robin]
        agents = ["random", "minimax:depth=1", "max-q"]
        points = [3, 1, 0]
        final-of = 2
        final-games = 2

        [[plot]]
        kind = "cumulative"
        title = "Kalah"
        pairing = "random – minimax:depth=1"
        step = 1

        [[plot]]
        kind = "reliability"
        title = "Kalah"
        measure = "chance"
        pairings = ["random – minimax:depth=1"]
    "#;

    #[test]
    fn reports_are_in_japanese_before_a_game_is_played() {
        let mut left = Vec::new();
        for paper in papers().unwrap() {
            let sections = paper
                .experiments
                .iter()
                .map(|(name, _)| section(&paper.experiment(name).unwrap(), 0))
                .collect();
            left.extend(english(&report(paper, sections)));
        }
        assert!(left.is_empty(), "words/reports.ja.toml lacks {left:#?}");
    }

    #[test]
    fn reports_are_in_japanese_when_games_were_played() {
        let one_of_each = [
            "geister-2021/exploiters",
            "kalah/ladder",
            "labyrinth-2024/budget",
            "labyrinth-2024/figures-4-2-to-4-61",
            "tantrix-2020/figure-10-obstruction",
            "tubstap-2015/table-6-depth",
        ];
        let mut left = Vec::new();
        for name in one_of_each {
            let (paper, name) = crate::runs::find(name).unwrap();
            let section = section(&paper.experiment(&name).unwrap(), 2);
            left.extend(english(&report(paper, vec![section])));
        }
        let own = Experiment::parse("own/tournament", TOURNAMENT).unwrap();
        left.extend(english(&report(Paper::of_one("own", &own), vec![section(&own, 4)])));
        assert!(left.is_empty(), "words/reports.ja.toml lacks {left:#?}");
    }

    #[test]
    fn only_what_is_known_is_told() {
        let told = |html: &str| page(html, Language::Japanese);
        assert_eq!(told("<th>verdict</th><p> All 12 rows </p>"), "<th>判定</th><p> 全 12 行 </p>");
        for english in
            ["<p>Nobody knows this verdict.</p>", "<code>verdict</code>", "<pre>\nverdict <b>win</b></pre>"]
        {
            assert_eq!(told(english), english);
        }
        assert_eq!(
            told("<td title=\"verdict\">a &lt; b (win)</td>"),
            "<td title=\"判定\">a &lt; b (win)</td>"
        );
        assert_eq!(page("<th>verdict</th>", Language::English), "<th>verdict</th>");
    }

    #[test]
    fn names_are_put_together_from_their_parts() {
        let told = |english: &str| text(english, Language::Japanese);
        assert_eq!(
            told("slide, slide first: rounds"),
            "スライド方向考慮型、スライド方向考慮型が先攻：ターン数"
        );
        assert_eq!(told("uct:playouts=300 wins"), "uct:playouts=300 の勝ち");
        assert_eq!(told("two static – two Big Brains"), "静的タイル優先型二人 – Big Brain 二人");
        assert_eq!(told("no such thing, rounds"), "no such thing, rounds");
    }

    #[test]
    fn lines_of_a_plot_are_one_text() {
        let line = |y: u32, text: &str| format!("<text x=\"14\" y=\"{y}\" font-size=\"19\">{text}</text>");
        let two =
            line(20, "Obstructed ends of Darwin's longest line, games") + &line(45, "that the proposal won");
        let told = page(&two, Language::Japanese);
        assert_eq!(told, line(20, "Darwin の最長経路の妨害された端点、提案手法が勝った対局") + &line(45, ""));
        let cut = "<g class=\"cut\"><title>Score against darwin by reading</title>\
            <text x=\"100\" y=\"9\" font-size=\"16\" text-anchor=\"end\">Score aga…</text></g>";
        let told = page(cut, Language::Japanese);
        assert!(
            told.contains("<title>読み方による darwin に対するスコア</title>") && told.contains("…</text>"),
            "{told}"
        );
        assert!(!told.contains("Score"), "{told}");
    }

    #[test]
    fn every_entry_translates_something_that_reports_say() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut said = String::new();
        for folder in [
            "ranka-lab/src",
            "ranka-core/src",
            "ranka-tantrix/src/agents",
            "ranka-bots/src",
            "ranka-league/src",
        ]
        .map(|folder| format!("crates/{folder}"))
        .into_iter()
        .chain(["papers".to_owned()])
        {
            read_all(&root.join(folder), &mut said);
        }
        // A long text goes on after a line break that does not count.
        let said: String = said.split("\\\n").map(|line| line.trim_start_matches(' ')).collect();
        let entries: BTreeMap<String, String> = toml::from_str(FILE).unwrap();
        for (english, japanese) in entries {
            let pattern = Pattern::new(&english, japanese.clone());
            let parts = pattern.around.iter().flat_map(|part| part.split([',', ';', ':']));
            for part in parts.map(|part| part.trim_matches([' ', '.', '(', ')'])) {
                assert!(
                    said.contains(part) || !part.contains(char::is_alphabetic),
                    "nothing says {english:?}"
                );
            }
            for place in 0..9 {
                let place = format!("{{{place}}}");
                assert_eq!(english.contains(&place), japanese.contains(&place), "{english:?}: {place}");
            }
        }
    }

    fn read_all(folder: &std::path::Path, out: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => read_all(&entry, out),
                false => out.push_str(&std::fs::read_to_string(entry).unwrap()),
            }
        }
    }
}
