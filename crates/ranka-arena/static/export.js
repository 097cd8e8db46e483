const film = JSON.parse(document.getElementById("film").textContent);
const { parts, says } = film;
// A picture is its parts, or what is another in it than in the one before.
let before = [];
const frames = film.frames.map((frame) => {
  before = Array.isArray(frame) ? frame : before.slice();
  for (let i = 0; i < (frame.changed?.length ?? 0); i += 2) before[frame.changed[i]] = frame.changed[i + 1];
  return before;
});
const $ = (id) => document.getElementById(id);
let at = 0;
let timer = null;
function go(number) {
  at = Math.max(0, Math.min(frames.length - 1, number));
  $("board").innerHTML = frames[at].map((part) => parts[part]).join("");
  $("says").textContent = says[at];
  $("frame").value = at;
}
function stop() {
  clearInterval(timer);
  timer = null;
}
$("frame").addEventListener("input", () => go(Number($("frame").value)));
$("back").addEventListener("click", () => go(at - 1));
$("forth").addEventListener("click", () => go(at + 1));
$("run").addEventListener("click", () => {
  if (timer) return stop();
  if (at === frames.length - 1) go(0);
  timer = setInterval(() => (at < frames.length - 1 ? go(at + 1) : stop()), 600);
});
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input")) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length }[event.key];
  if (to !== undefined) go(to);
});
go(0);
