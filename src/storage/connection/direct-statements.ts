import { createHash } from "node:crypto";
import pg from "pg";
import { Prisma } from "../../../prisma/gen/client.ts";

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
    const { name, text, values } = statementOf(parts);
    const prepared = preparedStatements ? { name } : {};
    return pool.query({ ...prepared, text, values: values.map(parameterOf), types });
  };
  return {
    query: async (parts) => (await send(parts)).rows,
    execute: async (parts) => (await send(parts)).rowCount ?? 0,
  };
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

interface Statement extends NamedText {
  readonly values: readonly unknown[];
}

const textsOfTemplates = new WeakMap<readonly string[], NamedText>();

/** A template without parts that are statements themselves always makes the same text. */
function statementOf([first, ...values]: StatementParts): Statement {
  if (first instanceof Prisma.Sql) return composed(first);
  if (values.some((value) => value instanceof Prisma.Sql)) return composed(Prisma.sql(first, ...values));
  let named = textsOfTemplates.get(first);
  if (named === undefined) {
    const { text } = Prisma.sql(first, ...values);
    named = { name: nameOf(text), text };
    textsOfTemplates.set(first, named);
  }
  return { name: named.name, text: named.text, values };
}

function composed({ text, values }: Prisma.Sql): Statement {
  return { name: statementName(text), text, values };
}

/** PostgreSQL's name for a statement that is used once. */
const UNNAMED = "";
const NAMED_AT_MOST = 500;
/** Several times the longest text of our own. */
const LONGEST_NAMED = 10_000;
const names = new Map<string, string>();

/**
 * One name a text: every connection prepares a text once and then only executes it. Both keep it for ever, and callers
 * decide which conditions and how many a text has, so only the first texts have names, those of daily use among them.
 */
export function statementName(text: string): string {
  if (text.length > LONGEST_NAMED) return UNNAMED;
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= NAMED_AT_MOST) return UNNAMED;
    name = nameOf(text);
    names.set(text, name);
  }
  return name;
}

function nameOf(text: string): string {
  return `mpi_${createHash("sha256").update(text).digest("base64url").slice(0, 16)}`;
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
