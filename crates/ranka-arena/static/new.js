// The form for a new game: an agent's parameters as the catalogue declares them, and as many seats as the rules have.
import "./yours.js";

const catalogue = JSON.parse(document.getElementById("catalogue").textContent);
const seats = [...document.querySelectorAll(".seat")];

for (const seat of seats) {
  const who = seat.querySelector("select");
  const spec = seat.querySelector(".spec input");
  who.addEventListener("change", () => {
    spec.value = "";
    build(seat, who.value, spec);
  });
  build(seat, who.value, spec);
}

function build(seat, name, spec) {
  const host = seat.querySelector(".built");
  host.replaceChildren();
  const agent = catalogue.find((agent) => agent.name === name);
  seat.querySelector(".spec").hidden = !agent || agent.params.length === 0;
  seat.querySelector(".about").textContent = agent?.summary ?? "";
  if (!agent) return;
  const given = new Map(spec.value.split(",").filter(Boolean).map((pair) => pair.split(/=(.*)/s)));
  const fields = agent.params.map((param) => [param, field(param, given.get(param.key) ?? param.default)]);
  for (const [param, input] of fields) {
    const label = document.createElement("label");
    const help = document.createElement("small");
    help.textContent = param.help;
    label.append(param.key, input, help);
    host.append(label);
    input.addEventListener("input", () => {
      const changed = fields.filter(([param, input]) => input.value !== param.default);
      spec.value = changed.map(([param, input]) => `${param.key}=${input.value}`).join(",");
    });
  }
}

function field(param, value) {
  if (param.kind.choice) {
    const select = document.createElement("select");
    select.append(...param.kind.choice.map((word) => new Option(word, word, false, word === value)));
    return select;
  }
  const input = document.createElement("input");
  const range = param.kind.int ?? param.kind.real;
  if (range) {
    input.type = "number";
    [input.min, input.max] = range;
    input.step = param.kind.int ? "1" : "any";
  }
  input.value = value;
  return input;
}

// A game whose rules say how many play has so many seats.
const players = document.querySelector('[name="rule-players"]');
const [visible] = [seats.filter((seat) => !seat.hidden).length];
function sit() {
  const count = players ? Number(players.value) : Math.min(visible, 2);
  for (const [number, seat] of seats.entries()) {
    seat.hidden = number >= count;
    seat.disabled = number >= count;
  }
}
players?.addEventListener("input", sit);
sit();

// Who cannot play under the rules is not offered.
const form = document.querySelector("form.new");
const rules = [...document.querySelectorAll('[name^="rule-"]')];
let asked = 0;
async function offer() {
  const number = ++asked;
  const chosen = rules.filter((field) => field.value).map((field) => `${field.name.slice(5)}=${field.value}`);
  const query = new URLSearchParams({ rules: chosen.join(",") });
  const able = await fetch(`/playable/${form.dataset.game}?${query}`).then((answer) => answer.json()).catch(() => null);
  if (number !== asked || !Array.isArray(able)) return;
  for (const seat of seats) {
    const who = seat.querySelector("select");
    for (const option of who.options) {
      const free = option.value === "person" || able.includes(option.value);
      option.hidden = option.disabled = !free;
    }
    if (!who.selectedOptions[0]?.disabled) continue;
    who.value = [...who.options].find((option) => !option.disabled && option.value.startsWith("level-"))?.value ?? "person";
    who.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
let soon = null;
for (const field of rules) {
  field.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(offer, 250);
  });
}
