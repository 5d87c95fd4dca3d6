import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Calls } from "./calls.ts";
import { controlRoutes } from "./control-routes.ts";
import { Faults } from "./faults.ts";
import type { SandboxAnswer } from "./http.ts";
import { readPeopleFile } from "./people-file.ts";
import { answerOfRegister } from "./register-routes.ts";
import { sandboxRegisters } from "./registers/sandbox-registers.ts";
import { TOKEN_ISSUER, tokenIssuer } from "./tokens.ts";

export interface SandboxOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The people file. */
  readonly dataFile: string;
}

/** A sandbox that listens. */
export interface Sandbox {
  readonly port: number;
  /** Such as http://127.0.0.1:8090. */
  readonly url: string;
  /** The issuer of its tokens, and where the keys are that they are signed with. */
  readonly tokens: { readonly issuer: string; readonly jwksUrl: string };
  stop(): Promise<void>;
}

/** Stands in for the exchange layer, all registers and the token issuer. Rejects if it cannot listen. */
export async function startSandbox({ host, port, dataFile }: SandboxOptions): Promise<Sandbox> {
  const people = await readPeopleFile(dataFile);
  const registers = sandboxRegisters(people);
  const faults = new Faults();
  const calls = new Calls();
  const control = controlRoutes({ people, registers, faults, calls, tokens: await tokenIssuer() });
  const server = createServer((request, response) => {
    const answered = request.url?.startsWith("/r1/")
      ? answerOfRegister({ registers, faults, calls }, request, response)
      : control(request);
    answered.then(
      (answer) => answer && send(response, answer),
      (error: unknown) => send(response, { status: 400, body: { message: String(error) } }),
    );
  });
  await listen(server, host, port);
  const bound = (server.address() as AddressInfo).port;
  const shown = host.includes(":") ? `[${host}]` : host;
  const url = `http://${shown}:${bound}`;
  const tokens = { issuer: TOKEN_ISSUER, jwksUrl: `${url}/v2/jwks` };
  return { port: bound, url, tokens, stop: () => stop(server) };
}

function send(response: ServerResponse, { status, headers, body }: SandboxAnswer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": `${type}; charset=utf-8`, ...headers }).end(text);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new Error(`The sandbox cannot listen on ${host}:${port}.`, { cause })),
    );
    server.listen(port, host, resolve);
  });
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, sleep(100, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
