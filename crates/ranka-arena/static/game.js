// The page of a table.
import { Board, make } from "./board.js";
import { Line } from "./line.js";
import { illustrate } from "./learn.js";
import { connect } from "./live.js";
import { Motion } from "./motion.js";
import { copy } from "./copy.js";
import { isOn, tick, turn } from "./sound.js";
import { tabs } from "./tabs.js";
import { ahead, describe, draw } from "./thought.js";
import { finish, forget, know, remember } from "./yours.js";

const $ = (id) => document.getElementById(id);
const table = document.querySelector(".table");
const words = $("thought").dataset;
let game = null;
let hint = null;
const still = matchMedia("(prefers-reduced-motion: reduce)");
// How long one looks at an action before the other's next one begins.
const BREATH = 200;
// Who is as many actions behind is shown only how it stands now.
const BEHIND = 12;

const board = new Board($("board"), {
  told: (words) => ($("ask").textContent = words || waiting()),
  // What could not be sent was not done: it can be touched again.
  took: (action) => live.send({ do: "act", at: game.at, action }) || board.show(game),
  considered: preview,
  back: $("let-go"),
});

const line = new Line(board, {
  told: (words) => ($("ask").textContent = words),
  left: () => {
    board.show(game);
    if (!game.mine) $("ask").textContent = waiting();
  },
});

const live = connect(table.dataset.live, {
  state(open) {
    $("connection").hidden = open;
    // What was asked before is not answered any more.
    seek(false);
  },
  heard(message) {
    if (message.kind === "game") arrive(message);
    if (message.kind === "hint") advise(message.thought);
    if (message.kind === "preview") previewed(message);
    if (message.kind === "error") complain(message.message);
    if (["hint", "error"].includes(message.kind)) seek(false);
  },
});

// What happened is shown in the order in which it happened; who does something meanwhile has seen enough.
const motion = new Motion(board);
const waitingToBeShown = [];
let showing = false;

// What was told last, shown or not: of the log only what is new is told.
let heard = null;

function arrive(next) {
  next.log = (heard?.log ?? []).slice(0, next.from).concat(next.log);
  heard = next;
  waitingToBeShown.push(next);
  if (waitingToBeShown.length > BEHIND) motion.skip();
  if (!showing) showAll();
}

async function showAll() {
  showing = true;
  while (waitingToBeShown.length > 0) {
    const next = waitingToBeShown.shift();
    const fresh = game ? next.motion.filter((moved) => moved.at > game.at) : [];
    const moves = fresh.length > 0 && next.at > game.at;
    if (moves && !still.matches && !document.hidden && waitingToBeShown.length < BEHIND) {
      line.close(true);
      board.rest();
      for (const moved of fresh) {
        const by = next.log[moved.at - 1]?.by;
        // What one does oneself, one knows: only others' actions are set apart.
        if (acted !== null && !(by === acted && next.players[by]?.you)) await motion.wait(BREATH);
        acted = by;
        tell(next, moved.at);
        // A turn of many actions is made faster than it is shown: who is behind sees it faster.
        await motion.play(moved.steps, 1 + waitingToBeShown.length / 2);
      }
      board.settled = true;
    }
    if (game && next.at > game.at) tell(next, next.log.findLastIndex((entry) => entry.by !== null) + 1);
    show(next);
  }
  showing = false;
}

// Who acted last, as far as it was shown.
let acted = null;
document.addEventListener("pointerdown", () => motion.skip(), { capture: true });
document.addEventListener("keydown", () => motion.skip(), { capture: true });

// The last thing that happened, in words.
function tell(next, at) {
  const entry = next.log[at - 1];
  if (!entry || entry.by === null) return;
  const words = `${called(entry.by, next.players)} · ${entry.says}`;
  if ($("news").textContent !== words) $("news").textContent = words;
}

// What somebody is called, told apart from others of the same name.
function called(seat, players = game.players) {
  const { name, side } = players[seat];
  const alone = players.every((other) => other.seat === seat || other.name !== name);
  return alone || !side ? name : `${name} (${side})`;
}

