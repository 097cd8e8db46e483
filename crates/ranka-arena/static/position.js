// A position and what an agent thinks of it.
import { Board } from "./board.js";
import { Line } from "./line.js";
import { ahead, describe, draw } from "./thought.js";

const $ = (id) => document.getElementById(id);
const table = document.querySelector(".table");

if (table) {
  const board = new Board($("board"), { told: () => {}, took: () => {} });
  const words = $("thought").dataset;
  const [picture, asked] = [$("board").innerHTML, $("ask").textContent];
  const line = new Line(board, {
    told: (words) => ($("ask").textContent = words || asked),
    left: () => {
      board.show({ picture });
      $("ask").textContent = asked;
    },
  });
  $("analyse").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.currentTarget.querySelector("button");
    button.disabled = true;
    button.classList.add("thinks");
    $("error").hidden = true;
    const { game, rules, position } = table.dataset;
    const agent = event.currentTarget.agent.value;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ game, rules, position, agent, growing: true });
    const from = { position: { game, rules, position } };
    line.close();
    const show = ({ error, thought }) => {
      if (error) {
        $("error").textContent = error;
        $("error").hidden = false;
        return;
      }
      // Who steps through a line is not torn out of it.
      if (!$("line").hidden) return;
      describe(thought, $("thought"), words, (pv, opener) => line.open(from, pv, opener));
      ahead(thought, $("ahead"));
      board.overlay("thoughts", (layer) => draw(board, layer, thought, words));
    };
    await fetch("/analyse", { method: "POST", headers, body })
      .then((answer) => everyLine(answer.body, (text) => show(JSON.parse(text))))
      .catch((error) => show({ error: String(error) }));
    button.disabled = false;
    button.classList.remove("thinks");
  });
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
