import { expect } from "vitest";
import { marriageOf } from "../../gateway/family.ts";
import { rule, type Topic } from "../rule.ts";
import { refusal } from "../server.ts";

const remove = { method: "DELETE" };

export const deleting: Topic = {
  title: "Delete, conditional delete",
  file: "deleting.ts",
  rules: [
    rule(
      "http.html#delete",
      "a delete answers 204 without a body, with the version that it made",
      async (server) => {
        const { id } = await server.storeSpouse();
        const { status, text, headers } = await server.ask(`/RelatedPerson/${id}`, remove);
        expect([status, text, headers.get("etag")]).toEqual([204, "", 'W/"2"']);
      },
    ),
    rule("http.html#delete", "what was deleted is read with 410", async (server) => {
      const { id } = await server.storeMarriage();
      await server.ask(`/Observation/${id}`, remove);
      expect(refusal(await server.ask(`/Observation/${id}`))).toEqual([410, "deleted"]);
    }),
    rule("http.html#delete", "a second delete changes nothing and answers 204", async (server) => {
      const { id } = await server.storeMarriage();
      await server.ask(`/Observation/${id}`, remove);
      expect((await server.ask(`/Observation/${id}`, remove)).status).toBe(204);
      expect((await server.ask(`/Observation/${id}/_history`)).json.total).toBe(2);
    }),
    rule("http.html#delete", "what was deleted is found by no search", async (server) => {
      const { id, patient } = await server.storeSpouse();
      await server.ask(`/RelatedPerson/${id}`, remove);
      const { reference } = patient as { reference: string };
      expect((await server.ask(`/RelatedPerson?patient=${reference}`)).json.total).toBe(0);
    }),
    rule(
      "http.html#delete",
      "a delete that is not allowed answers 405 with the methods that are",
      async (server) => {
        const { id } = await server.storePatient();
        const { status, headers } = await server.ask(`/Patient/${id}`, remove);
        expect(status).toBe(405);
        expect(headers.get("allow")?.split(/, */).sort()).toEqual(["GET", "HEAD", "PATCH", "PUT"]);
      },
    ),
    rule(
      "http.html#concurrency",
      "If-Match with a version that was keeps a delete from happening",
      async (server) => {
        const { id, ...rest } = await server.storeSpouse();
        await server.put(`/RelatedPerson/${id}`, rest);
        const answer = await server.ask(`/RelatedPerson/${id}`, {
          ...remove,
          headers: { "if-match": 'W/"1"' },
        });
        expect(answer.status).toBe(412);
        expect((await server.ask(`/RelatedPerson/${id}`)).status).toBe(200);
      },
    ),
    rule(
      "http.html#concurrency",
      "If-None-Match: * and a late If-Unmodified-Since keep a delete from happening",
      async (server) => {
        const { id } = await server.storeSpouse();
        const path = `/RelatedPerson/${id}`;
        const late = { "if-unmodified-since": "Mon, 01 Jan 2024 00:00:00 GMT" };
        for (const headers of [{ "if-none-match": "*" }, { "if-none-match": 'W/"1"' }, late]) {
          expect(refusal(await server.ask(path, { ...remove, headers }))).toEqual([412, "conflict"]);
        }
        expect((await server.ask(path)).status).toBe(200);
        const { headers } = await server.ask(path);
        const since = { "if-unmodified-since": headers.get("last-modified") ?? "" };
        expect((await server.ask(path, { ...remove, headers: since })).status).toBe(204);
      },
    ),
    rule(
      "http.html#cdelete",
      "a DELETE with a search that one fits deletes it, and with one that nobody fits nothing",
      async (server) => {
        const { id, subject } = await server.storeMarriage();
        const path = `/Observation?patient=${(subject as { reference: string }).reference}`;
        expect((await server.ask(path, remove)).status).toBe(204);
        expect((await server.ask(`/Observation/${id}`)).status).toBe(410);
        expect((await server.ask(path, remove)).status).toBe(204);
      },
    ),
    rule(
      "http.html#cdelete",
      "a DELETE with a search that several fit answers 412 and deletes none",
      async (server) => {
        const { subject } = await server.storeMarriage();
        const { reference } = subject as { reference: string };
        await server.store(marriageOf(reference));
        expect(refusal(await server.ask(`/Observation?patient=${reference}`, remove))).toEqual([
          412,
          "multiple-matches",
        ]);
        expect((await server.ask(`/Observation?patient=${reference}`)).json.total).toBe(2);
      },
    ),
    rule("http.html#cdelete", "a DELETE of a type without a search deletes nothing", async (server) => {
      expect(refusal(await server.ask("/RelatedPerson", remove))[0]).toBe(400);
    }),
  ],
};
