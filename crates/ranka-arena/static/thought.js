// What an agent thought: drawn on the board, and as a list. Values are winning chances in percent.
import { make } from "./board.js";

/// Candidate `i` as people read it: a sure win or loss, else the winning chance. Of an agent whose figures mean nothing to
/// people only the order is told. `words` holds how a sure win and a sure loss are said.
export function value(i, thought, words) {
  const candidate = thought.candidates[i];
  if (isSure(candidate.value, thought)) {
    const actions = Math.round(thought.win - Math.abs(candidate.value));
    const said = candidate.value > 0 ? [words.wins, words.winsIn] : [words.loses, words.losesIn];
    return actions > 0 ? said[1].replace("{0}", actions) : said[0];
  }
  const chance = chanceOf(i, thought);
  // Points at the end are what people count in themselves.
  if (chance === null && thought.scale === "margin") return bounded(candidate, signed(candidate.value));
  if (chance === null) return `#${1 + thought.candidates.filter((other) => other.value > candidate.value).length}`;
  return bounded(candidate, `${Math.round(100 * chance)} %`);
}

// What is only known to be no more than that is told as such.
function bounded(candidate, said) {
  return candidate.at_most ? `≤ ${said}` : said;
}

function signed(points) {
  const shown = Number.isInteger(points) ? String(points) : points.toFixed(1);
  return points > 0 ? `+${shown}` : shown.replace("-", "−");
}

function chanceOf(i, { candidates, chances, scale }) {
  if (chances) return chances[i];
  return scale === "score" ? candidates[i].value : null;
}

function isSure(value, { win }) {
  return Boolean(win) && Math.abs(value) > win / 2;
}

// The best first; what the agent would do before what it takes for as good.
function ordered(thought) {
  const isChosen = (i) => thought.candidates[i].action === thought.choice;
  const order = thought.candidates.map((_, i) => i);
  return order.sort((a, b) => isChosen(b) - isChosen(a) || thought.candidates[b].value - thought.candidates[a].value);
}

/// The candidates on the board: the way of a piece as wide as it was visited, and the value where it ends. What lies
/// beside the board (a hand, a dial) has no way: then the label says the action.
export function draw(board, layer, thought, words) {
  const visits = thought.candidates.map((candidate) => candidate.visits ?? 0);
  const most = Math.max(...visits, 1);
  for (const i of ordered(thought).slice(0, 4)) {
    const candidate = thought.candidates[i];
    const path = thought.paths[i] ?? [];
    const places = path.filter((id) => isOnBoard(board, id));
    const points = places.map((id) => board.middle(id));
    if (points.length === 0) continue;
    const best = candidate.action === thought.choice ? " best" : "";
    const width = (candidate.visits === undefined ? 3 : 1.5 + (8 * visits[i]) / most) * board.pixel;
    if (points.length > 1) {
      const way = points.map((point) => `${point.x},${point.y}`).join(" ");
      layer.prepend(make("polyline", { points: way, "stroke-width": width, class: `candidate${best}` }));
    }
    const said = value(i, thought, words);
    const text = places.length < path.length ? `${candidate.action}  ${said}` : said;
    board.label(layer, points[points.length - 1], text, `value${best}`);
  }
}

function isOnBoard(board, id) {
  const element = board.find(id);
  const box = element?.getBoundingClientRect();
  return box && box.width > 0 && !element.parentElement.closest("g[id]");
}

/// A thought as a list: candidates with value, visits, and the line of play, which `step` opens if it may be seen; `take`
/// takes an action, where one may.
export function describe(thought, host, words, step, take) {
  host.replaceChildren();
  if (!thought) return;
  const table = document.createElement("table");
  for (const i of ordered(thought).slice(0, 10)) {
    const candidate = thought.candidates[i];
    const row = table.insertRow();
    if (candidate.action === thought.choice) row.className = "best";
    const action = row.insertCell();
    if (take) action.append(button("take", candidate.action, () => take(candidate.action)));
    else action.textContent = candidate.action;
    row.insertCell().textContent = value(i, thought, words);
    row.insertCell().textContent = candidate.visits === undefined ? "" : String(candidate.visits);
    for (const cell of [row.cells[1], row.cells[2]]) cell.className = "n";
    const line = row.insertCell();
    if (!(candidate.pv?.length > 1)) continue;
    const shown = candidate.pv.slice(1, 7).join(" ");
    if (!step) {
      line.textContent = shown;
      line.className = "small";
      continue;
    }
    const open = button("open-line", `▸ ${shown}`, () => step(candidate.pv, open));
    open.title = words.step;
    line.append(open);
  }
  const sum = document.createElement("p");
  sum.className = "small";
  const parts = [thought.choice];
  if (thought.nodes) parts.push(`n = ${thought.nodes}`);
  if (thought.depth) parts.push(`d = ${thought.depth}`);
  sum.textContent = parts.join(" · ");
  host.append(table, sum);
}

function button(kind, text, pressed) {
  const button = document.createElement("button");
  button.className = kind;
  button.textContent = text;
  button.addEventListener("click", pressed);
  return button;
}

/// A bar of who is ahead, by the best winning chance of whoever thought.
export function ahead(thought, host) {
  const all = thought ? thought.candidates.map((_, i) => chanceOf(i, thought)) : [];
  const best = Math.max(...all.filter((chance) => chance !== null));
  host.hidden = !Number.isFinite(best);
  if (host.hidden) return;
  const share = Math.min(1, Math.max(0, thought.seat === 0 ? best : 1 - best));
  const percent = `${Math.round(100 * share)} %`;
  host.style.background = host.dataset.second;
  host.firstElementChild.style.background = host.dataset.first;
  host.firstElementChild.style.width = percent.replace(" ", "");
  host.dataset.percent = percent;
  host.setAttribute("aria-label", `${host.title}: ${percent}`);
}
