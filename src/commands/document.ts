// Writes the pages of docs/ that are made from data.
import { writeFileSync } from "node:fs";
import { httpPage } from "../../gateway/capability/http-page.ts";
import { errorsPage } from "../errors/errors-page.ts";
import { configurationPage } from "./configuration-page.ts";

const pages = { "configuration.md": configurationPage, "errors.md": errorsPage, "http.md": httpPage };

for (const [name, page] of Object.entries(pages)) {
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), page());
}
