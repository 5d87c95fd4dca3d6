import type { Fault } from "../../src/errors/index.ts";
import type { Answer } from "./answer.ts";
import type { FhirRequest } from "./fhir-request.ts";
import type { BodyKind } from "./media-types.ts";
import type { Parameter } from "./query.ts";

/** The codes of FHIR's interactions, as CapabilityStatement names them. */
export type InteractionCode =
  | "capabilities"
  | "batch"
  | "transaction"
  | "read"
  | "vread"
  | "update"
  | "patch"
  | "delete"
  | "create"
  | "history-instance"
  | "history-type"
  | "search-type"
  | "operation";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Something that the FHIR interface offers. Routes, 405 with Allow, what a request may carry, and the
 * CapabilityStatement all follow from the table of these.
 */
export interface Interaction {
  readonly code: InteractionCode;
  /** What else the same request can be, by its body. */
  readonly otherCodes?: readonly InteractionCode[];
  /** The resource type; undefined for the interface as a whole. */
  readonly resourceType?: string;
  /** Of an operation: its name, without the dollar sign. */
  readonly operation?: string;
  /** It can depend on a search: by the query of the URL, or by If-None-Exist. */
  readonly conditional?: true;
  /** It asks for no token and no headers. */
  readonly open?: true;
  readonly method: HttpMethod;
  /** Below the base path, with `:name` for a part that varies. */
  readonly path: string;
  /** What the body is; anything else, and a body where none is named, is not read. */
  readonly body?: BodyKind;
  /** Parameters beside `_format` and `_pretty`; "core" when the core knows which there are. */
  readonly parameters: readonly string[] | "core";
  /** What is wrong with the values of its parameters, as far as the core is not asked; refused before it is handled. */
  readonly faultsIn?: (parameters: readonly Parameter[]) => readonly Fault[];
  readonly handle: (request: FhirRequest) => Answer | Promise<Answer>;
  /** How several requests of one caller are answered with fewer calls of the core. */
  readonly together?: Together;
}

/** Answers several requests at once, each as it would be answered alone. */
export interface Together {
  /** Whether a request can be among them. */
  fits(request: FhirRequest): boolean;
  /** In the order of the requests. */
  handle(requests: readonly FhirRequest[]): Promise<readonly Outcome[]>;
}

/** An answer, or what a request is refused with. */
export type Outcome = PromiseSettledResult<Answer>;
