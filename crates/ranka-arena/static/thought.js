// What an agent thought: drawn on the board, and as a list. Values are winning chances in percent.
import { make } from "./board.js";

/// Candidate `i` as people read it: a sure win or loss, else the winning chance. Of an agent whose figures mean nothing to
/// people only the order is told. `words` holds how a sure win and a sure loss are said.
export function value(i, thought, words) {
  const { proven } = thought.candidates[i];
  const known = margin(proven) || half(proven, words);
  return known ? `${worth(i, thought, words)} ${known}` : worth(i, thought, words);
}

// What is proven of the points at the end where the result is sure: all of it, or between what it lies.
function margin(bounds) {
  if (!bounds) return "";
  const { least, most } = bounds;
  if (least === most) return signed(least);
  if (!(least > 0) && !(most < 0)) return "";
  if (least === undefined) return `≤ ${signed(most)}`;
  return most === undefined ? `≥ ${signed(least)}` : `${signed(least)} … ${signed(most)}`;
}

// Where the result is open: that it cannot be won, or cannot be lost. Wider bounds say less than the winning chance.
function half(bounds, words) {
  if (bounds?.most === 0) return words.atBest;
  return bounds?.least === 0 ? words.atLeast : "";
}

function worth(i, thought, words) {
  const candidate = thought.candidates[i];
  // The most that something may be worth is no promise.
  if (isSure(candidate.value, thought) && !(candidate.at_most && candidate.value > 0)) {
    const scored = thought.scale === "score";
    const actions = scored ? 0 : Math.round(thought.win - Math.abs(candidate.value));
    const said = candidate.value > 0 ? [words.wins, words.winsIn] : [words.loses, words.losesIn];
    return actions > 0 ? said[1].replace("{0}", actions) : said[0];
  }
  if (candidate.proven?.least === 0 && candidate.proven.most === 0) return words.draws;
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

// A score of 1 is a sure win and one of 0 a sure loss, if the agent proves anything at all; any other is a chance.
function isSure(value, { win, scale }) {
  if (!win) return false;
  return scale === "score" ? value >= win || value <= 0 : Math.abs(value) > win / 2;
}

// The best first; what the agent would do before what it takes for as good. Of what loses for sure, what loses least.
function ordered(thought) {
  const isChosen = (i) => thought.candidates[i].action === thought.choice;
  const points = (i) => thought.candidates[i].proven?.least ?? thought.candidates[i].proven?.most ?? 0;
  const better = (a, b) => thought.candidates[b].value - thought.candidates[a].value || points(b) - points(a);
  const order = thought.candidates.map((_, i) => i);
  return order.sort((a, b) => isChosen(b) - isChosen(a) || better(a, b));
}

/// The candidates on the board: the way of a piece as wide as it was visited, and the value where it ends. What lies
/// beside the board (a hand, a dial) has no way: of several that end at the same place only the best is drawn.
export function draw(board, layer, thought, words) {
  const visits = thought.candidates.map((candidate) => candidate.visits ?? 0);
  const most = Math.max(...visits, 1);
  const ends = new Set();
  // Points take little room: every candidate has its own label.
  const room = thought.candidates.some((candidate) => candidate.proven) ? thought.candidates.length : 4;
  for (const i of ordered(thought)) {
    if (ends.size === room) break;
    const candidate = thought.candidates[i];
    const path = thought.paths[i] ?? [];
    const places = path.filter((id) => isOnBoard(board, id));
    const points = places.map((id) => board.middle(id));
    const end = places.join();
    if (points.length === 0 || ends.has(end)) continue;
    ends.add(end);
    const best = candidate.action === thought.choice ? " best" : "";
    const width = (candidate.visits === undefined ? 3 : 1.5 + (8 * visits[i]) / most) * board.pixel;
    if (points.length > 1) {
      const way = points.map((point) => `${point.x},${point.y}`).join(" ");
      layer.prepend(make("polyline", { points: way, "stroke-width": width, class: `candidate${best}` }));
    }
    const told = margin(candidate.proven) || worth(i, thought, words);
    board.label(layer, points[points.length - 1], told, `value${best}`);
  }
}

function isOnBoard(board, id) {
  const element = board.find(id);
  const box = element?.getBoundingClientRect();
  return box && box.width > 0 && !element.parentElement.closest("g[id]");
}

/// A thought as a list: candidates in words with the notation as small print, their value, and the line of play, which
/// `step` opens if it may be seen; `take` takes an action, where one may. How much was looked at is told to who rests there.
export function describe(thought, host, words, step, take) {
  host.replaceChildren();
  if (!thought) return;
  const table = document.createElement("table");
  for (const i of ordered(thought).slice(0, 10)) {
    const candidate = thought.candidates[i];
    const row = table.insertRow();
    if (candidate.action === thought.choice) row.className = "best";
    const action = row.insertCell();
    const says = thought.says?.[i] || candidate.action;
    if (take) action.append(button("take", says, () => take(candidate.action)));
    else action.append(says);
    if (says !== candidate.action) {
      const notation = document.createElement("code");
      notation.textContent = candidate.action;
      action.append(" ", notation);
    }
    const worth = row.insertCell();
    worth.className = "n";
    worth.textContent = value(i, thought, words);
    if (candidate.visits !== undefined) worth.title = words.visits.replace("{0}", candidate.visits);
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
  const looked = [];
  if (thought.nodes) looked.push(words.nodes.replace("{0}", thought.nodes));
  if (thought.depth) looked.push(words.depth.replace("{0}", thought.depth));
  table.title = looked.join(", ");
  host.append(table);
}

function button(kind, text, pressed) {
  const button = document.createElement("button");
  button.className = kind;
  button.textContent = text;
  button.addEventListener("click", pressed);
  return button;
}

/// A bar of who is ahead, by the best winning chance of whoever thought. Of more than two it says nothing: what is not mine
/// is not all theirs.
export function ahead(thought, host) {
  const all = thought ? thought.candidates.map((_, i) => chanceOf(i, thought)) : [];
  const best = Math.max(...all.filter((chance) => chance !== null));
  host.hidden = !Number.isFinite(best) || Number(host.dataset.seats) > 2;
  if (host.hidden) return;
  const share = Math.min(1, Math.max(0, thought.seat === 0 ? best : 1 - best));
  const percent = `${Math.round(100 * share)} %`;
  host.style.background = host.dataset.second;
  host.firstElementChild.style.background = host.dataset.first;
  host.firstElementChild.style.width = percent.replace(" ", "");
  host.dataset.percent = `${host.dataset.name} ${percent}`.trim();
  host.setAttribute("aria-label", `${host.title}: ${host.dataset.percent}`);
}
