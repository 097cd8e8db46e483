// A line of play, stepped through on the board with the arrow keys.
const $ = (id) => document.getElementById(id);

export class Line {
  /// `told` hears the words for the action that led here, `left` that the board is free again.
  constructor(board, { told, left }) {
    this.board = board;
    this.told = told;
    this.left = left;
    this.frames = null;
    this.at = 0;
    $("line-back").addEventListener("click", () => this.go(this.at - 1));
    $("line-forth").addEventListener("click", () => this.go(this.at + 1));
    $("line-end").addEventListener("click", () => this.close());
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  get isOpen() {
    return this.frames !== null;
  }

  /// Opens the line that begins `from` somewhere: a table, a record or a position.
  async open(from, actions, opener) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ from, actions });
    const answer = await fetch("/line", { method: "POST", headers, body }).then((answer) => answer.json()).catch(() => null);
    if (!answer?.frames?.length) return;
    this.frames = answer.frames;
    this.opener = opener;
    this.board.elsewhere = true;
    $("line").hidden = false;
    $("line-moves").replaceChildren(
      ...this.frames.slice(1).map((frame, i) => {
        const move = document.createElement("button");
        move.textContent = frame.action;
        move.addEventListener("click", () => this.go(i + 1));
        const item = document.createElement("li");
        item.append(move);
        return item;
      }),
    );
    this.go(1);
  }

  go(number) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, number));
    const frame = this.frames[this.at];
    this.board.show({ picture: frame.picture });
    this.told(frame.says);
    $("line-back").disabled = this.at === 0;
    $("line-forth").disabled = this.at === this.frames.length - 1;
    for (const [i, move] of [...$("line-moves").querySelectorAll("button")].entries()) {
      move.toggleAttribute("aria-current", i + 1 === this.at);
    }
  }

  /// Goes back to where the line was left from; `quietly` if the board is shown anew anyway.
  close(quietly = false) {
    if (!this.isOpen) return;
    this.frames = null;
    this.board.elsewhere = false;
    $("line").hidden = true;
    if (quietly) return;
    this.left();
    this.opener?.focus();
  }

  key(event) {
    if (!this.isOpen || event.target.closest?.("input, textarea, select, [role=tab]")) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity }[event.key];
    if (to === undefined && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) this.close();
    else this.go(to);
  }
}
