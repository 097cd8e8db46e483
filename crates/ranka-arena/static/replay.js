// A record, position by position.
import { Board } from "./board.js";

const $ = (id) => document.getElementById(id);
const table = document.querySelector(".table");
const last = Number(table.dataset.frames);
const source = table.dataset.replay;
const board = new Board($("board"), { told: () => {}, took: () => {} });
const frames = new Map();
let at = 0;
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
  at = Math.max(0, Math.min(last, number));
  $("frame").value = at;
  const wanted = at;
  const shown = await frame(wanted);
  if (wanted !== at) return;
  board.show({ picture: shown.picture });
  $("ask").textContent = shown.says;
  for (const button of document.querySelectorAll("#moves button")) {
    const here = Number(button.dataset.frame) === at;
    button.toggleAttribute("aria-current", here);
    if (here) button.scrollIntoView({ block: "nearest" });
  }
  $("save-svg").href = `/replay/${source}/${at}?svg`;
  const analyse = $("analyse-here");
  if (analyse) analyse.href = "/position?" + new URLSearchParams({ game: shown.game, rules: shown.rules, position: shown.position });
  history.replaceState(null, "", `#${at}`);
  if (at < last) frame(at + 1);
}

function stop() {
  clearInterval(timer);
  timer = null;
  $("run").removeAttribute("aria-pressed");
}

function run() {
  if (timer) return stop();
  $("run").setAttribute("aria-pressed", "true");
  timer = setInterval(() => (at < last ? go(at + 1) : stop()), Number($("speed").value));
}

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

$("ask-review").addEventListener("click", async (event) => {
  event.currentTarget.disabled = true;
  event.currentTarget.classList.add("thinks");
  const button = event.currentTarget;
  const answer = await fetch(`/review/${source}`).catch(() => null);
  button.disabled = false;
  button.classList.remove("thinks");
  if (!answer?.ok) return;
  const review = await answer.json();
  $("review").innerHTML = review.plot;
  for (const bar of $("review").querySelectorAll("[data-frame]")) {
    bar.addEventListener("click", () => go(Number(bar.dataset.frame)));
  }
  for (const move of review.moves) {
    const button = document.querySelector(`#moves button[data-frame="${move.frame}"]`);
    if (!button) continue;
    button.dataset.accuracy = move.accuracy < 0.5 ? "low" : move.accuracy < 0.85 ? "middle" : "high";
    button.title = `${Math.round(100 * move.accuracy)} % · ${move.best}`;
  }
});

go(Number(location.hash.slice(1)) || 0);
