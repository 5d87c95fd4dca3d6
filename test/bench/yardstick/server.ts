// The yardstick: a bare Fastify + pg server on the tables of the index. No validation, no encryption, no audit.
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import pg from "pg";
import { loadRows } from "./rows-alone.ts";
import {
  createRows,
  selectDocument,
  selectDocumentOf,
  selectDocumentsSharing,
  updateRows,
} from "./statements.ts";

const connections = {
  connectionString: process.env["DATABASE_URL"],
  max: Number(process.env["MPI_DATABASE_POOL"]),
};
const pool = new pg.Pool(connections);
/** As the service's own for loads: statements are sent without waiting for those before them. */
const loads = new pg.Pool({ ...connections, pipeline: true });
let lastId = BigInt(process.env["YARDSTICK_LAST_ID"] ?? "0");

const server = fastify({ logger: false });
server.removeAllContentTypeParsers();
server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

server.get<{ Params: { id: string } }>("/patient/:id", async ({ params }, reply) => {
  const document = await selectDocument(pool, params.id);
  return document ?? reply.code(404).send();
});

server.get<{ Params: { country: string; type: string; hmac: string } }>(
  "/identifier/:country/:type/:hmac",
  async ({ params: { hmac, country, type } }, reply) => {
    const document = await selectDocumentOf(pool, hmac, country, type);
    return document ?? reply.code(404).send();
  },
);

server.post("/sharing", async ({ body }) => {
  const [document] = await selectDocumentsSharing(pool, String(body).split(","));
  return document ?? Buffer.alloc(0);
});

server.post<{ Params: { identifiers: string; blockKeys: string } }>(
  "/patient/:identifiers/:blockKeys",
  async ({ params, body }, reply) => {
    lastId += 1n;
    const rows = { identifiers: Number(params.identifiers), blockKeys: Number(params.blockKeys) };
    await createRows(pool, String(lastId), body as Buffer, rows);
    return reply.code(201).send(body);
  },
);

server.post<{ Params: { patients: string; identifiers: string; blockKeys: string } }>(
  "/patients/:patients/:identifiers/:blockKeys",
  async ({ params, body }, reply) => {
    const ids = Array.from({ length: Number(params.patients) }, () => (lastId += 1n));
    const rows = { identifiers: Number(params.identifiers), blockKeys: Number(params.blockKeys) };
    await loadRows(loads, ids, body as Buffer<ArrayBuffer>, rows);
    return reply.code(201).send({ patients: ids.length });
  },
);

server.put<{ Params: { id: string } }>("/patient/:id", async ({ params, body }) => {
  await updateRows(pool, params.id);
  return body;
});

await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`The yardstick listens on port ${(server.server.address() as AddressInfo).port}`);

process.on("SIGTERM", async () => {
  await server.close();
  await Promise.all([pool.end(), loads.end()]);
});
