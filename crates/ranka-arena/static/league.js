// The games of two: the one that the address names is shown, with its moves in words, and plays by itself.
(async () => {
  const $ = (id) => document.getElementById(`film-${id}`);
  let { parts, games } = await unpacked();
  let game;
  const { go, load } = projector($, parts, told);

  function unpacked() {
    const packed = Uint8Array.from(atob($("data").textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  function mark(seat) {
    const mark = document.createElement("span");
    mark.className = "seat-mark";
    if (seat !== null) {
      mark.dataset.seat = seat;
      mark.style.background = game.players[seat].colour;
    }
    return mark;
  }

  function line(seat, ...more) {
    const li = document.createElement("li");
    li.append(mark(seat), ...more);
    return li;
  }

  function player({ name, link, plays }, seat) {
    const [a, small] = [document.createElement("a"), document.createElement("span")];
    [a.href, a.textContent] = [link, name];
    [small.className, small.textContent] = ["small", plays];
    return line(seat, a, small);
  }

  function move(says, number) {
    const button = document.createElement("button");
    button.textContent = says;
    button.addEventListener("click", () => go(number));
    return line(game.by[number], button);
  }

  function show() {
    const number = Number(location.hash.slice(2));
    game = games.find((one) => one.number === number) ?? games[0];
    marked();
    $("title").textContent = game.title;
    $("players").replaceChildren(...game.players.map(player));
    $("end").textContent = game.end;
    $("detail").textContent = game.detail;
    $("wrong").hidden = !game.detail;
    $("moves").replaceChildren(...game.says.slice(1).map((says, i) => move(says, i + 1)));
    load(game.frames, parts);
  }

  // The game that is shown, in the list of all.
  function marked() {
    for (const link of document.querySelectorAll("#film-games a")) {
      link.toggleAttribute("aria-current", link.hash === `#g${game.number}`);
    }
  }

  function told(at, last) {
    const by = game.by[at];
    $("says").textContent = at === 0 || by === null ? game.says[at] : `${game.players[by].name}: ${game.says[at]}`;
    $("end").hidden = !last;
    [...$("moves").children].forEach((li, i) => {
      const button = li.lastChild;
      const here = i + 1 === at;
      button.toggleAttribute("aria-current", here);
      if (here) $("moves").scrollTop = li.offsetTop - $("moves").offsetTop - $("moves").clientHeight / 2;
    });
  }

  addEventListener("hashchange", show);
  // More games came. The one that is shown goes on as it was.
  document.addEventListener("renewed", async () => {
    marked();
    ({ parts, games } = await unpacked());
  });
  $("needs").hidden = true;
  $("player").hidden = false;
  show();
})();
