// Writes the people file of the sandbox: always the same people.
import { writeFileSync } from "node:fs";
import { inventPeopleFile } from "../sandbox/invent/people.ts";

const { people, addresses } = inventPeopleFile();
const lines = (entries: readonly object[]) =>
  entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n");
const text = `{\n  "$schema": "./people.schema.json",\n  "people": [\n${lines(people)}\n  ],\n  "addresses": [\n${lines(addresses)}\n  ]\n}\n`;
writeFileSync(new URL("../sandbox/people.json", import.meta.url), text);
