import pg from "pg";
import { expect, it } from "vitest";
import { isOutOfReach } from "../../../src/storage/index.ts";

function refusedWith(sqlState: string): Error {
  return Object.assign(new pg.DatabaseError("refused", 7, "error"), { code: sqlState });
}

it.each([
  ["its disk is full", "53100"],
  ["its memory is full", "53200"],
  ["it has no connection left", "53300"],
  ["it is being shut down", "57P01"],
  ["the connection broke", "08006"],
  ["it is a standby", "25006"],
])("a database is out of reach, and the same may succeed later, when %s", (_why, sqlState) => {
  expect(isOutOfReach(refusedWith(sqlState))).toBe(true);
});

it.each([
  ["nobody has the name", "ENOTFOUND"],
  ["DNS does not answer", "EAI_AGAIN"],
  ["there is no way to its machine", "EHOSTUNREACH"],
  ["there is no way to its network", "ENETUNREACH"],
  ["this process has no file left for a connection", "EMFILE"],
])("it is out of reach when %s", (_why, code) => {
  expect(isOutOfReach(Object.assign(new Error("not connected"), { code }))).toBe(true);
});

it.each([
  ["a row is there already", "23505"],
  ["a statement is wrong", "42601"],
  ["two wait for each other", "40P01"],
])("it is within reach when %s", (_why, sqlState) => {
  expect(isOutOfReach(refusedWith(sqlState))).toBe(false);
});
