import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const hasOpenssl = await run("openssl", ["version"]).then(
  () => true,
  () => false,
);

/** The files of a certificate that vouches for itself, and what is in them. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/** Makes a certificate for a name, and for this machine's loopback, with a key of that kind. */
export async function selfSigned(
  folder: string,
  name: string,
  days = 2,
  kind: readonly string[] = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
): Promise<Certificate> {
  const keyFile = join(folder, `${name}.key`);
  const certificateFile = join(folder, `${name}.crt`);
  const key = ["-newkey", ...kind, "-nodes", "-keyout", keyFile];
  const names = `subjectAltName=DNS:${name}.test,DNS:localhost,IP:127.0.0.1`;
  await run("openssl", [
    ...["req", "-x509", "-days", String(days), "-subj", `/CN=${name}.test`, "-addext", names],
    ...key,
    ...["-out", certificateFile],
  ]);
  return {
    certificateFile,
    keyFile,
    certificate: await readFile(certificateFile),
    key: await readFile(keyFile),
  };
}
