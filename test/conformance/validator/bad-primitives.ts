import { patientXml, type Shape } from "./shape.ts";

/** The values of primitive-bad, by their types; they are no personal data and stand as they are there. */
const values: readonly (readonly [type: string, ...values: readonly string[]])[] = [
  ["Boolean", "1", "True", "false "],
  ["Integer", "34534536346345345345", "$0", "1e4"],
  ["Decimal", "00.1"],
  ["Base64Binary", "YXNhcs2Rhc2Q="],
  [
    "Instant",
    "1983-00-01T12:32:45Z",
    "1983-01-00T12:32:45Z",
    "1983-01-01T12:32",
    "1983-01-01T12:32:45",
    "1983-01-01T12:32:45-15:00",
  ],
  ["String", ""],
  ["Uri", "not a valid uri"],
  ["Date", "1900-02-29", "1900-13-01", "2013-04-31"],
  ["DateTime", "2013-01-01T12:32:45+13:33.00", "-0001-01-01"],
  ["Time", "24:30:00", "12:30"],
  ["Code", " asdasd", "asd  asd", "asdasd "],
  ["Oid", "oid:0.1.2.3", "urn:oid: 0.1.2.3", "urn:oid:0.01.2", "1.2.3"],
  ["Id", ":12123-23", "12123/23", "k".repeat(80)],
  ["UnsignedInt", "-1"],
  ["PositiveInt", "0"],
  ["Markdown", ""],
];

/** Case primitive-bad: each of its values for itself. */
export const badPrimitives: readonly Shape[] = values.flatMap(([type, ...texts]) =>
  texts.map((text) => ({
    name: "primitive-bad",
    format: "xml" as const,
    about: `${type} "${text}"`,
    isValid: false,
    body: patientXml(`<extension url="urn:x"><value${type} value="${text}"/></extension>`),
  })),
);
