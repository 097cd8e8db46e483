//! Games that differ only in what somebody may not know look the same to them, byte by byte, until it is revealed:
//! pages and states, previews, hints, complaints and what is taken back, for seats and for onlookers.

use crate::client::{Client, Server, actions, mine_or_over};
use crate::invitations::two_people;
use ranka_arena::ServerLimits;
use ranka_core::{Actor, Seed};
use serde_json::{Value, json};

const GEISTER: [&str; 2] = ["1rrrr1/1bbbb1/6/6/1BBBB1/1RRRR1 1 - 0", "1brbr1/1rbrb1/6/6/1BBBB1/1RRRR1 1 - 0"];

/// All that somebody was sent, with what tells tables apart taken out: names and secrets say nothing of the game.
#[derive(Default)]
struct Sent {
    texts: Vec<String>,
    names: Vec<String>,
}

impl Sent {
    fn at(seats: &[&str]) -> Sent {
        let names = seats.iter().flat_map(|seat| seat.split('/')).map(str::to_owned).collect();
        Sent { texts: Vec::new(), names }
    }

    fn take(&mut self, text: &str) {
        self.texts.push(self.names.iter().fold(text.to_owned(), |text, name| text.replace(name, "NAME")));
    }

    async fn page(&mut self, server: &Server, seat: &str) {
        let (status, page) = server.get(&format!("/t/{seat}")).await;
        assert_eq!(status, 200);
        self.take(&page);
    }

    /// The game as it is after so many actions, when nobody thinks.
    async fn state(&mut self, client: &mut Client, at: &Value) {
        let quiet =
            |game: &Value| game["players"].as_array().unwrap().iter().all(|player| player["thinks"] == false);
        client.until(|game| game["at"] == *at && quiet(game)).await;
        let text = client.heard.last().unwrap().clone();
        self.take(&text);
    }

    /// Asks for all that can be asked for without acting, and takes the answers.
    async fn answers(&mut self, client: &mut Client, game: &Value, wrong: &[String], hint: bool) {
        let from = client.heard.len();
        if hint {
            client.say(json!({ "do": "hint" })).await;
            while client.next().await.unwrap()["kind"] == "game" {}
        }
        let legal = actions(game);
        for action in legal.iter().step_by(legal.len().div_ceil(6)) {
            client.say(json!({ "do": "preview", "at": game["at"], "action": action })).await;
        }
        for action in wrong.iter().filter(|action| !legal.contains(action)) {
            client.say(json!({ "do": "act", "at": game["at"], "action": action })).await;
        }
        // The complaint about this is the last answer.
        client.say(json!({ "do": "nothing" })).await;
        while !client.complaint().await.contains("no message") {}
        let answers: Vec<String> = client.heard[from..]
            .iter()
            .filter(|text| !text.starts_with("{\"kind\":\"game\""))
            .cloned()
            .collect();
        answers.iter().for_each(|text| self.take(text));
    }

    fn says(&self, kind: &str) -> usize {
        self.texts.iter().filter(|text| text.contains(&format!("\"kind\":\"{kind}\""))).count()
    }
}

/// Requires that the same was sent, and tells where not.
fn same(who: &str, one: &Sent, other: &Sent) {
    assert_eq!(one.texts.len(), other.texts.len(), "{who} was sent another number of texts");
    for (a, b) in one.texts.iter().zip(&other.texts) {
        let upto = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let around = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[upto.saturating_sub(80)..text.len().min(upto + 80)])
                .into_owned()
        };
        assert!(a == b, "{who} can tell the games apart: {:?}, not {:?}", around(a), around(b));
    }
}

