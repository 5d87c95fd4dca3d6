import { execFile } from "node:child_process";
import { expect } from "vitest";

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with its data in a folder, and as if nothing else were set. */
export function runProgram(program: string, folder: string, ...args: readonly string[]): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH, NODE_COMPILE_CACHE, MPI_DATA_DIR: folder }, timeout: 120_000 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** A program says how it is used when it is asked, and on a command line that it does not understand. */
export async function expectUsage(program: string, name: string, folder: string): Promise<void> {
  const [asked, wrong] = await Promise.all([
    runProgram(program, folder, "--help"),
    runProgram(program, folder, "--colour"),
  ]);
  expect(asked).toMatchObject({ code: 0, stderr: "" });
  expect(asked.stdout.startsWith(name)).toBe(true);
  expect(wrong).toMatchObject({ code: 64, stdout: "" });
  expect(wrong.stderr).toContain("'--colour'");
  expect(wrong.stderr).toContain(asked.stdout);
}
