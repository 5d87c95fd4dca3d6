/** What the thread of a server does, by name and place of a function: the first that fits. What fits none is its caller's. */
const AREAS: readonly (readonly [area: string, place: RegExp])[] = [
  ["collecting garbage", /^\(garbage collector\)/],
  ["outside any function", /^\((?:program|root)\)/],
  ["system calls that write to sockets", /^(?:writev|write(?:Buffer|\w+String)) $/],
  ["cryptography", / node:internal\/crypto\//],
  [
    "Node: HTTP, sockets, streams, promises",
    /(?:^runMicrotasks $| node:(?:_http|net|http2?|stream|events|timers|diagnostics)| node:internal\/(?:streams?|http|process|timers|async|event|abort|js_stream|webstreams))/,
  ],
  ["Fastify", /\/node_modules\/(?:@fastify|fastify|find-my-way|avvio|secure-json-parse)\b/],
  ["Connect, grpc-js", /\/node_modules\/(?:@connectrpc|@grpc)\//],
  ["protobuf", /\/(?:node_modules\/@bufbuild|src\/messages)\//],
  ["pg, Prisma", /\/node_modules\/(?:pg|@prisma)\b/],
  ["other packages", /\/node_modules\//],
  ["statements and connections of ours", /\/src\/storage\/connection\//],
  ["audit trail", /\/src\/(?:storage\/)?audit\//],
  ["sealing, keys, hashes of identifiers", /\/src\/(?:storage\/(?:sealing|index-keys)|identifier-index)\//],
  ["storage besides", /\/src\/storage\//],
  ["structure and rules", /\/src\/(?:structure|content-rules|identifiers|references)\//],
  ["keys for matching", /\/src\/matching\//],
  ["callers and rights", /\/src\/access\//],
  ["interceptors and services", /\/src\/(?:grpc|call|concurrency|errors)\//],
  ["patients, searches", /\/src\//],
  ["FHIR JSON", /\/gateway\/fhir\//],
  ["the gateway besides", /\/gateway\//],
];

export const areas: readonly string[] = AREAS.map(([area]) => area);

/** Undefined for what counts for its caller. */
export function areaOf(functionName: string, url: string): string | undefined {
  const place = `${functionName} ${url}`;
  return AREAS.find(([, pattern]) => pattern.test(place))?.[0];
}
