//! A game in progress as people look at it: pictures, sentences, and what can be touched.

use crate::any_table::{TablePlay, choices};
use crate::{Complete, Look, Message, Position, Rng, Seat, Seed, Step, Table, View};

/// A [`Table`] for pages and terminals. Everything is told as one seat, or an onlooker, may know it.
pub trait TableDisplay: TablePlay {
    /// What a seat can do, with what a person touches to do it and what comes of it.
    fn offers(&self, seat: Seat) -> Vec<Offer>;
    /// What a seat that is to act is asked for, by how many elements it has touched.
    fn asks(&self, seat: Seat) -> Vec<&'static str>;
    /// The picture after an action of the seat that is to act, as far as that seat can know it: nothing if the
    /// action would reveal something, or is not legal.
    fn preview(&self, look: &Look, action: &str) -> Option<String>;
    /// What a seat will hear of an action that is about to be taken, once it has been; nothing if the action is hidden
    /// from it.
    fn message(&self, seat: Seat, action: &str) -> Option<Message>;
    /// What is told of an action of chance to whoever sees it.
    fn chance_message(&self, action: &str) -> Message;
    /// What a seat will see happen when an action is taken that is about to be; nothing if the action is hidden from it.
    fn motion(&self, seat: Seat, action: &str) -> Vec<Step>;
    /// What a seat sees, in a few lines for the terminal.
    fn sketch(&self, seat: Seat) -> String;
    /// The same in the terminal's colours, where the game has colours to show.
    fn coloured_sketch(&self, seat: Seat) -> String;
    /// The forms of actions, each as an example with what it does.
    fn action_forms(&self) -> &'static [(&'static str, &'static str)];
    /// What the viewer of the look sees, drawn.
    fn picture(&self, look: &Look) -> String;
    /// The whole truth from the viewer's side, drawn: for after the end, and for who moves for all seats. What can be touched
    /// is what whoever is to act can touch.
    fn unveiled(&self, look: &Look) -> String;
    /// The colour in which a seat's things are drawn for a viewer.
    fn colour(&self, viewer: Seat, seat: Seat) -> &'static str;
    /// What sentences call a seat, by its side or colour on the board; empty where they do not.
    fn side(&self, seat: Seat) -> String;
    /// What somebody without a seat sees, drawn; nothing where the game shows them nothing.
    fn onlooker(&self, look: &Look) -> Option<String>;
    /// What somebody without a seat will hear of an action that is about to be taken.
    fn onlooker_message(&self, action: &str) -> Option<Message>;
    /// What somebody without a seat will see happen.
    fn onlooker_motion(&self, action: &str) -> Vec<Step>;
    /// Why the game ended as it did, by its rules and with everything revealed; empty while it goes on.
    fn verdict(&self, viewer: Seat) -> Message;
    /// The same for readers of whom none is "you".
    fn verdict_for_all(&self) -> Message;
    /// What happened, as far as all seats have seen it: who acted (nobody is chance) and, unless hidden, how.
    fn heard_by_all(&self) -> Vec<(Option<Seat>, Option<String>)>;
}

/// A legal action as it is offered to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The action.
    pub action: String,
    /// The elements of the picture that are touched to take it, in order.
    pub clicks: Vec<String>,
    /// What comes of it; empty where the notation says enough.
    pub message: Message,
    /// What is written at elements of the picture while it is considered.
    pub marks: Vec<(String, String)>,
}

impl<G: Complete> TableDisplay for Table<G> {
    fn offers(&self, seat: Seat) -> Vec<Offer> {
        let (game, view) = (self.game(), Table::view(self, seat));
        let offer = |action| {
            let foresight = game.foresee(view, action);
            Offer {
                action: game.write_action(action),
                clicks: game.clicks(view, action),
                message: foresight.message,
                marks: foresight.marks,
            }
        };
        offered(self, seat).into_iter().map(offer).collect()
    }

