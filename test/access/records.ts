import { ConnectError } from "@connectrpc/connect";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import type { RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { GrpcStatus } from "../../src/errors/index.ts";
import { contact, maritalStatus } from "../atlas/dependents.ts";
import type { Exchange, HttpRequest, Json, Way } from "../atlas/scenario.ts";
import { transportAs } from "../caller-transport.ts";
import type { TestCaller } from "../callers.ts";
import { type HttpAnswer, send } from "../gateway/http-client.ts";
import { RR } from "../gateway/registers/register-answers.ts";
import { type RunningService, startService } from "../service.ts";
import type { Whose } from "./expected-rights.ts";
import type { PatientRecord } from "./probe.ts";

/** Who asks: what is particular to the token. The person is always the same, and so is the one represented. */
export interface Asker {
  readonly role: string;
  readonly scope?: string;
}

/** A mother, her child, over whom she has custody (H10), and somebody else: people of the sandbox. */
const PEOPLE: Readonly<Record<Whose, string>> = {
  own: "48504151223",
  represented: "61309031254",
  other: "36505280013",
};

/** The service with a record of each of the three. */
export interface Records {
  readonly service: RunningService;
  readonly of: Readonly<Record<Whose, PatientRecord>>;
  /** Asks in the name of the mother, and sums the answer up: its status, and what refused it if rights did. */
  ask(way: Way, exchange: Exchange, asker: Asker): Promise<string>;
  stop(): Promise<void>;
}

export async function startRecords(): Promise<Records> {
  const service = await startService();
  const transports = new Map<string, RemoteTransport>();
  const transportOf = (caller: TestCaller) => {
    const key = `${caller.role} ${caller.scope}`;
    const transport = transports.get(key) ?? transportAs(service.grpcPort, caller);
    transports.set(key, transport);
    return transport;
  };
  const [own, represented, other] = await Promise.all(
    Object.values(PEOPLE).map((code) => recordOf(service, code)),
  );
  if (!own || !represented || !other) throw new Error("The records were not stored.");
  return {
    service,
    of: { own, represented, other },
    async ask(way, { http, grpc }, asker) {
      const caller = callerOf(asker);
      if (way === "grpc" && grpc) return summaryOfCall(grpc.send(transportOf(caller), { ...grpc.metadata }));
      if (way === "http" && http && "path" in http)
        return summaryOfAnswer(await sendAs(service, http, caller));
      throw new Error("It is not asked in that way.");
    },
    async stop() {
      for (const transport of transports.values()) transport.close();
      await service.stop();
    },
  };
}

function callerOf(asker: Asker): TestCaller {
  return { personalCode: PEOPLE.own, organization: "90001478", patient: PEOPLE.represented, ...asker };
}

async function recordOf(service: RunningService, personalCode: string): Promise<PatientRecord> {
  const found = await send(`${service.url}/fhir/Patient/$lookup?identifier=${personalCode}&source=${RR}`);
  const id = found.json.entry[0].resource.id;
  const store = async (body: Json) => {
    const url = `${service.url}/fhir/${body["resourceType"]}`;
    const { json } = await send(url, { method: "POST", body: JSON.stringify(body) });
    return json.id;
  };
  const contactId = await store(contact(`Patient/${id}`));
  const observationId = await store(maritalStatus(`Patient/${id}`));
  return { id, personalCode, contactId, observationId };
}

function sendAs({ url }: RunningService, request: HttpRequest, caller: TestCaller): Promise<HttpAnswer> {
  const { method, path, headers = {}, body } = request;
  return send(`${url}/fhir${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    as: caller,
  });
}

interface Reason {
  readonly code: string;
  /** As MPI-403 tells it. */
  readonly interaction: string;
}

function summaryOfAnswer({ status, json }: HttpAnswer): string {
  const issues: { details: { coding: { code: string }[]; text: string } }[] = status < 400 ? [] : json.issue;
  const reasons = issues.map(({ details }) => ({
    code: details.coding[0]?.code ?? "",
    interaction: /^The interaction (.*) is not allowed\.$/.exec(details.text)?.[1] ?? "",
  }));
  return summary(status, reasons);
}

async function summaryOfCall(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return summary(GrpcStatus.OK, []);
  } catch (cause) {
    const error = ConnectError.from(cause);
    const [details] = error.findDetails(ErrorDetailsSchema);
    const reasons = (details?.issues ?? []).map(({ code, parameters }) => ({
      code,
      interaction: parameters["interaction"] ?? "",
    }));
    return summary(error.code, reasons);
  }
}

function summary(status: number, reasons: readonly Reason[]): string {
  const refusals = reasons
    .filter(({ code }) => code === "MPI-403" || code === "MPI-052")
    .map(({ code, interaction }) => `${code} ${interaction}`.trim());
  return [String(status), ...refusals].join(", ");
}
