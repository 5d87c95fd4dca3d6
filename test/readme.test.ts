import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "./service.ts";

const run = promisify(execFile);
const README = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const SHOWN_BASE = "http://127.0.0.1:8080";
const SHOWN_SANDBOX = "http://127.0.0.1:8090";
const SHOWN_FOLDER = "/tmp/";
const INSTANT = /"lastUpdated":\s*"[^"]+"/g;

/** The shell blocks with a curl line, each with the JSON block that follows it. */
const EXAMPLES = [...README.matchAll(/```sh\n(curl [\s\S]*?)```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, command = "", answer = ""]) => ({ command, answer }),
);

/** The block that gets a token, for all of them. */
const [, TOKEN_BLOCK = ""] = /```sh\n(TOKEN=[\s\S]*?)```/.exec(README) ?? [];

let service: RunningService;
let folder: string;

beforeAll(async () => {
  service = await startService({ defaultLanguage: "et" });
  folder = await mkdtemp(join(tmpdir(), "patient-index-readme-"));
  await shell(TOKEN_BLOCK);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

describe("the README", () => {
  it("shows three requests with their answers", () => {
    expect(EXAMPLES).toHaveLength(3);
  });

  it.for(EXAMPLES)("gets the answer it shows from: $command", async ({ command, answer }) => {
    const stdout = await shell(command);
    const given = stdout.replaceAll(service.url, SHOWN_BASE).replace(INSTANT, '"lastUpdated":"…"');
    expect(JSON.parse(given)).toEqual(JSON.parse(answer.replace(INSTANT, '"lastUpdated":"…"')));
  });

  it("names scripts that there are", () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
    const named = [...README.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

/** Runs a block as it stands there, but for where the service, the sandbox and the folder are. */
async function shell(block: string): Promise<string> {
  const command = block
    .replaceAll(SHOWN_BASE, service.url)
    .replaceAll(SHOWN_SANDBOX, service.sandboxUrl)
    .replaceAll(SHOWN_FOLDER, `${folder}/`);
  return (await run("bash", ["-c", command])).stdout;
}