/// Plays against an agent. Gives what the person and an onlooker were sent, and what the person saw after the end.
async fn alone(server: &Server, form: &[(&str, &str)], turns: usize, wrong: &[&str]) -> (Sent, Sent, String) {
    let seat = server.lay(form).await;
    let id = seat.split('/').next().unwrap();
    let (mut client, mut onlooker) = (server.connect(&seat).await, server.connect(id).await);
    let (mut sent, mut shown) = (Sent::at(&[&seat]), Sent::at(&[&seat]));
    let mut wrong: Vec<String> = wrong.iter().map(|action| (*action).to_owned()).collect();
    let mut game = client.until(mine_or_over).await;
    for turn in 0..turns {
        assert!(game["result"].is_null(), "the game goes on in turn {turn}");
        let text = client.heard.last().unwrap().clone();
        sent.take(&text);
        shown.state(&mut onlooker, &game["at"]).await;
        sent.answers(&mut client, &game, &wrong, turn == 0 || turn + 1 == turns).await;
        let action = actions(&game)[(7 * turn) % actions(&game).len()].clone();
        let next = act(&mut client, &game, &action).await;
        // Once in a while it is thought better of, and done all the same.
        if turn % 2 == 0 {
            client.say(json!({ "do": "take-back" })).await;
            if next["can_take_back"] == true {
                client.until(|back| back["at"] == game["at"] && mine_or_over(back)).await;
                let text = client.heard.last().unwrap().clone();
                sent.take(&text);
                assert_eq!(act(&mut client, &game, &action).await["log"], next["log"]);
            } else {
                sent.take(&client.complaint().await);
            }
        }
        wrong.extend(actions(&game).into_iter().step_by(5).take(8));
        wrong.truncate(30);
        game = next;
    }
    sent.page(server, &seat).await;
    shown.page(server, id).await;
    // The replay would show everything: not as long as the game goes on.
    for path in ["/replay/table/", "/record/table/", "/review/table/"] {
        assert_eq!(server.get(&format!("{path}{id}")).await.0, 404, "{path}");
    }
    client.say(json!({ "do": "resign" })).await;
    client.until(|game| !game["result"].is_null()).await;
    let end = client.heard.last().unwrap().clone();
    (sent, shown, end)
}

/// Acts, and gives the next state in which the person is to act.
async fn act(client: &mut Client, game: &Value, action: &str) -> Value {
    client.act(game, action).await;
    let at = game["at"].as_u64();
    client.until(|game| mine_or_over(game) && game["at"].as_u64() > at).await
}

async fn look_the_same_to_a_seat(game: &str, positions: [&str; 2], turns: usize, wrong: &[&str]) {
    let server = Server::start(ServerLimits { messages: 10_000, ..ServerLimits::default() }).await;
    let mut all = Vec::new();
    for position in positions {
        let form = [("game", game), ("position", position), ("seed", "5"), ("who1", "random"), ("pace", "0")];
        all.push(alone(&server, &form, turns, wrong).await);
    }
    let ((sent, shown, end), (other_sent, other_shown, other_end)) = (&all[0], &all[1]);
    same("the seat", sent, other_sent);
    same("an onlooker", shown, other_shown);
    assert!(sent.says("preview") >= turns && sent.says("error") >= turns && sent.says("hint") == 2);
    assert!(shown.texts.iter().all(|text| text.contains("<svg") && !text.contains("\"offers\":[{")));
    assert_ne!(end, other_end, "after the end it is revealed");
}

