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
    const body = JSON.stringify({ game, rules, position, agent });
    const said = await fetch("/analyse", { method: "POST", headers, body })
      .then((answer) => answer.json())
      .catch((error) => ({ error: String(error) }));
    button.disabled = false;
    button.classList.remove("thinks");
    if (said.error) {
      $("error").textContent = said.error;
      $("error").hidden = false;
      return;
    }
    line.close();
    const from = { position: { game, rules, position } };
    describe(said.thought, $("thought"), words, (pv, opener) => line.open(from, pv, opener));
    ahead(said.thought, $("ahead"));
    board.overlay("thoughts", (layer) => draw(board, layer, said.thought, words));
  });
}
