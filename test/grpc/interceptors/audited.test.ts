import { type Client, Code, createClient, type ServiceImpl } from "@connectrpc/connect";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { namedPatients } from "../../../src/access/index.ts";
import type { AuditEntry, AuditTrail } from "../../../src/audit/index.ts";
import { currentCall, noteLook } from "../../../src/call/current-call.ts";
import { defaultErrorSystems, MpiError } from "../../../src/errors/index.ts";
import { callContextOf, keepCallContext } from "../../../src/grpc/calls/call-context.ts";
import {
  audited,
  type Interceptor,
  intercept,
  standardInterceptors,
} from "../../../src/grpc/interceptors/index.ts";
import { callerWith } from "../../access/callers.ts";
import { EchoService } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const DOCTOR = callerWith({ role: "doctor", name: "Mari Maasikas", application: "wards", issue: "visit 12" });
const log = pino({ level: "silent" });

/** A trail that can be held up, or be out of order. */
class TrailInMemory implements AuditTrail {
  readonly entries: AuditEntry[] = [];
  recording: () => Promise<void> = async () => undefined;

  async record(entries: readonly AuditEntry[]): Promise<void> {
    await this.recording();
    this.entries.push(...entries);
  }

  /** Each entry as `action patient resources`. */
  get lines(): string[] {
    return this.entries.map(({ action, patientId, resources = [] }) =>
      [action, patientId ?? "nobody", ...resources].join(" "),
    );
  }
}

const knownCaller: Interceptor = (call, next) => {
  const refused = call.context.requestHeader.get("authorization") === "forged";
  if (refused) throw new MpiError("TOKEN_MISSING");
  keepCallContext(call.context, { ...callContextOf(call.context), caller: DOCTOR });
  return next(call);
};

function setUp() {
  const trail = new TrailInMemory();
  const patients = { holders: async () => [70n, 71n] };
  const auditing = audited({
    trail,
    now: () => NOW,
    named: (method, request) => namedPatients(patients, method, request),
  });
  const interceptors = [...standardInterceptors(log, defaultErrorSystems), auditing, knownCaller];
  const options = { interceptors, defaultLanguage: "en" } as const;
  return { trail, options };
}

function patientsBy(impl: Partial<ServiceImpl<typeof PatientService>>): {
  trail: TrailInMemory;
  patients: Client<typeof PatientService>;
} {
  const { trail, options } = setUp();
  const transport = createInProcessTransport([intercept(PatientService, impl, options)]);
  return { trail, patients: createClient(PatientService, transport) };
}

function contactsBy(impl: Partial<ServiceImpl<typeof RelatedPersonService>>) {
  const { trail, options } = setUp();
  const transport = createInProcessTransport([intercept(RelatedPersonService, impl, options)]);
  return { trail, contacts: createClient(RelatedPersonService, transport) };
}

