// A page of a league that is being played: what has changed on the server changes here too, and nothing else moves.
const EVERY = 5000;
let last = null;

async function renew() {
  if (!document.hidden) {
    // A server that is not there is asked again.
    const answer = await fetch(location.pathname, { cache: "no-cache" }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => last) : last;
    if (text !== last) take(new DOMParser().parseFromString((last = text), "text/html"));
  }
  setTimeout(renew, EVERY);
}

function take(there) {
  // What somebody has unfolded stays so.
  const folded = [...document.querySelectorAll("main details")];
  there.querySelectorAll("main details").forEach((fresh, i) => (fresh.open = folded[i]?.open ?? fresh.open));
  const focused = document.activeElement?.getAttribute("href");
  // A game that is looked at goes on: only the list of games grows.
  const parts = document.getElementById("film-player") ? ["film-games", "film-data"] : ["main"];
  for (const id of parts) {
    const [old, fresh] = [document.getElementById(id), there.getElementById(id)];
    if (old && fresh) match(old, fresh);
  }
  document.dispatchEvent(new Event("renewed"));
  if (focused && document.activeElement === document.body) document.querySelector(`main a[href="${CSS.escape(focused)}"]`)?.focus();
}

// Makes a part of the page like another, and leaves alone what is.
function match(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE || !old.cloneNode(false).isEqualNode(fresh.cloneNode(false))) {
    return old.replaceWith(document.adoptNode(fresh));
  }
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    let like = at;
    while (like && like.nodeName !== next.nodeName) like = like.nextSibling;
    if (!like) {
      old.insertBefore(document.adoptNode(next), at);
      continue;
    }
    while (at !== like) at = gone(at);
    at = like.nextSibling;
    match(like, next);
  }
  while (at) at = gone(at);
}

// Takes a part out, and answers with the one after it.
function gone(part) {
  const next = part.nextSibling;
  part.remove();
  return next;
}

setTimeout(renew, EVERY);