    fn asks(&self, seat: Seat) -> Vec<&'static str> {
        let (game, view) = (self.game(), Table::view(self, seat));
        let longest = offered(self, seat).into_iter().map(|action| game.clicks(view, action).len()).max();
        (0..longest.unwrap_or(0)).map(|touched| game.ask(view, touched)).collect()
    }

    fn preview(&self, look: &Look, action: &str) -> Option<String> {
        let (game, seat) = (self.game(), look.viewer);
        let action =
            game.read_action(action.trim()).ok().filter(|action| offered(self, seat).contains(action))?;
        // Any state that looks the same to the seat will do: what the action does not reveal, all of them share.
        let mut state = Table::view(self, seat).sample(&mut Rng::new(Seed::new(0)));
        if game.reveals(&state, action) {
            return None;
        }
        state.apply(action);
        Some(game.picture(&game.view(&state, seat), look, Some((seat, action))))
    }

    fn message(&self, seat: Seat, action: &str) -> Option<Message> {
        let game = self.game();
        let action = game.read_action(action.trim()).ok()?;
        let seen = game.seen(self.state(), action, seat)?;
        let before = Table::view(self, seat);
        Some(match after(self, action) {
            Some(after) => game.tell(before, seen, &game.view(&after, seat)),
            None => game.foresee(before, seen).message,
        })
    }

    fn chance_message(&self, action: &str) -> Message {
        let action = self.game().read_action(action.trim());
        action.map(|action| self.game().tell_chance(action)).unwrap_or_default()
    }

    fn motion(&self, seat: Seat, action: &str) -> Vec<Step> {
        let game = self.game();
        let seen =
            game.read_action(action.trim()).ok().and_then(|action| game.seen(self.state(), action, seat));
        seen.map_or_else(Vec::new, |seen| game.motion(Table::view(self, seat), seen))
    }

    fn sketch(&self, seat: Seat) -> String {
        self.game().sketch(Table::view(self, seat), seat)
    }

    fn coloured_sketch(&self, seat: Seat) -> String {
        self.game().coloured_sketch(Table::view(self, seat), seat)
    }

    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        self.game().action_forms()
    }

    fn picture(&self, look: &Look) -> String {
        self.game().picture(Table::view(self, look.viewer), look, self.last_seen(look.viewer))
    }

    fn unveiled(&self, look: &Look) -> String {
        let seat = self.state().actor().seat().unwrap_or(look.viewer);
        let view = self.game().unveiled(self.state(), seat);
        self.game().picture(&view, look, self.last_seen(look.viewer))
    }

    fn verdict(&self, viewer: Seat) -> Message {
        if !self.state().actor().is_over() {
            return Message::default();
        }
        self.game().verdict(&self.game().unveiled(self.state(), viewer), Some(viewer))
    }

    fn verdict_for_all(&self) -> Message {
        if !self.state().actor().is_over() {
            return Message::default();
        }
        self.game().verdict(&self.game().unveiled(self.state(), Seat::FIRST), None)
    }

    fn colour(&self, viewer: Seat, seat: Seat) -> &'static str {
        self.game().colour(Table::view(self, viewer), seat)
    }

    fn side(&self, seat: Seat) -> String {
        self.game().side(Table::view(self, seat), seat)
    }

    fn onlooker(&self, look: &Look) -> Option<String> {
        let view = Table::onlooker(self)?;
        let last = Table::heard_by_all(self).rev().find_map(|(by, action)| Some((by?, action)));
        let last = last.and_then(|(by, action)| Some((by, action?)));
        Some(self.game().picture(&view, look, last))
    }

    fn onlooker_message(&self, action: &str) -> Option<Message> {
        let (game, view) = (self.game(), Table::onlooker(self)?);
        let by_all = seen_by_all(self, action)?;
        Some(match after(self, by_all).and_then(|after| game.onlooker(&after)) {
            Some(after) => game.tell(&view, by_all, &after),
            None => game.foresee(&view, by_all).message,
        })
    }

    fn onlooker_motion(&self, action: &str) -> Vec<Step> {
        let shown = Table::onlooker(self).zip(seen_by_all(self, action));
        shown.map_or_else(Vec::new, |(view, by_all)| self.game().motion(&view, by_all))
    }

    fn heard_by_all(&self) -> Vec<(Option<Seat>, Option<String>)> {
        let heard = Table::heard_by_all(self);
        heard.map(|(by, action)| (by, action.map(|a| self.game().write_action(a)))).collect()
    }
}

/// The state after an action that is legal.
fn after<G: Complete>(table: &Table<G>, action: G::Action) -> Option<G::State> {
    let mut state = table.state().clone();
    state.is_legal(action).then(|| {
        state.apply(action);
        state
    })
}

/// An action that is about to be taken, if all seats will see it alike.
fn seen_by_all<G: Complete>(table: &Table<G>, action: &str) -> Option<G::Action> {
    let action = table.game().read_action(action.trim()).ok()?;
    let seen = |seat| table.game().seen(table.state(), action, seat);
    seen(Seat::FIRST).filter(|_| Seat::all(table.state().seats()).all(|seat| seen(seat) == seen(Seat::FIRST)))
}

/// The same with what is legal though no list has it, which a person may want.
fn offered<G: Complete>(table: &Table<G>, seat: Seat) -> Vec<G::Action> {
    let mut offered = choices(table, seat);
    if !offered.is_empty() {
        offered.extend(table.game().offers_besides(table.view(seat)));
    }
    offered
}
