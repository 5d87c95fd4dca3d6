import type { Json } from "./profile-cases.ts";

const PID = "https://fhir.ee/sid/pid";
const firstOf = (body: Json, name: string): Json => (body[name] as Json[])[0] ?? {};
const language = (body: Json): Json =>
  ((firstOf(body, "communication")["language"] as Json)["coding"] as Json[])[0] ?? {};
const addTo = (body: Json, name: string, ...more: Json[]) => {
  body[name] = [...((body[name] as Json[] | undefined) ?? []), ...more];
};

/** By the key of each constraint: a change of a valid body that breaks it and nothing else. */
export const violations: Readonly<Record<string, (body: Json) => void>> = {
  "mpi-008": (body) => addTo(body, "telecom", { system: "fax", value: "+3726123456" }),
  "mpi-009": (body) => addTo(body, "address", { use: "work", country: "QQ", text: "Tie 2" }),
  "mpi-011": (body) => addTo(body, "address", { use: "work", type: "mail", country: "FI", text: "Tie 2" }),
  "mpi-012": (body) => addTo(body, "address", { use: "mobile", country: "FI", text: "Tie 2" }),
  "mpi-013": (body) => addTo(body, "telecom", { system: "phone", value: "+3726123456", use: "billing" }),
  "mpi-018": (body) =>
    addTo(body, "relationship", coded("http://terminology.hl7.org/CodeSystem/v3-RoleClass", "NOK")),
  "mpi-025": (body) => addTo(body, "identifier", { system: `${PID}/usa/ni`, value: "1" }),
  "mpi-025.01": (body) => addTo(body, "identifier", { system: "fin/ppn", value: "1" }),
  "mpi-026": (body) => addTo(body, "telecom", { system: "phone", value: "+372112" }),
  "mpi-049": (body) => addTo(body, "address", firstOf(body, "address")),
  "mpi-056": (body) => addTo(body, "identifier", { system: "https://mpi.tehik.ee", value: "1" }),
  "mpi-070": (body) => addTo(body, "identifier", { system: `${PID}/lva/ppn`, value: "1" }),
  "mpi-090": (body) => addTo(body, "identifier", { system: `${PID}/est/ni`, value: "38001085719" }),
  "mpi-093": (body) => Object.assign(language(body), { system: "urn:iso:std:iso:639:-2" }),
  "mpi-language-tag": (body) => Object.assign(language(body), { system: "urn:ietf:bcp:47", code: "et_EE" }),
  "mpi-identifier-once": (body) => addTo(body, "identifier", firstOf(body, "identifier")),
  "mpi-unknown-system": (body) => Object.assign(firstOf(body, "identifier"), { system: `${PID}/est/mrt` }),
  "mpi-stillborn-system": (body) => Object.assign(firstOf(body, "identifier"), { system: `${PID}/est/mrt` }),
  "mpi-one-relation": (body) => addTo(body, "relationship", coded("http://snomed.info/sct", "70924004")),
  "mpi-one-code": (body) => {
    body["code"] = {
      coding: [
        ...coded("http://snomed.info/sct", "125680007").coding,
        { system: "http://snomed.info/sct", code: "1" },
      ],
    };
  },
  "mpi-marital-status": (body) => {
    body["valueCodeableConcept"] = coded("http://terminology.hl7.org/CodeSystem/v3-MaritalStatus", "X");
  },
};

function coded(system: string, code: string): { coding: Json[] } {
  return { coding: [{ system, code }] };
}
