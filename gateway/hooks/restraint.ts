import type { ServerResponse } from "node:http";

/** So many refusals within FREE_WITHIN_MS are not held back: with a body they take a hundredth of a processor. */
const FREE = 10;
const FREE_WITHIN_MS = 100;
/** Shorter than anybody was told to wait, so that a connection is read again when it may be served. */
const UNREAD_MS = 850;

/**
 * A function that is given the answer of each refusal. While there are many the connection is not read for a moment:
 * a client that comes back at once, whatever it was told, would otherwise have the time of those who are served.
 */
export function restraint(): (refusal: ServerResponse) => void {
  let count = 0;
  let endsAt = 0;
  return (refusal) => {
    const now = performance.now();
    if (now >= endsAt) {
      count = 0;
      endsAt = now + FREE_WITHIN_MS;
    }
    count += 1;
    if (count > FREE) leaveUnreadBehind(refusal);
  };
}

/**
 * Not before the answer is out and the body has come: both have the connection read again. Nor in the next turn of the event
 * loop: libuv does not come to its end as long as it finds a thousand connections with something to read, dozens of times in
 * a row.
 */
function leaveUnreadBehind(refusal: ServerResponse): void {
  const { req: request, socket } = refusal;
  if (!socket) return;
  let open = 2;
  const leaveUnread = () => {
    open -= 1;
    if (open > 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), UNREAD_MS);
  };
  refusal.once("close", leaveUnread);
  request.once("close", leaveUnread);
}
