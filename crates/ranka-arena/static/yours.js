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
if (list) {
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
