import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, "../..");
const PLUGIN = join(import.meta.dirname, "recording-plugin.ts");

interface GivenFile {
  readonly name: string;
  readonly isGenerated: boolean;
  readonly goPackage: string;
  readonly javaPackage: string;
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "templates-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** What the plugins of a template would be given. */
async function filesOf(template: string): Promise<readonly GivenFile[]> {
  const text = await readFile(join(import.meta.dirname, template), "utf8");
  const [head] = text.split("plugins:");
  const recording = join(folder, template);
  const plugins = [{ local: [process.execPath, PLUGIN], out: ".", strategy: "all" }];
  await writeFile(recording, `${head}plugins: ${JSON.stringify(plugins)}\n`);
  await run("buf", ["generate", "--template", recording, "-o", folder], { cwd: REPOSITORY });
  return JSON.parse(await readFile(join(folder, "files.json"), "utf8"));
}

describe.each([
  [
    "buf.gen.go.yaml",
    "goPackage",
    {
      own: "example.ee/mpi/patientindex/v1;patientindexv1",
      ofLibrary: "google.golang.org/genproto/googleapis/rpc/status;status",
    },
  ],
  ["buf.gen.java.yaml", "javaPackage", { own: "com.patientindex.v1", ofLibrary: "com.google.rpc" }],
] as const)("the template %s", (template, option, packages) => {
  let files: readonly GivenFile[];

  beforeAll(async () => {
    files = await filesOf(template);
  });

  const packageOf = (path: string) => files.find(({ name }) => name === path)?.[option];

  it("generates the contract, and nothing that the gRPC of the language brings along", () => {
    const generated = files.filter(({ isGenerated }) => isGenerated).map(({ name }) => name);
    expect(generated).toContain("patientindex/v1/patient_service.proto");
    expect(generated.filter((name) => !name.startsWith("patientindex/"))).toEqual([]);
  });

  it("refers to google.rpc where the libraries of the language have it", () => {
    expect(packageOf("google/rpc/status.proto")).toBe(packages.ofLibrary);
  });

  it("gives the contract packages of its own", () => {
    expect(packageOf("patientindex/v1/patient.proto")).toBe(packages.own);
  });
});
