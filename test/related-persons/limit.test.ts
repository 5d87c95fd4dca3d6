import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../clients.ts";
import { type Contacts, somebody, startContacts } from "./contacts.ts";
import { SPOUSE } from "./examples.ts";

let contacts: Contacts;

beforeAll(async () => {
  contacts = await startContacts();
});

afterAll(async () => {
  await contacts.stop();
});

describe("the limit of contact persons", () => {
  it("counts those that are active, not ended and of kind CON", async () => {
    const { reference } = await contacts.newPatient();
    await contacts.create(somebody(reference, { active: false }));
    await contacts.create(somebody(reference, { period: { start: "2001", end: "2002" } }));
    await contacts.create(somebody(reference, { relationship: [SPOUSE] }));
    for (let n = 0; n < 3; n++) await contacts.create(somebody(reference));
    const { status, issues } = await refusalOf(contacts.create(somebody(reference)));
    expect({ status, issues }).toEqual({ status: "FailedPrecondition", issues: ["MPI-042 RelatedPerson"] });
  });

  it("holds when an ended one comes back, and leaves a change of those who count alone", async () => {
    const { reference } = await contacts.newPatient();
    const passive = await contacts.create(somebody(reference, { active: false }));
    const [first] = [await contacts.create(somebody(reference)), await contacts.create(somebody(reference))];
    await contacts.create(somebody(reference));
    const revived = { ...passive, active: true };
    const revive = contacts.grpc.relatedPersons.updateRelatedPerson({
      id: passive.id ?? "",
      relatedPerson: revived,
    });
    expect((await refusalOf(revive)).issues).toEqual(["MPI-042 RelatedPerson"]);
    const changed = { ...first, gender: "other" };
    const answer = await contacts.grpc.relatedPersons.updateRelatedPerson({
      id: first.id ?? "",
      relatedPerson: changed,
    });
    expect(answer.relatedPerson).toMatchObject({ etag: 'W/"2"', gender: "other" });
  });

  it("leaves exactly three of twenty that come at once", async () => {
    const { id, reference } = await contacts.newPatient();
    const attempts = Array.from({ length: 20 }, () => contacts.create(somebody(reference)));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect((await contacts.search(["patient", `Patient/${id}`])).totalSize).toBe(3n);
    for (const attempt of attempts.filter((_, at) => outcomes[at]?.status === "rejected")) {
      expect((await refusalOf(attempt)).issues).toEqual(["MPI-042 RelatedPerson"]);
    }
  });

  it("is free again when one is deleted", async () => {
    const { reference } = await contacts.newPatient();
    const { id = "" } = await contacts.create(somebody(reference));
    await contacts.create(somebody(reference));
    await contacts.create(somebody(reference));
    await contacts.grpc.relatedPersons.deleteRelatedPerson({ id });
    expect((await contacts.create(somebody(reference))).id).toBe(`${reference.reference.slice(8)}0004`);
  });

  it("lets one identifier in once, of many that come at once", async () => {
    const { reference } = await contacts.newPatient();
    const given = somebody(reference);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => contacts.create(given)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});
