// A board that Rust has drawn, made live: it lights what can be touched next, shows what would come of it, and tells
// when a path is complete. It knows no game.

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /// `told` hears the words for what is chosen, `took` the action of a finished path, `considered` the offer that one
  /// more touch would take, or nothing.
  constructor(host, { told, took, considered = () => {} }) {
    this.host = host;
    this.told = told;
    this.took = took;
    this.considered = considered;
    this.offers = [];
    this.asks = [];
    this.path = [];
    this.drawn = null;
    this.overlays = new Map();
    host.addEventListener("click", (event) => this.touch(this.touched(event.target)));
    host.addEventListener("pointerover", (event) => this.consider(this.touched(event.target)));
    host.addEventListener("pointerleave", () => this.consider(null));
    host.addEventListener("focusin", (event) => this.consider(this.touched(event.target)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get svg() {
    return this.host.querySelector("svg");
  }

  find(id) {
    return this.host.querySelector(`[id="${CSS.escape(id)}"]`);
  }

  /// Shows a picture and what can be done in it.
  show({ picture, offers = [], asks = [] }) {
    const focused = document.activeElement?.id;
    if (picture !== this.drawn) {
      const before = this.drawn === null ? null : this.places();
      this.host.innerHTML = picture;
      this.drawn = picture;
      this.svg?.setAttribute("role", "group");
      for (const element of this.host.querySelectorAll(".choice")) {
        element.classList.remove("choice");
        element.removeAttribute("role");
        element.removeAttribute("tabindex");
      }
      if (before && !still.matches) this.animate(before);
      for (const [name, draw] of this.overlays) this.draw(name, draw);
    }
    this.offers = offers;
    this.anyOrder = isChoiceOfSome(offers);
    this.asks = asks;
    this.path = [];
    this.light();
    if (focused && this.find(focused)?.hasAttribute("tabindex")) this.find(focused).focus();
  }

  // What moves: where pieces stood and what the other elements looked like.
  places() {
    const pieces = new Map();
    for (const element of this.host.querySelectorAll("[data-piece]")) {
      pieces.set(element.dataset.piece, element.getBoundingClientRect());
    }
    const looks = new Map();
    for (const element of this.host.querySelectorAll("g[id]")) looks.set(element.id, element.innerHTML);
    return { pieces, looks };
  }

  animate({ pieces, looks }) {
    const scale = this.svg?.getScreenCTM()?.a || 1;
    const motion = { duration: 220, easing: "ease-out" };
    for (const element of this.host.querySelectorAll("[data-piece]")) {
      const was = pieces.get(element.dataset.piece);
      const is = element.getBoundingClientRect();
      if (!was) {
        element.animate([{ opacity: 0 }, { opacity: 1 }], motion);
        continue;
      }
      const [dx, dy] = [(was.x - is.x) / scale, (was.y - is.y) / scale];
      if (Math.abs(dx) + Math.abs(dy) > 1) {
        element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], motion);
      }
    }
    let step = 0;
    for (const element of this.host.querySelectorAll("g[id]")) {
      const changed = looks.has(element.id) && looks.get(element.id) !== element.innerHTML;
      if (!changed || element.hasAttribute("data-piece") || element.querySelector("g[id], [data-piece]")) continue;
      element.animate([{ opacity: 0.25 }, { opacity: 1 }], { ...motion, delay: 45 * Math.min(step++, 14), fill: "backwards" });
    }
  }

  // The offers that begin with what was touched so far.
  possible(path = this.path) {
    if (this.anyOrder) return this.offers.filter((offer) => path.every((id) => offer.path.includes(id)));
    return this.offers.filter((offer) => path.every((id, i) => offer.path[i] === id));
  }

  nexts() {
    const possible = this.possible();
    if (this.anyOrder) return new Set(possible.flatMap((offer) => offer.path).filter((id) => !this.path.includes(id)));
    return new Set(possible.map((offer) => offer.path[this.path.length]));
  }

  light() {
    for (const element of this.host.querySelectorAll(".next, .chosen")) {
      element.classList.remove("next", "chosen");
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    }
    for (const id of this.nexts()) {
      const element = this.find(id);
      if (!element) continue;
      element.classList.add("next");
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", element.querySelector("title")?.textContent ?? id);
    }
    for (const id of this.path) this.find(id)?.classList.add("chosen");
    this.consider(null);
  }

  touched(target) {
    return target?.closest?.(".next")?.id ?? null;
  }

  touch(id) {
    if (!id || !this.nexts().has(id)) return;
    // The element that has the focus loses it when it can no longer be touched.
    const byKeyboard = this.host.contains(document.activeElement);
    this.path.push(id);
    const [only] = this.possible();
    if (only && only.path.length === this.path.length) {
      this.offers = [];
      this.light();
      this.took(only.action);
      return;
    }
    this.light();
    if (byKeyboard) this.host.querySelector(".next")?.focus();
  }

  stepBack() {
    if (this.path.length === 0) return false;
    const last = this.path.pop();
    this.light();
    this.find(last)?.focus?.();
    return true;
  }

  // What would come of touching this next: said, and written on the board.
  consider(id) {
    const path = id ? [...this.path, id] : this.path;
    for (const element of this.host.querySelectorAll("[data-of]")) {
      element.style.display = path.includes(element.dataset.of) ? "inline" : "none";
    }
    const offers = this.possible(path);
    const only = offers.length === 1 ? offers[0] : null;
    this.overlay("marks", only && (id || this.path.length) ? (layer) => this.marks(layer, only.marks) : null);
    const ask = this.asks[this.path.length] ?? "";
    this.told(only && id ? only.says : ask);
    this.considered(only && only.path.length === path.length ? only : null);
  }

  // Drawings over the picture, by name; they are drawn again when the picture changes.
  overlay(name, draw) {
    if (draw) this.overlays.set(name, draw);
    else this.overlays.delete(name);
    this.draw(name, draw);
  }

  draw(name, draw) {
    const svg = this.svg;
    if (!svg) return;
    svg.querySelector(`:scope > g.${name}`)?.remove();
    if (!draw) return;
    const layer = make("g", { class: `${name} overlay`, "pointer-events": "none" });
    svg.append(layer);
    draw(layer);
  }

  // The middle of an element in the picture's own units.
  middle(id) {
    const element = this.find(id);
    const svg = this.svg;
    if (!element || !svg) return null;
    const box = element.getBoundingClientRect();
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(svg.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  }

  marks(layer, marks) {
    for (const [id, text] of marks) {
      const at = this.middle(id);
      if (at) label(layer, at, text, "mark");
    }
  }

  // Candidates of a thought: a line along the path, as wide as it was visited, with the value at its end.
  candidates(layer, thought, format) {
    const visits = thought.candidates.map((candidate) => candidate.visits ?? 0);
    const most = Math.max(...visits, 1);
    const chosen = (i) => thought.candidates[i].action === thought.choice;
    const order = thought.candidates.map((_, i) => i);
    order.sort((a, b) => chosen(b) - chosen(a) || thought.candidates[b].value - thought.candidates[a].value);
    for (const i of order.slice(0, 4).reverse()) {
      const best = chosen(i);
      const points = (thought.paths[i] ?? []).map((id) => this.middle(id)).filter(Boolean);
      if (points.length === 0) continue;
      const end = points[points.length - 1];
      const width = thought.candidates[i].visits === undefined ? 3 : 1.5 + (8 * visits[i]) / most;
      if (points.length > 1) {
        const line = make("polyline", { points: points.map((p) => `${p.x},${p.y}`).join(" "), "stroke-width": width });
        line.classList.add("candidate", ...(best ? ["best"] : []));
        layer.append(line);
      }
      label(layer, end, format(thought.candidates[i].value, thought.scale), best ? "value best" : "value");
    }
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select")) return;
    if (event.key === "Escape" && this.stepBack()) event.preventDefault();
    const focused = this.touched(document.activeElement);
    if ((event.key === "Enter" || event.key === " ") && focused) {
      event.preventDefault();
      this.touch(focused);
    }
    if (event.key.startsWith("Arrow") && this.nexts().size > 0 && (focused || document.activeElement === document.body)) {
      if (this.towards(event.key)) event.preventDefault();
    }
    if (event.key.toLowerCase() === "r" && !event.ctrlKey && !event.metaKey) this.turn();
  }

  // The nearest element that can be touched in the direction of an arrow.
  towards(key) {
    const elements = [...this.host.querySelectorAll(".next")];
    const from = this.touched(document.activeElement);
    if (!from) {
      elements[0]?.focus();
      return elements.length > 0;
    }
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const here = this.middle(from);
    let best = null;
    for (const element of elements) {
      const there = this.middle(element.id);
      const [x, y] = [there.x - here.x, there.y - here.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along <= 1) continue;
      const cost = along + 2 * aside;
      if (!best || cost < best.cost) best = { element, cost };
    }
    best?.element.focus();
    return best !== null;
  }

  // R goes through what can be touched next: how a tile may lie.
  turn() {
    const elements = [...this.host.querySelectorAll(".next")];
    if (this.path.length === 0 || elements.length === 0) return;
    const at = elements.findIndex((element) => element.id === this.touched(document.activeElement));
    elements[(at + 1) % elements.length].focus();
  }
}

/// Whether the paths are all the ways to choose so many of some elements: then the order of touching means nothing.
function isChoiceOfSome(offers) {
  const length = offers[0]?.path.length ?? 0;
  if (length < 2 || offers.some((offer) => offer.path.length !== length)) return false;
  const elements = new Set(offers.flatMap((offer) => offer.path));
  const sets = new Set(offers.map((offer) => [...new Set(offer.path)].sort().join()));
  let ways = 1;
  for (let i = 0; i < length; i++) ways = (ways * (elements.size - i)) / (i + 1);
  return sets.size === offers.length && offers.length === Math.round(ways) && elements.size > length;
}

export function make(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function label(layer, at, text, kind) {
  const group = make("g", { class: `label ${kind}` });
  const words = make("text", { x: at.x, y: at.y + 4.5, "text-anchor": "middle", "font-size": 13 });
  words.textContent = text;
  group.append(words);
  layer.append(group);
  const box = words.getBBox();
  group.prepend(make("rect", { x: box.x - 5, y: box.y - 1.5, width: box.width + 10, height: box.height + 3, rx: 6 }));
}

/// A value in its scale, as people read it.
export function value(value, scale) {
  if (scale === "score") return `${Math.round(100 * value)} %`;
  const shown = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Number.isInteger(value) ? 0 : 1);
  return value > 0 ? `+${shown}` : shown.replace("-", "−");
}

/// A thought as a list: candidates with value, visits and line of play.
export function describe(thought, host) {
  host.replaceChildren();
  if (!thought) return;
  const table = document.createElement("table");
  const order = [...thought.candidates].sort((a, b) => b.value - a.value).slice(0, 10);
  for (const candidate of order) {
    const row = table.insertRow();
    if (candidate.action === thought.choice) row.className = "best";
    row.insertCell().textContent = candidate.action;
    row.insertCell().textContent = value(candidate.value, thought.scale);
    row.insertCell().textContent = candidate.visits === undefined ? "" : String(candidate.visits);
    row.insertCell().textContent = (candidate.pv ?? []).slice(1, 7).join(" ");
    for (const cell of [row.cells[1], row.cells[2]]) cell.className = "n";
    row.cells[3].className = "small";
  }
  const line = document.createElement("p");
  line.className = "small";
  const parts = [thought.choice];
  if (thought.nodes) parts.push(`n = ${thought.nodes}`);
  if (thought.depth) parts.push(`d = ${thought.depth}`);
  line.textContent = parts.join(" · ");
  host.append(table, line);
}

/// A bar of who is ahead: the best value of whoever thought, if it is a share of the score.
export function ahead(thought, host) {
  const best = thought && Math.max(...thought.candidates.map((candidate) => candidate.value));
  host.hidden = !thought || thought.scale !== "score" || !Number.isFinite(best);
  if (host.hidden) return;
  const share = thought.seat === 0 ? best : 1 - best;
  host.firstElementChild.style.width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`;
}
