import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SandboxCall } from "../../../src/sandbox/calls.ts";
import { doctor } from "../../callers.ts";
import { inventedPatient } from "../invented-patient.ts";
import { RR, warningsOf } from "./register-answers.ts";
import {
  changedTwice,
  last,
  linksOf,
  NI,
  old,
  openSuccession,
  type Shown,
  type SuccessionUnderTest,
  successor,
} from "./succession-under-test.ts";

const AUTHOR = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-change-author";

interface AuditEntry {
  readonly resource: { readonly action: string; readonly patient: { readonly reference: string } };
}

let index: SuccessionUnderTest;

beforeEach(async () => {
  index = await openSuccession();
});

afterEach(() => index.close());

describe("a look-up by a personal code that another took the place of", () => {
  it("links the old record below that of the successor, in the register's name", async () => {
    const [before] = await index.lookUp(old);
    await index.succeeds({ [old]: successor });
    const shown = await index.lookUp(old);
    const [secondary, primary] = [await index.holder(old), await index.holder(successor)];
    expect(secondary.id).toBe(before?.id);
    expect(linksOf(secondary)).toEqual([`replaced-by ${primary.id}`]);
    expect(linksOf(primary)).toEqual([`replaces ${secondary.id}`]);
    expect(primary.identifier).toEqual([
      { use: "official", system: NI, value: successor },
      { use: "official", system: NI, value: old, period: { end: expect.any(String) } },
    ]);
    const searched = await index.fhir(`Patient?identifier=${NI}|${old}`);
    expect(shown).toEqual(searched.json.entry.map(({ resource }: { resource: Shown }) => resource));
    expect(shown.map(({ id }) => id).sort()).toEqual([secondary.id, primary.id].sort());
    const { json } = await index.fhir(`Patient/${primary.id}/_history`);
    expect(json.entry[0].extension).toEqual([
      { url: AUTHOR, extension: [{ url: "register", valueUri: RR }] },
    ]);
  });

  it("tells the WM service and the audit trail of the link as of every other", async () => {
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    const [secondary, primary] = [await index.holder(old), await index.holder(successor)];
    await expect
      .poll(async () => (await index.registers.sent()).linkages)
      .toMatchObject([{ kind: expect.stringMatching(/LINK/), sourceId: secondary.id, targetId: primary.id }]);
    // By the code that holds the person reaches the trail of the old one too.
    const as = { ...doctor, personalCode: successor, name: "The patient", role: "patient" };
    const { json } = await index.fhir(`AuditEvent?patient=Patient/${secondary.id}`, { as });
    const written = json.entry.filter(({ resource }: AuditEntry) => resource.action === "U");
    expect(written.map(({ resource }: AuditEntry) => resource.patient.reference).sort()).toEqual(
      [secondary, primary].map(({ id }) => `Patient/${id}`).sort(),
    );
    for (const { resource } of written) expect(JSON.stringify(resource.agent)).toContain(RR);
  });

  it("links once, however often and by however many it is asked", async () => {
    await index.succeeds({ [old]: successor });
    await Promise.all([index.lookUp(old), index.lookUp(old), index.lookUp(successor), index.lookUp(old)]);
    const linked = [await index.holder(old), await index.holder(successor)];
    await index.lookUp(old);
    await index.lookUp(successor);
    expect([await index.holder(old), await index.holder(successor)]).toEqual(linked);
    expect(linked.map(({ meta }) => meta.versionId)).toEqual(["2", "2"]);
    expect(index.logged).toEqual([]);
  });

  it("completes what ended halfway: both are in the index, not yet linked", async () => {
    await index.lookUp(old);
    await index.lookUp(successor);
    expect(linksOf(await index.holder(old))).toEqual([]);
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    expect(linksOf(await index.holder(old))).toEqual([`replaced-by ${(await index.holder(successor)).id}`]);
  });

  it("follows one code after the other, in one step or in several, and takes a group along", async () => {
    const { json: foreign } = await index.post("Patient", inventedPatient());
    const [patient] = await index.lookUp(old);
    expect((await index.operate("link", foreign.id, patient?.id ?? "")).status).toBe(200);
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    await index.succeeds({ [old]: successor, [successor]: last });
    await index.lookUp(old);
    const primary = await index.holder(last);
    const others = [foreign.id, (await index.holder(old)).id, (await index.holder(successor)).id];
    expect(linksOf(primary).sort()).toEqual(others.map((id) => `replaces ${id}`).sort());
    expect(primary.identifier.filter(({ value }) => [old, successor].includes(value))).toMatchObject([
      { period: { end: expect.any(String) } },
      { period: { end: expect.any(String) } },
    ]);
  });

  it("is not needed where the old code was never asked for", async () => {
    await index.succeeds({ [old]: successor });
    expect((await index.lookUp(successor)).map(linksOf)).toEqual([[]]);
  });
});

