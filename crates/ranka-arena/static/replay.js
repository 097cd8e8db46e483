// A record, position by position.
import { Board, legible, make } from "./board.js";
import { copy } from "./copy.js";
import { Line } from "./line.js";
import { Motion } from "./motion.js";
import { tabs } from "./tabs.js";
import { ahead, describe, draw } from "./thought.js";

const $ = (id) => document.getElementById(id);
const table = document.querySelector(".table");
const last = Number(table.dataset.frames);
const source = table.dataset.replay;
const board = new Board($("board"), { told: () => {}, took: () => {} });
const words = $("thought").dataset;
const line = new Line(board, { told: (words) => ($("ask").textContent = words), left: () => go(at) });
const frames = new Map();
const motion = new Motion(board);
const still = matchMedia("(prefers-reduced-motion: reduce)");
let at = 0;
// The position that is drawn.
let shownAt = 0;
// What plays back, if something does.
let timer = null;

async function frame(number) {
  if (!frames.has(number)) {
    const answer = fetch(`/replay/${source}/${number}`).then((answer) => answer.json());
    // What failed is asked for again.
    answer.catch(() => frames.delete(number));
    frames.set(number, answer);
  }
  return frames.get(number);
}

async function go(number) {
  line.close(true);
  const moved = number !== at;
  at = Math.max(0, Math.min(last, number));
  $("frame").value = at;
  $("count").textContent = `${at} / ${last}`;
  if (moved) think(null);
  cursor();
  const [wanted, before] = [at, shownAt];
  motion.skip();
  const shown = await frame(wanted);
  if (wanted !== at) return;
  $("ask").textContent = shown.says;
  // One action on is shown as it happened.
  if (wanted === before + 1 && !still.matches && Number($("speed").value) > 200) {
    await motion.play(shown.steps);
    if (wanted !== at) return;
    board.settled = shown.steps.length > 0;
  }
  shownAt = wanted;
  board.show({ picture: shown.picture });
  for (const button of document.querySelectorAll("#moves button")) {
    const here = Number(button.dataset.frame) === at;
    button.toggleAttribute("aria-current", here);
    // Only the list is scrolled, not the page.
    if (here) $("tab-moves").scrollTop = button.offsetTop - $("tab-moves").clientHeight / 2;
  }
  // Where chance acts, or nobody, there is nothing to think about.
  $("think").disabled = shown.turn === null;
  $("save-svg").href = `/replay/${source}/${at}?svg`;
  const analyse = $("analyse-here");
  if (analyse) analyse.href = "/position?" + new URLSearchParams({ game: shown.game, rules: shown.rules, position: shown.position });
  history.replaceState(null, "", `${location.search}#${at}`);
  $("link").value = location.href;
  if (at < last) frame(at + 1);
}

// What the sparring partner thinks of the position that is shown; nothing before somebody asks.
function think(thought) {
  describe(thought, $("thought"), words, (pv, opener) => {
    const [where, name] = source.split("/");
    stop();
    line.open({ record: { source: where, name, at } }, pv, opener);
  });
  ahead(thought, $("ahead"));
  board.overlay("thoughts", thought ? (layer) => draw(board, layer, thought, words) : null);
}

// Where the slider stands, in the graph above it.
function cursor() {
  const svg = $("review").querySelector("svg");
  if (!svg) return;
  svg.querySelector(".cursor")?.remove();
  const track = svg.querySelector(".track").getBBox();
  const x = track.x + (at / Math.max(last, 1)) * track.width;
  svg.append(make("line", { x1: x, x2: x, y1: 0, y2: track.y, class: "cursor" }));
}

const play = $("run").textContent;
function stop() {
  timer = null;
  $("run").textContent = play;
}

async function run() {
  if (timer) return stop();
  $("run").textContent = $("run").dataset.stop;
  const own = (timer = {});
  const from = at === last ? 0 : at;
  if (from !== at) await go(from);
  while (timer === own && at < last) {
    // A motion that takes longer is seen to its end.
    await Promise.all([go(at + 1), new Promise((done) => setTimeout(done, Number($("speed").value)))]);
  }
  if (timer === own) stop();
}

// A shared link may be opened where the replay is shown already.
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1))));
$("frame").addEventListener("input", () => go(Number($("frame").value)));
$("back").addEventListener("click", () => go(at - 1));
$("forth").addEventListener("click", () => go(at + 1));
$("run").addEventListener("click", run);
$("speed").addEventListener("change", () => {
  if (timer) {
    stop();
    run();
  }
});
for (const button of document.querySelectorAll("#moves button")) {
  button.addEventListener("click", () => go(Number(button.dataset.frame)));
}
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select")) return;
  if (event.key === "ArrowLeft") go(at - 1);
  if (event.key === "ArrowRight") go(at + 1);
  if (event.key === "Home") go(0);
  if (event.key === "End") go(last);
});

// The moves that decided the game, each with the way to the position before it.
function turningPoints(turns) {
  const lines = turns.map(({ frame, says }) => {
    const line = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = says;
    button.addEventListener("click", () => {
      stop();
      go(frame - 1);
    });
    line.append(button);
    return line;
  });
  $("turning-points").replaceChildren(...lines);
  $("turning-points").hidden = lines.length === 0;
}

$("ask-review").addEventListener("click", async (event) => {
  event.currentTarget.disabled = true;
  event.currentTarget.classList.add("thinks");
  const button = event.currentTarget;
  const review = await fetch(`/review/${source}${table.dataset.you}`).then((answer) => answer.json()).catch(() => null);
  button.disabled = false;
  button.classList.remove("thinks");
  $("error").hidden = Boolean(review?.plot);
  $("error").textContent = review?.error ?? "";
  if (!review?.plot) return;
  button.hidden = true;
  $("review").hidden = false;
  $("review").innerHTML = review.plot;
  new ResizeObserver(() => legible($("review").querySelector("svg"))).observe($("review"));
  // What stopped in the middle is not told as if it were of the whole game.
  if (review.until) {
    $("error").textContent = review.until;
    $("error").hidden = false;
  }
  turningPoints(review.turns);
  cursor();
  for (const bar of $("review").querySelectorAll("[data-frame]")) {
    bar.addEventListener("click", () => go(Number(bar.dataset.frame)));
  }
  for (const move of review.moves) {
    const button = document.querySelector(`#moves button[data-frame="${move.frame}"]`);
    if (!button) continue;
    button.dataset.accuracy = move.lost > 0.2 ? "low" : move.lost > 0.08 ? "middle" : "high";
    button.title = `−${Math.round(100 * move.lost)} % · ${move.best}`;
  }
});

$("think").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  button.classList.add("thinks");
  $("error").hidden = true;
  stop();
  const asked = at;
  const answer = await fetch(`/thought/${source}/${asked}`).then((answer) => answer.json()).catch(() => null);
  button.classList.remove("thinks");
  if (asked === at) button.disabled = false;
  else return;
  $("error").hidden = Boolean(answer?.thought);
  $("error").textContent = answer?.error ?? "";
  if (answer?.thought) think(answer.thought);
});

$("copy").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  // Where nothing can be copied, the link is at least chosen.
  await copy(location.href, button, button.dataset);
  $("link").select();
});

tabs(document.querySelector("[role=tablist]"));
go(Number(location.hash.slice(1)) || 0);
