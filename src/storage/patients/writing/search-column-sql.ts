import { Prisma } from "../../../../prisma/gen/client.ts";
import { names } from "../../connection/row-arrays.ts";
import { type SearchColumns, searchColumns } from "./search-columns.ts";

/** For an INSERT: `active, birth_from, …` */
export const searchColumnNames = Prisma.raw(names(searchColumns));

/** For an INSERT: the content of each. */
export function searchColumnValues(columns: SearchColumns): Prisma.Sql {
  return new Prisma.Sql(VALUES, contentsOf(columns));
}

/** For an UPDATE: each with its content. */
export function searchColumnSettings(columns: SearchColumns): Prisma.Sql {
  return new Prisma.Sql(SETTINGS, contentsOf(columns));
}

// Texts between the contents, put together once: every write of a patient has them.
const VALUES = searchColumns
  .map(([, type]) => `?::${type}`)
  .join(", ")
  .split("?");
const SETTINGS = searchColumns
  .map(([name, type]) => `${name} = ?::${type}`)
  .join(", ")
  .split("?");

function contentsOf(columns: SearchColumns): unknown[] {
  return searchColumns.map(([, , contentOf]) => contentOf({ columns }));
}