describe("an old record that cannot be linked to the successor", () => {
  it("is answered by the look-up as it is, and the log warns with ids alone", async () => {
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    await index.succeeds({ [successor]: old });
    const shown = await index.lookUp(successor);
    const [secondary, primary] = [await index.holder(old), await index.holder(successor)];
    expect(shown.map(({ id }) => id)).toEqual([primary.id]);
    expect(linksOf(secondary)).toEqual([`replaced-by ${primary.id}`]);
    expect(index.logged.map((line) => JSON.parse(line))).toMatchObject([
      { patient: primary.id, successor: secondary.id, causes: [{ message: "SECONDARY_ALREADY_LINKED" }] },
    ]);
    expect(index.logged.join()).not.toMatch(new RegExp(`${old}|${successor}`));
  });

  it("because the WM service is not told (MPI_WM_MODE sync) is linked by the next look-up", async () => {
    await index.close();
    index = await openSuccession({ wmMode: "sync" });
    await index.succeeds({ [old]: successor });
    await index.registers.fail({ register: "wm", code: "1", times: 1 });
    expect((await index.lookUp(old)).map(linksOf)).toEqual([[]]);
    expect(index.logged.map((line) => JSON.parse(line).causes[0].message)).toEqual([
      "WM_NOTIFICATION_FAILED",
    ]);
    await index.lookUp(old);
    expect(linksOf(await index.holder(old))).toEqual([`replaced-by ${(await index.holder(successor)).id}`]);
  });
});

describe("the old record is linked as well", () => {
  it("when a search asks the register for its code, and finds both", async () => {
    await index.succeeds({ [old]: successor });
    const found = await index.fhir(`Patient?identifier=${NI}|${old}`);
    expect([found.json.total, warningsOf(found)]).toEqual([2, []]);
  });

  it("by the job that refreshes known patients, which makes no more versions than need be", async () => {
    await index.lookUp(old);
    await index.succeeds({ [old]: successor });
    await index.refresh();
    const linked = [await index.holder(old), await index.holder(successor)];
    expect(linksOf(linked[0] as Shown)).toEqual([`replaced-by ${linked[1]?.id}`]);
    await index.refresh();
    expect([await index.holder(old), await index.holder(successor)]).toEqual(linked);
  });
});

describe("the job that refreshes known patients", () => {
  it("asks the register no faster than MPI_REFRESH_RATE, for successors too", async () => {
    await index.close();
    index = await openSuccession({ refreshRate: 4, authorCheck: false });
    await index.lookUp(changedTwice);
    await index.registers.forgetCalls();
    const { beganAt, endedAt } = await index.refresh();
    const { calls } = (await index.registers.calls()) as { calls: SandboxCall[] };
    // The old record and its two successors, the one in between and the last, and the last alone.
    expect(calls.filter(({ service: asked }) => asked === "person")).toHaveLength(6);
    // Five pauses.
    expect(endedAt - beganAt).toBeGreaterThan(5 * 250 - 20);
  });
});
