import { expect } from "vitest";
import { marriageOf, spouseOf } from "../../gateway/family.ts";
import { rule, type Topic } from "../rule.ts";
import { FORM, idsOf, linkOf, matchesOf, refusal, type Server, tokenOf } from "../server.ts";

const FINNISH = "https://fhir.ee/sid/pid/fin/ppn";

async function found(server: Server, query: string): Promise<string[]> {
  const answer = await server.ask(`/Patient?${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return idsOf(answer);
}

export const searching: Topic = {
  title: "Search parameters",
  file: "searching.ts",
  rules: [
    rule("http.html#search", "a search by GET answers with a Bundle of type searchset", async (server) => {
      const stored = await server.storePatient();
      const { status, json } = await server.ask(`/Patient?_id=${stored.id}`);
      expect([status, json.resourceType, json.type, json.total]).toEqual([200, "Bundle", "searchset", 1]);
      expect(json.entry).toEqual([
        { fullUrl: `${server.base}/Patient/${stored.id}`, resource: stored, search: { mode: "match" } },
      ]);
    }),
    rule("http.html#search", "a search by POST to _search finds what GET finds", async (server) => {
      const { id } = await server.storePatient();
      const post = await server.ask("/Patient/_search", { method: "POST", headers: FORM, body: `_id=${id}` });
      expect([post.status, idsOf(post)]).toEqual([200, [id]]);
    }),
    rule(
      "http.html#search",
      "parameters of the address and of the form of a POST count together",
      async (server) => {
        const { id } = await server.storePatient({ active: true });
        const post = (body: string) =>
          server.ask(`/Patient/_search?_id=${id}`, { method: "POST", headers: FORM, body });
        expect([idsOf(await post("active=true")), idsOf(await post("active=false"))]).toEqual([[id], []]);
      },
    ),
    rule(
      "search.html#errors",
      "a search that finds nobody answers 200 with an empty searchset",
      async (server) => {
        const { status, json } = await server.ask("/Patient?_id=999999");
        expect([status, json.type, json.total, json.entry]).toEqual([200, "searchset", 0, undefined]);
      },
    ),
    rule("search.html#token", "a token is a system and a value, told apart by |", async (server) => {
      const stored = await server.storePatient();
      const [{ value }] = stored["identifier"] as [{ value: string }];
      expect(await found(server, `identifier=${FINNISH}|${value}`)).toEqual([stored.id]);
      expect(await found(server, `identifier=https://fhir.ee/sid/pid/swe/ppn|${value}`)).toEqual([]);
    }),
    rule(
      "search.html#escaping",
      "characters of parameters may be percent-encoded, all of them",
      async (server) => {
        const stored = await server.storePatient();
        const [{ value }] = stored["identifier"] as [{ value: string }];
        const encoded = [...`${FINNISH}|${value}`]
          .map((one) => `%${one.charCodeAt(0).toString(16)}`)
          .join("");
        expect(await found(server, `%69dentifier=${encoded}`)).toEqual([stored.id]);
      },
    ),
    rule(
      "search.html#escaping",
      "\\, \\| \\$ and \\\\ stand for these characters in a value",
      async (server) => {
        const value = `A,B|C$D\\${Date.now()}`;
        const stored = await server.storePatient({ identifier: [{ system: FINNISH, value }] });
        const escaped = value.replace(/[,|$\\]/g, "\\$&");
        expect(await found(server, `identifier=${encodeURIComponent(`${FINNISH}|${escaped}`)}`)).toEqual([
          stored.id,
        ]);
        expect(
          await found(server, `patient-identifier=${encodeURIComponent(`${FINNISH}|${escaped}`)}`),
        ).toEqual([stored.id]);
      },
    ),
    rule("search.html#combining", "values separated by commas are alternatives", async (server) => {
      const one = await server.storePatient();
      const other = await server.storePatient();
      expect((await found(server, `_id=${one.id},${other.id}`)).sort()).toEqual([one.id, other.id].sort());
    }),
    rule("search.html#combining", "a parameter given again narrows what is found", async (server) => {
      const { id } = await server.storePatient({ birthDate: "1931-05-06" });
      expect(await found(server, "birthdate=ge1931-05-06&birthdate=le1931-05-06")).toEqual([id]);
      expect(
        await found(server, "birthdate=ge1931-05-06&birthdate=gt1931-05-06&birthdate=lt1931-05-08"),
      ).toEqual([]);
    }),
    rule("search.html#combining", "different parameters must all fit", async (server) => {
      const { id } = await server.storePatient({ birthDate: "1931-05-07", active: true });
      expect(await found(server, `_id=${id}&birthdate=1931-05-07&active=true`)).toEqual([id]);
      expect(await found(server, `_id=${id}&birthdate=1931-05-08`)).toEqual([]);
    }),
    rule(
      "search.html#prefix",
      "eq ne gt ge lt le sa eb compare a date as their names say",
      async (server) => {
        const { id } = await server.storePatient({ birthDate: "1931-06-15" });
        const fits = async (value: string) =>
          (await found(server, `_id=${id}&birthdate=${value}`)).length === 1;
        const expected = {
          "1931-06-15": true,
          "eq1931-06-15": true,
          "eq1931-06-14": false,
          "ne1931-06-15": false,
          "ne1931-06-14": true,
          "gt1931-06-14": true,
          "gt1931-06-15": false,
          "ge1931-06-15": true,
          "lt1931-06-16": true,
          "lt1931-06-15": false,
          "le1931-06-15": true,
          "sa1931-06-14": true,
          "eb1931-06-16": true,
        };
        for (const [value, fit] of Object.entries(expected)) {
          expect([value, await fits(value)]).toEqual([value, fit]);
        }
      },
    ),
    rule(
      "search.html#prefix",
      "a date of which only the year is known fits a day as a span",
      async (server) => {
        const { id } = await server.storePatient({ birthDate: "1932" });
        const fits = async (value: string) =>
          (await found(server, `_id=${id}&birthdate=${value}`)).length === 1;
        expect(await fits("ge1932-01-01")).toBe(true);
        expect(await fits("sa1931-12-31")).toBe(true);
        expect(await fits("eb1933-01-01")).toBe(true);
        expect(await fits("sa1932-06-01")).toBe(false);
      },
    ),
    rule(
      "search.html#_lastUpdated",
      "_lastUpdated takes instants and times of any precision, with prefixes",
      async (server) => {
        const { id, meta } = await server.storePatient();
        const at = encodeURIComponent(meta.lastUpdated);
        const year = meta.lastUpdated.slice(0, 4);
        for (const value of [`ge${at}`, `le${at}`, at, year, `ge${year}`, meta.lastUpdated.slice(0, 10)]) {
          expect([value, await found(server, `_id=${id}&_lastUpdated=${value}`)]).toEqual([value, [id]]);
        }
        for (const value of [`gt${at}`, `lt${at}`, "2001", "lt2001"]) {
          expect([value, await found(server, `_id=${id}&_lastUpdated=${value}`)]).toEqual([value, []]);
        }
      },
    ),
    rule(
      "search.html#reference",
      "a reference is a type and id, an id alone, or an address",
      async (server) => {
        const { id } = await server.storePatient();
        const spouse = await server.store(spouseOf(`Patient/${id}`));
        for (const value of [`Patient/${id}`, id, `${server.base}/Patient/${id}`]) {
          expect([value, idsOf(await server.ask(`/RelatedPerson?patient=${value}`))]).toEqual([
            value,
            [spouse.id],
          ]);
        }
      },
    ),
    rule(
      "search.html#chaining",
      "the patient of a contact or an observation is found by an identifier",
      async (server) => {
        const patient = await server.storePatient();
        const spouse = await server.store(spouseOf(`Patient/${patient.id}`));
        const marriage = await server.store(marriageOf(`Patient/${patient.id}`));
        const chained = `patient.identifier=${tokenOf(patient)}`;
        expect(idsOf(await server.ask(`/RelatedPerson?${chained}`))).toEqual([spouse.id]);
        expect(idsOf(await server.ask(`/Observation?${chained}`))).toEqual([marriage.id]);
      },
    ),
    rule(
      "search.html#token",
      "a code is found by code, by system and code, and not under another system",
      async (server) => {
        const { id, subject } = await server.storeMarriage();
        const of = (subject as { reference: string }).reference;
        const byCode = async (value: string) =>
          idsOf(await server.ask(`/Observation?patient=${of}&code=${encodeURIComponent(value)}`));
        for (const value of [
          "125680007",
          "http://snomed.info/sct|125680007",
          "http://snomed.info/sct|",
          "x,125680007",
        ]) {
          expect([value, await byCode(value)]).toEqual([value, [id]]);
        }
        for (const value of ["125680008", "http://loinc.org|125680007", "|125680007"]) {
          expect([value, await byCode(value)]).toEqual([value, []]);
        }
      },
    ),
    rule(
      "search.html#modifiers",
      "a modifier that is not supported is refused, never ignored",
      async (server) => {
        for (const query of [
          "identifier:exact=a|b",
          "birthdate:missing=true",
          "_id:not=1",
          "active:text=x",
        ]) {
          expect([query, refusal(await server.ask(`/Patient?${query}`))[0]]).toEqual([query, 400]);
        }
      },
    ),
    rule("search.html#errors", "an unknown parameter is refused, and named", async (server) => {
      const answer = await server.ask("/Patient?_id=1&colour=red", {
        headers: { prefer: "handling=strict" },
      });
      expect(refusal(answer)[0]).toBe(400);
      expect(answer.json.issue[0].expression).toEqual(["http.colour"]);
    }),
    rule(
      "search.html#errors",
      "under Prefer: handling=lenient it is ignored, and the searchset says so",
      async (server) => {
        const { id } = await server.storePatient();
        const headers = { prefer: "handling=lenient" };
        const answer = await server.ask(`/Patient?_id=${id}&colour=red`, { headers });
        expect([answer.status, idsOf(answer), answer.json.total]).toEqual([200, [id], 1]);
        const outcome = answer.json.entry.find(
          (one: { search: { mode: string } }) => one.search.mode === "outcome",
        );
        expect(outcome.resource.issue[0]).toMatchObject({ severity: "warning", expression: ["http.colour"] });
        expect(linkOf(answer, "self")).not.toContain("colour");
      },
    ),
    rule("search.html#errors", "a value that is none of its type is refused", async (server) => {
      for (const query of [
        "birthdate=yesterday",
        "birthdate=2020-02-30",
        "active=perhaps",
        "_count=many",
        "_lastUpdated=xx2020",
      ]) {
        expect([query, (await server.ask(`/Patient?_id=1&${query}`)).status]).toEqual([query, 400]);
      }
    }),
    rule(
      "search.html#_sort",
      "_sort orders by a parameter, with a minus the other way round",
      async (server) => {
        const ids: string[] = [];
        for (const birthDate of ["1933-03-02", "1933-03-01", "1933-03-03"]) {
          ids.push((await server.storePatient({ birthDate })).id);
        }
        const [second, first, third] = ids;
        const span = "birthdate=ge1933-03-01&birthdate=le1933-03-03";
        expect(await found(server, `${span}&_sort=birthdate`)).toEqual([first, second, third]);
        expect(await found(server, `${span}&_sort=-birthdate`)).toEqual([third, second, first]);
        expect((await server.ask(`/Patient?${span}&_sort=family`)).status).toBe(400);
      },
    ),
    rule("search.html#Resource-id", "_id finds by logical id", async (server) => {
      const { id } = await server.storePatient();
      const answer = await server.ask(`/Patient?_id=${id}`);
      expect(matchesOf(answer).map((one) => one.id)).toEqual([id]);
    }),
  ],
};
