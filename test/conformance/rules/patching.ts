import { expect } from "vitest";
import { operation, parameters } from "../../gateway/patch/patch-parameters.ts";
import { rule, type Topic } from "../rule.ts";
import { refusal } from "../server.ts";

const gender = (value: string) => ({ op: "replace", path: "/gender", value });
const fhirPathGender = (value: string) =>
  parameters(operation("replace", { path: "Patient.gender", value: { valueCode: value } }));

export const patching: Topic = {
  title: "JSON Patch, FHIRPath Patch",
  file: "patching.ts",
  rules: [
    rule(
      "http.html#patch",
      "a JSON Patch changes what it names and makes the next version",
      async (server) => {
        const stored = await server.storePatient();
        const { status, json, headers } = await server.patch(`/Patient/${stored.id}`, [gender("other")]);
        expect([status, headers.get("etag")]).toEqual([200, 'W/"2"']);
        expect(json).toEqual({ ...stored, gender: "other", meta: { ...stored.meta, ...json.meta } });
      },
    ),
    rule("http.html#patch", "of several operations all happen, or none", async (server) => {
      const { id } = await server.storePatient();
      const answer = await server.patch(`/Patient/${id}`, [
        gender("other"),
        { op: "test", path: "/birthDate", value: "1" },
      ]);
      expect(refusal(answer)[0]).toBe(400);
      expect((await server.ask(`/Patient/${id}`)).json.meta.versionId).toBe("1");
    }),
    rule(
      "http.html#patch",
      "test, add, remove, replace, move and copy do as RFC 6902 says",
      async (server) => {
        const { id } = await server.storePatient();
        const { status, json } = await server.patch(`/Patient/${id}`, [
          { op: "test", path: "/name/0/family", value: "Virtanen" },
          { op: "add", path: "/name/0/given/-", value: "Maija" },
          { op: "copy", from: "/name/0/given/0", path: "/name/0/given/-" },
          { op: "move", from: "/name/0/given/1", path: "/name/0/given/0" },
          { op: "add", path: "/language", value: "fi" },
          { op: "remove", path: "/language" },
          gender("unknown"),
        ]);
        expect([status, json.name[0].given, json.gender, json.language]).toEqual([
          200,
          ["Maija", "Aino", "Aino"],
          "unknown",
          undefined,
        ]);
      },
    ),
    rule(
      "http.html#patch",
      "a patch that makes the resource invalid is refused as an update with it",
      async (server) => {
        const { id } = await server.storePatient();
        const answer = await server.patch(`/Patient/${id}`, [gender("none")]);
        expect(answer.json.issue[0].expression).toEqual(["Patient.gender"]);
        expect(refusal(answer)[0]).toBe(400);
      },
    ),
    rule("http.html#patch", "If-Match with a version that was answers 412", async (server) => {
      const stored = await server.storePatient();
      await server.put(`/Patient/${stored.id}`, stored);
      const answer = await server.patch(`/Patient/${stored.id}`, [gender("other")], { "if-match": 'W/"1"' });
      expect(refusal(answer)).toEqual([412, "conflict"]);
    }),
    rule("http.html#patch", "what is no JSON Patch is refused with 400", async (server) => {
      const { id } = await server.storePatient();
      for (const operations of [[{ op: "paint", path: "/gender" }], [{ op: "replace" }], [7]]) {
        expect(refusal(await server.patch(`/Patient/${id}`, operations as never))[0]).toBe(400);
      }
    }),
    rule("http.html#patch", "a patch that cannot be applied is refused with 400", async (server) => {
      const { id } = await server.storePatient();
      const answer = await server.patch(`/Patient/${id}`, [{ op: "replace", path: "/foo", value: "x" }]);
      expect(refusal(answer)).toEqual([400, "conflict"]);
      expect((await server.ask(`/Patient/${id}`)).json.meta.versionId).toBe("1");
    }),
    rule("http.html#patch", "a patch of an id that nobody has answers 404", async (server) => {
      expect(refusal(await server.patch("/Patient/999999", [gender("other")]))[0]).toBe(404);
    }),
    rule("http.html#patch", "a patch of what was deleted answers 410", async (server) => {
      const { id } = await server.storeSpouse();
      await server.ask(`/RelatedPerson/${id}`, { method: "DELETE" });
      expect(refusal(await server.patch(`/RelatedPerson/${id}`, [gender("other")]))[0]).toBe(410);
    }),
    rule(
      "http.html#patch",
      "a patch in a form that is none answers 415 with Accept-Patch",
      async (server) => {
        const { id } = await server.storePatient();
        const { status, headers } = await server.patch(`/Patient/${id}`, [gender("other")], {
          "content-type": "text/plain",
        });
        expect(status).toBe(415);
        expect(headers.get("accept-patch")).toContain("application/json-patch+json");
      },
    ),
    rule("fhirpatch.html", "a FHIRPath Patch is a PATCH with Parameters, in JSON", async (server) => {
      const { id } = await server.storePatient();
      const body = JSON.stringify(fhirPathGender("other"));
      const { status, json } = await server.ask(`/Patient/${id}`, { method: "PATCH", body });
      expect([status, json.gender, json.meta.versionId]).toEqual([200, "other", "2"]);
    }),
    rule("fhirpatch.html", "the operations are add, insert, delete, replace and move", async (server) => {
      const { id } = await server.storePatient();
      const given = "Patient.name[0].given";
      const patch = parameters(
        operation("insert", { path: given, index: 0, value: { valueString: "Maija" } }),
        operation("insert", { path: given, index: 2, value: { valueString: "Liisa" } }),
        operation("move", { path: given, source: 0, destination: 1 }),
        operation("delete", { path: `${given}[2]` }),
        operation("replace", { path: "Patient.gender", value: { valueCode: "unknown" } }),
        operation("add", { path: "Patient", name: "active", value: { valueBoolean: true } }),
      );
      const { status, json } = await server.ask(`/Patient/${id}`, {
        method: "PATCH",
        body: JSON.stringify(patch),
      });
      expect([status, json.name?.[0].given, json.gender, json.active]).toEqual([
        200,
        ["Aino", "Maija"],
        "unknown",
        true,
      ]);
    }),
    rule("fhirpatch.html", "a path that leads nowhere is refused and nothing changes", async (server) => {
      const { id } = await server.storePatient();
      const body = JSON.stringify(
        parameters(operation("replace", { path: "Patient.name[3].family", value: { valueString: "X" } })),
      );
      expect(refusal(await server.ask(`/Patient/${id}`, { method: "PATCH", body }))[0]).toBe(400);
      expect((await server.ask(`/Patient/${id}`)).json.meta.versionId).toBe("1");
    }),
  ],
};
