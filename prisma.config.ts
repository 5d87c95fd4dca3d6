import { defineConfig } from "prisma/config";

// Prisma's tool insists on an engine that it downloads from outside the package registry, and never runs it
// to generate the client: any program that exists will do.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
});
