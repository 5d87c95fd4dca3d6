import { join } from "node:path";
import { pino } from "pino";
import { createInProcessTransport } from "../../gateway/transport/in-process/in-process.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import { standardInterceptors } from "../../src/grpc/interceptors/index.ts";
import { adapterServices } from "../../src/grpc/registers/adapter-services.ts";
import { registerClients } from "../../src/grpc/registers/register-clients.ts";
import {
  type AnswerKey,
  type AnswerStore,
  ofEachRegister,
  type RegisterAddresses,
} from "../../src/registers/index.ts";
import type { Registers } from "../../src/registers/ports.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { sandboxControl } from "./sandbox-control.ts";

const PEOPLE = join(import.meta.dirname, "../../src/sandbox/people.json");

/** Answers in memory, with a clock that a test may turn. */
function answersInMemory(): AnswerStore {
  const kept = new Map<string, { readonly answer: Uint8Array<ArrayBuffer>; readonly until: Date }>();
  const claims = new Map<string, { readonly holder: string; readonly until: number }>();
  const nameOf = ({ personalCode, query }: AnswerKey) => `${query} ${personalCode}`;
  return {
    async read(key, now) {
      const found = kept.get(nameOf(key));
      return found && found.until > now ? found.answer : undefined;
    },
    async keep(key, answer, until) {
      kept.set(nameOf(key), { answer, until });
    },
    async claim(key, holder, milliseconds) {
      const held = claims.get(nameOf(key));
      if (held && held.until > performance.now()) return false;
      claims.set(nameOf(key), { holder, until: performance.now() + milliseconds });
      return true;
    },
    async release(key, holder) {
      if (claims.get(nameOf(key))?.holder === holder) claims.delete(nameOf(key));
    },
  };
}

/** A sandbox, and the registers in it behind our adapters. */
export async function startRegisters(
  addresses: Partial<RegisterAddresses> = {},
  timeoutMs = 30_000,
  now = () => new Date(),
) {
  const sandbox = await startSandbox({ host: "127.0.0.1", port: 0, dataFile: PEOPLE });
  const at = (name: string) => `${sandbox.url}/r1/EE/GOV/70000001/${name}`;
  const all = { ...ofEachRegister(at), ...addresses };
  const chain = {
    interceptors: standardInterceptors(pino({ level: "silent" }), defaultErrorSystems),
    defaultLanguage: "en" as const,
  };
  const services = adapterServices(
    {
      addresses: all,
      client: "EE/GOV/70009770/mpi",
      timeoutMs,
      store: answersInMemory(),
      keepMs: 60_000,
      now,
    },
    chain,
  );
  const registers: Registers = registerClients({ transport: createInProcessTransport(services), timeoutMs });
  return { registers, sandbox, control: sandboxControl(sandbox.url), stop: () => sandbox.stop() };
}
