import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { transportAs } from "../../caller-transport.ts";
import { type RunningService, startService } from "../../service.ts";
import { somebody } from "../../storage/patients/store.ts";

let service: RunningService;
let transport: RemoteTransport;
let linkage: Client<typeof LinkageService>;
let patients: Client<typeof PatientService>;

beforeAll(async () => {
  service = await startService();
  transport = transportAs(service.grpcPort);
  linkage = createClient(LinkageService, transport);
  patients = createClient(PatientService, transport);
});

afterAll(async () => {
  transport.close();
  await service.stop();
});

describe("LinkageService", () => {
  it("links by id and by identifier, shows the tree as it is and was, and unlinks", async () => {
    const [a, b, c] = [await create(), await create(), await create()];
    const first = await linkage.linkPatients({ source: { id: idOf(a) }, target: { id: idOf(b) } });
    expect(first.target?.id).toBe(b.id);
    await linkage.linkPatients({
      source: { identifiers: b.identifier },
      target: { identifiers: c.identifier },
    });

    const { group } = await linkage.readLinkGroup({ patientId: idOf(a) });
    expect(group?.primaryId).toBe(c.id);
    expect(group?.links).toMatchObject([
      { secondaryId: a.id, primaryId: b.id, linkedAt: first.target?.meta?.lastUpdated },
      { secondaryId: b.id, primaryId: c.id },
    ]);
    const { lastUpdated } = first.target?.meta ?? {};
    if (!lastUpdated) throw new Error("The target does not say when it was linked.");
    const before = await linkage.readLinkGroup({ patientId: idOf(a), asOf: lastUpdated });
    expect(before.group).toMatchObject({ primaryId: b.id, links: [{ secondaryId: a.id, primaryId: b.id }] });

    const { released } = await linkage.unlinkPatients({ source: { id: idOf(c) }, target: { id: idOf(b) } });
    expect(released?.id).toBe(b.id);
    expect((await linkage.readLinkGroup({ patientId: idOf(c) })).group).toMatchObject({
      primaryId: c.id,
      links: [],
    });
  });

  it("follows the version that the caller names", async () => {
    const [a, b] = [await create(), await create()];
    const version = { headers: { "x-mpi-version": "1.1.1" } };
    await linkage.linkPatients({ source: { id: idOf(a) }, target: { id: idOf(b) } }, version);
    expect((await patients.readPatient({ id: idOf(a) })).patient?.active).toBe(false);
  });
});

async function create(): Promise<Patient> {
  const { patient } = await patients.createPatient({ patient: somebody() });
  if (!patient) throw new Error("Nobody was created.");
  return patient;
}

function idOf({ id = "" }: Patient): string {
  return id;
}
