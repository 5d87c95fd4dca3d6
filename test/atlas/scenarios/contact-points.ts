import { verified } from "../people.ts";
import { creates, updates } from "../requests.ts";
import type { Json, Scenario } from "../scenario.ts";

/** Phones, e-mail addresses, and addresses as far as that goes without the address registry. */
export const contactPointScenarios: readonly Scenario[] = [
  {
    meaning: "TELECOM_SYSTEM_UNKNOWN",
    code: "MPI-008",
    issueType: "code-invalid",
    expression: "Patient.telecom[0].system",
    prepare: () => creates(reachedBy({ system: "pager", value: "3516" })),
  },
  {
    meaning: "TELECOM_USE_UNKNOWN",
    code: "MPI-013",
    issueType: "code-invalid",
    expression: "Patient.telecom[0].use",
    prepare: () => creates(reachedBy({ system: "phone", value: "+358401234567", use: "summer" })),
  },
  {
    meaning: "TELECOM_VALUE_INVALID",
    code: "MPI-026",
    issueType: "value",
    expression: "Patient.telecom[0].value",
    prepare: () => creates(reachedBy({ system: "phone", value: "+372 1234567" })),
  },
  {
    meaning: "TELECOM_VALUE_INVALID",
    code: "MPI-026",
    issueType: "value",
    expression: "Patient.telecom[0].value",
    prepare: () => creates(reachedBy({ system: "email", value: "aune.lehtinen@localhost" })),
  },
  {
    meaning: "ADDRESS_COUNTRY_MISSING",
    code: "MPI-019",
    issueType: "required",
    expression: "Patient.address[0].country",
    prepare: () => creates(livingAt({ use: "home", text: "Itätuulenkuja 1, Espoo" })),
  },
  {
    meaning: "COUNTRY_CODE_UNKNOWN",
    code: "MPI-009",
    issueType: "code-invalid",
    expression: "Patient.address[0].country",
    prepare: () => creates(livingAt({ use: "home", country: "Finland", text: "Itätuulenkuja 1, Espoo" })),
  },
  {
    meaning: "ADDRESS_TYPE_NOT_ALLOWED",
    code: "MPI-011",
    issueType: "code-invalid",
    expression: "Patient.address[0].type",
    prepare: () => creates(livingAt({ ...espoo, type: "legal" })),
  },
  {
    meaning: "ADDRESS_USE_NOT_ALLOWED",
    code: "MPI-012",
    issueType: "code-invalid",
    expression: "Patient.address[0].use",
    prepare: () => creates(livingAt({ ...espoo, use: "summer" })),
  },
  {
    meaning: "ADDRESS_ALREADY_PRESENT",
    code: "MPI-049",
    issueType: "duplicate",
    expression: "Patient.address[1]",
    async prepare(index) {
      const stored = await index.store(livingAt(espoo));
      const same = { ...espoo, country: "FIN", text: "ITÄTUULENKUJA 1,  ESPOO" };
      return updates(stored.id, { ...stored, address: [espoo, same] });
    },
  },
];

const espoo = { use: "home", country: "FI", text: "Itätuulenkuja 1, Espoo" };

function reachedBy(telecom: Json): Json {
  return verified({ telecom: [telecom] });
}

function livingAt(address: Json): Json {
  return verified({ address: [address] });
}
