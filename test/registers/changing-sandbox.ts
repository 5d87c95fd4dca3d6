import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../../src/sandbox/index.ts";
import file from "../../src/sandbox/people.json" with { type: "json" };
import { registerSettings } from "./register-settings.ts";
import { sandboxControl } from "./sandbox-control.ts";

type Person = (typeof file.people)[number];
export type ChangingSandbox = Awaited<ReturnType<typeof startChangingSandbox>>;

/** A sandbox of its own, whose people change while services ask it. */
export async function startChangingSandbox() {
  const folder = await mkdtemp(join(tmpdir(), "changing-sandbox-"));
  const dataFile = join(folder, "people.json");
  const start = (port: number) => startSandbox({ host: "127.0.0.1", port, dataFile });
  await writeFile(dataFile, JSON.stringify(file));
  let sandbox = await start(0);
  const { url, port } = sandbox;
  return {
    control: sandboxControl(url),
    /** Of a service whose registers are all here. */
    settings: registerSettings(url),
    /** From now on the register says of everybody in its file what this makes of them. */
    async change(changed: (person: Person) => object): Promise<void> {
      await writeFile(dataFile, JSON.stringify({ ...file, people: file.people.map(changed) }));
      await sandbox.stop();
      sandbox = await start(port);
    },
    async stop(): Promise<void> {
      await sandbox.stop();
      await rm(folder, { recursive: true });
    },
  };
}
