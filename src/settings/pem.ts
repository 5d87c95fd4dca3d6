import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/** The content of a file of certificates in PEM, which is what is kept of the setting. */
export function certificateFile(path: string): Buffer {
  return checked(path, "a certificate", (content) => new X509Certificate(content));
}

/** The content of a file with a private key in PEM. */
export function privateKeyFile(path: string): Buffer {
  return checked(path, "a private key", (content) => createPrivateKey(content));
}

/** Whether a private key is that of a certificate. */
export function belongTogether(certificate: Buffer, key: Buffer): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
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
