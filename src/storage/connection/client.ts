import type { PrismaClient } from "../../../prisma/gen/client.ts";

export type Database = PrismaClient;
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];
