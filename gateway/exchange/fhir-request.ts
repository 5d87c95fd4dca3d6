import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { CallOptions } from "@connectrpc/connect";
import { acceptedLanguage, type Language, type Presentation } from "../../src/errors/index.ts";
import { withPlainOrigin } from "../../src/references/index.ts";
import type { FhirJson } from "../fhir/index.ts";
import { passedHeaders } from "../transport/passed-headers.ts";
import { type AnswerForm, answerForm, PLAIN_JSON } from "./answer-form.ts";
import { type Contract, contracts } from "./contracts.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { isHost } from "./host.ts";
import { type Preferences, parsePrefer } from "./prefer.ts";
import { type Parameter, parseParameters, queryOf, wellFormedParameters } from "./query.ts";

/** A request as Node gives it, with what the router found. */
export interface Incoming {
  /** By which the request is found in the logs, here and in the core. */
  readonly id: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly contract: Contract;
  readonly protocol: "http" | "https";
  readonly socket: { readonly localPort?: number | undefined };
  readonly response: ServerResponse;
}

/** What a request inside of another one, such as the entry of a batch, has of its own. */
export type PartOfRequest = Pick<Incoming, "url" | "headers" | "params" | "body"> & {
  /** The resource that the body would hold, read already with the whole. */
  readonly resource?: FhirJson;
  /** Whether its resource may refer to resources of other parts: then references are for the core to resolve. */
  readonly refersToParts?: true;
};

/** A request to the FHIR interface. Whatever not every interaction needs is read only when it is asked for. */
export class FhirRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  readonly contract: Contract;
  readonly gateway: GatewayContext;
  /** Set for a request inside of another one: the resource that its body would hold. */
  readonly resource: FhirJson | undefined;
  /** Whether it is inside of another one: then its answer becomes a part of that one's. */
  readonly isPart: boolean;
  readonly refersToParts: boolean;
  readonly #incoming: Incoming;
  #formText = "";
  /** Undefined when it cannot be understood. */
  #form: readonly Parameter[] | undefined = [];
  #answerForm: AnswerForm | undefined;
  #query: readonly Parameter[] | undefined;
  #preferences: Preferences | undefined;
  #signal: AbortSignal | undefined;

  constructor(incoming: Incoming, gateway: GatewayContext, part?: PartOfRequest) {
    this.params = incoming.params;
    this.headers = incoming.headers;
    this.body = incoming.body;
    this.contract = incoming.contract;
    this.gateway = gateway;
    this.resource = part?.resource;
    this.isPart = part !== undefined;
    this.refersToParts = part?.refersToParts ?? false;
    this.#incoming = incoming;
  }

  /**
   * A request inside of this one, such as the entry of a batch: it is of the same caller and ends with this one. Its
   * answer is JSON, in whatever form the whole one will be. It may have a core of its own.
   */
  part(part: PartOfRequest, core = this.gateway.core): FhirRequest {
    const gateway = core === this.gateway.core ? this.gateway : { ...this.gateway, core };
    const request = new FhirRequest({ ...this.#incoming, ...part }, gateway, part);
    request.#signal = this.#hangUp();
    request.#answerForm = PLAIN_JSON;
    if (part.headers["prefer"] === this.headers["prefer"]) request.#preferences = this.preferences;
    return request;
  }

  /** By which it is found in the logs, here and in the core. */
  get id(): string {
    return this.#incoming.id;
  }

  get hasBody(): boolean {
    return this.resource !== undefined || (this.body?.length ?? 0) > 0;
  }

  /** Whether the header came in several lines, which Node has joined; a part of a request has none. */
  isRepeated(header: string): boolean {
    return !this.isPart && (this.#incoming.response.req.headersDistinct[header]?.length ?? 0) > 1;
  }

  /** The parameters of the query, then those of a form in the body. */
  get parameters(): readonly Parameter[] {
    this.#query ??= parseParameters(queryOf(this.#incoming.url));
    return this.#form?.length ? [...this.#query, ...this.#form] : this.#query;
  }

  /** Adds the parameters of a form. */
  addForm(text: string): void {
    this.#formText = text;
    this.#form = undefined;
    this.#form = parseParameters(text);
  }

  /** How the answer is to be written, a refusal too. */
  get answerForm(): AnswerForm {
    this.#answerForm ??= answerForm(this.#wellFormed(), this.headers.accept);
    return this.#answerForm;
  }

  get preferences(): Preferences {
    this.#preferences ??= parsePrefer(this.headers["prefer"]);
    return this.#preferences;
  }

  get language(): Language {
    return acceptedLanguage(this.headers["accept-language"] ?? null, this.gateway.defaultLanguage);
  }

  /** In whose words issues are told. */
  get presentation(): Presentation {
    const { contract, language, gateway } = this;
    return { version: contract.version, language, systems: gateway.errorSystems };
  }

  /** The base path by which the request came, as an absolute URL. */
  get base(): string {
    const origin = this.gateway.publicUrl ?? `${this.#incoming.protocol}://${this.#host()}`;
    return `${origin}${this.contract.basePath}`;
  }

  /** All bases of the index that the client may know: behind a proxy that ends TLS its scheme is not ours. */
  get bases(): string[] {
    const { publicUrl } = this.gateway;
    const host = this.#host();
    const origins = [...(publicUrl === undefined ? [] : [publicUrl]), `https://${host}`, `http://${host}`];
    const plainOrigins = origins.map(withPlainOrigin);
    return plainOrigins.flatMap((origin) => contracts.map(({ basePath }) => `${origin}${basePath}`));
  }

  /** How to call the core for this request: it learns who asks, for how long, and when they hang up. */
  get call(): CallOptions {
    const { headers } = this;
    const passed = passedHeaders((name) => headers[name] as string | undefined);
    passed.set("x-mpi-version", this.contract.version);
    passed.set("accept-language", this.language);
    passed.set("x-request-id", this.id);
    return { headers: passed, signal: this.#hangUp(), timeoutMs: this.gateway.callTimeoutMs };
  }

  #hangUp(): AbortSignal {
    this.#signal ??= signalOf(this.#incoming.response);
    return this.#signal;
  }

  /** The parameters, or those of them that can be understood when the request is refused for the others. */
  #wellFormed(): readonly Parameter[] {
    if (this.#query && this.#form) return this.parameters;
    const query = queryOf(this.#incoming.url);
    return wellFormedParameters(this.#formText === "" ? query : `${query}&${this.#formText}`);
  }

  #host(): string {
    const { host } = this.headers;
    return host !== undefined && isHost(host) ? host : `localhost:${this.#incoming.socket.localPort}`;
  }
}

/** Aborts when the client hangs up before it has its answer. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
