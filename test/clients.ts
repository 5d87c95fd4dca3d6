import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { type ErrorDetails, ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { transportAs } from "./caller-transport.ts";
import type { TestCaller } from "./callers.ts";

/** Generated clients over gRPC, as an internal service has them. */
export interface GrpcClients {
  readonly transport: Transport;
  readonly patients: Client<typeof PatientService>;
  readonly relatedPersons: Client<typeof RelatedPersonService>;
  readonly observations: Client<typeof ObservationService>;
  close(): void;
}

export function grpcClients(port: number, caller?: TestCaller): GrpcClients {
  const transport = transportAs(port, caller);
  return {
    transport,
    patients: createClient(PatientService, transport),
    relatedPersons: createClient(RelatedPersonService, transport),
    observations: createClient(ObservationService, transport),
    close: () => transport.close(),
  };
}

/** How a call was refused: its status, and code and expression of each issue. */
export interface Refusal {
  readonly status: string;
  readonly issues: readonly string[];
}

/** The refusal of a call that must be refused. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    const refused = ConnectError.from(error);
    const [details] = refused.findDetails(ErrorDetailsSchema);
    return { status: Code[refused.code], issues: issuesOf(details) };
  }
  throw new Error("The call was not refused.");
}

/** The refusals of calls that run at once and must all be refused. */
export function refusalsOf(calls: readonly Promise<unknown>[]): Promise<Refusal[]> {
  return Promise.all(calls.map(refusalOf));
}

function issuesOf(details: ErrorDetails | undefined): string[] {
  return (details?.issues ?? []).map(({ code, expressions }) => [code, ...expressions].join(" "));
}