/// Plays with two people, and gives what an onlooker was sent.
async fn watched(server: &Server, form: &[(&str, &str)], turns: usize) -> (Sent, String) {
    let [(one, first), (two, second)] = two_people(server, form).await;
    let mut people = [first, second];
    // The last state that each was sent. Who acts twice running may be sent what follows only once.
    let mut latest = [Value::Null, Value::Null];
    let id = one.split('/').next().unwrap().to_owned();
    let mut onlooker = server.connect(&id).await;
    let mut shown = Sent::at(&[&one, &two]);
    shown.page(server, &id).await;
    let mut at = json!(0);
    for turn in 0..turns {
        shown.state(&mut onlooker, &at).await;
        let told: Value = serde_json::from_str(onlooker.heard.last().unwrap()).unwrap();
        let turn_of = told["turn"].as_u64().unwrap() as usize;
        let mover = &mut people[turn_of];
        let ready = |game: &Value| game["at"] == at && mine_or_over(game);
        let game = if ready(&latest[turn_of]) { latest[turn_of].clone() } else { mover.until(ready).await };
        let action = actions(&game)[(7 * turn) % actions(&game).len()].clone();
        mover.act(&game, &action).await;
        at = json!(game["at"].as_u64().unwrap() + 1);
        latest[turn_of] = mover.until(|game| game["at"] == at).await;
    }
    shown.state(&mut onlooker, &at).await;
    shown.page(server, &id).await;
    onlooker.say(json!({ "do": "preview", "at": at, "action": "x" })).await;
    shown.take(&onlooker.complaint().await);
    people[0].say(json!({ "do": "resign" })).await;
    onlooker.until(|game| !game["result"].is_null()).await;
    let end = onlooker.heard.last().unwrap().clone();
    (shown, end)
}

async fn look_the_same_to_guests(game: &str, positions: &[&str], turns: usize) {
    let server = Server::start(ServerLimits::default()).await;
    let mut all = Vec::new();
    for position in positions {
        let form = [("game", game), ("position", position), ("seed", "5"), ("who1", "person"), ("pace", "0")];
        all.push(watched(&server, &form, turns).await);
    }
    let (shown, end) = &all[0];
    for (other, other_end) in &all[1..] {
        same("an onlooker", shown, other);
        assert_ne!(end, other_end, "after the end it is revealed");
    }
    assert!(shown.texts.iter().filter(|text| text.contains("<svg")).count() > turns, "the board is shown");
}

