import type { Socket } from "node:net";

/** So many refusals within FREE_WITHIN_MS are not held back: they take about a tenth of a processor. */
const FREE = 300;
const FREE_WITHIN_MS = 100;
/** Shorter than anybody was told to wait, so that a connection is read again when it may be served. */
const UNREAD_MS = 700;

/**
 * A function that is given the connection of each refusal. While there are many the connection is not read for a moment:
 * a client that comes back at once, whatever it was told, would otherwise have the time of those who are served.
 */
export function restraint(): (socket: Socket) => void {
  let count = 0;
  let endsAt = 0;
  return (socket) => {
    const now = performance.now();
    if (now >= endsAt) {
      count = 0;
      endsAt = now + FREE_WITHIN_MS;
    }
    count += 1;
    // Not at once: the end of the answer would have the connection read again.
    if (count > FREE) setImmediate(leaveUnread, socket);
  };
}

function leaveUnread(socket: Socket): void {
  socket.pause();
  setTimeout(() => socket.resume(), UNREAD_MS);
}
