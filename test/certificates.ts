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
export function selfSigned(
  folder: string,
  name: string,
  days = 2,
  kind: readonly string[] = ELLIPTIC,
): Promise<Certificate> {
  return certificateFor(folder, name, [...kind, "-days", String(days)]);
}

/** The same, vouched for by another one. */
export function issuedBy(authority: Certificate, folder: string, name: string): Promise<Certificate> {
  const by = ["-CA", authority.certificateFile, "-CAkey", authority.keyFile];
  return certificateFor(folder, name, [...ELLIPTIC, ...by, "-addext", "basicConstraints=critical,CA:FALSE"]);
}

const ELLIPTIC = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];

async function certificateFor(folder: string, name: string, kind: readonly string[]): Promise<Certificate> {
  const keyFile = join(folder, `${name}.key`);
  const certificateFile = join(folder, `${name}.crt`);
  const names = `subjectAltName=DNS:${name}.test,DNS:localhost,IP:127.0.0.1`;
  await run("openssl", [
    ...["req", "-x509", "-subj", `/CN=${name}.test`, "-addext", names],
    ...["-newkey", ...kind, "-nodes", "-keyout", keyFile, "-out", certificateFile],
  ]);
  return {
    certificateFile,
    keyFile,
    certificate: await readFile(certificateFile),
    key: await readFile(keyFile),
  };
}
