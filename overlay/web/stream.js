// The live socket of a page: newest message wins, reconnects by itself, tells whether it is connected.

const FIRST_WAIT = 500, LONGEST_WAIT = 5000;

/**
 * Connect and stay connected.
 *
 * wishes: {overlay, picture, panel, small, lang}. handlers: panel(message), draw(message, ImageBitmap or null) for an
 * overlay with its picture, state(connected). After draw the server is told that the page is ready for more.
 */
export function connect(wishes, handlers) {
  const query = new URLSearchParams({ lang: wishes.lang });
  for (const name of ["overlay", "picture", "panel", "small"]) if (wishes[name]) query.set(name, "1");
  const address = new URL(`/ws?${query}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  let wait = FIRST_WAIT;

  function open() {
    const socket = new WebSocket(address);
    socket.binaryType = "blob";
    let waiting = null, newest = null;

    const draw = async (message, blob) => {
      const next = { message, picture: blob ? await createImageBitmap(blob) : null };
      // A hidden page gets no animation frames: then nothing is drawn, nothing more is asked for, and of what
      // comes nevertheless only the newest is kept.
      if (newest) newest.picture?.close();
      else requestAnimationFrame(show);
      newest = next;
    };
    const show = () => {
      const { message, picture } = newest;
      newest = null;
      handlers.draw(message, picture);
      picture?.close();
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ready" }));
    };
    socket.onopen = () => { wait = FIRST_WAIT; handlers.state(true); };
    socket.onmessage = (event) => {
      if (event.data instanceof Blob) {
        if (waiting) draw(waiting, event.data);
        waiting = null;
        return;
      }
      const message = JSON.parse(event.data);
      if (message.type === "panel") handlers.panel?.(message);
      if (message.type !== "overlay") return;
      if (wishes.picture) waiting = message;
      else draw(message, null);
    };
    socket.onclose = () => {
      handlers.state(false);
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }
  open();
}
