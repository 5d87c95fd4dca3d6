import { expect } from "vitest";
import { onServer } from "../../database.ts";
import { rule, type Topic } from "../rule.ts";
import { idsOf, type Server } from "../server.ts";

/** Around the change to summer time and back: instants, and how they are shown. */
const instants = {
  "2026-03-29T00:59:59.999Z": "2026-03-29T02:59:59.999+02:00",
  "2026-03-29T01:00:00.000Z": "2026-03-29T04:00:00.000+03:00",
  "2026-10-25T00:30:00.000Z": "2026-10-25T03:30:00.000+03:00",
  "2026-10-25T01:30:00.000Z": "2026-10-25T03:30:00.000+02:00",
};

/** A patient whose only version was stored at that instant. */
async function storedAt(server: Server, instant: string): Promise<string> {
  const { id } = await server.storePatient();
  await onServer(server.databaseUrl, async (client) => {
    for (const table of ["patient", "patient_history"]) {
      await client.query(
        `UPDATE ${table} SET updated_at = $1::timestamptz AT TIME ZONE 'UTC' WHERE id = $2`,
        [instant, id],
      );
    }
  });
  return id;
}

/** Whether a search by _lastUpdated finds the patient. */
async function fits(server: Server, id: string, value: string): Promise<boolean> {
  const answer = await server.ask(`/Patient?_id=${id}&_lastUpdated=${encodeURIComponent(value)}`);
  expect([value, answer.status]).toEqual([value, 200]);
  return idsOf(answer).length === 1;
}

async function expectFits(server: Server, instant: string, expected: Readonly<Record<string, boolean>>) {
  const id = await storedAt(server, instant);
  for (const [value, fit] of Object.entries(expected)) {
    expect([value, await fits(server, id, value)]).toEqual([value, fit]);
  }
}

