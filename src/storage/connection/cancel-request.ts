import pg from "pg";

/** The session whose statement is to be cancelled, as its client knows it. */
export interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

const LIMIT_MS = 2_000;

/**
 * Asks the server to cancel what the session runs, over a connection of its own, as the protocol wants it. Resolves
 * when the request cannot hit the session any more: true when the server has closed the connection, which it does
 * once it has signalled the session, or has not been reached; false when it says nothing and may still signal.
 */
export function requestCancel({ host, port, processID, secretKey }: Session): Promise<boolean> {
  const connection = new pg.Connection() as CancelConnection;
  return new Promise((resolve) => {
    let isSettled = true;
    const limit = setTimeout(() => {
      isSettled = false;
      connection.stream.destroy();
    }, LIMIT_MS);
    connection.on("connect", () => connection.cancel(processID, secretKey));
    // The stream closes after it.
    connection.on("error", () => undefined);
    connection.on("end", () => {
      clearTimeout(limit);
      resolve(isSettled);
    });
    if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}

/** What @types/pg leaves out. */
interface CancelConnection extends pg.Connection {
  connect(port: number, host: string): void;
  connect(path: string): void;
  cancel(processId: number, secretKey: number): void;
}
