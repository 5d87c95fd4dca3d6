// Writes docs/conformance.md from the rules that are tested.
import { writeFileSync } from "node:fs";
import { conformancePage } from "./conformance-page.ts";

writeFileSync(new URL("../../docs/conformance.md", import.meta.url), conformancePage());
