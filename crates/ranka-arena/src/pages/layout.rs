//! What all pages have around them.

use crate::visit::{Theme, Visit};
use crate::words::Language;
use maud::{DOCTYPE, Markup, html};

/// A page with its title and the scripts that make it live.
pub(crate) fn page(visit: Visit, title: &str, scripts: &[&str], body: &Markup) -> Markup {
    let say = |text| visit.language.say(text);
    html! {
        (DOCTYPE)
        html lang=(visit.language.code()) data-theme=(visit.theme.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Ranka" }
                link rel="icon" href="/static/seal.svg" type="image/svg+xml";
                link rel="stylesheet" href="/static/ranka.css";
                @for script in scripts {
                    script type="module" src={ "/static/" (script) } {}
                }
            }
            body {
                a.skip href="#main" { (say("To the content")) }
                header.top {
                    a.name href="/" { "爛柯 Ranka" }
                    nav aria-label=(say("Main")) {
                        a href="/" { (say("Play")) }
                        a href="/puzzles" { (say("Puzzles")) }
                        a href="/watch" { (say("Watch")) }
                        a href="/experiments" { (say("Experiments")) }
                        a href="/agents" { (say("Agents")) }
                        a href="/position" { (say("Analysis")) }
                        @if visit.league { a href="/league" { (say("League")) } }
                    }
                    (choices(visit))
                }
                main id="main" { (body) }
            }
        }
    }
}

/// Language and theme. They lead back to the page they stand on, which the browser names.
fn choices(visit: Visit) -> Markup {
    let other = match visit.language {
        Language::English => ("ja", "日本語"),
        Language::Japanese => ("en", "English"),
    };
    let next = match visit.theme {
        Theme::Auto | Theme::Light => Theme::Dark,
        Theme::Dark => Theme::Light,
    };
    let theme = visit.language.say(if next == Theme::Dark { "Night" } else { "Day" });
    html! {
        form.choices method="get" action="/settings" {
            input type="hidden" name="back" value="/" data-here="";
            button name="language" value=(other.0) lang=(other.0) { (other.1) }
            button name="theme" value=(next.name()) data-day=(visit.language.say("Day")) { (theme) }
        }
        script type="module" src="/static/page.js" {}
    }
}

/// A picture in a page.
pub(crate) fn thumbnail(svg: &str) -> Markup {
    maud::PreEscaped(without_ids(svg))
}

/// A picture beside another one: its ids would clash with those of the other, so they go, and nothing in it is pressed.
pub(crate) fn without_ids(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(" id=\"") {
        out.push_str(before);
        rest = after.split_once('"').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    unpressable(&out)
}

/// A picture in which nothing is pressed.
pub(crate) fn unpressable(svg: &str) -> String {
    [" role=\"button\"", " tabindex=\"0\"", " class=\"choice\""]
        .iter()
        .fold(svg.to_owned(), |svg, gone| svg.replace(gone, ""))
}

/// The tabs above panels `tab-NAME`; the first is open.
pub(crate) fn tabs(language: Language, all: &[(&str, &'static str)]) -> Markup {
    html! {
        div.tabs role="tablist" {
            @for (number, (name, label)) in all.iter().enumerate() {
                button role="tab" id={ "of-" (name) } aria-controls={ "tab-" (name) }
                    aria-selected=(number == 0) tabindex=(if number == 0 { "0" } else { "-1" }) { (language.say(label)) }
            }
        }
    }
}

/// The line under a board that says what is asked for, and the way back from what was touched. It has its place before
/// anything was, so that nothing moves.
pub(super) fn asking(language: Language) -> Markup {
    html! {
        div.asking {
            p.ask id="ask" role="status" aria-live="polite" {}
            button.quiet-button id="let-go" hidden { (language.say("Back")) }
        }
    }
}
