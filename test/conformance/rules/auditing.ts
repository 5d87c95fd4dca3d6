import { expect } from "vitest";
import { doctor } from "../../callers.ts";
import { everybody, RR } from "../../gateway/registers/register-answers.ts";
import { rule, type Topic } from "../rule.ts";
import { linkOf, type Server } from "../server.ts";

const personalCode = everybody[0]?.personalCode ?? "";

/** Who may read his trail: a person of the population register, whom the index has from there. */
const patient = { ...doctor, personalCode, name: "The patient", role: "patient" };

/** The search for the trail of that person, after somebody has looked at his data. */
async function trailOf(server: Server): Promise<string> {
  const found = await server.ask(`/Patient/$lookup?identifier=${personalCode}&source=${RR}`);
  const { id } = found.json.entry[0].resource;
  await server.ask(`/Patient/${id}`);
  return `/AuditEvent?patient=Patient/${id}`;
}

export const auditing: Topic = {
  title: "AuditEvent",
  file: "auditing.ts",
  rules: [
    rule(
      "auditevent.html",
      "who looked at a patient's data is found as AuditEvents, newest first",
      async (server) => {
        const { status, json } = await server.ask(await trailOf(server), { as: patient });
        expect([status, json.type, json.total >= 2]).toEqual([200, "searchset", true]);
        const events: { resourceType: string; recorded: string }[] = json.entry.map(
          ({ resource }: { resource: unknown }) => resource,
        );
        expect(new Set(events.map(({ resourceType }) => resourceType))).toEqual(new Set(["AuditEvent"]));
        const times = events.map(({ recorded }) => Date.parse(recorded));
        expect(times).toEqual(times.toSorted((one, other) => other - one));
      },
    ),
    rule(
      "auditevent.html",
      "the trail is read page by page, each event once, and is valid in XML too",
      async (server) => {
        const search = await trailOf(server);
        const first = await server.askXml(`${search}&_count=1`, { as: patient });
        const second = await server.askXml(linkOf(first, "next") ?? "", { as: patient });
        const idsOf = ({ json }: typeof first) =>
          json.entry.map(({ resource }: { resource: { id: string } }) => resource.id);
        expect([idsOf(first).length, idsOf(second).length]).toEqual([1, 1]);
        expect(idsOf(second)).not.toEqual(idsOf(first));
      },
    ),
    rule(
      "http.html#general",
      "nobody writes the trail: 405 with the methods that are allowed",
      async (server) => {
        const { status, headers } = await server.post("/AuditEvent", { resourceType: "AuditEvent" });
        expect([status, headers.get("allow")?.includes("GET")]).toEqual([405, true]);
      },
    ),
  ],
};
