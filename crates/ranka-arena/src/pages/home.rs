//! The first page: five boards, and what the papers' experiments said last.

use super::layout::{page, thumbnail};
use super::{Answer, Failure};
use crate::hall::Hall;
use crate::levels::dotted;
use crate::visit::Visit;
use crate::words::Language;
use axum::extract::State;
use maud::{Markup, html};
use ranka_core::{Actor, AnyAgent, AnyGame, Error, GameEntry, GameInfo, Look, Seat, Seed, Settings};
use ranka_games::Strength;
use ranka_lab::{Store, papers};
use std::sync::{Arc, LazyLock};

/// A position from the middle of each game.
static MIDDLES: LazyLock<Vec<Option<Middle>>> =
    LazyLock::new(|| ranka_games::catalogue().iter().map(|entry| middle(entry.as_ref()).ok()).collect());

type Middle = (Arc<dyn AnyGame>, String);

/// How many plies deep the middle is.
const MIDDLE: u32 = 14;

/// The position after some plies of random play.
fn middle(entry: &dyn GameEntry) -> Result<Middle, Error> {
    let game = entry.open("")?;
    let random = game.agent("random")?;
    let players: Vec<Option<&AnyAgent>> = vec![Some(&random); game.seats()];
    let mut table = game.table(None, &players, Seed::new(3))?;
    while table.plies() < MIDDLE {
        match table.actor() {
            Actor::Over => break,
            Actor::Chance => table.draw(),
            Actor::Seat(_) => drop(table.think(&Settings::default())),
        }
    }
    let position = table.position();
    drop(table);
    Ok((game, position))
}

/// A position drawn small.
fn thumbnail_of(middle: Option<&Middle>, language: Language) -> String {
    let look = Look { compact: true, ..language.look(Seat::FIRST) };
    middle.and_then(|(game, position)| game.picture(position, &look).ok()).unwrap_or_default()
}

pub(crate) async fn show(visit: Visit, State(hall): State<Arc<Hall>>) -> Answer<Markup> {
    let say = |text| visit.language.say(text);
    let papers = papers_part(&hall, visit.language).map_err(|error| Failure::of(visit, &error))?;
    let body = html! {
        div.hero {
            h1 { (say("Five games that are hard in five ways")) }
            p.lead { (say("Play them against an opponent of the right strength, watch what it thinks, and see what is known of them.")) }
        }
        section.yours id="yours" hidden {
            h2 { (say("Your games")) }
            ul.list {}
        }
        details.yours id="finished" hidden {
            summary { (say("Your finished games")) }
            ul.list {}
            div.buttons {
                a.button id="finished-save" download="games.json" { (say("Save the list")) }
                button id="finished-clear" { (say("Clear the list")) }
            }
        }
        ul.games {
            @for (entry, middle) in ranka_games::catalogue().iter().zip(MIDDLES.iter()) {
                (card(entry.as_ref(), &thumbnail_of(middle.as_ref(), visit.language), visit.language))
            }
            @if let Some(puzzle) = super::puzzles::today(visit.language) { (puzzle) }
        }
        (papers)
    };
    Ok(page(visit, say("Play"), &["yours.js", "puzzles.js"], &body))
}

/// The game's name in the visitor's language.
pub(crate) fn title(entry: &dyn GameEntry, language: Language) -> &'static str {
    name_in(entry.info(), language)
}

/// The same by what the catalogue says of it.
pub(crate) const fn name_in(info: GameInfo, language: Language) -> &'static str {
    match language {
        Language::English => info.title,
        Language::Japanese => info.japanese,
    }
}

fn card(entry: &dyn GameEntry, board: &str, language: Language) -> Markup {
    let info = entry.info();
    let say = |text| language.say(text);
    let (few, many) = info.seats;
    let players = if few == many { few.to_string() } else { format!("{few}–{many}") };
    html! {
        li.game-card {
            a.board href={ "/new/" (info.name) } aria-hidden="true" tabindex="-1" { (thumbnail(board)) }
            div.about {
                h2 { (title(entry, language)) }
                p { (say(info.summary)) }
                p.small { (language.fill("{0} players, about {1} minutes", [&players, &info.minutes.to_string()])) }
            }
            div.buttons {
                form.play method="post" action="/new" {
                    input type="hidden" name="game" value=(info.name);
                    input type="hidden" name="known" data-known=(info.name);
                    select name="level" aria-label=(say("Opponent")) data-game=(info.name) {
                        @for level in ranka_games::levels(info.name) {
                            option value=(level.strength.name()) selected[level.strength == Strength::Medium] { (dotted(level.strength, language)) }
                        }
                    }
                    button.primary id={ "play-" (info.name) } { (say("Play")) }
                }
                a.button href={ "/learn/" (info.name) } { (say("Learn it")) }
                a.button href={ "/new/" (info.name) } { (say("More opponents and rules")) }
            }
        }
    }
}

fn papers_part(hall: &Hall, language: Language) -> Result<Markup, Error> {
    let say = |text| language.say(text);
    let reports = hall.read(Store::reports)?;
    let papers = papers::papers()?;
    Ok(html! {
        section {
            h2 { (say("Reproduce a paper")) }
            p { (say("Every table of five papers can be had again, with honest error bars.")) }
            ul.papers {
                @for paper in &papers {
                    @let of = |index: usize| reports.iter()
                        .filter(|report| report.experiment.split('/').next() == Some(paper.name.as_str()))
                        .map(|report| report.verdicts.get(index).copied().unwrap_or(0)).sum::<usize>();
                    @let (agree, differ, few) = (of(0), of(1), of(2));
                    li {
                        a href={ "/experiments#" (paper.name) } { (language.say(&paper.title)) }
                        p.small { (language.say(&paper.source)) }
                        p.small {
                            @if agree + differ + few == 0 { (say("Not run yet")) }
                            @else {
                                span.agrees { (language.fill("{0} agree", [&agree.to_string()])) } " · "
                                span.differs { (language.fill("{0} differ", [&differ.to_string()])) } " · "
                                span.too-few { (language.fill("{0} with too few games", [&few.to_string()])) }
                            }
                        }
                    }
                }
            }
        }
    })
}
