// Rules with pictures, and a first lesson of prepared positions.
import { Board } from "./board.js";
import { Motion } from "./motion.js";

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");

/// Writes on the pictures of the rules what belongs there. A picture that came later still has to be given its own tree.
export function illustrate(root) {
  for (const place of root.querySelectorAll(".rule-board")) {
    const template = place.querySelector("template");
    if (template) {
      place.attachShadow({ mode: "open" }).append(template.content);
      template.remove();
    }
    const board = new Board(place.shadowRoot.querySelector(".board"), { told: () => {}, took: () => {} });
    const marks = JSON.parse(place.dataset.marks);
    // What is drawn by its size has none before it is seen.
    const draw = () => board.svg?.getScreenCTM() && board.overlay("marks", (layer) => board.marks(layer, marks));
    new ResizeObserver(draw).observe(place);
  }
}

if ($("lesson")) {
  illustrate(document);
  const { game, lessons, next, over } = $("lesson").dataset;
  const board = new Board($("board"), { told: (words) => ($("ask").textContent = words), took: (action) => go([...actions, action]) });
  const motion = new Motion(board);
  let [number, actions] = [0, []];

  const go = async (tried) => {
    const head = { method: "POST", headers: { "Content-Type": "application/json" } };
    const answer = await fetch(`/lesson/${game}/${number}`, { ...head, body: JSON.stringify({ actions: tried }) });
    const taught = await answer.json().catch(() => null);
    if (!taught || taught.error) return;
    const acted = tried.length > actions.length;
    actions = tried;
    $("news").textContent = acted ? taught.told : "";
    if (acted && !still.matches) await motion.play(taught.steps);
    board.show(taught);
    $("task").textContent = taught.task;
    $("lesson-number").textContent = `${number + 1} / ${lessons}`;
    $("verdict").textContent = taught.says;
    $("verdict").dataset.done = taught.done ?? "";
    if (taught.done !== null) $("ask").textContent = "";
    const last = number + 1 === Number(lessons);
    $("next").hidden = taught.done !== true || last;
    $("next").textContent = next;
    $("retry").hidden = taught.done !== false;
    if (taught.done === true && last) $("verdict").textContent = `${taught.says} ${over}`;
    for (const [i, line] of [...$("tasks").children].entries()) {
      if (i === number) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
      if (i === number && taught.done) line.classList.add("done");
    }
  };

  $("next").addEventListener("click", () => {
    number++;
    actions = [];
    go([]);
  });
  $("retry").addEventListener("click", () => {
    actions = [];
    go([]);
  });
  document.addEventListener("pointerdown", () => motion.skip(), { capture: true });
  go([]);
}
