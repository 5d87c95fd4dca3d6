import type { Transport } from "@connectrpc/connect";
import type { CatalogueVersion, Meaning } from "../../src/errors/index.ts";
import type { TestCaller } from "../callers.ts";
import type { IndexUnderTest } from "./index-under-test.ts";

/** A body as a client writes it: any JSON object. */
export type Json = Record<string, unknown>;

/** A request to the FHIR interface. */
export interface HttpRequest {
  readonly method: string;
  /** Below the base path, with the query. */
  readonly path: string;
  /** Instead of the base path of the version. */
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or the bytes as they are sent. */
  readonly body?: Json | string;
  /** Another gateway than that of the service, such as http://127.0.0.1:41234. */
  readonly origin?: string;
  /** In whose name, a doctor's unless given. */
  readonly as?: TestCaller | "nobody";
}

/** Bytes that are no HTTP request, or only the beginning of one. */
export interface HttpBytes {
  readonly bytes: string;
}

/** A call of a method, ready to be sent with whatever metadata. */
export interface GrpcRequest {
  readonly send: (transport: Transport, metadata: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Another core than that of the service. */
  readonly port?: number;
  /** In whose name, a doctor's unless given. */
  readonly as?: TestCaller | "nobody";
}

/** How the index is asked. */
export type Way = "http" | "grpc";

/** One situation, asked for in both ways, or in the one in which it exists. */
export interface Exchange {
  readonly http?: HttpRequest | HttpBytes;
  readonly grpc?: GrpcRequest;
  /** Undoes what the preparation has left behind, after the last answer. */
  readonly after?: () => Promise<void>;
}

/**
 * A real request that meets a meaning of the catalogue, and what the specification says of the answer. Everything
 * but the request itself is stated by hand: none of it is taken from the catalogue.
 */
export interface Scenario {
  readonly meaning: Meaning;
  /** The one version that has the rule; both unless given. */
  readonly version?: CatalogueVersion;
  /** The code in 1.5.0, from which that of 1.1.1 follows by the specification; else that of the one version. */
  readonly code: string;
  /** FHIR IssueType in 1.5.0. */
  readonly issueType: string;
  /** FHIRPath of the element at fault; nothing when the answer names none. */
  readonly expression?: string | readonly string[];
  /** Where the specification does not tell the statuses by the code. */
  readonly status?: Readonly<Partial<Record<Way, number>>>;
  /** The way in which the situation exists, where it is not both. */
  readonly only?: Way;
  /**
   * What of the request the service could understand when it refused it: not its version, or neither that nor its
   * language. The answer is then in the current version, and in the default language.
   */
  readonly understood?: "language" | "nothing";
  /** It takes minutes, so only the long tier runs it. */
  readonly slow?: true;
  /** Puts into the index what must be there before, and gives the request. It is sent several times. */
  readonly prepare: (index: IndexUnderTest) => Exchange | Promise<Exchange>;
}
