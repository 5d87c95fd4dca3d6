import { type HttpConnection, openHttpConnection } from "../load/http-connection.ts";
import type { Job } from "../load/job.ts";
import type { RunningService } from "../service.ts";
import { httpRequest } from "../workload/http-request.ts";
import { SERIAL } from "../workload/material.ts";

/** A resource as it came. */
// biome-ignore lint/suspicious/noExplicitAny: the benchmark reads a few elements of whatever came, and changes some.
export type Json = any;

export type Caller = Readonly<Record<string, string>>;

const FHIR = "application/fhir+json";

/** Asks a service one thing after the other. */
export class Client {
  readonly #connection: HttpConnection;
  readonly #service: RunningService;

  private constructor(connection: HttpConnection, service: RunningService) {
    this.#connection = connection;
    this.#service = service;
  }

  static async open(service: RunningService): Promise<Client> {
    return new Client(await openHttpConnection(service.port), service);
  }

  /** The resource of the answer; throws when it is a refusal. */
  async send(method: string, path: string, resource?: Json): Promise<Json> {
    const answer = await this.#connection.exchange(
      Buffer.from(requestOf(this.#service, method, path, resource)),
    );
    const text = answer.body.toString("utf8");
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 500)}`);
    }
    return text === "" ? undefined : JSON.parse(text);
  }

  close(): void {
    this.#connection.close();
  }
}

/** What is sent over and over, one after the other; each time with a number of its own where SERIAL stands. */
export type Requests = readonly (readonly [method: string, path: string, resource?: Json])[];

export function jobOf(service: RunningService, requests: Requests, caller: Caller = service.caller): Job {
  return {
    protocol: "http",
    port: service.port,
    path: "",
    isInTurn: true,
    serial: SERIAL,
    requests: requests.map(([method, path, resource]) => requestOf(service, method, path, resource, caller)),
  };
}

function requestOf(
  service: RunningService,
  method: string,
  path: string,
  resource: Json,
  caller: Caller = service.caller,
): Uint8Array {
  const body = resource && { type: FHIR, bytes: Buffer.from(JSON.stringify(resource), "utf8") };
  return httpRequest(service.port, method, `/fhir/${path}`, caller, body);
}
