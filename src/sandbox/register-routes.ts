import type { IncomingMessage, ServerResponse } from "node:http";
import type { RegisterName } from "../registers/index.ts";
import type { Calls } from "./calls.ts";
import type { FaultOrder, Faults } from "./faults.ts";
import { bodyOf, type SandboxAnswer } from "./http.ts";
import { otherServices } from "./registers/other-registers.ts";
import { populationServices } from "./registers/population.ts";
import { RegisterError, registerError } from "./registers/register-error.ts";
import type { SandboxRegisters } from "./registers/sandbox-registers.ts";

export interface RegisterRoutesParts {
  readonly registers: SandboxRegisters;
  readonly faults: Faults;
  readonly calls: Calls;
}

type Json = Readonly<Record<string, unknown>>;
type Service = (body: Json) => unknown;

/** `/r1/{instance}/{class}/{member}/{subsystem}/{service}`: in the sandbox the subsystem is the register's name. */
const PATH = /^\/r1\/[^/]+\/[^/]+\/[^/]+\/([^/]+)\/([^/?]+)$/;

/** Answers a call of the exchange layer, or fails it as was ordered; undefined when it hung up. */
export async function answerOfRegister(
  { registers, faults, calls }: RegisterRoutesParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<SandboxAnswer | undefined> {
  const [, register, name = ""] = PATH.exec(request.url ?? "") ?? [];
  const services = servicesOf(registers, register);
  const service = services && Object.hasOwn(services, name) ? services[name] : undefined;
  if (!service) return exchangeError("Server.ServerProxy.UnknownService", "There is no such service.");
  if (!request.headers["x-road-client"]) {
    return exchangeError("Client.MissingHeader", "The header X-Road-Client is missing.");
  }
  const body = (await bodyOf(request)) as Json;
  calls.add(register as RegisterName, name, request.headers);
  const fault = faults.next(register as RegisterName, name);
  if (fault) await faults.delay(fault);
  if (fault?.drop) {
    response.destroy();
    return undefined;
  }
  return (fault && ordered(fault)) ?? answer(service, body ?? {});
}

/** The services of a register by their names; undefined when there is no such register. */
export function servicesOf(
  registers: SandboxRegisters,
  register: string | undefined,
): Record<string, Service> | undefined {
  const services: Record<RegisterName, Record<string, Service>> = {
    rr: populationServices(registers),
    ...otherServices(registers),
  };
  return register !== undefined && Object.hasOwn(services, register)
    ? services[register as RegisterName]
    : undefined;
}

function ordered(fault: FaultOrder): SandboxAnswer | undefined {
  if (fault.garbage) return { status: 200, body: "<html>This is no register.</html>" };
  if (fault.exchange) {
    const { type, message, detail = "" } = fault.exchange;
    return exchangeError(type, message, detail);
  }
  if (fault.code === undefined && fault.message === undefined) return undefined;
  const { message } =
    fault.message === undefined
      ? registerError(fault.register, fault.code ?? "")
      : { message: fault.message };
  return shownError(new RegisterError(fault.code, message));
}

function answer(service: Service, body: Json): SandboxAnswer {
  try {
    return { status: 200, body: service(body) };
  } catch (error) {
    if (error instanceof RegisterError) return shownError(error);
    throw error;
  }
}

function shownError({ code, message }: RegisterError): SandboxAnswer {
  return { status: 500, body: { code, message } };
}

function exchangeError(type: string, message: string, detail = ""): SandboxAnswer {
  return { status: 500, headers: { "x-road-error": type }, body: { type, message, detail } };
}
