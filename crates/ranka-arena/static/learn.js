// Rules with pictures, a first lesson of prepared positions, and puzzles.
import { Board } from "./board.js";
import { Line } from "./line.js";
import { Motion } from "./motion.js";
import { note } from "./puzzles.js";

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");

// A picture that is narrower than this, in pixels, has what lies beside its board below it.
const NARROW = 480;

/// Writes on the pictures of the rules what belongs there. A picture that came later still has to be given its own tree.
export function illustrate(root) {
  for (const place of root.querySelectorAll(".rule-board")) {
    const template = place.querySelector("template");
    if (template) {
      place.attachShadow({ mode: "open" }).append(template.content);
      template.remove();
    }
    const narrow = () => place.clientWidth < NARROW;
    const board = new Board(place.shadowRoot.querySelector(".board"), { told: () => {}, took: () => {}, narrow });
    const marks = JSON.parse(place.dataset.marks);
    // What is drawn by its size has none before it is seen.
    const draw = () => {
      if (!board.svg?.getScreenCTM()) return;
      board.legible();
      board.overlay("marks", (layer) => board.marks(layer, marks));
    };
    new ResizeObserver(draw).observe(place);
  }
}

if ($("lesson")) {
  illustrate(document);
  // One puzzle is a lesson of one position.
  const { way, lessons, next, over, busy } = $("lesson").dataset;
  const puzzle = way.startsWith("/puzzles/");
  const board = new Board($("board"), { told: (words) => ($("ask").textContent = words), took: (action) => go([...actions, action]), back: $("let-go") });
  const motion = new Motion(board);
  let [number, actions] = [0, []];

  const go = async (tried) => {
    const head = { method: "POST", headers: { "Content-Type": "application/json" } };
    const ask = () => fetch(puzzle ? way : `${way}/${number}`, { ...head, body: JSON.stringify({ actions: tried }) }).catch(() => null);
    let answer = await ask();
    // A server that is busy is asked again for a while.
    for (let tries = 0; (!answer || answer.status === 503) && tries < 8; tries++) {
      $("verdict").textContent = busy;
      await new Promise((done) => setTimeout(done, 500));
      answer = await ask();
    }
    const taught = await answer?.json().catch(() => null);
    if (!answer?.ok || !taught || taught.error) {
      $("verdict").textContent = taught?.error ?? busy;
      return board.show(board.last ?? {});
    }
    board.last = taught;
    const acted = tried.length > actions.length;
    actions = tried;
    $("news").textContent = acted ? taught.told : "";
    if (acted && !still.matches) await motion.play(taught.steps);
    board.show(taught);
    $("task").textContent = taught.task;
    if ($("lesson-number")) $("lesson-number").textContent = `${number + 1} / ${lessons}`;
    $("verdict").textContent = taught.says;
    $("verdict").dataset.done = taught.done ?? "";
    if (taught.done !== null) $("ask").textContent = "";
    const last = number + 1 === Number(lessons);
    if (!puzzle) $("next").hidden = taught.done !== true || last;
    if (!puzzle) $("next").textContent = next;
    $("solution")?.toggleAttribute("hidden", taught.done === null);
    $("retry").hidden = taught.done !== false;
    if (taught.done === true && last && over) $("verdict").textContent = `${taught.says} ${over}`;
    if (puzzle && acted && taught.done !== null) note(way, taught.done);
    for (const [i, line] of [...($("tasks")?.children ?? [])].entries()) {
      if (i === number) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
      if (i === number && taught.done) line.classList.add("done");
    }
  };

  if (!puzzle) $("next").addEventListener("click", () => {
    number++;
    actions = [];
    go([]);
  });
  $("retry").addEventListener("click", () => {
    actions = [];
    go([]);
  });
  if (puzzle) {
    const { from, line: solution } = $("lesson").dataset;
    const line = new Line(board, { told: (words) => ($("ask").textContent = words), left: () => go(actions) });
    $("solution").addEventListener("click", (event) => line.open({ position: JSON.parse(from) }, solution.split(" "), event.currentTarget));
  }
  document.addEventListener("pointerdown", () => motion.skip(), { capture: true });
  go([]);
}
