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
    $("run-name").href = `/experiments/${run.experiment}`;
    $("run-size").textContent = $("run-size").dataset[run.size] ?? run.size;
    $("run-progress").max = Math.max(run.games, 1);
    // What the store had already is not played again.
    const done = run.state === "finished" ? run.games : run.done;
    $("run-progress").value = done;
    $("run-count").textContent = $("run-count").dataset.of.replace("{0}", done).replace("{1}", run.games);
    $("run-left").textContent = run.state === "running" ? left(run.left) : "";
    $("run-pairing").textContent = run.pairing;
    score(run.score);
    const running = run.state === "running";
    $("run").classList.toggle("running", running);
    // Said once, not with every game.
    const state = $("run-state").dataset[run.state] ?? run.state;
    if ($("run-state").textContent !== state) $("run-state").textContent = state;
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

// How long it takes yet, no more exactly than it is known.
function left(seconds) {
  const words = $("run-left").dataset;
  if (seconds === null) return "";
  if (seconds < 10) return words.moment;
  if (seconds < 90) return words.seconds.replace("{0}", 10 * Math.round(seconds / 10));
  if (seconds < 5400) return words.minutes.replace("{0}", Math.round(seconds / 60));
  return words.hours.replace("{0}", (seconds / 3600).toFixed(seconds < 36000 ? 1 : 0));
}

// The running score as a dot with its interval.
function score(score) {
  $("run-bar").replaceChildren();
  $("run-scored").hidden = !score;
  if (!score) return;
  $("run-score").textContent = `${score[0].toFixed(1)} % (${score[1].toFixed(1)}–${score[2].toFixed(1)})`;
  const x = (percent) => 18 + 2.84 * percent;
  const mark = (percent) => {
    const text = make("text", { x: x(percent), y: 31, "text-anchor": "middle", "font-size": 11 });
    text.textContent = `${percent} %`;
    return text;
  };
  $("run-bar").append(
    make("line", { x1: x(0), x2: x(100), y1: 10, y2: 10, class: "axis" }),
    ...[0, 50, 100].map((percent) => make("line", { x1: x(percent), x2: x(percent), y1: 4, y2: 16, class: "axis" })),
    ...[0, 50, 100].map(mark),
    make("line", { x1: x(score[1]), x2: x(score[2]), y1: 10, y2: 10, class: "interval" }),
    make("circle", { cx: x(score[0]), cy: 10, r: 5 }),
  );
}