describe("an answer", () => {
  it("leaves an entry with who, for whom, why and when", async () => {
    const { trail, patients } = patientsBy({ readPatient: () => ({ patient: { id: "7" } }) });
    await patients.readPatient({ id: "7" }, { headers: { "x-road-id": "road-1" } });
    expect(trail.entries).toEqual([
      {
        action: "R",
        method: "PatientService/ReadPatient",
        requestId: "road-1",
        actor: {
          personalCode: DOCTOR.personalCode,
          name: "Mari Maasikas",
          role: "doctor",
          organization: "90000001",
          application: "wards",
          represented: undefined,
        },
        issue: "visit 12",
        refusal: undefined,
        recordedAt: NOW,
        patientId: 7n,
      },
    ]);
  });

  it("does not leave before its entry is there", async () => {
    const { trail, patients } = patientsBy({ readPatient: () => ({ patient: { id: "7" } }) });
    const { promise: durable, resolve: write } = Promise.withResolvers<void>();
    trail.recording = () => durable;
    let isAnswered = false;
    const answered = patients.readPatient({ id: "7" }).then(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAnswered).toBe(false);
    write();
    await answered;
    expect(trail.lines).toEqual(["R 7"]);
  });

  it("does not leave at all when it cannot be recorded", async () => {
    const { trail, patients } = patientsBy({ readPatient: () => ({ patient: { id: "7" } }) });
    trail.recording = () => Promise.reject(new Error("disk full"));
    const error = await rejectionOf(patients.readPatient({ id: "7" }));
    expect(error.code).toBe(Code.Internal);
    expect(error.message).toContain("MPI-001");
  });

  it("names each patient that was found, once", async () => {
    const { trail, patients } = patientsBy({
      searchPatients: () => ({ patients: [{ id: "7" }, { id: "9" }, { id: "7" }] }),
    });
    await patients.searchPatients({});
    expect(trail.lines).toEqual(["E 7", "E 9"]);
  });

  it("names each patient of the change feed", async () => {
    const { trail, patients } = patientsBy({
      listPatientChanges: () => ({ changes: [{ patient: { id: "7" } }, { patient: { id: "9" } }] }),
    });
    await patients.listPatientChanges({});
    expect(trail.lines).toEqual(["R 7", "R 9"]);
  });

  it("names the patient with whom a contact person lies, and the contact", async () => {
    const { trail, contacts } = contactsBy({
      searchRelatedPersons: () => ({ relatedPersons: [{ id: "70001" }, { id: "70002" }, { id: "90001" }] }),
    });
    await contacts.searchRelatedPersons({});
    expect(trail.lines).toEqual(["E 7 RelatedPerson/70001 RelatedPerson/70002", "E 9 RelatedPerson/90001"]);
  });

  it("names those in the results of a transaction", async () => {
    const { trail, options } = setUp();
    const response = { case: "readPatient", value: { patient: { id: "7" } } } as const;
    const impl = { processTransaction: () => ({ results: [{ response }] }) };
    const transactions = createClient(
      TransactionService,
      createInProcessTransport([intercept(TransactionService, impl, options)]),
    );
    await transactions.processTransaction({});
    expect(trail.lines).toEqual(["E 7"]);
  });

  it("names all of a group", async () => {
    const { trail, options } = setUp();
    const impl = {
      readLinkGroup: () => ({ group: { primaryId: "7", links: [{ primaryId: "7", secondaryId: "9" }] } }),
    };
    const linkage = createClient(
      LinkageService,
      createInProcessTransport([intercept(LinkageService, impl, options)]),
    );
    await linkage.readLinkGroup({ patientId: "9" });
    expect(trail.lines).toEqual(["R 7", "R 9"]);
  });

  it("that names nobody is put down to whom the work looked at, else to whom the request named", async () => {
    const { trail, options } = setUp();
    const impl: Partial<ServiceImpl<typeof SocialHistoryService>> = {
      readPatientName: () => {
        noteLook(7n);
        return { name: { family: "Virtanen" } };
      },
      listEducations: () => ({ observations: [] }),
    };
    const history = createClient(
      SocialHistoryService,
      createInProcessTransport([intercept(SocialHistoryService, impl, options)]),
    );
    await history.readPatientName({});
    await history.listEducations({ parameters: [{ name: "patient", value: "Patient/8" }] });
    await history.listEducations({ parameters: [{ name: "patient.identifier", value: "38001085718" }] });
    expect(trail.lines).toEqual(["R 7", "R 8", "R 70", "R 71"]);
  });

  it("of a search that found nobody leaves an entry of nobody", async () => {
    const { trail, patients } = patientsBy({ searchPatients: () => ({ patients: [] }) });
    await patients.searchPatients({});
    expect(trail.lines).toEqual(["E nobody"]);
  });

  it("of a write has its entry already, but for others whom it shows", async () => {
    const { trail, patients } = patientsBy({
      updatePatient: () => {
        currentCall()?.accesses.noteRecorded(7n);
        return { patient: { id: "7" } };
      },
      searchPatients: () => {
        currentCall()?.accesses.noteRecorded(7n);
        return { patients: [{ id: "7" }, { id: "9" }] };
      },
    });
    await patients.updatePatient({ id: "7" });
    await patients.searchPatients({});
    expect(trail.lines).toEqual(["E 9"]);
  });

  it("of a stream is recorded too", async () => {
    const { trail, options } = setUp();
    const impl = {
      async *repeat() {
        yield { value: "one" };
      },
    };
    const echo = createClient(EchoService, createInProcessTransport([intercept(EchoService, impl, options)]));
    for await (const _ of echo.repeat({ value: "one" }));
    expect(trail.lines).toEqual(["R nobody"]);
  });
});

