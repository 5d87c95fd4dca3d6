import { table } from "../storage/table.ts";

export const wrong = table;
