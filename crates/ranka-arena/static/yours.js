// The games that go on and at which this browser has a seat. A seat's link is all that leads back to it, so it is kept
// here, and nowhere else.
const MOST = 12;

export function remember(seat) {
  keep([seat, ...others(seat.path)].slice(0, MOST));
}

export function forget(path) {
  keep(others(path));
}

/// Keeps how a game ended; once is enough.
export function finish(ended) {
  const known = finished();
  if (known.some((other) => other.replay === ended.replay)) return;
  keep([ended, ...known].slice(0, 200), "finished");
}

/// Keeps how strong an adapting opponent took whoever plays here to be, for its next game.
export function know(game, estimate) {
  try {
    localStorage.setItem(`known-${game}`, estimate);
  } catch {
    // Then it begins anew.
  }
}

function finished() {
  return read("finished").filter((ended) => ended.replay.startsWith("/replay/"));
}

function others(path) {
  return seats().filter((other) => other.path !== path);
}

function seats() {
  return read("seats").filter((seat) => seat.path.startsWith("/t/"));
}

function read(list) {
  try {
    return JSON.parse(localStorage.getItem(list) ?? "[]");
  } catch {
    return [];
  }
}

function keep(entries, list = "seats") {
  try {
    localStorage.setItem(list, JSON.stringify(entries));
  } catch {
    // Where nothing may be kept there is only the link.
  }
}

const list = document.getElementById("yours");
function show() {
  const lines = seats().map(({ path, game, others }) => {
    const link = document.createElement("a");
    link.href = path;
    link.textContent = `${game} – ${others}`;
    const line = document.createElement("li");
    line.append(link);
    return line;
  });
  list.querySelector("ul").replaceChildren(...lines);
  list.hidden = lines.length === 0;
  past();
}

// What was played in this browser, with the way to look back at it.
function past() {
  const [place, all] = [document.getElementById("finished"), finished()];
  place.hidden = all.length === 0;
  const lines = all.map(({ replay, game, others, result, when }) => {
    const link = document.createElement("a");
    link.href = replay;
    link.textContent = `${game} – ${others}: ${result}`;
    const time = document.createElement("span");
    time.className = "small";
    time.textContent = ` ${new Date(when).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })}`;
    const line = document.createElement("li");
    line.append(link, time);
    return line;
  });
  place.querySelector("ul").replaceChildren(...lines);
  document.getElementById("finished-save").href = "data:application/json," + encodeURIComponent(JSON.stringify(all, null, 1));
}
document.getElementById("finished-clear")?.addEventListener("click", () => {
  keep([], "finished");
  past();
});
// Also when the page is shown again as it was left: meanwhile a game may have begun.
if (list) window.addEventListener("pageshow", show);

// What an adapting opponent learned of whoever plays here, it knows the next time; also of who comes *back* to this page.
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("input[data-known]")) {
    field.value = localStorage.getItem(`known-${field.dataset.known}`) ?? "";
  }
});

// The strength that was chosen last is offered again.
for (const select of document.querySelectorAll("form.play select")) {
  const key = `level-${select.dataset.game}`;
  const chosen = localStorage.getItem(key);
  if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
  select.addEventListener("change", () => localStorage.setItem(key, select.value));
}