// A turn is noticed from another tab.
const title = document.title;
function notice() {
  const mine = game.mine && !game.result;
  if (mine && document.hidden && !document.title.startsWith("●")) tick("turn");
  document.title = mine ? `● ${title}` : title;
}

// Whoever has a seat finds the way back to it from the first page, as long as the game goes on.
function lead() {
  if (!game.players.some((player) => player.you)) return;
  const others = game.players.filter((player) => !player.you).map((player) => player.name);
  const against = others.join(", ");
  if (game.result) {
    forget(location.pathname);
    const replay = $("replay").getAttribute("href");
    finish({ replay, game: table.dataset.name, others: against, result: game.result.text, reason: game.result.reason, when: Date.now() });
  }
  else remember({ path: location.pathname, game: table.dataset.name, others: against });
}

function show(next) {
  const moved = !game || game.at !== next.at;
  const taken = game && next.at < game.at;
  // What has not changed is not shown again: a path that was begun goes on.
  const waits = next.mine && board.offers.length === 0;
  const same = !moved && !waits && game.mine === next.mine && game.picture === next.picture;
  game = next;
  $("error").hidden = !game.trouble;
  if (game.trouble) $("error").textContent = game.trouble;
  if (!same) line.close(true);
  if (moved || game.result) {
    hint = null;
    board.overlay("hints", null);
  }
  if (!same) board.show(game);
  notice();
  if (game.log.length === 0) $("news").textContent = "";
  else if (!$("news").textContent || taken) tell(game, game.log.findLastIndex((entry) => entry.by !== null) + 1);
  lead();
  if (!game.mine) $("ask").textContent = waiting();
  players();
  invitations();
  moves();
  analysis();
  $("judge").hidden = !game.judge;
  if (game.judge) $("judged").textContent = game.judge.question;
  $("ask").hidden = Boolean(game.judge);
  const ends = game.result && $("banner").hidden;
  $("banner").hidden = !game.result;
  $("preview").hidden = Boolean(game.result) || !game.players.some((player) => player.you);
  if (game.result) {
    $("banner").dataset.won = game.result.won ?? "";
    $("result").textContent = game.result.text;
    $("reason").textContent = game.result.reason;
    $("fault").hidden = !game.result.detail;
    $("fault-detail").textContent = game.result.detail ?? "";
  }
  if (ends) {
    $("banner").scrollIntoView({ block: "nearest" });
    if (board.byKeyboard) $("replay").focus();
  }
  // Once somebody asked for another game, that is the one to go to.
  $("rematch").hidden = !game.rematch;
  if (game.rematch) {
    $("rematch").textContent = game.rematch.says;
    $("rematch").href = game.rematch.link;
  }
  for (const form of document.querySelectorAll(".again")) form.hidden = Boolean(game.rematch);
  $("take-back").disabled = !game.can_take_back;
  if (!game.can_resign) $("resign").textContent = resign;
  $("resign").disabled = !game.can_resign;
  if (moved) seek(false);
  $("hint").disabled = !game.mine || $("hint").classList.contains("thinks");
  $("hint").hidden = !game.hints;
  // Last, for what stands above the list has its height by now.
  $("tab-moves").scrollTop = $("tab-moves").scrollHeight;
}

// What the board would look like: asked for when the pointer rests, shown beside the board.
let wanted = null;
let resting = null;
function preview(offer) {
  clearTimeout(resting);
  wanted = offer?.action ?? null;
  $("preview").classList.remove("drawn");
  if (wanted) resting = setTimeout(() => live.send({ do: "preview", at: game.at, action: wanted }), 120);
}

function previewed({ action, picture }) {
  if (action !== wanted) return;
  $("preview").querySelector("div").innerHTML = picture;
  $("preview").classList.add("drawn");
}

function waiting() {
  // How it ended is said once, beside the board.
  return game?.result ? "" : (game?.waits ?? "");
}

