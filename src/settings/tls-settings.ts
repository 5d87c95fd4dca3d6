import type { Buffer } from "node:buffer";
import {
  belongTogether,
  certificateFile,
  firstEnd,
  lastBeginning,
  privateKeyFile,
  refusalOfTls,
} from "./pem.ts";
import { optional, setting } from "./setting.ts";

/** Settings of TLS: files in PEM, read at the start. */
export const tlsSettings = {
  httpCertificate: setting(
    "MPI_HTTP_TLS_CERTIFICATE",
    optional(certificateFile),
    undefined,
    "Certificate file (PEM) of the FHIR interface, which then speaks HTTPS alone; with MPI_HTTP_TLS_KEY.",
    "plain HTTP",
  ),
  httpKey: setting(
    "MPI_HTTP_TLS_KEY",
    optional(privateKeyFile),
    undefined,
    "Key file (PEM) of MPI_HTTP_TLS_CERTIFICATE.",
    "",
  ),
  grpcCertificate: setting(
    "MPI_GRPC_TLS_CERTIFICATE",
    optional(certificateFile),
    undefined,
    "Certificate file (PEM) by which this process is known over gRPC, as server and as client; with MPI_GRPC_TLS_KEY.",
    "plain text",
  ),
  grpcKey: setting(
    "MPI_GRPC_TLS_KEY",
    optional(privateKeyFile),
    undefined,
    "Key file (PEM) of MPI_GRPC_TLS_CERTIFICATE.",
    "",
  ),
  grpcAuthority: setting(
    "MPI_GRPC_TLS_CA",
    optional(certificateFile),
    undefined,
    "Certificate file (PEM) of those who vouch for the other side: servers then demand a certificate of every client (mTLS), and clients trust no other. A server needs a certificate of its own for it.",
    "",
  ),
} as const;

/** Those of TLS towards security servers: of processes that may ask registers. */
export const xRoadTlsSettings = {
  xRoadCertificate: setting(
    "MPI_XROAD_TLS_CERTIFICATE",
    optional(certificateFile),
    undefined,
    "Certificate file (PEM) by which security servers know who asks registers at https addresses (docs/registers.md); with MPI_XROAD_TLS_KEY.",
    "none is shown",
  ),
  xRoadKey: setting(
    "MPI_XROAD_TLS_KEY",
    optional(privateKeyFile),
    undefined,
    "Key file (PEM) of MPI_XROAD_TLS_CERTIFICATE.",
    "",
  ),
  xRoadAuthority: setting(
    "MPI_XROAD_TLS_CA",
    optional(certificateFile),
    undefined,
    "Certificate file (PEM) of the security servers at https addresses, or of those who vouch for them: no other is trusted then.",
    "what Node trusts",
  ),
} as const;

interface HttpTls {
  readonly httpCertificate: Buffer | undefined;
  readonly httpKey: Buffer | undefined;
}

interface GrpcTls {
  readonly grpcCertificate: Buffer | undefined;
  readonly grpcKey: Buffer | undefined;
  readonly grpcAuthority: Buffer | undefined;
}

interface XRoadTls {
  readonly xRoadCertificate: Buffer | undefined;
  readonly xRoadKey: Buffer | undefined;
  readonly xRoadAuthority: Buffer | undefined;
}

/** What is wrong with certificates and their keys, in words: one is nothing without the other. */
export function unfitTlsSettings(
  environment: Readonly<Record<string, string | undefined>>,
  settings: HttpTls & GrpcTls & Partial<XRoadTls>,
): string[] {
  const unfit = (names: string, certificate: Buffer | undefined, key: Buffer | undefined) => {
    const [ofCertificate, ofKey] = [`${names}_CERTIFICATE`, `${names}_KEY`];
    if (!environment[ofCertificate] !== !environment[ofKey])
      return [`${ofCertificate} and ${ofKey} must be set together.`];
    if (!certificate || !key) return [];
    if (!belongTogether(certificate, key)) return [`${ofKey} is not the key of ${ofCertificate}.`];
    const refusal = refusalOfTls(certificate, key);
    return refusal === undefined ? [] : [`TLS does not take ${ofCertificate} with ${ofKey}: ${refusal}.`];
  };
  return [
    ...unfit("MPI_HTTP_TLS", settings.httpCertificate, settings.httpKey),
    ...unfit("MPI_GRPC_TLS", settings.grpcCertificate, settings.grpcKey),
    // A gateway apart asks no registers.
    ...("xRoadKey" in settings ? unfit("MPI_XROAD_TLS", settings.xRoadCertificate, settings.xRoadKey) : []),
  ];
}

/**
 * What the gRPC servers of a process lack, in words: certificates of clients are demanded over TLS alone, and whoever wants
 * them is not to be served in plain text.
 */
export function missingTlsSettings({ grpcCertificate, grpcAuthority }: GrpcTls): string[] {
  if (!grpcAuthority || grpcCertificate) return [];
  return ["A server with MPI_GRPC_TLS_CA needs MPI_GRPC_TLS_CERTIFICATE and MPI_GRPC_TLS_KEY."];
}

/** TLS of the FHIR interface; undefined for plain HTTP. */
export function httpTls({ httpCertificate: certificate, httpKey: key }: HttpTls) {
  return certificate && key && { certificate, key };
}

/** TLS of the gRPC servers of a process; undefined for plain text. */
export function serverTls({ grpcCertificate: certificate, grpcKey: key, grpcAuthority }: GrpcTls) {
  if (!certificate || !key) return undefined;
  return { certificate, key, ...(grpcAuthority && { clientCa: grpcAuthority }) };
}

/** TLS towards other services of ours; undefined for plain text. */
export function clientTls({ grpcCertificate: certificate, grpcKey: key, grpcAuthority: ca }: GrpcTls) {
  if (!ca) return undefined;
  return { ca, ...(certificate && key && { certificate, key }) };
}

/** TLS towards security servers; undefined for what Node does by itself. */
export function xRoadTls({ xRoadCertificate: certificate, xRoadKey: key, xRoadAuthority: ca }: XRoadTls) {
  if (!ca && !certificate) return undefined;
  return { ...(ca && { ca }), ...(certificate && key && { certificate, key }) };
}

const allSettings = { ...tlsSettings, ...xRoadTlsSettings };

const CERTIFICATES = [
  "httpCertificate",
  "grpcCertificate",
  "grpcAuthority",
  "xRoadCertificate",
  "xRoadAuthority",
] as const;

/** The settings of certificates that a process works with for as long as it runs, and when those of each are good. */
export function certificateTimes(
  files: Partial<Record<(typeof CERTIFICATES)[number], Buffer | undefined>>,
): { readonly setting: string; readonly beginsAt: Date; readonly endsAt: Date }[] {
  return CERTIFICATES.flatMap((name) => {
    const file = files[name];
    if (!file) return [];
    return [{ setting: allSettings[name].name, beginsAt: lastBeginning(file), endsAt: firstEnd(file) }];
  });
}
