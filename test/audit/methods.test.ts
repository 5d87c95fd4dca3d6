import type { DescMessage } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { rpcs } from "../../src/access/asked/rpcs.ts";
import { actionByVerb } from "../../src/audit/method.ts";

const methods = rpcs.map(([method]) => method);

it("of each method it is known what it does to data", () => {
  const unknown = methods
    .map(({ parent, name }) => `${parent.name}/${name}`)
    .filter((method) => actionByVerb(method) === undefined);
  expect(unknown).toEqual([]);
});

// A new one belongs into TELLING (src/audit/met-patients.ts) where it tells of a patient: else nobody's trail has the call.
it("of each message and id that methods answer with it is known whether it tells of a patient", () => {
  const { messages, ids } = answered();
  const telling = ["AuditEvent", "Observation", "Patient", "RelatedPerson"];
  const ofNobody = ["Author", "HumanName", "Identifier", "Issue", "Status", "Timestamp"];
  expect([...messages].sort()).toEqual([...telling, ...ofNobody].sort());
  const tellingIds = [
    "PatientLink.secondary_id",
    "PatientLink.primary_id",
    "PossibleDuplicate.patient_id",
    "PossibleDuplicate.other_id",
  ];
  // Of a patient who was stored there is the entry of the write; the primary of a group stands in its links.
  const otherIds = ["LoadedPatient.id", "LinkGroup.primary_id", "Job.id"];
  expect([...ids].sort()).toEqual([...tellingIds, ...otherIds].sort());
});

/** The messages that answers of methods end in, and the ids that they name beside these. */
function answered() {
  const messages = new Set<string>();
  const ids = new Set<string>();
  const seen = new Set<DescMessage>();
  const look = (schema: DescMessage) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const field of schema.fields) {
      if (!field.message && /(?:^|_)id$/.test(field.name)) ids.add(`${schema.name}.${field.name}`);
      if (field.message && isOfService(field.message)) look(field.message);
      else if (field.message) messages.add(field.message.name);
    }
  };
  for (const { output } of methods) look(output);
  return { messages, ids };
}

function isOfService({ file }: DescMessage): boolean {
  return file.name.endsWith("_service");
}
