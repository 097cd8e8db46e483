// A position and what an agent thinks of it.
import { Board, ahead, describe, value } from "./board.js";

const $ = (id) => document.getElementById(id);
const table = document.querySelector(".table");

if (table) {
  const board = new Board($("board"), { told: () => {}, took: () => {} });
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
    describe(said.thought, $("thought"));
    ahead(said.thought, $("ahead"));
    board.overlay("thoughts", (layer) => board.candidates(layer, said.thought, value));
  });
}