#[tokio::test(flavor = "multi_thread")]
async fn geister_keeps_its_colours() {
    let wrong = ["b2b3", "a1out", "set:ABCD", "b5b3", "a6a5", "zz"];
    look_the_same_to_a_seat("geister", GEISTER, 4, &wrong).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn geister_keeps_its_colours_from_guests() {
    let mine_too = "1rrrr1/1bbbb1/6/6/1RRRR1/1BBBB1 1 - 0";
    look_the_same_to_guests("geister", &[GEISTER[0], GEISTER[1], mine_too], 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn set_ups_of_geister_are_secret() {
    // Before the set-ups there is nothing to tell apart; afterwards an onlooker sees only that they were made.
    let server = Server::start(ServerLimits::default()).await;
    let [(one, mut first), (_, mut second)] =
        two_people(&server, &[("game", "geister"), ("who1", "person")]).await;
    let mut onlooker = server.connect(one.split('/').next().unwrap()).await;
    for (client, set_up) in [(&mut first, "set:ABCD"), (&mut second, "set:EFGH")] {
        let game = client.until(mine_or_over).await;
        client.act(&game, set_up).await;
    }
    let told = onlooker.until(|game| game["at"] == 2).await;
    assert!(told["picture"].as_str().unwrap().contains("data-piece"), "the ghosts are there");
    assert!(onlooker.heard.iter().all(|text| !text.contains("set:ABCD") && !text.contains("set:EFGH")));
    assert!(onlooker.heard.iter().all(|text| !text.contains("ABCD") && !text.contains("are red")));
}

#[tokio::test(flavor = "multi_thread")]
async fn labyrinth_keeps_its_cards() {
    let game = ranka_games::game("labyrinth").unwrap().open("").unwrap();
    let start = game.start(Seed::new(11));
    let other = swapped(&start, 1);
    look_the_same_to_a_seat("labyrinth", [&start, &other], 6, &["zz"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn labyrinth_keeps_its_cards_from_guests() {
    let game = ranka_games::game("labyrinth").unwrap().open("").unwrap();
    let start = game.start(Seed::new(11));
    look_the_same_to_guests("labyrinth", &[&start, &swapped(&start, 0), &swapped(&start, 1)], 6).await;
}

/// The same deal with two cards of a player exchanged.
fn swapped(position: &str, player: usize) -> String {
    let (before, rest) = position.split_once("cards=").unwrap();
    let (cards, after) = rest.split_once(' ').unwrap();
    let mut hands: Vec<Vec<&str>> = cards.split(';').map(|hand| hand.split('+').collect()).collect();
    let last = hands[player].len() - 1;
    hands[player].swap(last, last - 1);
    let hands: Vec<String> = hands.iter().map(|hand| hand.join("+")).collect();
    let other = format!("{before}cards={} {after}", hands.join(";"));
    assert_ne!(position, other);
    other
}

/// What chance draws first by a seed, while both always take their first choice.
fn drawn(start: &str, seed: u64, draws: usize) -> Vec<String> {
    let game = ranka_games::game("tantrix").unwrap().open("").unwrap();
    let mut table = game.table(Some(start), &[None, None], Seed::new(seed)).unwrap();
    let mut drawn = Vec::new();
    while drawn.len() < draws {
        match table.actor() {
            Actor::Chance => {
                table.draw();
                drawn.push(table.actions().pop().unwrap());
            }
            Actor::Seat(seat) => {
                let action = table.choices(seat)[0].clone();
                table.act(&action).unwrap();
            }
            Actor::Over => panic!("the game is over before {draws} draws"),
        }
    }
    drawn
}

/// The order of what is in the bag follows from the seed and is known to nobody before it is drawn.
#[tokio::test(flavor = "multi_thread")]
async fn tantrix_keeps_the_order_of_its_bag() {
    let game = ranka_games::game("tantrix").unwrap().open("").unwrap();
    let start = game.start(Seed::new(3));
    let order = drawn(&start, 1, 2);
    let other = (2..2000).find(|&seed| {
        let other = drawn(&start, seed, 2);
        other[0] == order[0] && other[1] != order[1]
    });
    let seeds = ["1".to_owned(), other.expect("two bags that begin alike").to_string()];
    let server = Server::start(ServerLimits { messages: 10_000, ..ServerLimits::default() }).await;
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    for seed in &seeds {
        let form = [
            ("game", "tantrix"),
            ("position", start.as_str()),
            ("seed", seed),
            ("who1", "person"),
            ("hints", "on"),
            ("pace", "0"),
        ];
        let [(one, first), (two, second)] = two_people(&server, &form).await;
        let id = one.split('/').next().unwrap().to_owned();
        let mut people = [first, second];
        let mut onlooker = server.connect(&id).await;
        let mut sent = Sent::at(&[&one, &two]);
        let mut table = game.table(Some(&start), &[None, None], Seed::new(seed.parse().unwrap())).unwrap();
        let mut draws = 0;
        while draws < 2 {
            if table.actor() == Actor::Chance {
                table.draw();
                draws += 1;
                continue;
            }
            let at = json!(table.actions().len());
            let mover = table.actor().seat().expect("the game is not over");
            sent.state(&mut onlooker, &at).await;
            sent.state(&mut people[mover.other().index()], &at).await;
            for seat in [one.as_str(), &two, &id] {
                sent.page(&server, seat).await;
            }
            let client = &mut people[mover.index()];
            let state = client.until(|game| game["at"] == at && mine_or_over(game)).await;
            let text = client.heard.last().unwrap().clone();
            sent.take(&text);
            sent.answers(client, &state, &["zz".to_owned(), "draw:1".to_owned()], draws == 0).await;
            let action = table.choices(mover)[0].clone();
            client.act(&state, &action).await;
            table.act(&action).unwrap();
        }
        let at = json!(table.actions().len());
        onlooker.until(|game| game["at"] == at).await;
        ends.push(onlooker.heard.last().unwrap().clone());
        all.push(sent);
    }
    same("somebody", &all[0], &all[1]);
    assert!(all[0].says("preview") > 1 && all[0].says("hint") > 0 && all[0].says("error") > 1);
    let [one, other] = [&ends[0], &ends[1]].map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert_ne!(one["log"], other["log"], "what is drawn is seen");
}
