import { readFileSync, writeFileSync } from "node:fs";
import { errorsPage } from "../errors/errors-page.ts";

// Writes docs/errors.md; with --check it writes nothing and fails when the page is not what the catalogue says.
const page = new URL("../../docs/errors.md", import.meta.url);

if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== errorsPage()) {
    console.error("docs/errors.md does not follow the catalogue: run npm run docs");
    process.exitCode = 1;
  }
} else {
  writeFileSync(page, errorsPage());
}
