// A board that Rust has drawn, made live: it lights what can be touched next, shows what would come of it, and tells
// when a path is complete. It knows no game.

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const phone = matchMedia("(max-width: 600px)");
// What is smaller than this, in pixels, is hard to hit with a finger.
const FINGER = 40;

export class Board {
  /// `told` hears the words for what is chosen, `took` the action of a finished path, `considered` the offer that one
  /// more touch would take, or nothing.
  /// `back` is a button that lets go of what was touched last, and `narrow` says whether there is no room beside the board.
  constructor(host, { told, took, considered = () => {}, back = null, narrow = () => phone.matches }) {
    this.host = host;
    this.narrow = narrow;
    this.told = told;
    this.took = took;
    this.considered = considered;
    this.back = back;
    this.offers = [];
    this.asks = [];
    this.path = [];
    this.drawn = null;
    this.overlays = new Map();
    // Another position than the present one is shown: nothing is drawn over it.
    this.elsewhere = false;
    this.finger = false;
    this.byKeyboard = false;
    this.poised = null;
    // What changes was shown on its way already: it need not be pointed out.
    this.settled = false;
    host.addEventListener("pointerdown", (event) => (this.finger = event.pointerType === "touch"));
    host.addEventListener("click", (event) => this.hit(event));
    back?.addEventListener("click", () => this.stepBack());
    // Beside the board, too.
    host.parentElement?.addEventListener("click", (event) => {
      if (!host.contains(event.target) && !event.target.closest("button, a, input, label, select")) this.stepBack();
    });
    host.addEventListener("pointerover", (event) => this.consider(this.touched(event.target)));
    host.addEventListener("pointerleave", () => this.consider(null));
    host.addEventListener("focusin", (event) => this.consider(this.touched(event.target)));
    document.addEventListener("keydown", (event) => this.key(event));
    // Whatever changes its size: the window, or what stands beside it.
    new ResizeObserver(() => this.legible()).observe(host);
  }

  /// What lies beside the board has its place, and what is written can be read, however small the picture is drawn.
  legible() {
    this.fold();
    legible(this.svg);
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
    if (picture !== undefined && picture !== this.drawn) {
      this.unlight();
      const before = this.drawn === null ? null : this.places();
      this.host.innerHTML = picture;
      this.drawn = picture;
      this.svg?.setAttribute("role", "group");
      this.legible();
      for (const element of this.host.querySelectorAll(".choice")) {
        element.classList.remove("choice");
        element.removeAttribute("role");
        element.removeAttribute("tabindex");
      }
      // Before anything moves: what is drawn over pieces is measured by them.
      for (const [name, draw] of this.overlays) this.draw(name, draw);
      if (before && !still.matches) this.animate(before);
    }
    this.offers = offers;
    this.anyOrder = isChoiceOfSome(offers);
    this.asks = asks;
    this.path = [];
    this.light();
    if (focused && this.find(focused)?.hasAttribute("tabindex")) this.find(focused).focus();
    else if (this.byKeyboard && document.activeElement === document.body) this.host.querySelector(".next")?.focus();
  }

  /// Nothing can be touched while something happens.
  rest() {
    this.offers = [];
    this.asks = [];
    this.path = [];
    this.light();
    for (const name of ["marks", "hints", "thoughts"]) this.draw(name, null);
  }

  // What lies beside the board goes below it where there is no room, so that the board has the whole width; a window that
  // has become wider gives it back its place.
  fold() {
    const svg = this.svg;
    const parts = [...(svg?.querySelectorAll(".beside") ?? [])];
    if (parts.length === 0 || !svg.getScreenCTM()) return;
    svg.dataset.whole ??= svg.getAttribute("viewBox");
    if (!this.narrow()) {
      svg.setAttribute("viewBox", svg.dataset.whole);
      for (const part of parts) part.removeAttribute("transform");
      return;
    }
    const height = Number(svg.dataset.whole.split(" ")[3]);
    const gap = 24;
    // In a higher picture everything is smaller: what is written grows then, and needs its place.
    for (let tries = 0, before = null; tries < 6 && before !== svg.getAttribute("viewBox"); tries++) {
      before = svg.getAttribute("viewBox");
      legible(svg);
      const boxes = parts.map((part) => part.getBBox());
      const width = Math.min(...boxes.map((box) => box.x));
      let x = gap;
      for (const [i, part] of parts.entries()) {
        part.setAttribute("transform", `translate(${x - boxes[i].x} ${height - boxes[i].y})`);
        x += boxes[i].width + gap;
      }
      svg.setAttribute("viewBox", `0 0 ${width} ${height + Math.max(...boxes.map((box) => box.height)) + gap}`);
    }
  }

  // What moves: where pieces stood and what the other elements looked like.
  places() {
    const pieces = new Map();
    const stood = new Set();
    for (const element of this.host.querySelectorAll("[data-piece]")) {
      const box = element.getBoundingClientRect();
      pieces.set(element.dataset.piece, box);
      stood.add(place(box));
    }
    const looks = new Map();
    for (const element of this.host.querySelectorAll("g[id]")) looks.set(element.id, look(element));
    return { pieces, stood, looks };
  }

