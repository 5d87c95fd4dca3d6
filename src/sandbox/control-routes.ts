import type { IncomingMessage } from "node:http";
import type { Calls } from "./calls.ts";
import { type Faults, parseFaultOrder } from "./faults.ts";
import { bodyOf, type SandboxAnswer } from "./http.ts";
import type { PeopleFile } from "./people-file.ts";
import { servicesOf } from "./register-routes.ts";
import type { SandboxRegisters } from "./registers/sandbox-registers.ts";
import type { TokenIssuer, TokenRequest } from "./tokens.ts";

export interface ControlParts {
  readonly people: PeopleFile;
  readonly registers: SandboxRegisters;
  readonly faults: Faults;
  readonly calls: Calls;
  readonly tokens: TokenIssuer;
}

type Route = (request: IncomingMessage) => SandboxAnswer | Promise<SandboxAnswer>;

/** The sandbox's own routes: tokens, faults, what was sent, who there is. docs/sandbox.md lists them. */
export function controlRoutes(parts: ControlParts): (request: IncomingMessage) => Promise<SandboxAnswer> {
  const routes = routesOf(parts);
  return async (request) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const route = routes[`${request.method} ${path}`];
    return route ? await route(request) : { status: 404, body: { message: "There is nothing here." } };
  };
}

function routesOf({
  people,
  registers,
  faults,
  calls,
  tokens,
}: ControlParts): Readonly<Record<string, Route>> {
  return {
    "POST /v2/token": async (request) => issueToken(tokens, await bodyOf(request)),
    "GET /v2/jwks": () => ok(tokens.jwks),
    "GET /.well-known/jwks.json": () => ok(tokens.jwks),
    "GET /sandbox/people": () => ok(people),
    "GET /sandbox/faults": () => ok(faults.list()),
    "POST /sandbox/faults": async (request) => {
      const order = parseFaultOrder(await bodyOf(request), (register) =>
        Object.keys(servicesOf(registers, register) ?? {}),
      );
      if (typeof order === "string") return { status: 400, body: { message: order } };
      faults.add(order);
      return { status: 201, body: faults.list() };
    },
    "DELETE /sandbox/faults": () => {
      faults.clear();
      return ok([]);
    },
    "GET /sandbox/calls": () => ok(calls.list()),
    "DELETE /sandbox/calls": () => {
      calls.clear();
      return ok(calls.list());
    },
    "GET /sandbox/sent": () => ok(sent(registers)),
    "DELETE /sandbox/sent": () => {
      registers.contactData.length = 0;
      registers.linkages.clear();
      registers.retractions.clear();
      return ok(sent(registers));
    },
  };
}

function sent({ contactData, linkages }: SandboxRegisters) {
  return { contactData, linkages: [...linkages.values()] };
}

async function issueToken(tokens: TokenIssuer, body: unknown): Promise<SandboxAnswer> {
  const request = body as Partial<TokenRequest> | undefined;
  if (typeof request?.user?.personalCode !== "string") {
    return { status: 400, body: { message: "user.personalCode is missing." } };
  }
  return ok(await tokens.issue(request as TokenRequest));
}

function ok(body: unknown): SandboxAnswer {
  return { status: 200, body };
}
