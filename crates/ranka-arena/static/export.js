const film = JSON.parse(document.getElementById("film").textContent);
const { parts, says } = film;
// A picture is told by what is another in it than in the one before.
let before = [];
const frames = film.frames.map(({ from, go, come, set }) => {
  before = before.slice();
  if (set) for (let i = 0; i < set.length; i += 2) before[set[i]] = set[i + 1];
  else before.splice(from, go, ...come);
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