  animate({ pieces, stood, looks }) {
    const scale = this.svg?.getScreenCTM()?.a || 1;
    const motion = { duration: 220, easing: "ease-out" };
    for (const element of this.host.querySelectorAll("[data-piece]")) {
      const was = pieces.get(element.dataset.piece);
      const is = element.getBoundingClientRect();
      if (!was) {
        // Pieces that are all alike may have another name from now on: what stands where one stood has not come.
        if (!stood.has(place(is))) element.animate([{ opacity: 0 }, { opacity: 1 }], motion);
        continue;
      }
      const [dx, dy] = [(was.x - is.x) / scale, (was.y - is.y) / scale];
      if (Math.abs(dx) + Math.abs(dy) > 1) {
        element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], motion);
      }
    }
    const settled = this.settled;
    this.settled = false;
    if (settled) return;
    let step = 0;
    for (const element of this.host.querySelectorAll("g[id]")) {
      const changed = looks.has(element.id) && looks.get(element.id) !== look(element);
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

  unlight() {
    for (const element of this.host.querySelectorAll(".next, .chosen")) {
      element.classList.remove("next", "chosen");
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    }
    for (const ring of this.host.querySelectorAll(".ring")) ring.remove();
  }

  light() {
    this.unlight();
    this.poised = null;
    if (this.back) this.back.hidden = this.path.length === 0 || this.offers.length === 0;
    for (const id of this.nexts()) {
      const element = this.find(id);
      if (!element) continue;
      element.classList.add("next");
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      // Where something is written on it, its title stands for both.
      const title = element.querySelector("title")?.textContent;
      if (!title || !element.querySelector("text")) element.setAttribute("aria-label", title ?? id);
      ring(element);
    }
    for (const id of this.path) {
      const element = this.find(id);
      if (!element || element.classList.contains("chosen")) continue;
      element.classList.add("chosen");
      ring(element);
    }
    this.consider(null);
  }

  touched(target) {
    return target?.closest?.(".next")?.id ?? null;
  }

  // A click; one beside a small element means that element.
  hit(event) {
    const exact = this.touched(event.target);
    if (!exact && this.another(event.target)) return;
    const id = exact ?? (event.detail > 0 ? this.near(event.clientX, event.clientY) : null);
    if (!id) {
      this.stepBack();
      return;
    }
    this.byKeyboard = false;
    if (this.finger && this.poised !== id && this.isSmall(id) && this.completes(id)) {
      // A finger covers what is small: the first touch shows what would come of it, the second takes it.
      this.consider(id);
      this.poised = id;
      const again = this.host.dataset.again;
      if (again) this.told(`${this.possible([...this.path, id])[0].says} · ${again}`);
      return;
    }
    this.touch(id);
  }

  // What could have been touched instead of something earlier on the path takes its place.
  another(target) {
    for (let element = target.closest("[id]"); element && this.host.contains(element); element = element.parentElement?.closest("[id]")) {
      const { id } = element;
      if (this.path.includes(id)) {
        // In a choice of some, this one is let go; on a path, everything from it on.
        if (this.anyOrder) this.path = this.path.filter((chosen) => chosen !== id);
        else this.path.length = this.path.indexOf(id);
        this.light();
        return true;
      }
      for (let step = this.path.length - 1; step >= 0 && !this.anyOrder; step--) {
        const before = this.path.slice(0, step);
        if (!this.possible(before).some((offer) => offer.path[step] === id)) continue;
        this.path = before;
        this.touch(id);
        return true;
      }
    }
    return false;
  }

  near(x, y) {
    let best = null;
    for (const element of this.host.querySelectorAll(".next")) {
      const box = element.getBoundingClientRect();
      const [dx, dy] = [Math.abs(x - box.x - box.width / 2), Math.abs(y - box.y - box.height / 2)];
      const within = dx <= Math.max(box.width, FINGER) / 2 && dy <= Math.max(box.height, FINGER) / 2;
      if (within && (!best || dx + dy < best.away)) best = { id: element.id, away: dx + dy };
    }
    return best?.id ?? null;
  }

  isSmall(id) {
    const box = this.find(id).getBoundingClientRect();
    return Math.min(box.width, box.height) < FINGER;
  }

  completes(id) {
    const possible = this.possible([...this.path, id]);
    return possible.length === 1 && possible[0].path.length === this.path.length + 1;
  }

  touch(id) {
    if (!id || !this.nexts().has(id)) return;
    this.path.push(id);
    const [only] = this.possible();
    if (only && only.path.length === this.path.length) {
      this.offers = [];
      this.light();
      this.took(only.action);
      return;
    }
    this.light();
    // The element that had the focus has lost it, for it can no longer be touched.
    if (this.byKeyboard) this.host.querySelector(".next")?.focus();
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
    if (!draw || this.elsewhere) return;
    for (const motion of this.host.getAnimations({ subtree: true })) motion.finish();
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

  // How many of the picture's units a pixel is.
  get pixel() {
    return 1 / (this.svg?.getScreenCTM()?.a || 1);
  }

  marks(layer, marks) {
    for (const [id, text] of marks) {
      const at = this.middle(id);
      if (at) this.label(layer, at, text, "mark", this.written(id));
    }
  }

  // Where something is written on an element, such as how many seeds lie in a store.
  written(id) {
    const inverse = this.svg.getScreenCTM().inverse();
    const boxes = [...this.find(id).querySelectorAll("text")].map((text) => text.getBoundingClientRect());
    return boxes.filter((box) => box.width > 0).map((box) => {
      // A line is higher than what is written in it.
      const from = new DOMPoint(box.left, box.top + 0.18 * box.height).matrixTransform(inverse);
      const to = new DOMPoint(box.right, box.bottom - 0.18 * box.height).matrixTransform(inverse);
      return { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
    });
  }

  // Words on a plate, as large as on any other board; plates step aside for each other, and for what is `beside` them,
  // and stay in the picture.
  label(layer, at, text, kind, beside = []) {
    const group = make("g", { class: `label ${kind}` });
    const size = Math.max(12 * this.pixel, 10);
    const words = make("text", { x: at.x, y: at.y + 0.35 * size, "text-anchor": "middle", "font-size": size });
    words.textContent = text;
    group.append(words);
    layer.append(group);
    const box = words.getBBox();
    const [width, height] = [box.width + 0.8 * size, box.height + 0.2 * size];
    const whole = this.svg.viewBox.baseVal;
    const left = Math.max(whole.x, Math.min(at.x - width / 2, whole.x + whole.width - width));
    const taken = [...beside, ...[...layer.querySelectorAll("rect")].map((rect) => rect.getBBox())];
    const isFree = (top) =>
      taken.every((other) => left >= other.x + other.width || other.x >= left + width || top >= other.y + other.height || other.y >= top + height);
    let top = at.y - height / 2;
    for (let step = 1; !isFree(top) && step < 12; step++) {
      top = at.y - height / 2 + (step % 2 ? -1 : 1) * Math.ceil(step / 2) * (height + 1);
    }
    top = Math.max(whole.y, Math.min(top, whole.y + whole.height - height));
    words.setAttribute("x", left + width / 2);
    words.setAttribute("y", top + height / 2 + 0.35 * size);
    group.prepend(make("rect", { x: left, y: top, width, height, rx: 0.45 * size }));
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select")) return;
    if (event.key === "Escape" && this.stepBack()) event.preventDefault();
    const focused = this.touched(document.activeElement);
    if ((event.key === "Enter" || event.key === " ") && focused) {
      event.preventDefault();
      this.byKeyboard = true;
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

/// Text that would be smaller than this, in pixels, is drawn larger than its picture wants it.
const SMALLEST = 12;

/// Makes what is written in a drawing legible.
export function legible(svg) {
  const scale = svg?.getScreenCTM()?.a;
  if (!scale) return;
  const grown = [];
  for (const text of svg.querySelectorAll("text[font-size]")) {
    if (text.closest(".overlay")) continue;
    const small = Number(text.getAttribute("font-size")) * scale < SMALLEST;
    if (small) text.style.fontSize = `${SMALLEST / scale}px`;
    else if (text.style.fontSize) text.removeAttribute("style");
    text.removeAttribute("textLength");
    if (small && !text.hasAttribute("text-anchor")) grown.push(text);
  }
  // What has grown beyond the edge is set closer together.
  const edge = svg.getBoundingClientRect().right;
  const over = grown.map((text) => (text.getBoundingClientRect().right - edge) / scale);
  grown.forEach((text, i) => {
    if (!(over[i] > 0)) return;
    text.setAttribute("textLength", text.getComputedTextLength() - over[i] - 1 / scale);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  });
}

// What an element looks like, whatever size its words have for the moment.
function look(element) {
  return element.innerHTML.replace(/ (style="font-size:|textLength="|lengthAdjust=")[^"]*"/g, "");
}

// Where a piece stands, in whole pixels.
function place(box) {
  return [box.x, box.y, box.width, box.height].map(Math.round).join();
}

/// A ring in two tones around an element's first shape, so that it is seen on every ground.
function ring(element) {
  const shape = element.querySelector("rect, circle, ellipse, polygon, path");
  if (!shape) return;
  for (const tone of ["halo", "seal"]) {
    const copy = shape.cloneNode(false);
    for (const name of ["id", "style", "fill", "stroke", "stroke-width", "opacity", "class", "filter"]) copy.removeAttribute(name);
    copy.setAttribute("class", `ring ${tone}`);
    // Cells touch each other: a ring lies inside its own, or its neighbours would cover it.
    if (copy.localName === "rect") inset(copy, 1.5);
    // What is written on a piece stays legible.
    shape.parentNode.insertBefore(copy, element.querySelector(":scope > .above"));
  }
}

function inset(rect, by) {
  for (const [name, change] of [["x", by], ["y", by], ["width", -2 * by], ["height", -2 * by]]) {
    rect.setAttribute(name, Number(rect.getAttribute(name) ?? 0) + change);
  }
}
