// The games that go on and at which this browser has a seat. A seat's link is all that leads back to it, so it is kept
// here, and nowhere else.
const MOST = 12;

export function remember(seat) {
  keep([seat, ...others(seat.path)].slice(0, MOST));
}

export function forget(path) {
  keep(others(path));
}

function others(path) {
  return seats().filter((other) => other.path !== path);
}

function seats() {
  try {
    return JSON.parse(localStorage.getItem("seats") ?? "[]").filter((seat) => seat.path.startsWith("/t/"));
  } catch {
    return [];
  }
}

function keep(seats) {
  try {
    localStorage.setItem("seats", JSON.stringify(seats));
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
}
// Also when the page is shown again as it was left: meanwhile a game may have begun.
if (list) window.addEventListener("pageshow", show);

// The strength that was chosen last is offered again.
for (const select of document.querySelectorAll("form.play select")) {
  const key = `level-${select.dataset.game}`;
  const chosen = localStorage.getItem(key);
  if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
  select.addEventListener("change", () => localStorage.setItem(key, select.value));
}