export const timing: Topic = {
  title: "Times, also around daylight saving changes",
  file: "timing.ts",
  rules: [
    rule(
      "datatypes.html#instant",
      "instants of the service have the offset that holds in Tallinn at that instant",
      async (server) => {
        for (const [instant, shown] of Object.entries(instants)) {
          const id = await storedAt(server, instant);
          const { json, headers } = await server.ask(`/Patient/${id}`);
          expect(json.meta.lastUpdated).toBe(shown);
          expect(headers.get("last-modified")).toBe(new Date(instant).toUTCString());
          const history = (await server.ask(`/Patient/${id}/_history`)).json;
          expect(history.entry[0].response.lastModified).toBe(shown);
          expect((await server.askXml(`/Patient/${id}`)).json.meta.lastUpdated).toBe(shown);
        }
      },
    ),
    rule(
      "search.html#date",
      "an instant is found by itself, whatever the offset that it is written with",
      async (server) => {
        for (const [instant, shown] of Object.entries(instants)) {
          const inNewYork = new Date(Date.parse(instant) - 4 * 3_600_000)
            .toISOString()
            .replace("Z", "-04:00");
          await expectFits(server, instant, { [shown]: true, [instant]: true, [inNewYork]: true });
        }
      },
    ),
    rule(
      "search.html#date",
      "a time means all of its minute or second, with an offset or without one",
      async (server) => {
        const within = {
          "2026-11-22T07:35:05Z": true,
          "2026-11-22T09:35:05+02:00": true,
          "2026-11-22T09:35:05": true,
          "2026-11-22T07:35Z": true,
          "2026-11-22T09:35": true,
          "2026-11-22T07:35:05.678Z": true,
          "2026-11-22T07:35:05.677Z": false,
          "2026-11-22T07:35:04Z": false,
          "2026-11-22T07:36+00:00": false,
        };
        const bounds = {
          "le2026-11-22T07:35:05Z": true,
          "gt2026-11-22T07:35:05Z": false,
          "lt2026-11-22T07:35:06Z": true,
          "ge2026-11-22T07:35:06Z": false,
          "ne2026-11-22T07:35Z": false,
          "eb2026-11-22T07:35Z": false,
          "sa2026-11-22T07:34Z": true,
        };
        await expectFits(server, "2026-11-22T07:35:05.678Z", { ...within, ...bounds });
      },
    ),
    rule("search.html#date", "a time may have its offset with a plus that is not escaped", async (server) => {
      const id = await storedAt(server, "2026-11-22T07:35:05.678Z");
      const answer = await server.ask(`/Patient?_id=${id}&_lastUpdated=2026-11-22T09:35:05+02:00`);
      expect([answer.status, idsOf(answer)]).toEqual([200, [id]]);
    }),
    rule("search.html#date", "what is no time of the calendar is refused", async (server) => {
      for (const value of [
        "ge2026-02-31T10:00:00Z",
        "ge2026-02-31T10:00:00",
        "ge2026T00:00Z",
        "geTue Nov 2026Z",
        "ge2026-11-22T25:00Z",
        "ge2026-11-22T10:00:00+15:00",
        "ge2026-11-22T10Z",
        "ge20261122T100000Z",
      ]) {
        const answer = await server.ask(`/Patient?_id=1&_lastUpdated=${encodeURIComponent(value)}`);
        expect([value, answer.status]).toEqual([value, 400]);
      }
    }),
    rule(
      "search.html#date",
      "the two hours from 03:00 to 04:00 in October are told apart by their offsets",
      async (server) => {
        await expectFits(server, "2026-10-25T00:30:00.000Z", {
          "2026-10-25T03:30:00+03:00": true,
          "2026-10-25T03:30:00+02:00": false,
          "lt2026-10-25T03:30:00+02:00": true,
        });
      },
    ),
    rule(
      "search.html#date",
      "a time without an offset is of Tallinn; in the hour that comes twice, of its first time",
      async (server) => {
        await expectFits(server, "2026-10-25T00:30:00.000Z", {
          "2026-10-25T03:30": true,
          "ge2026-10-25T03:30:00": true,
          "gt2026-10-25T03:30:00": false,
        });
        await expectFits(server, "2026-10-25T01:30:00.000Z", {
          "2026-10-25T03:30": false,
          "gt2026-10-25T03:30": true,
        });
      },
    ),
    rule(
      "search.html#date",
      "a time of the hour that is left out in March is of the hour after",
      async (server) => {
        await expectFits(server, "2026-03-29T01:30:00.000Z", {
          "2026-03-29T03:30": true,
          "2026-03-29T04:30": true,
          "2026-03-29T03:29": false,
        });
      },
    ),
    rule(
      "search.html#date",
      "a day is one of Tallinn: of 23 hours in March, of 25 in October",
      async (server) => {
        await expectFits(server, "2026-03-28T22:00:00.000Z", { "2026-03-29": true, "2026-03-28": false });
        await expectFits(server, "2026-03-29T20:59:59.999Z", { "2026-03-29": true, "gt2026-03-29": false });
        await expectFits(server, "2026-03-29T21:00:00.000Z", { "2026-03-29": false, "2026-03-30": true });
        await expectFits(server, "2026-10-24T21:00:00.000Z", { "2026-10-25": true, "lt2026-10-25": false });
        await expectFits(server, "2026-10-25T21:59:59.999Z", { "2026-10-25": true, "le2026-10-25": true });
        await expectFits(server, "2026-10-25T22:00:00.000Z", { "2026-10-25": false, "gt2026-10-25": true });
      },
    ),
    rule(
      "http.html#history",
      "_since takes times without an offset, also where the clocks change",
      async (server) => {
        const total = async (instant: string, since: string) =>
          (await server.ask(`/Patient/${await storedAt(server, instant)}/_history?_since=${since}`)).json
            .total;
        expect(await total("2026-10-25T00:30:00.000Z", "2026-10-25T03:30")).toBe(1);
        expect(await total("2026-10-25T00:29:59.999Z", "2026-10-25T03:30")).toBe(0);
        expect(await total("2026-03-29T01:30:00.000Z", "2026-03-29T03:30")).toBe(1);
        expect(await total("2026-03-29T01:29:59.999Z", "2026-03-29T03:30")).toBe(0);
      },
    ),
    rule(
      "datatypes.html#dateTime",
      "times that clients give come back as they were written",
      async (server) => {
        for (const issued of [
          "2026-10-25T03:30:00+02:00",
          "2026-10-25T03:30:00.50+03:00",
          "2026-03-29T03:30:00Z",
        ]) {
          const { id } = await server.storeMarriage({ issued });
          expect((await server.ask(`/Observation/${id}`)).json.issued).toBe(issued);
        }
      },
    ),
  ],
};