describe("a refusal", () => {
  const refused = () => {
    throw new MpiError("PATIENT_RESOURCE_NOT_FOUND", { id: "7" });
  };

  it("leaves an entry with its code, of whom the request named", async () => {
    const { trail, patients } = patientsBy({ readPatient: refused });
    await rejectionOf(patients.readPatient({ id: "7" }));
    expect(trail.lines).toEqual(["R 7"]);
    expect(trail.entries[0]).toMatchObject({
      refusal: "MPI-072 PATIENT_RESOURCE_NOT_FOUND",
      actor: { personalCode: DOCTOR.personalCode },
    });
  });

  it("of somebody who is not known leaves an entry without an actor", async () => {
    const { trail, patients } = patientsBy({});
    await rejectionOf(patients.readPatient({ id: "7" }, { headers: { authorization: "forged" } }));
    expect(trail.lines).toEqual(["R 7"]);
    expect(trail.entries[0]?.actor).toBeUndefined();
    expect(trail.entries[0]?.refusal).toContain("MPI-400");
  });

  it("names the patients of a link by id and by identifier", async () => {
    const { trail, options } = setUp();
    const linkage = createClient(
      LinkageService,
      createInProcessTransport([intercept(LinkageService, { linkPatients: refused }, options)]),
    );
    const identifiers = [{ system: "https://fhir.ee/sid/pid/fin/ni", value: "131052-308T" }];
    await rejectionOf(linkage.linkPatients({ source: { id: "7" }, target: { identifiers } }));
    expect(trail.lines).toEqual(["U 7", "U 70", "U 71"]);
  });

  it("of several creations as a whole leaves an entry for each, as if it had come alone", async () => {
    const { trail, patients } = patientsBy({ createPatients: refused });
    await rejectionOf(patients.createPatients({ patients: [{}, {}, {}] }));
    await rejectionOf(patients.createPatients({}));
    expect(trail.lines).toEqual(["C nobody", "C nobody", "C nobody", "C nobody"]);
  });

  it("of more creations than there may be leaves one for as many as there may be", async () => {
    const { trail, patients } = patientsBy({ createPatients: refused });
    const many = Array.from({ length: 300_000 }, () => ({}));
    expect((await rejectionOf(patients.createPatients({ patients: many }))).code).toBe(Code.NotFound);
    expect(trail.lines).toEqual(Array(200).fill("C nobody"));
  });

  it("of a transaction with more entries than there may be names those of as many as there may be", async () => {
    const { trail, options } = setUp();
    const transactions = createClient(
      TransactionService,
      createInProcessTransport([intercept(TransactionService, { processTransaction: refused }, options)]),
    );
    const entries = Array.from({ length: 20_000 }, (_, at) => ({
      request: { case: "deleteRelatedPerson", value: { id: `${at + 1}0001` } } as const,
    }));
    await rejectionOf(transactions.processTransaction({ entries }));
    expect(trail.lines).toEqual(Array.from({ length: 200 }, (_, at) => `E ${at + 1}`));
  });

  it("of what cannot be anybody's id leaves an entry of nobody", async () => {
    const { trail, patients } = patientsBy({ readPatient: refused });
    await rejectionOf(patients.readPatient({ id: "seven" }));
    expect(trail.lines).toEqual(["R nobody"]);
  });

  it("is recorded after a write too, which has its own entry", async () => {
    const { trail, patients } = patientsBy({
      updatePatient: () => {
        currentCall()?.accesses.noteRecorded(7n);
        throw new Error("broken after the commit");
      },
    });
    await rejectionOf(patients.updatePatient({ id: "7" }));
    expect(trail.lines).toEqual(["U 7"]);
    expect(trail.entries[0]?.refusal).toBe("MPI-001 INTERNAL_ERROR");
  });

  it("of a stream that has told of nobody leaves an entry with its code, one of a broken stream too", async () => {
    const { trail, options } = setUp();
    const impl = {
      async *repeat({ value }: { value: string }) {
        if (value === "late") yield { value };
        throw new MpiError("PATIENT_RESOURCE_NOT_FOUND", { id: "7" });
      },
    };
    const echo = createClient(EchoService, createInProcessTransport([intercept(EchoService, impl, options)]));
    await rejectionOf(Array.fromAsync(echo.repeat({ value: "at once" })));
    await rejectionOf(Array.fromAsync(echo.repeat({ value: "late" })));
    expect(trail.entries.map(({ refusal }) => refusal)).toEqual(
      Array(2).fill("MPI-072 PATIENT_RESOURCE_NOT_FOUND"),
    );
  });

  it("for a version of the contract that does not exist leaves none", async () => {
    const { trail, patients } = patientsBy({ readPatient: refused });
    await rejectionOf(patients.readPatient({ id: "7" }, { headers: { "x-mpi-version": "9.9.9" } }));
    expect(trail.entries).toEqual([]);
  });
});
