// A picture is told by what is another in it than in the one before.
function decoded(coded) {
  let before = [];
  return coded.map(({ from, go, come, set }) => {
    before = before.slice();
    if (set) for (let i = 0; i < set.length; i += 2) before[set[i]] = set[i + 1];
    else before.splice(from, go, ...come);
    return before;
  });
}

// Shows the pictures of a game: by a slider, buttons and keys, or one after the other by itself. `$` finds its elements,
// and `told` hears which picture is shown and whether it is the last.
function projector($, parts, told) {
  let frames = [];
  let shown = parts;
  let at = 0;
  let timer = null;

  function go(number) {
    at = Math.max(0, Math.min(frames.length - 1, number));
    $("board").innerHTML = frames[at].map((part) => shown[part]).join("");
    $("frame").value = at;
    told(at, at === frames.length - 1);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
  }

  // Another game, of these parts if they are not the same.
  function load(coded, of = parts) {
    stop();
    shown = of;
    frames = decoded(coded);
    $("frame").max = frames.length - 1;
    go(0);
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
  return { go, load };
}

