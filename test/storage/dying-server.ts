// Stands in the place of a server that ends between a connection and its first statement: node dying-server.ts postgres -D CLUSTER
import { createServer } from "node:net";

const AUTHENTICATED = message("R", [0, 0, 0, 0]);
const READY = message("Z", [..."I"].map(codeOf));
const TERMINATED = message("E", [..."SFATAL\0C57P01\0Mterminating connection\0\0"].map(codeOf));

const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", () =>
    socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED]), () => process.exit(0)),
  );
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address ? address.port : "");
});

function message(type: string, content: readonly number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + content.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

function codeOf(letter: string): number {
  return letter.charCodeAt(0);
}
