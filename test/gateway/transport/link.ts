import { once } from "node:events";
import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from "node:net";

/** A TCP link to a port that can be cut, or fall silent while it stays open. */
export interface Link {
  readonly port: number;
  /** How many have come by it so far. */
  connections(): number;
  /** Breaks all connections. */
  cut(): void;
  silence(): void;
  close(): void;
}

export async function linkTo(port: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = tcpConnect(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    cut,
    silence: () => {
      server.close();
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
