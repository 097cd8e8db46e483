// A connection that comes back by itself. What it missed it is told at once: the server sends the whole picture.

export function connect(path, { heard, state }) {
  let socket = null;
  let wait = 250;

  const open = () => {
    socket = new WebSocket(location.origin.replace(/^http/, "ws") + path);
    socket.addEventListener("open", () => {
      wait = 250;
      state(true);
    });
    socket.addEventListener("message", (event) => heard(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      state(false);
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 8000);
    });
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
