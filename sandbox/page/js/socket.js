/**
 * The WebSocket the server pushes frames through: reconnects by itself, and says when it is up again so that
 * whoever keeps a copy of the world can fetch what was missed. Knows nothing of what the frames mean.
 */

const FIRST_DELAY = 400;
const LONGEST_DELAY = 5000;

/**
 * @param {string} url
 * @param {{onFrame: (frame: Object) => void, onOpen: () => void, onClose: () => void}} handlers `onOpen` is
 *   called on every connection, the first one too
 */
export function connect(url, { onFrame, onOpen, onClose }) {
  let delay = FIRST_DELAY;

  function open() {
    const socket = new WebSocket(url);
    socket.addEventListener("open", () => {
      delay = FIRST_DELAY;
      onOpen();
    });
    socket.addEventListener("message", (event) => onFrame(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      onClose();
      setTimeout(open, delay);
      delay = Math.min(delay * 2, LONGEST_DELAY);
    });
  }

  open();
}

/** Where the sandbox that served this page pushes from. */
export function socketUrl() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}
