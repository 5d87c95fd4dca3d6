import { describe, expect, test } from "vitest";
import { parseXml, parseXmlBytes } from "../../../../gateway/fhir/index.ts";

const NAMESPACE = 'xmlns="http://hl7.org/fhir"';

/** The meaning and the element of each fault. */
function faultsOf(xml: string): unknown[] {
  return parseXml(xml).faults.map(({ meaning, expression = [] }) => [meaning, ...expression].join(" "));
}

function patient(content: string): string {
  return `<Patient ${NAMESPACE}>${content}</Patient>`;
}

describe("FHIR XML becomes FHIR JSON", () => {
  test.each<[what: string, xml: string, json: object]>([
    ["values", '<active value="true"/><birthDate value="1970"/>', { active: true, birthDate: "1970" }],
    ["lists", '<name><given value="A"/><given value="B"/></name>', { name: [{ given: ["A", "B"] }] }],
    [
      "ids",
      '<name id="n"><family id="f" value="F"/></name>',
      { name: [{ id: "n", family: "F", _family: { id: "f" } }] },
    ],
    [
      "extensions of primitives, with and without values",
      '<name><given value="A"/><given id="b"/><given value="C"/></name><birthDate value="1970"><extension url="u"><valueString value="x"/></extension></birthDate>',
      {
        name: [{ given: ["A", null, "C"], _given: [null, { id: "b" }, null] }],
        birthDate: "1970",
        _birthDate: { extension: [{ url: "u", valueString: "x" }] },
      },
    ],
    ["choices", '<multipleBirthInteger value="2"/>', { multipleBirthInteger: 2 }],
    [
      "what is contained",
      '<contained><Organization><name value="O"/></Organization></contained>',
      { contained: [{ resourceType: "Organization", name: "O" }] },
    ],
    [
      "references to characters",
      '<language value="&#x65;&#116;&amp;&lt;&gt;&quot;&apos;"/>',
      { language: "et&<>\"'" },
    ],
    ["white space as XML has it", '<language value="a\n\tb&#10;c"/>', { language: "a  b\nc" }],
    [
      "narratives",
      '<text><status value="empty"/><h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:p class="x">a &amp; b<h:br/></h:p><!-- c --></h:div></text>',
      {
        text: {
          status: "empty",
          div: '<div xmlns="http://www.w3.org/1999/xhtml"><p class="x">a &amp; b<br/></p></div>',
        },
      },
    ],
    [
      "attributes of narratives, but for those of other namespaces",
      '<text><status value="empty"/><div xmlns="http://www.w3.org/1999/xhtml" xmlns:x="urn:x" xml:lang="et" x:y="z"><p title="t">a</p></div></text>',
      {
        text: {
          status: "empty",
          div: '<div xmlns="http://www.w3.org/1999/xhtml" xml:lang="et"><p title="t">a</p></div>',
        },
      },
    ],
    ["what is around", '<!-- a comment --> <active value="false"/> ', { active: false }],
  ])("%s", (_, xml, json) => {
    const { value, faults } = parseXml(patient(xml));
    expect(faults).toEqual([]);
    expect(value).toEqual({ resourceType: "Patient", ...json });
  });

  test("with any prefix, a declaration, a byte order mark, a schema location", () => {
    const text =
      '\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<f:Patient xmlns:f="http://hl7.org/fhir" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://hl7.org/fhir x.xsd"><f:active value="true"/></f:Patient>\n';
    expect(parseXmlBytes(Buffer.from(text)).value).toEqual({ resourceType: "Patient", active: true });
  });

  test("of a type that nobody knows it is just the type", () => {
    expect(parseXml("<Someone/>").value).toEqual({ resourceType: "Someone" });
    expect(parseXml(`<Unicorn ${NAMESPACE}><horn value="1"/></Unicorn>`).value).toEqual({
      resourceType: "Unicorn",
    });
  });
});

describe("what is not well-formed is refused, and nothing else is said", () => {
  test.each([
    ["nothing", ""],
    ["spaces", " \n"],
    ["JSON", '{"resourceType":"Patient"}'],
    ["no end", `<Patient ${NAMESPACE}>`],
    ["two roots", `${patient("")}${patient("")}`],
    ["tags that cross", patient("<name><family></name></family>")],
    ["an attribute twice", patient('<active value="true" value="true"/>')],
    ["an attribute without quotation marks", patient("<active value=true/>")],
    ["a prefix of no namespace", patient('<f:active value="true"/>')],
    ["an entity that nobody knows", patient('<language value="&nbsp;"/>')],
    ["an entity that JavaScript objects know", patient('<language value="&constructor;"/>')],
    ["an entity that is what JavaScript objects inherit from", patient('<language value="&__proto__;"/>')],
    ["a character that XML does not have", patient('<language value="&#0;"/>')],
    ["half of a surrogate pair", patient('<language value="&#xD800;"/>')],
    ["a document type", `<!DOCTYPE Patient>${patient("")}`],
    ["a document type with entities", `<!DOCTYPE P [<!ENTITY e "x">]>${patient('<language value="&e;"/>')}`],
    ["a processing instruction", `<?xml-stylesheet href="x"?>${patient("")}`],
    ["another encoding", `<?xml version="1.0" encoding="ISO-8859-1"?>${patient("")}`],
    ["another version of XML", `<?xml version="1.1"?>${patient("")}`],
    [
      "more attributes than anybody needs",
      `<Patient ${NAMESPACE} ${Array.from({ length: 100 }, (_, at) => `a${at}="1"`).join(" ")}/>`,
    ],
  ])("%s", (_, text) => {
    expect(faultsOf(text)).toEqual(["XML_MALFORMED"]);
  });

  test("bytes that are not UTF-8", () => {
    const { faults } = parseXmlBytes(Buffer.from(patient('<language value="\u00f5"/>'), "latin1"));
    expect(faults).toMatchObject([{ meaning: "XML_MALFORMED" }]);
  });

  test("elements in each other without end", () => {
    expect(faultsOf(patient("<extension>".repeat(300)))).toEqual(["NESTING_TOO_DEEP"]);
  });
});

