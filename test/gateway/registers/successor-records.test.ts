import { afterEach, beforeEach, describe, expect, it } from "vitest";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { codesOf } from "../http-client.ts";
import {
  changedTwice,
  linksOf,
  old,
  openSuccession,
  type Shown,
  type SuccessionUnderTest,
  successor,
} from "./succession-under-test.ts";

let index: SuccessionUnderTest;

beforeEach(async () => {
  index = await openSuccession();
});

afterEach(() => index.close());

describe("a pair that the register has linked", () => {
  it("is not unlinked by clients (MPI-038), nor may they link such a one themselves (MPI-065)", async () => {
    await index.lookUp(old);
    await index.lookUp(successor);
    const ids = [(await index.holder(old)).id, (await index.holder(successor)).id] as [string, string];
    expect(codesOf(await index.operate("link", ...ids))).toEqual(["MPI-065"]);
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    expect(codesOf(await index.operate("unlink", ...ids))).toEqual(["MPI-038"]);
    expect(codesOf(await index.operate("unlink", ids[1], ids[0]))).toEqual(["MPI-038"]);
    expect(linksOf(await index.holder(old))).toEqual([`replaced-by ${ids[1]}`]);
  });

  it("takes both records back as they were read, and protects the codes of each", async () => {
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    const [secondary, primary] = [await index.holder(old), await index.holder(successor)];
    for (const patient of [secondary, primary]) {
      const answer = await index.put({ ...patient, language: "et" } as Shown);
      expect([answer.status, answer.json.identifier, answer.json.link]).toEqual([
        200,
        patient.identifier,
        patient.link,
      ]);
    }
    const [own, others] = primary.identifier;
    const withoutOwn = await index.put({ ...primary, identifier: others ? [others] : [] });
    expect(codesOf(withoutOwn)).toContain("MPI-071");
    const both = await index.put({
      ...secondary,
      identifier: [...secondary.identifier, ...(own ? [own] : [])],
    });
    expect(codesOf(both)).toEqual(["MPI-050"]);
  });

  it("sends the contact data of each record under its own code", async () => {
    await index.succeeds({ [old]: successor });
    await index.lookUp(old);
    const sent = async () => (await index.registers.sent()).contactData;
    const phone = (value: string) => [{ system: "phone", value, use: "mobile" }];
    await index.put({ ...(await index.holder(successor)), telecom: phone("+37256781234") });
    await index.put({ ...(await index.holder(old)), telecom: phone("+37256784321") });
    await expect.poll(sent).toHaveLength(2);
    const byCode = (await sent()).map((one: { personalCode: string; phones: string[] }) => [
      one.personalCode,
      ...one.phones,
    ]);
    expect(byCode.sort()).toEqual(
      [
        [old, "+37256784321"],
        [successor, "+37256781234"],
      ].sort(),
    );
  });
});

describe("an operation on registers about the old record", () => {
  it("asks by the code that is in force, and is about the record that was named", async () => {
    const headers = { "x-road-issue": "visit" };
    const ward = file.people.find(({ note }) => note?.startsWith("capacity T2"))?.personalCode ?? "";
    await index.succeeds({ [old]: ward });
    await index.lookUp(old);
    const { id } = await index.holder(old);
    for (const named of [`patient=Patient/${id}`, `patient.identifier=${old}`]) {
      const { json } = await index.fhir(`Patient/$legal-status?${named}`, { headers });
      expect(json.entry).toHaveLength(1);
      expect(json.entry[0].resource).toMatchObject({
        subject: { reference: `Patient/${id}` },
        valueCodeableConcept: { coding: [{ code: "T2" }] },
      });
    }
  });
});

describe("the sandbox", () => {
  it("has somebody whose personal code was changed twice", async () => {
    const shown = await index.lookUp(changedTwice);
    expect(shown).toHaveLength(3);
    const primary = shown.find((one) => linksOf(one).length === 2);
    expect(primary?.identifier.map(({ period }) => period?.end !== undefined)).toEqual([false, true, true]);
  });
});
