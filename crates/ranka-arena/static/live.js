// A connection that comes back by itself. What it missed it is told at once: the server sends the whole picture.

// The server says how often it is heard; who is silent for longer than this many times is gone, even if nobody said so.
const MISSED = 2.5;

export function connect(path, { heard, state }) {
  let socket = null;
  let wait = 250;
  let every = 10_000;
  let silence = null;

  const open = () => {
    const packed = typeof DecompressionStream === "undefined" ? "" : "?packed";
    const own = new WebSocket(location.origin.replace(/^http/, "ws") + path + packed);
    own.binaryType = "arraybuffer";
    socket = own;
    // Unpacking takes a moment: what came first is heard first.
    let order = Promise.resolve();
    const alive = () => {
      clearTimeout(silence);
      silence = setTimeout(lost, MISSED * every);
    };
    let over = false;
    const lost = () => {
      if (over) return;
      over = true;
      clearTimeout(silence);
      own.close();
      state(false);
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 8000);
    };
    alive();
    own.addEventListener("open", () => {
      wait = 250;
      state(true);
    });
    own.addEventListener("message", (event) => {
      alive();
      order = order.then(async () => {
        const message = JSON.parse(typeof event.data === "string" ? event.data : await unpack(event.data));
        if (over) return;
        if (message?.kind === "beat") every = message.every;
        else heard(message);
      });
      // A message that the page cannot deal with is told to whoever looks, and the next one is heard all the same.
      order = order.catch((error) => console.error(error));
    });
    own.addEventListener("close", lost);
  };
  open();

  return {
    /// Whether it could be sent.
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}

function unpack(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}