function players() {
  const lines = game.players.map((player) => {
    const line = document.createElement("li");
    const mark = document.createElement("span");
    mark.className = "seat-mark";
    mark.dataset.seat = player.seat;
    mark.style.background = player.colour;
    line.append(mark, player.name);
    if (player.side) {
      const side = document.createElement("span");
      side.className = "side";
      side.textContent = player.side;
      line.append(side);
    }
    if (player.about) line.title = player.about;
    line.classList.toggle("turn", game.turn === player.seat);
    line.classList.toggle("thinks", player.thinks);
    if (player.left !== null) {
      const clock = document.createElement("time");
      clock.className = "clock";
      clock.dataset.ends = player.runs ? performance.now() + player.left : "";
      clock.textContent = time(player.left);
      line.append(clock);
    }
    return line;
  });
  $("players").replaceChildren(...lines);
}

// Minutes and seconds; what is begun counts.
function time(left) {
  const seconds = Math.ceil(Math.max(0, left) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
setInterval(() => {
  for (const clock of document.querySelectorAll(".clock[data-ends]:not([data-ends=''])")) {
    const left = Number(clock.dataset.ends) - performance.now();
    clock.textContent = time(left);
    clock.classList.toggle("short", left < 20_000);
  }
}, 250);

// Links for the other people, as long as nobody has taken them.
let invited = "";
function invitations() {
  const told = JSON.stringify(game.invitations);
  if (told === invited) return;
  invited = told;
  const labels = $("invitations").dataset;
  // On loopback nobody else is reached.
  const here = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  $("only-this-computer").hidden = !here;
  const lines = game.invitations.map(({ says, link }) => {
    const line = document.createElement("label");
    line.textContent = says;
    if (link) {
      const field = document.createElement("input");
      field.readOnly = true;
      field.value = location.origin + link;
      field.addEventListener("focus", () => field.select());
      const button = document.createElement("button");
      button.textContent = labels.copy;
      button.addEventListener("click", async (event) => {
        event.preventDefault();
        await copy(field.value, button, { done: labels.copied, failed: labels.failed });
        field.select();
      });
      const row = document.createElement("span");
      row.className = "copied";
      row.append(field, button);
      const code = document.createElement("img");
      code.src = `/code${link}`;
      code.alt = labels.code;
      line.append(row);
      if (!here) line.append(code);
    }
    return line;
  });
  $("invitations").querySelector("div").replaceChildren(...lines);
  // Once all have come there is nothing left to send.
  $("invitations").hidden = game.invitations.every(({ link }) => !link);
}

function moves() {
  const lines = game.log.map((entry) => {
    const line = document.createElement("li");
    const mark = document.createElement("span");
    mark.className = "seat-mark";
    if (entry.by !== null) {
      mark.dataset.seat = entry.by;
      mark.style.background = game.players[entry.by].colour;
    }
    const words = document.createElement("span");
    words.className = "says";
    words.textContent = entry.says;
    const action = document.createElement("code");
    action.textContent = entry.says === entry.action ? "" : entry.action;
    // The notation never stands alone on a line.
    line.append(mark, words, "\u00a0", action);
    return line;
  });
  $("moves").replaceChildren(...lines);
}

function analysis() {
  const thought = hint ?? game.thought;
  if (thought && thought.candidates.length > 0) {
    const from = { table: { id: table.dataset.id, at: thought.at, seat: Number(table.dataset.seat) } };
    describe(thought, $("thought"), words, game.lines && ((pv, opener) => line.open(from, pv, opener)));
    const whose = $("whose").dataset;
    $("whose").textContent = hint ? whose.hint : whose.agent.replace("{0}", called(thought.seat));
    $("whose").hidden = false;
    $("ahead").dataset.name = game.players[0].name;
    ahead(thought, $("ahead"));
  }
  const drawn = $("show-thought").checked && game.thought && !hint;
  board.overlay("thoughts", drawn ? (layer) => draw(board, layer, game.thought, words) : null);
  believes();
}

// How strong an adapting agent takes the other side to be: a curve with its doubt around it, and a sentence.
function believes() {
  const figure = $("believes");
  figure.hidden = !game.believes;
  if (figure.hidden) return;
  const { says, points, scale, marks, known } = game.believes;
  if (known) know(table.dataset.game, known);
  const [low, high] = scale;
  const left = marks.length > 0 ? 84 : 8;
  const svg = make("svg", { viewBox: "0 0 280 120", role: "img", "aria-label": says });
  const y = (value) => 112 - (104 * (Math.min(Math.max(value, low), high) - low)) / (high - low);
  const x = (i) => (points.length === 1 ? (left + 272) / 2 : left + ((272 - left) * i) / (points.length - 1));
  for (const [value, name] of marks) {
    svg.append(make("line", { x1: left, x2: 272, y1: y(value), y2: y(value), class: "mark" }));
    const label = make("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" });
    label.textContent = name;
    svg.append(label);
  }
  const edge = (sign) => points.map(([value, doubt], i) => `${x(i).toFixed(1)},${y(value + sign * doubt).toFixed(1)}`);
  svg.append(make("polygon", { points: [...edge(1), ...edge(-1).reverse()].join(" ") }));
  svg.append(make("polyline", { points: edge(0).join(" ") }));
  const last = points.length - 1;
  svg.append(make("circle", { cx: x(last), cy: y(points[last][0]), r: 4 }));
  figure.querySelector("figcaption").textContent = says;
  figure.querySelector("svg")?.remove();
  figure.append(svg);
}

function advise(thought) {
  if (thought.at !== game.at) return;
  hint = thought;
  const shown = thought.candidates.length > 0 ? thought : { ...thought, candidates: [] };
  board.overlay("hints", (layer) => draw(board, layer, shown, words));
  const offer = game.offers.find((offer) => offer.action === thought.choice);
  $("ask").textContent = offer?.says ?? thought.choice;
  analysis();
}

function complain(message) {
  $("error").textContent = message;
  $("error").hidden = false;
  // What was touched did not count: begin again.
  if (game) board.show(game);
}

// One sees that a hint is being thought about.
function seek(thinks) {
  $("hint").classList.toggle("thinks", thinks);
  $("hint").disabled = thinks || !game?.mine;
}

$("hint").addEventListener("click", () => seek(live.send({ do: "hint" })));
$("take-back").addEventListener("click", () => live.send({ do: "take-back" }));
$("sound").setAttribute("aria-pressed", String(isOn()));
$("sound").addEventListener("click", (event) => {
  turn(!isOn());
  event.currentTarget.setAttribute("aria-pressed", String(isOn()));
});
$("zoom").addEventListener("click", (event) => {
  const zoomed = $("board").classList.toggle("zoomed");
  event.currentTarget.setAttribute("aria-pressed", String(zoomed));
  // The middle of the board stays in the middle.
  board.legible();
  if (zoomed) $("board").scrollTo($("board").clientWidth / 2, $("board").clientHeight / 2);
});
$("show-thought").addEventListener("change", () => game && analysis());

// Resigning asks once more.
const resign = $("resign").textContent;
let sure = 0;
$("resign").addEventListener("click", (event) => {
  const button = event.currentTarget;
  if (Date.now() - sure < 4000) {
    live.send({ do: "resign" });
    return;
  }
  sure = Date.now();
  button.textContent = button.dataset.sure;
  setTimeout(() => (button.textContent = resign), 4000);
});

for (const button of document.querySelectorAll("#judge button")) {
  button.addEventListener("click", () => {
    if (game.judge) live.send({ do: "judge", at: game.judge.at, label: button.dataset.label });
  });
}

// The rules come with their pictures when somebody wants to read them.
$("of-rules").addEventListener("click", async () => {
  const place = $("rules");
  if (!place || place.dataset.read) return;
  place.dataset.read = "yes";
  const answer = await fetch(place.dataset.rules).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.text();
  // The pictures have trees of their own, which only this way of setting knows.
  if (place.setHTMLUnsafe) place.setHTMLUnsafe(text);
  else place.innerHTML = text;
  illustrate(place);
});

tabs(document.querySelector("[role=tablist]"));
