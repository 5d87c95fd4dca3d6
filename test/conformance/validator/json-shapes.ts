import { observationJson, patientJson, type Shape } from "./shape.ts";

type Case = readonly [name: string, about: string, body: string];

const valid: readonly Case[] = [
  ["patient-good", "a patient", patientJson('"gender":"female","birthDate":"1971-04-05"')],
  ["list-minimal", "as little as the type demands", '{"resourceType":"Patient","id":"p1"}'],
  ["group-minimal-tiny", "nothing but the type", '{"resourceType":"Patient"}'],
  [
    "list-wrong-order",
    "properties in another order",
    '{"birthDate":"1971-04-05","active":true,"resourceType":"Patient"}',
  ],
  [
    "list-contained",
    "a contained resource that is referred to",
    patientJson(
      '"contained":[{"resourceType":"Organization","id":"org","name":"Clinic"}],"managingOrganization":{"reference":"#org"}',
    ),
  ],
  ["group-choice-good", "a choice with a value of one of its types", patientJson('"deceasedBoolean":false')],
  [
    "primitive-good-ws",
    "a text of white space",
    patientJson('"extension":[{"url":"urn:x","valueString":" "}]'),
  ],
  ["resource-invalid-id-0", "an id of letters and a hyphen", patientJson('"id":"kask-mari"')],
  [
    "resource-invalid-eid-0",
    "an id of an element",
    patientJson('"address":[{"id":"home-1","city":"Tartu"}]'),
  ],
  [
    "resource-invalid-eid-1",
    "an id of an element with characters that ids of resources have not",
    patientJson('"address":[{"id":"/home==","city":"Tartu"}]'),
  ],
  ["patient-lang1", "a language", patientJson('"language":"et-EE"')],
  [
    "pat-dob-ext",
    "an extension of a primitive",
    patientJson('"birthDate":"1971-04-05","_birthDate":{"extension":[{"url":"urn:age","valueString":"x"}]}'),
  ],
  [
    "patient-contained-org",
    "a reference to a contained organization",
    patientJson(
      '"contained":[{"resourceType":"Organization","id":"o","active":true}],"generalPractitioner":[{"reference":"#o"}]',
    ),
  ],
  [
    "bp",
    "an observation of components",
    observationJson(
      '"component":[{"code":{"text":"a"},"valueQuantity":{"value":107.0,"unit":"cm"}},{"code":{"text":"b"},"valueQuantity":{"value":60}}]',
    ),
  ],
];

const invalid: readonly Case[] = [
  ["patient-duplicate", "a property twice", patientJson('"active":true,"active":true')],
  ["list-bad-syntax", "a comma too many", '{"resourceType":"Patient","id":"p1",,"active":true}'],
  ["group-choice-empty", "a property without a value", '{"resourceType":"Patient","deceasedBoolean":}'],
  ["bad-json-close-1", "an object closed as a list", '{"resourceType":"Patient","name":[{"family":"Kask"]]}'],
  ["bad-json-close-2", "a list closed as an object", '{"resourceType":"Patient","name":[{"family":"Kask"}}}'],
  [
    "bad-json-close-3",
    "an object that is not closed",
    '{"resourceType":"Patient","name":[{"family":"Kask"}]',
  ],
  ["list-empty1", "an object without content", patientJson('"contact":[{}]')],
  ["list-empty2", "a list without content", patientJson('"contact":[]')],
  ["empty-array", "an empty list deep inside", patientJson('"maritalStatus":{"coding":[],"text":"x"}')],
  ["bundle-bad-empty", "an empty text", patientJson('"implicitRules":""')],
  ["list-unknown-prop", "a property that the type does not have", patientJson('"other":"x"')],
  ["list-extension1", "fhir_comments", patientJson('"fhir_comments":["x"]')],
  [
    "list-extension2",
    "an extension with a value of a type that there is not",
    patientJson('"_active":{"extension":[{"url":"urn:x","valueCodeX":"y"}]}'),
  ],
  [
    "list-extension2",
    "an extension without a value",
    patientJson('"active":true,"_active":{"extension":[{"url":"urn:x"}]}'),
  ],
  ["group-choice-bad1", "a choice without its type", patientJson('"deceased":true')],
  ["group-choice-bad2", "a choice with a type that it does not have", patientJson('"deceasedInteger":1')],
  ["group-choice-bad3", "a boolean as a text", patientJson('"deceasedBoolean":"true"')],
  ["med-dispense", "null for a primitive", patientJson('"birthDate":null')],
  ["synthea", "an object for a list", patientJson('"contact":{"gender":"male"}')],
  [
    "observation-with-trailing-dot",
    "a decimal that ends with its point",
    observationJson('"valueQuantity":{"value":925.}'),
  ],
  ["resource-invalid-id-1", "an id with other characters", patientJson('"id":"/kask=="')],
  ["resource-invalid-id-2", "an id of more than 64 characters", patientJson(`"id":"${"k".repeat(65)}"`)],
  [
    "resource-invalid-id-3",
    "such an id of a contained resource",
    patientJson('"contained":[{"resourceType":"Organization","id":"/org=="}]'),
  ],
  [
    "hakan-se-2",
    "a time of day without an offset",
    observationJson('"effectiveDateTime":"2024-11-11T10:58:14.768528"'),
  ],
  ["mr-covid-m3", "a required element that is not there", '{"resourceType":"Observation","status":"final"}'],
];

const asShape =
  (isValid: boolean) =>
  ([name, about, body]: Case): Shape => ({ name, format: "json", about, isValid, body });

/** The cases whose files are JSON. */
export const jsonShapes: readonly Shape[] = [...valid.map(asShape(true)), ...invalid.map(asShape(false))];
