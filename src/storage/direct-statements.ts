import { createHash } from "node:crypto";
import pg from "pg";
import { Prisma } from "../../prisma/gen/client.ts";

/** A statement as `$queryRaw` and `$executeRaw` take it: a tagged template, or one that is made already. */
export type StatementParts = readonly [text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];

/** Statements that are transactions by themselves. */
export interface DirectStatements {
  /** Rows with bigint, Date and Uint8Array as Prisma gives them. */
  query(parts: StatementParts): Promise<unknown[]>;
  /** How many rows were written or found. */
  execute(parts: StatementParts): Promise<number>;
}

/**
 * Sends statements straight to the pool of the driver. Prisma's client makes a plan of a raw statement, interprets
 * that, and converts each value twice, which costs several times what the driver itself does.
 */
export function directStatements(pool: pg.Pool, preparedStatements: boolean): DirectStatements {
  const send = (parts: StatementParts) => {
    const { text, values } = statementOf(parts);
    const name = preparedStatements ? { name: statementName(text) } : {};
    return pool.query({ ...name, text, values: values.map(parameterOf), types });
  };
  return {
    query: async (parts) => (await send(parts)).rows,
    execute: async (parts) => (await send(parts)).rowCount ?? 0,
  };
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const textsOfTemplates = new WeakMap<readonly string[], string>();

/** A template without parts that are statements themselves always makes the same text. */
function statementOf([first, ...values]: StatementParts): Statement {
  if (first instanceof Prisma.Sql) return first;
  if (values.some((value) => value instanceof Prisma.Sql)) return Prisma.sql(first, ...values);
  let text = textsOfTemplates.get(first);
  if (text === undefined) {
    ({ text } = Prisma.sql(first, ...values));
    textsOfTemplates.set(first, text);
  }
  return { text, values };
}

const names = new Map<string, string>();

/** One name a text: every connection prepares a text once and then only executes it. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `mpi_${createHash("sha256").update(text).digest("base64url").slice(0, 16)}`;
    names.set(text, name);
  }
  return name;
}

/** The driver would write a Date in the zone of this process. */
function parameterOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, -1);
  return value;
}

const { builtins } = pg.types;
/** Types of PostgreSQL that the driver has no name for. */
const INT8_ARRAY = 1016;

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.TIMESTAMP, (text) => new Date(`${text.replace(" ", "T")}Z`)],
  [builtins.DATE, (text) => new Date(`${text}T00:00:00Z`)],
  [INT8_ARRAY, (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(BigInt))],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: "text" | "binary") =>
    (format !== "binary" && parsers.get(type)) ||
    pg.types.getTypeParser(type, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};
