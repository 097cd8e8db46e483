// The analysis board: both sides are moved freely, what was tried is a tree, and the judge looks on.
import { Board } from "./board.js";
import { copy } from "./copy.js";
import { Line } from "./line.js";
import { Motion } from "./motion.js";
import { ahead, describe, draw } from "./thought.js";

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const headers = { "content-type": "application/json" };
if ($("analysis")) analyse($("analysis").dataset);

function analyse({ game, rules, position, seats, start, over, toAct }) {
  const words = $("thought").dataset;
  const sides = JSON.parse(seats);
  let side = 0;
  // A place in the tree: the position, how it was reached, what was tried from it, and which of that was looked at last.
  const root = { position, parent: null, action: null, says: start, children: [], chosen: null, shown: null };
  let here = root;

  const board = new Board($("board"), { told: (words) => ($("ask").textContent = words || whose()), took: (action) => go(here, action), back: $("let-go") });
  const motion = new Motion(board);
  const line = new Line(board, { told: (words) => ($("ask").textContent = words || whose()), left: () => show(here) });

  function whose() {
    if (!here.shown) return "";
    return here.shown.turn === null ? here.shown.verdict || over : toAct.replace("{0}", sides[here.shown.turn]);
  }

  function complain(words) {
    $("error").textContent = words ?? "";
    $("error").hidden = !words;
  }

  async function ask(from, action) {
    const body = JSON.stringify({ from: { game, rules, position: from.position }, action, side });
    const answer = await fetch("/board", { method: "POST", headers, body }).then((answer) => answer.json()).catch((error) => ({ error: String(error) }));
    complain(answer.error);
    return answer.error ? null : answer;
  }

  // Takes an action: what was tried before is gone to, anything else is a new branch.
  async function go(from, action) {
    const known = from.children.find((child) => child.action === action);
    if (known) return show(known);
    const shown = await ask(from, action);
    if (!shown) return show(from);
    const child = { position: shown.position, parent: from, action, says: shown.says, children: [], chosen: null, shown };
    from.children.push(child);
    line.close(true);
    if (from === here && !still.matches) {
      stopThinking();
      board.rest();
      await motion.play(shown.steps);
      board.settled = shown.steps.length > 0;
    }
    show(child);
  }

  async function show(node) {
    line.close(true);
    motion.skip();
    if (!node.shown || node.shown.side !== side) {
      const shown = await ask(node, null);
      if (!shown) return;
      node.shown = { ...shown, says: node.shown?.says ?? "" };
    }
    node.shown.side = side;
    const moved = node !== here;
    here = node;
    if (node.parent) node.parent.chosen = node;
    board.overlay("thoughts", null);
    board.show(node.shown);
    if (board.nexts().size === 0) $("ask").textContent = whose();
    $("news").textContent = node.parent ? node.says : "";
    $("notation").value = node.position;
    const way = new URLSearchParams({ game, rules, position: node.position });
    history.replaceState(null, "", `/position?${way}`);
    $("play-on").href = `/new/${game}?${new URLSearchParams({ rules, position: node.position })}`;
    tell();
    if (moved || !thinking) think();
    else present();
  }

  // Another judge knows nothing of what this one thought.
  function forgetThoughts(node) {
    node.thought = null;
    node.judged = false;
    node.children.forEach(forgetThoughts);
  }

  // The line that was looked at last, with the other branches beside it.
  function tell() {
    const lines = [];
    for (let node = root.chosen; node; node = node.chosen) {
      const item = document.createElement("li");
      item.append(step(node));
      for (const other of node.parent.children) {
        if (other === node) continue;
        const branch = step(other);
        branch.className = "branch";
        item.append(branch);
      }
      lines.push(item);
    }
    $("tried").replaceChildren(...lines);
    $("nothing-tried").hidden = lines.length > 0;
    // Only the list is scrolled, never the page with the board.
    const shown = $("tried").querySelector("[aria-current]");
    if (shown) $("tried").scrollTop = shown.offsetTop - $("tried").clientHeight / 2;
    $("back").disabled = $("first").disabled = !here.parent;
    $("forth").disabled = !here.chosen;
  }

  function step(node) {
    const button = document.createElement("button");
    button.textContent = node.says;
    button.toggleAttribute("aria-current", node === here);
    button.addEventListener("click", () => show(node));
    return button;
  }

  // What is being thought; a new position begins anew.
  let thinking = null;
  function stopThinking() {
    thinking?.abort();
    thinking = null;
  }

  async function think() {
    stopThinking();
    present();
    if (!$("live").checked || here.shown.turn === null || here.judged) return;
    const now = (thinking = new AbortController());
    const asked = here;
    const agent = $("analyse").agent.value;
    const body = JSON.stringify({ game, rules, position: asked.position, agent, growing: true });
    const hear = (text) => {
      const { error, thought } = JSON.parse(text);
      if (now.signal.aborted) return;
      complain(error);
      asked.thought = thought ?? null;
      // Who steps through a line is not torn out of it.
      if (!line.isOpen) present();
    };
    $("thought").dataset.thinking = "yes";
    // The one before may take a moment to notice that nobody listens any more.
    for (let tries = 0; tries < 20 && !now.signal.aborted; tries++) {
      const answer = await fetch("/analyse", { method: "POST", headers, body, signal: now.signal }).catch(() => null);
      if (!answer) break;
      if (answer.status !== 503 || tries === 19) {
        asked.judged = await everyLine(answer.body, hear).then(() => true).catch(() => false);
        break;
      }
      await new Promise((done) => setTimeout(done, 250));
    }
    if (!now.signal.aborted) $("thought").dataset.thinking = "";
  }

  // What is known of the position that is shown.
  function present() {
    const [asked, thought] = [here, $("live").checked ? here.thought : null];
    const from = { position: { game, rules, position: asked.position } };
    describe(thought, $("thought"), words, (pv, opener) => line.open(from, pv, opener), (action) => go(asked, action));
    ahead(thought, $("ahead"));
    board.overlay("thoughts", thought ? (layer) => draw(board, layer, thought, words) : null);
  }

  $("live").addEventListener("change", think);
  $("analyse").addEventListener("submit", (event) => {
    event.preventDefault();
    $("live").checked = true;
    forgetThoughts(root);
    think();
  });
  $("turn").addEventListener("click", () => {
    side = (side + 1) % sides.length;
    show(here);
  });
  $("back").addEventListener("click", () => here.parent && show(here.parent));
  $("forth").addEventListener("click", () => here.chosen && show(here.chosen));
  $("first").addEventListener("click", () => show(root));
  $("copy-position").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    await copy(here.position, button, button.dataset);
  });
  document.addEventListener(
    "keydown",
    (event) => {
      // On the board the arrow keys choose what is touched.
      if (line.isOpen || event.target.closest?.("input, textarea, select, #board .next")) return;
      const to = { ArrowLeft: here.parent, ArrowRight: here.chosen, Home: root }[event.key];
      if (!to) return;
      event.preventDefault();
      event.stopPropagation();
      show(to);
    },
    true,
  );
  document.addEventListener("pointerdown", () => motion.skip(), { capture: true });
  show(root);
}

/// Hears of each line of an answer as soon as it is there.
async function everyLine(body, hear) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop();
    lines.filter(Boolean).forEach(hear);
    if (done) return;
  }
}
