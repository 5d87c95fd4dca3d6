import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/** The content of a file of certificates in PEM, which is what is kept of the setting. */
export function certificateFile(path: string): Buffer {
  return checked(path, "a certificate", firstEnd);
}

/** The content of a file with a private key in PEM. */
export function privateKeyFile(path: string): Buffer {
  return checked(path, "a private key without a passphrase", (content) => createPrivateKey(content));
}

/** Whether a private key is that of a certificate. */
export function belongTogether(certificate: Buffer, key: Buffer): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}

/** Why TLS does not serve with a certificate and its key, such as one that is too small; undefined when it does. */
export function refusalOfTls(certificate: Buffer, key: Buffer): string | undefined {
  try {
    createSecureContext({ cert: certificate, key });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException & { reason?: string }).reason ?? String(error);
  }
}

const ONE_OF_SEVERAL = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** When the first of the certificates of a file ends; whoever exchanges one may leave the old one behind. */
export function firstEnd(certificates: Buffer): Date {
  return new Date(Math.min(...certificatesIn(certificates).map((one) => one.validToDate.getTime())));
}

/** When all certificates of a file have begun to be good. */
export function lastBeginning(certificates: Buffer): Date {
  return new Date(Math.max(...certificatesIn(certificates).map((one) => one.validFromDate.getTime())));
}

function certificatesIn(file: Buffer): X509Certificate[] {
  const all = file.toString("latin1").match(ONE_OF_SEVERAL) ?? [file];
  return all.map((one) => new X509Certificate(one));
}

function checked(path: string, what: string, open: (content: Buffer) => unknown): Buffer {
  const content = contentOf(path);
  try {
    // Openssl would take other encodings too, which gRPC does not.
    if (!content.includes("-----BEGIN ")) throw new Error("It is not in PEM.");
    open(content);
  } catch (cause) {
    throw new Error(`must be ${what} in PEM`, { cause });
  }
  return content;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`must be a file that can be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}
