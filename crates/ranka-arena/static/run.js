// The experiment that is running, as it goes.
import { make } from "./board.js";
import { connect } from "./live.js";

const $ = (id) => document.getElementById(id);
let plots = "";

connect("/run", {
  state: () => {},
  heard(run) {
    $("run").hidden = !run;
    if (!run) return;
    $("run-name").textContent = run.experiment;
    $("run-size").textContent = JSON.parse($("run-size").dataset.sizes)[run.size] ?? run.size;
    $("run-progress").max = Math.max(run.games, 1);
    $("run-progress").value = run.done;
    $("run-count").textContent = `${run.done} / ${run.games}`;
    const soon = run.state !== "running" || !(run.left >= 1);
    $("run-left").textContent = soon ? "" : $("run-left").dataset.left.replace("{0}", Math.ceil(run.left));
    $("run-pairing").textContent = run.pairing;
    score(run.score);
    const running = run.state === "running";
    $("run-state").textContent = running ? "" : ($("run-state").dataset[run.state] ?? run.state);
    // Only who sits at the machine can stop it.
    if ($("run-stop")) $("run-stop").hidden = !running;
    $("run-report").hidden = run.state !== "finished";
    $("run-report").href = `/report/${run.experiment}`;
    const drawn = run.plots.join("");
    if (drawn !== plots) {
      plots = drawn;
      $("run-plots").replaceChildren(
        ...run.plots.map((plot) => {
          const figure = document.createElement("figure");
          figure.innerHTML = plot;
          return figure;
        }),
      );
    }
  },
});

// The running score as a dot with its interval.
function score(score) {
  $("run-bar").replaceChildren();
  $("run-score").textContent = score ? `${score[0].toFixed(1)} % (${score[1].toFixed(1)}–${score[2].toFixed(1)})` : "";
  if (!score) return;
  const x = (percent) => 3.2 * percent;
  $("run-bar").append(
    make("line", { x1: 0, x2: 320, y1: 10, y2: 10, class: "axis" }),
    make("line", { x1: x(50), x2: x(50), y1: 3, y2: 17, class: "axis" }),
    make("line", { x1: x(score[1]), x2: x(score[2]), y1: 10, y2: 10, class: "interval" }),
    make("circle", { cx: x(score[0]), cy: 10, r: 5 }),
  );
}
