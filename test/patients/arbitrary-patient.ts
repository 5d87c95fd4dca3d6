import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import {
  type Address,
  AddressSchema,
  type ContactPoint,
  ContactPointSchema,
  type Element,
  ElementSchema,
  type Extension,
  ExtensionSchema,
  type HumanName,
  HumanNameSchema,
  type Identifier,
  IdentifierSchema,
} from "#proto/patientindex/v1/datatypes_pb.ts";
import {
  type Patient,
  type Patient_Communication,
  Patient_CommunicationSchema,
} from "#proto/patientindex/v1/patient_pb.ts";
import { email, phone } from "./arbitrary-telecom.ts";
import { newbornPatient, PID, stillbornPatient, unknownPatient, verifiedPatient } from "./examples.ts";

/** A text as people write it: letters of many scripts, no control characters, nothing to trim. */
const word = fc.stringMatching(/^[A-ZÕÄÖÜŠŽ][a-zõäöüšž'-]{0,18}[a-zõäöüšž]$/u);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(" "));
const day = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2026-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const anyPrecision = fc.tuple(day, fc.constantFrom(4, 7, 10)).map(([date, length]) => date.slice(0, length));
const instant = fc
  .tuple(day, fc.constantFrom("Z", "+02:00", "-11:30"))
  .map(([date, offset]) => `${date}T23:59:07.120${offset}`);

/** With a birth that is not after the death. */
function inOrder<Life extends Partial<Pick<Patient, "birthDate" | "deceased">>>(life: Life): Life {
  const { birthDate, deceased } = life;
  if (birthDate === undefined || deceased?.case !== "deceasedDateTime") return life;
  const death = deceased.value.slice(0, birthDate.length);
  return birthDate.startsWith(death) || birthDate < death ? life : { ...life, birthDate: death };
}

const extension: fc.Arbitrary<Extension> = fc
  .oneof(
    fc.record({ case: fc.constant("valueDateTime" as const), value: instant }),
    fc.record({ case: fc.constant("valueString" as const), value: words }),
    fc.record({ case: fc.constant("valueBoolean" as const), value: fc.boolean() }),
    fc.record({ case: fc.constant("valueDecimal" as const), value: fc.constantFrom("1.50", "-0.0", "12e3") }),
  )
  .map((value) => create(ExtensionSchema, { url: "http://example.org/StructureDefinition/note", value }));
const extensions = fc.array(extension, { maxLength: 2 });
const element: fc.Arbitrary<Element | undefined> = fc.option(
  fc.array(extension, { minLength: 1, maxLength: 2 }).map((all) => create(ElementSchema, { extension: all })),
  { nil: undefined, freq: 3 },
);

/** None of a document that needs a national code beside it. */
const FOREIGN_SYSTEMS = ["fin/ni", "fin/ppn", "lva/ni", "usa/ppn", "ukr/cz", "swe/dl", "deu/ppn"];
const INDEX_SYSTEMS = ["est/mr", "est/prn/90006399", "est/prn/90006399/maja-2"];

/** Identifiers of the systems, of values that no two patients share. */
function identifiers(systems: readonly string[], count: { minLength: number; maxLength: number }) {
  return fc.array(
    fc
      .record({
        system: fc.constantFrom(...systems).map((path) => `${PID}/${path}`),
        value: fc.uuid(),
        use: fc.constantFrom(undefined, "official", "usual", "secondary"),
        end: fc.option(day, { nil: undefined, freq: 4 }),
        extension: extensions,
      })
      .map(
        ({ end, ...rest }): Identifier =>
          create(IdentifierSchema, { ...rest, ...(end === undefined ? {} : { period: { end } }) }),
      ),
    count,
  );
}

const officialName: fc.Arbitrary<HumanName> = fc
  .record({
    use: fc.constant("official"),
    family: word,
    familyElement: element,
    given: fc.array(word, { minLength: 1, maxLength: 3 }),
    prefix: fc.array(word, { maxLength: 1 }),
    extension: extensions,
  })
  .map((name) => create(HumanNameSchema, name));
const otherName: fc.Arbitrary<HumanName> = fc
  .record({ use: fc.constantFrom("usual", "old", "maiden", "anonymous"), text: words })
  .map((name) => create(HumanNameSchema, name));

const contactPoint: fc.Arbitrary<ContactPoint> = fc
  .record({
    contact: fc.oneof(
      phone.map((value) => ({ system: "phone", value })),
      email.map((value) => ({ system: "email", value })),
    ),
    use: fc.constantFrom(undefined, "home", "work", "temp", "old", "mobile"),
    rank: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  })
  .map(({ contact, ...rest }) => create(ContactPointSchema, { ...contact, ...rest }));

const address: fc.Arbitrary<Address> = fc
  .record({
    use: fc.constantFrom("home", "work", "temp", "old", "billing"),
    type: fc.constantFrom(undefined, "postal", "physical", "both"),
    country: fc.constantFrom("FI", "LVA", "DE", "USA", "UA"),
    text: fc.tuple(words, fc.uuid()).map(([street, number]) => `${street} ${number}`),
    line: fc.array(words, { maxLength: 2 }),
    city: fc.option(word, { nil: undefined }),
    postalCode: fc.option(fc.stringMatching(/^\d{5}$/), { nil: undefined }),
  })
  .map((one) => create(AddressSchema, one));

const communication: fc.Arbitrary<Patient_Communication> = fc
  .record({
    coding: fc.constantFrom(
      { system: "urn:ietf:bcp:47", code: "et" },
      { system: "urn:ietf:bcp:47", code: "zh-Hant-TW" },
      { system: "https://fhir.ee/CodeSystem/keeled", code: "ru", display: "vene" },
    ),
    preferred: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ coding, preferred }) =>
    create(Patient_CommunicationSchema, { language: { coding: [coding] }, preferred }),
  );

const birthOrder = fc
  .integer({ min: 1, max: 5 })
  .map((value) => ({ case: "multipleBirthInteger" as const, value }));
const common = {
  active: fc.option(fc.boolean(), { nil: undefined }),
  gender: fc.constantFrom("male", "female", "other", "unknown"),
  birthDateElement: element,
  extension: extensions,
};

/** Patients that a client may create, of each profile. */
const arbitraryVerified: fc.Arbitrary<Patient> = fc
  .record({
    ...common,
    identifier: identifiers([...FOREIGN_SYSTEMS, ...INDEX_SYSTEMS], {
      minLength: 1,
      maxLength: 4,
    }),
    name: fc
      .tuple(officialName, fc.array(otherName, { maxLength: 2 }))
      .map(([first, rest]) => [first, ...rest]),
    telecom: fc.array(contactPoint, { maxLength: 3 }),
    address: fc.array(address, { maxLength: 2 }),
    communication: fc.array(communication, { maxLength: 2 }),
    birthDate: fc.option(anyPrecision, { nil: undefined }),
    deceased: fc.oneof(
      fc.constant({ case: undefined }),
      fc.boolean().map((value) => ({ case: "deceasedBoolean" as const, value })),
      fc.oneof(anyPrecision, instant).map((value) => ({ case: "deceasedDateTime" as const, value })),
    ),
  })
  .map((changes) => verifiedPatient(inOrder(changes)));

const arbitraryUnknown: fc.Arbitrary<Patient> = fc
  .record({
    ...common,
    identifier: identifiers(INDEX_SYSTEMS, { minLength: 1, maxLength: 1 }),
    name: words.map((text) => [create(HumanNameSchema, { use: "nickname", text })]),
    telecom: fc.array(contactPoint, { maxLength: 1 }),
    birthDate: fc.option(anyPrecision, { nil: undefined }),
  })
  .map((changes) => unknownPatient(changes));

const arbitraryNewborn: fc.Arbitrary<Patient> = fc
  .record({
    ...common,
    identifier: identifiers(["est/mrt", "est/prn/90006399"], { minLength: 1, maxLength: 2 }),
    name: word.map((family) => [create(HumanNameSchema, { use: "temp", family })]),
    birthDate: day,
    multipleBirth: birthOrder,
  })
  .map((changes) => newbornPatient(changes));

const arbitraryStillborn: fc.Arbitrary<Patient> = fc
  .record({
    ...common,
    identifier: identifiers(["est/npi", "est/prn/90006399"], { minLength: 1, maxLength: 2 }),
    name: fc.array(
      word.map((family) => create(HumanNameSchema, { use: "temp", family })),
      { maxLength: 1 },
    ),
    birthDate: day,
    deceased: fc.oneof(day, instant).map((value) => ({ case: "deceasedDateTime" as const, value })),
    multipleBirth: birthOrder,
  })
  .map((changes) => stillbornPatient(inOrder(changes)));

/** Any patient that a client may create. */
export const arbitraryPatient: fc.Arbitrary<Patient> = fc.oneof(
  arbitraryVerified,
  arbitraryUnknown,
  arbitraryNewborn,
  arbitraryStillborn,
);
