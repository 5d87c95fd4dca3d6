import { expect } from "vitest";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { rule, type Topic } from "../rule.ts";
import { refusal, tokenOf } from "../server.ts";

const genderOther = { op: "replace", path: "/gender", value: "other" };

export const changing: Topic = {
  title: "Update, conditional update, concurrency",
  file: "changing.ts",
  rules: [
    rule("http.html#update", "an update answers 200 and makes the next version", async (server) => {
      const stored = await server.storePatient();
      const { status, json, headers } = await server.put(`/Patient/${stored.id}`, {
        ...stored,
        gender: "other",
      });
      expect([status, json.meta.versionId, json.gender]).toEqual([200, "2", "other"]);
      expect([headers.get("etag"), headers.get("location")]).toEqual([
        'W/"2"',
        `${server.base}/Patient/${stored.id}/_history/2`,
      ]);
      expect((await server.ask(`/Patient/${stored.id}`)).json).toEqual(json);
    }),
    rule(
      "http.html#update",
      "a body whose id is not that of the path is refused with 400",
      async (server) => {
        const stored = await server.storePatient();
        const { status, json } = await server.put(`/Patient/${stored.id}`, { ...stored, id: "999999" });
        expect([status, json.issue[0].expression]).toEqual([400, ["Patient.id"]]);
      },
    ),
    rule(
      "http.html#upsert",
      "clients do not give ids: an update of an id that nobody has answers 404",
      async (server) => {
        expect(refusal(await server.put("/Patient/999999", inventedPatient()))[0]).toBe(404);
        const { json } = await server.ask("/metadata");
        const updateCreate = json.rest[0].resource.map((one: { updateCreate?: boolean }) => one.updateCreate);
        expect(new Set(updateCreate).has(true)).toBe(false);
      },
    ),
    rule("http.html#update", "versionId and lastUpdated of the body are ignored", async (server) => {
      const stored = await server.storePatient();
      const meta = { ...stored.meta, versionId: "77", lastUpdated: "2001-01-01T00:00:00Z" };
      const { status, json } = await server.put(`/Patient/${stored.id}`, { ...stored, meta });
      expect([status, json.meta.versionId]).toEqual([200, "2"]);
    }),
    rule("http.html#update", "an element left out of the body is gone", async (server) => {
      const stored = await server.storePatient({
        telecom: [{ system: "email", use: "home", value: "a@example.ee" }],
      });
      const { telecom: _telecom, ...rest } = stored;
      expect((await server.put(`/Patient/${stored.id}`, rest)).json.telecom).toBeUndefined();
    }),
    rule(
      "http.html#concurrency",
      "If-Match with the current version lets the update happen",
      async (server) => {
        const stored = await server.storePatient();
        for (const tag of ['W/"1"', '"2"', "*"]) {
          const { status } = await server.put(`/Patient/${stored.id}`, stored, { "if-match": tag });
          expect([tag, status]).toEqual([tag, 200]);
        }
      },
    ),
    rule(
      "http.html#concurrency",
      "If-Match with a version that was answers 412 and changes nothing",
      async (server) => {
        const stored = await server.storePatient();
        await server.put(`/Patient/${stored.id}`, stored);
        const late = await server.put(
          `/Patient/${stored.id}`,
          { ...stored, gender: "other" },
          { "if-match": 'W/"1"' },
        );
        expect(refusal(late)).toEqual([412, "conflict"]);
        const { json } = await server.ask(`/Patient/${stored.id}`);
        expect([json.meta.versionId, json.gender]).toEqual(["2", stored["gender"]]);
      },
    ),
    rule(
      "http.html#concurrency",
      "of simultaneous updates under one If-Match one happens",
      async (server) => {
        const stored = await server.storePatient();
        const tries = ["male", "female", "other", "unknown"].map((gender) =>
          server.put(`/Patient/${stored.id}`, { ...stored, gender }, { "if-match": 'W/"1"' }),
        );
        const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
        expect(statuses).toEqual([200, 412, 412, 412]);
      },
    ),
    rule(
      "http.html#concurrency",
      "If-None-Match with * or the current version answers 412 to a write of what is there",
      async (server) => {
        const stored = await server.storePatient();
        const path = `/Patient/${stored.id}`;
        for (const tags of ["*", 'W/"1"', '"7", "1"']) {
          const late = await server.put(path, stored, { "if-none-match": tags });
          expect([tags, ...refusal(late)]).toEqual([tags, 412, "conflict"]);
          const patched = await server.patch(path, [genderOther], { "if-none-match": tags });
          expect([tags, ...refusal(patched)]).toEqual([tags, 412, "conflict"]);
        }
        expect((await server.ask(path)).json).toEqual(stored);
        const other = await server.put(path, stored, { "if-none-match": 'W/"7"' });
        expect([other.status, other.json.meta.versionId]).toEqual([200, "2"]);
        expect(
          refusal(await server.put("/Patient/999999", inventedPatient(), { "if-none-match": "*" }))[0],
        ).toBe(404);
      },
    ),
    rule(
      "http.html#concurrency",
      "If-Unmodified-Since before the last change answers 412 to a write, unless there is If-Match",
      async (server) => {
        const stored = await server.storePatient();
        const path = `/Patient/${stored.id}`;
        const before = { "if-unmodified-since": "Mon, 01 Jan 2024 00:00:00 GMT" };
        expect(refusal(await server.put(path, stored, before))).toEqual([412, "conflict"]);
        expect(refusal(await server.patch(path, [genderOther], before))).toEqual([412, "conflict"]);
        expect((await server.ask(path)).json).toEqual(stored);
        const since = (await server.ask(path)).headers.get("last-modified") ?? "";
        expect((await server.put(path, stored, { "if-unmodified-since": since })).status).toBe(200);
        const matched = await server.put(path, stored, { ...before, "if-match": 'W/"2"' });
        expect([matched.status, matched.json.meta.versionId]).toEqual([200, "3"]);
      },
    ),
    rule(
      "http.html#cond-update",
      "If-None-Match: * with a search creates when nobody fits, and answers 412 when somebody does",
      async (server) => {
        const given = inventedPatient();
        const url = `Patient?identifier=${tokenOf(given)}`;
        const created = await server.put(`/${url}`, given, { "if-none-match": "*" });
        expect(created.status).toBe(201);
        expect(refusal(await server.put(`/${url}`, given, { "if-none-match": "*" }))[0]).toBe(412);
        const entry = [{ resource: given, request: { method: "PUT", url, ifNoneMatch: "*" } }];
        const bundle = { resourceType: "Bundle", entry };
        expect(refusal(await server.post("", { ...bundle, type: "transaction" }))[0]).toBe(412);
        const { json } = await server.post("", { ...bundle, type: "batch" });
        expect(json.entry[0].response.status).toMatch(/^412/);
        expect((await server.ask(`/Patient/${created.json.id}`)).json.meta.versionId).toBe("1");
      },
    ),
    rule(
      "http.html#concurrency",
      "If-Match with a search that nobody fits answers 412 and creates nothing",
      async (server) => {
        const given = inventedPatient();
        const url = `/Patient?identifier=${tokenOf(given)}`;
        for (const tag of ['W/"1"', "*"]) {
          expect(refusal(await server.put(url, given, { "if-match": tag }))[0]).toBe(412);
        }
        expect((await server.ask(url)).json.total).toBe(0);
      },
    ),
    rule("http.html#cond-update", "a PUT with a search that nobody fits creates: 201", async (server) => {
      const given = inventedPatient();
      const { status, headers } = await server.put(`/Patient?identifier=${tokenOf(given)}`, given);
      expect([status, headers.get("etag")]).toEqual([201, 'W/"1"']);
    }),
    rule(
      "http.html#cond-update",
      "a PUT with a search that one fits updates that one: 200",
      async (server) => {
        const { id, ...rest } = await server.storePatient();
        const { status, json } = await server.put(`/Patient?identifier=${tokenOf(rest)}`, rest);
        expect([status, json.id, json.meta.versionId]).toEqual([200, id, "2"]);
      },
    ),
    rule(
      "http.html#cond-update",
      "a PUT with a search that nobody fits creates nothing from a body with an id: clients do not give ids",
      async (server) => {
        const { id } = await server.storePatient();
        for (const given of [id, "999999"]) {
          const resource = { ...inventedPatient(), id: given };
          const url = `Patient?identifier=${tokenOf(resource)}`;
          const expected = [400, "value"];
          expect(refusal(await server.put(`/${url}`, resource))).toEqual(expected);
          const entry = [{ resource, request: { method: "PUT", url } }];
          const bundle = { resourceType: "Bundle", entry };
          expect(refusal(await server.post("", { ...bundle, type: "transaction" }))).toEqual(expected);
          const { json } = await server.post("", { ...bundle, type: "batch" });
          expect(json.entry[0].response.status).toMatch(/^400/);
          expect((await server.ask(`/${url}`)).json.total).toBe(0);
        }
      },
    ),
    rule("http.html#cond-update", "a PUT with a search that several fit answers 412", async (server) => {
      await server.storePatient({ birthDate: "1911-01-03" });
      await server.storePatient({ birthDate: "1911-01-03" });
      const answer = await server.put("/Patient?birthdate=1911-01-03", inventedPatient());
      expect(refusal(answer)).toEqual([412, "multiple-matches"]);
    }),
    rule("http.html#cond-update", "a PUT without id and without a search is refused", async (server) => {
      expect(refusal(await server.put("/Patient", inventedPatient()))[0]).toBe(400);
    }),
  ],
};
