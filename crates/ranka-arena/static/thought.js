// What an agent thought: drawn on the board, and as a list.
import { make } from "./board.js";

/// A value as people read it. `words` holds how a sure win and a sure loss are said.
export function value(value, thought, words) {
  const { scale, win } = thought;
  if (isSure(value, thought)) {
    const actions = Math.round(win - Math.abs(value));
    const said = value > 0 ? [words.wins, words.winsIn] : [words.loses, words.losesIn];
    return actions > 0 ? said[1].replace("{0}", actions) : said[0];
  }
  if (scale === "score") return `${Math.round(100 * value)} %`;
  const shown = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Number.isInteger(value) ? 0 : 1);
  if (Number(shown) === 0) return "0";
  return value > 0 ? `+${shown}` : shown.replace("-", "−");
}

// What is only known to be no more than that is told as such.
function bounded(candidate, said) {
  return candidate.at_most ? `≤ ${said}` : said;
}

// Large figures of an agent's own mean nothing to people: how much less than the best they are does.
function onBoard(candidate, thought, words) {
  const plain = thought.candidates.map((other) => other.value).filter((value) => !isSure(value, thought));
  const best = Math.max(...plain);
  if (thought.scale !== "own" || isSure(candidate.value, thought) || Math.max(...plain.map(Math.abs)) < 100) {
    return bounded(candidate, value(candidate.value, thought, words));
  }
  return candidate.value === best ? "±0" : value(candidate.value - best, { scale: "own" }, words);
}

function isSure(value, { win }) {
  return Boolean(win) && Math.abs(value) > win / 2;
}

/// The candidates on the board: the way of a piece as wide as it was visited, and the value where it ends. What lies
/// beside the board (a hand, a dial) has no way: then the label says the action.
export function draw(board, layer, thought, words) {
  const visits = thought.candidates.map((candidate) => candidate.visits ?? 0);
  const most = Math.max(...visits, 1);
  const isChosen = (i) => thought.candidates[i].action === thought.choice;
  const order = thought.candidates.map((_, i) => i);
  order.sort((a, b) => isChosen(b) - isChosen(a) || thought.candidates[b].value - thought.candidates[a].value);
  for (const i of order.slice(0, 4)) {
    const candidate = thought.candidates[i];
    const path = thought.paths[i] ?? [];
    const places = path.filter((id) => isOnBoard(board, id));
    const points = places.map((id) => board.middle(id));
    if (points.length === 0) continue;
    const best = isChosen(i) ? " best" : "";
    const width = (candidate.visits === undefined ? 3 : 1.5 + (8 * visits[i]) / most) * board.pixel;
    if (points.length > 1) {
      const way = points.map((point) => `${point.x},${point.y}`).join(" ");
      layer.prepend(make("polyline", { points: way, "stroke-width": width, class: `candidate${best}` }));
    }
    const said = onBoard(candidate, thought, words);
    const text = places.length < path.length ? `${candidate.action}  ${said}` : said;
    board.label(layer, points[points.length - 1], text, `value${best}`);
  }
}

function isOnBoard(board, id) {
  const element = board.find(id);
  const box = element?.getBoundingClientRect();
  return box && box.width > 0 && !element.parentElement.closest("g[id]");
}

/// A thought as a list: candidates with value, visits, and the line of play, which `step` opens if it may be seen.
export function describe(thought, host, words, step) {
  host.replaceChildren();
  if (!thought) return;
  const table = document.createElement("table");
  const order = [...thought.candidates].sort((a, b) => b.value - a.value).slice(0, 10);
  for (const candidate of order) {
    const row = table.insertRow();
    if (candidate.action === thought.choice) row.className = "best";
    row.insertCell().textContent = candidate.action;
    row.insertCell().textContent = bounded(candidate, value(candidate.value, thought, words));
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
    const open = document.createElement("button");
    open.className = "open-line";
    open.textContent = `▸ ${shown}`;
    open.title = words.step;
    open.setAttribute("aria-label", `${words.step}: ${candidate.pv.join(" ")}`);
    open.addEventListener("click", () => step(candidate.pv, open));
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

/// A bar of who is ahead: the best value of whoever thought, if it is a share of the score.
export function ahead(thought, host) {
  const best = thought && Math.max(...thought.candidates.map((candidate) => candidate.value));
  host.hidden = !thought || thought.scale !== "score" || !Number.isFinite(best);
  if (host.hidden) return;
  const share = thought.seat === 0 ? best : 1 - best;
  host.style.background = host.dataset.second;
  host.firstElementChild.style.background = host.dataset.first;
  host.firstElementChild.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
}
