// Writes what is made from data: pages of docs/, and what the gateway shows of the permission matrix.
import { writeFileSync } from "node:fs";
import { httpPage } from "../../gateway/http-page.ts";
import { gatewaySettings } from "../../gateway/settings.ts";
import { errorsPage } from "../errors/errors-page.ts";
import { configurationPage } from "./document/configuration-page.ts";
import { grantedFile } from "./document/granted-file.ts";
import { permissionsPage } from "./document/permissions-page.ts";

const files = {
  "docs/configuration.md": () => configurationPage(gatewaySettings),
  "docs/errors.md": errorsPage,
  "docs/http.md": httpPage,
  "docs/permissions.md": permissionsPage,
  "gateway/capability/granted.gen.ts": grantedFile,
};

for (const [path, content] of Object.entries(files)) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), content());
}