describe("what is wrong with the structure is named", () => {
  test.each<[what: string, xml: string, ...faults: string[]]>([
    ["an unknown element", patient("<nom/><active value='true'/>"), "ELEMENT_UNKNOWN Patient.nom"],
    [
      "an unknown attribute",
      patient('<active val="true" value="true"/>'),
      "ELEMENT_UNKNOWN Patient.active.val",
    ],
    [
      "an attribute as an element",
      patient('<name><id value="1"/></name>'),
      "ELEMENT_UNKNOWN Patient.name[0].id",
      "ELEMENT_EMPTY Patient.name[0]",
    ],
    ["an id of a resource as an attribute", `<Patient ${NAMESPACE} id="1"/>`, "ELEMENT_UNKNOWN Patient.id"],
    [
      "an attribute of another namespace",
      patient('<active value="true" xml:lang="et"/>'),
      "ELEMENT_UNKNOWN Patient.active.lang",
    ],
    [
      "an attribute for tools that is not where a schema is",
      patient(
        '<active xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="boolean" value="true"/>',
      ),
      "ELEMENT_UNKNOWN Patient.active.type",
    ],
    [
      "elements out of order",
      patient('<birthDate value="1970"/><active value="true"/>'),
      "ELEMENT_OUT_OF_ORDER Patient.active",
    ],
    [
      "a list that is interrupted",
      patient('<name><family value="A"/></name><gender value="male"/><name><family value="B"/></name>'),
      "ELEMENT_OUT_OF_ORDER Patient.name[1]",
    ],
    [
      "an element twice",
      patient('<active value="true"/><active value="false"/>'),
      "ELEMENT_REPEATED_TOO_OFTEN Patient.active",
    ],
    ["two types of a choice", patient('<deceasedBoolean value="true"/><deceasedDateTime value="2020"/>')],
    [
      "text",
      patient('male<gender value="male">x</gender>'),
      "TEXT_NOT_ALLOWED Patient",
      "TEXT_NOT_ALLOWED Patient.gender",
    ],
    ["text in a section that hides it", patient("<![CDATA[<active/>]]>"), "TEXT_NOT_ALLOWED Patient"],
    [
      "no namespace",
      '<Patient><active value="true"/></Patient>',
      "NAMESPACE_WRONG Patient",
      "NAMESPACE_WRONG Patient.active",
    ],
    [
      "a namespace that is not FHIR's",
      patient('<active xmlns="urn:x" value="true"/>'),
      "NAMESPACE_WRONG Patient.active",
    ],
    [
      "a contained resource that is not FHIR's",
      patient('<contained><Organization xmlns="urn:x"/></contained>'),
      "NAMESPACE_WRONG Patient.contained[0]",
    ],
    [
      "a narrative that is no XHTML",
      patient('<text><status value="empty"/><div>x</div></text>'),
      "NAMESPACE_WRONG Patient.text.div",
    ],
    [
      "a number that is none",
      patient('<multipleBirthInteger value="two"/>'),
      "PRIMITIVE_INVALID Patient.multipleBirth",
    ],
    ["a boolean that is none", patient('<active value="TRUE"/>'), "PRIMITIVE_INVALID Patient.active"],
    [
      "a number without digits",
      patient('<multipleBirthInteger value=""/>'),
      "ELEMENT_EMPTY Patient.multipleBirth",
    ],
    [
      "two resources where there is one",
      patient("<contained><Patient><active value='true'/></Patient><Patient/></contained>"),
      "ELEMENT_REPEATED_TOO_OFTEN Patient.contained[0]",
    ],
    [
      "a resource that R5 does not have",
      patient("<contained><Unicorn/></contained>"),
      "CONTAINED_TYPE_WRONG Patient.contained[0]",
    ],
    [
      "all of it, with what the codec finds",
      patient('<nom/><birthDate value="1970-13"/><active value="x"/>'),
      "ELEMENT_UNKNOWN Patient.nom",
      "ELEMENT_OUT_OF_ORDER Patient.active",
      "PRIMITIVE_INVALID Patient.active",
      "PRIMITIVE_INVALID Patient.birthDate",
    ],
  ])("%s", (_, xml, ...faults) => {
    expect(faultsOf(xml)).toEqual(faults);
  });

  test("of a resource without a message, too", () => {
    const parameters = `<Parameters ${NAMESPACE}><parameter><value/><name value="a"/></parameter></Parameters>`;
    expect(faultsOf(parameters)).toEqual(["ELEMENT_UNKNOWN Parameters.parameter[0].value"]);
  });
});
