// Which puzzles were solved in this browser. Nothing of it leaves it.
const KEY = "puzzles";

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/// Keeps how an attempt at a puzzle ended. Solved stays solved; at the first try counts as that only if nothing was missed before.
export function note(way, solved) {
  const known = read();
  const before = known[way];
  if (before?.solved) return;
  known[way] = { solved, tries: (before?.tries ?? 0) + 1, when: Date.now() };
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // Where nothing may be kept, nothing is counted.
  }
  show();
}

// Marks what is known on the page, and counts it.
function show() {
  const known = read();
  for (const link of document.querySelectorAll("[data-puzzle]")) {
    const entry = known[link.dataset.puzzle];
    link.dataset.state = !entry ? "" : !entry.solved ? "missed" : entry.tries === 1 ? "first" : "solved";
  }
  for (const place of document.querySelectorAll("[data-record]")) {
    const own = Object.entries(known).filter(([way]) => way.startsWith(place.dataset.record));
    const solved = own.filter(([, entry]) => entry.solved);
    const first = solved.filter(([, entry]) => entry.tries === 1);
    place.textContent = place.dataset.says.replace("{0}", solved.length).replace("{1}", place.dataset.of).replace("{2}", first.length);
    place.hidden = own.length === 0;
  }
}

window.addEventListener("pageshow", show);
show();
