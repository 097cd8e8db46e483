// What an action does, played step by step on the picture before it. It knows no game.
import { make } from "./board.js";
import { tick } from "./sound.js";

const CARRY = 80;
const STEP = 120;
// However much happens, nobody waits longer than this for one kind of it.
const LONGEST = 1100;

export class Motion {
  constructor(board) {
    this.board = board;
    this.picture = null;
    this.moved = new Map();
    this.middles = new Map();
    this.running = new Set();
    this.skipped = false;
    this.haste = 1;
  }

  /// Plays steps, so many times as fast as usual; what comes after is shown when the promise is kept.
  async play(steps, haste = 1) {
    this.haste = haste;
    this.look();
    this.skipped = false;
    const carries = steps.filter((step) => step.step === "carry").length;
    const pace = Math.min(CARRY, LONGEST / Math.max(carries, 1));
    for (const [number, step] of steps.entries()) {
      if (this.skipped || !this.board.svg) return;
      tick(step.step);
      const last = number === steps.length - 1;
      if (step.step === "carry") await this.carry(step, last ? 260 : pace);
      if (step.step === "walk") await this.walk(step);
      if (step.step === "slide") await this.slide(step);
      if (step.step === "turn") await this.turn(step);
      if (step.step === "aside") await this.aside(step);
      if (step.step === "leave") await this.leave(step);
      if (step.step === "tell") await this.tell(step, last);
    }
  }

  // Where everything is before anything moves: a cell may go away with what slides in it, and others come to its place.
  // What still glides to where the picture has it is there now.
  look() {
    for (const glide of this.board.host.getAnimations({ subtree: true })) glide.finish();
    if (this.picture === this.board.svg) return;
    this.picture = this.board.svg;
    this.moved = new Map();
    const named = this.picture?.querySelectorAll("[id]") ?? [];
    this.middles = new Map(Array.from(named, ({ id }) => [id, this.board.middle(id)]));
  }

  /// Whoever does something has seen enough.
  skip() {
    this.skipped = true;
    for (const end of this.running) end();
  }

  // An animation, or its end.
  run(element, frames, options) {
    const animation = element.animate(frames, { fill: "forwards", easing: "ease-out", ...options });
    animation.playbackRate = this.haste;
    return new Promise((done) => {
      const end = () => {
        this.running.delete(end);
        done();
      };
      this.running.add(end);
      animation.finished.then(end, end);
    });
  }

  wait(time) {
    return new Promise((done) => {
      const end = () => {
        this.running.delete(end);
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(end, time);
      this.running.add(end);
    });
  }

  piece(name) {
    return this.board.host.querySelector(`[data-piece="${CSS.escape(name)}"]`);
  }

  // Things without a name: the first that lie in the element go, and stay where they fall until the picture changes.
  async carry({ from, to, count }, time) {
    const [here, there] = [this.middles.get(from), this.middles.get(to)];
    if (!here || !there) return;
    const loose = [...this.board.find(from).querySelectorAll(".loose:not([data-gone])")].slice(0, count);
    const dots = Math.max(1, Math.min(count, loose.length || 1, 12));
    for (let i = 0; i < dots; i++) {
      const dot = loose[i]?.cloneNode(false) ?? make("circle", { r: 5 * this.board.pixel, fill: "var(--seed, #4a3b2a)" });
      const at = loose[i]?.getBBox();
      if (loose[i]) {
        loose[i].dataset.gone = "";
        loose[i].style.visibility = "hidden";
      }
      const start = at ? { x: at.x + at.width / 2, y: at.y + at.height / 2 } : here;
      dot.setAttribute("cx", start.x);
      dot.setAttribute("cy", start.y);
      dot.setAttribute("pointer-events", "none");
      this.board.svg.append(dot);
      // They do not fall onto each other.
      const turn = 2.4 * (this.moved.get("fallen") ?? 0);
      this.moved.set("fallen", (this.moved.get("fallen") ?? 0) + 1);
      const [x, y] = [there.x + 9 * Math.cos(turn) - start.x, there.y + 9 * Math.sin(turn) - start.y];
      this.run(dot, [{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }], { duration: 240 });
    }
    await this.wait(time / this.haste);
  }

  // How far a piece was moved and turned so far.
  brought(name) {
    return this.moved.get(name) ?? { x: 0, y: 0, turn: 0 };
  }

  // Moves a piece from where it was brought so far.
  shift(element, name, x, y, duration, easing, turn = this.brought(name).turn) {
    const was = this.brought(name);
    this.moved.set(name, { x, y, turn });
    // What moves is above what stands.
    if (!element.querySelector("[id]")) element.parentNode.append(element);
    const frames = [was, { x, y, turn }].map((at) => ({ transform: `translate(${at.x}px, ${at.y}px) rotate(${at.turn}deg)` }));
    return this.run(element, frames, { duration, easing });
  }

  // The middle of a piece before anything moved it.
  home(element, name) {
    const was = this.brought(name);
    const box = element.getBoundingClientRect();
    const matrix = this.board.svg.getScreenCTM().inverse();
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix);
    return { x: at.x - was.x, y: at.y - was.y };
  }

  async walk({ piece, over }) {
    const element = this.piece(piece);
    if (!element) return;
    const home = this.home(element, piece);
    const pace = Math.min(over.length === 1 ? 240 : STEP, LONGEST / over.length);
    for (const id of over) {
      const there = this.middles.get(id);
      if (this.skipped || !there) return;
      await this.shift(element, piece, there.x - home.x, there.y - home.y, pace, over.length === 1 ? "ease-out" : "linear");
    }
  }

  async slide({ pieces, from, to }) {
    const [here, there] = [this.middles.get(from), this.middles.get(to)];
    if (!here || !there) return;
    const going = pieces.map((name) => {
      const element = this.piece(name);
      const was = this.brought(name);
      return element && this.shift(element, name, was.x + there.x - here.x, was.y + there.y - here.y, 420, "ease-in-out");
    });
    await Promise.all(going);
  }

  // Around the middle of its shape; what is written beside it stays out of this. The shorter way round.
  async turn({ piece, degrees }) {
    const element = this.piece(piece);
    const shape = element?.querySelector("rect, circle, ellipse, polygon, path");
    if (!shape) return;
    for (const text of element.querySelectorAll("text")) text.style.display = "none";
    const box = shape.getBBox();
    element.style.transformOrigin = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
    const { x, y, turn } = this.brought(piece);
    await this.shift(element, piece, x, y, 200, "ease-in-out", turn + (degrees > 180 ? degrees - 360 : degrees));
  }

  async aside({ piece, by: [right, down] }) {
    const element = this.piece(piece);
    const { x, y } = this.brought(piece);
    if (element) await this.shift(element, piece, x + right, y + down, STEP, "ease-out");
  }

  async leave({ piece }) {
    const element = this.piece(piece);
    if (element) await this.run(element, [{ opacity: 1 }, { opacity: 0 }], { duration: 220 });
  }

  async tell({ at, text }, last) {
    const place = this.middles.get(at);
    if (!place) return;
    const layer = make("g", { class: "told overlay", "pointer-events": "none" });
    this.board.svg.append(layer);
    this.board.label(layer, place, text, "mark");
    await this.run(layer, [{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
    await this.wait((last ? 520 : 280) / this.haste);
  }
}
