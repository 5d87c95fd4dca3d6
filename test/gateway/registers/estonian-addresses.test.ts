import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

const { addresses } = file;
const BASE = "https://fhir.ee/base/";
const MPI = "https://mpi.tehik.ee";

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService({ registerTimeout: 60_000 });
  control = sandboxControl(service.sandboxUrl);
});

afterEach(async () => {
  await control.heal();
});

afterAll(async () => {
  await service.stop();
});

interface Given {
  readonly adrId?: string;
  readonly adsOid?: string;
  readonly text?: string;
}

function coded(name: string, code: string | undefined) {
  const system = `${BASE}CodeSystem/${name.replace("ee-", "")}`;
  return code === undefined
    ? []
    : [{ url: `${BASE}StructureDefinition/${name}`, valueCoding: { system, code } }];
}

function addressOf({ adrId, adsOid, text }: Given) {
  const extension = [...coded("ee-ads-adr-id", adrId), ...coded("ee-ads-oid", adsOid)];
  return {
    use: "home",
    type: "physical",
    country: "EE",
    ...(text !== undefined && { text }),
    ...(extension.length > 0 && { extension }),
  };
}

function store(given: readonly Given[], base = "/fhir"): Promise<HttpAnswer> {
  const body = JSON.stringify(inventedPatient({ address: given.map(addressOf) }));
  return send(`${service.url}${base}/Patient`, { method: "POST", body });
}

function storeWithout(): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient`, { method: "POST", body: JSON.stringify(inventedPatient({})) });
}

function noted(note: string) {
  const found = addresses.find((address) => "note" in address && address.note?.includes(note));
  if (!found) throw new Error(`No address has the note ${note}.`);
  return found;
}

function noticesIn({ json }: HttpAnswer): string[] {
  const { extension } = json.address[0];
  return extension
    .filter(({ url }: { url: string }) => url === `${BASE}StructureDefinition/ee-address-notice`)
    .map(({ valueCoding }: { valueCoding: { code: string } }) => valueCoding.code);
}

const [good] = addresses;

describe("an Estonian address", () => {
  it.for([
    { adrId: good?.adrId ?? "" },
    { adsOid: good?.adsOid ?? "" },
    { adrId: good?.adrId ?? "", adsOid: good?.adsOid ?? "" },
    { text: (good?.text ?? "").toUpperCase() },
  ])("is resolved by %o, and what the registry says stands in place of what was given", async (given) => {
    const answer = await store([given]);
    expect(answer.status).toBe(201);
    const [address] = answer.json.address;
    expect(address).toMatchObject({
      use: "home",
      text: good?.text,
      state: good?.state,
      district: good?.district,
      city: good?.city,
      postalCode: good?.postalCode,
      country: "EE",
      line: [`${good?.streetName} ${good?.houseNumber}`],
    });
    expect(address.extension).toEqual([
      ...coded("ee-ads-adr-id", good?.adrId),
      ...coded("ee-ads-oid", good?.adsOid),
      ...coded("ee-ehak", good?.ehak),
    ]);
  });

  it.for([
    [{ adrId: "1" }, ["MPI-051", "XR_ADS-404"]],
    [{ adsOid: "EE1" }, ["MPI-053"]],
    [{ adrId: "1", adsOid: good?.adsOid ?? "" }, ["MPI-054"]],
    [{ adsOid: noted("MPI-055").adsOid }, ["MPI-055"]],
    [{}, ["MPI-057"]],
    [{ text: "Aa" }, ["MPI-057"]],
    [{ text: "Kusagil mujal 7" }, ["MPI-058"]],
    [{ text: noted("MPI-059").text }, ["MPI-059"]],
  ] as const)("is refused for %o with %o", async ([given, codes]) => {
    const answer = await store([given]);
    expect(answer.status).toBe(422);
    expect(codesOf(answer)).toEqual(codes);
    expect(answer.json.issue[0].expression).toEqual(["Patient.address[0]"]);
  });

  it("is refused with every fault of every address", async () => {
    const answer = await store([{ text: good?.text ?? "" }, { adsOid: "EE1" }, { text: "Aa" }]);
    expect(codesOf(answer)).toEqual(["MPI-053", "MPI-057"]);
    expect(answer.json.issue[1].expression).toEqual(["Patient.address[2]"]);
  });

  it("is one address in two spellings", async () => {
    const answer = await store([{ adrId: good?.adrId ?? "" }, { text: good?.text ?? "" }]);
    expect(answer.status).toBe(409);
    expect(codesOf(answer)).toEqual(["MPI-049"]);
  });

  it.for(["MPI-081", "MPI-082", "MPI-086", "MPI-087", "MPI-088"])(
    "is marked with %s, not refused",
    async (code) => {
      const answer = await store([{ adrId: noted(code).adrId }]);
      expect(answer.status).toBe(201);
      expect(noticesIn(answer)).toEqual([code]);
      expect(answer.json.address[0].extension.at(-1).valueCoding.system).toBe(MPI);
    },
  );

  it("lacks a level with another code in 1.1.1 when the client gave an ads-oid", async () => {
    const { adsOid } = noted("MPI-082");
    const answer = await store([{ adsOid }], "/1.1.1/fhir");
    expect(noticesIn(answer)).toEqual(["MPI-083"]);
    const inCurrent = await send(`${service.url}/fhir/Patient/${answer.json.id}`);
    expect(noticesIn(inCurrent)).toEqual(["MPI-082"]);
  });

  it("keeps what was resolved when it is put back as it was read, without asking again", async () => {
    const stored = await store([{ adrId: noted("MPI-086").adrId }]);
    await control.fail({ register: "ads", drop: true });
    const url = `${service.url}/fhir/Patient/${stored.json.id}`;
    const put = await send(url, { method: "PUT", body: stored.text });
    expect(put.status).toBe(200);
    expect(put.json.address).toEqual(stored.json.address);
  });

  it.for([{ use: "old" }, { type: "postal" }, { period: { end: "2026-01-01" } }])(
    "keeps what was resolved when it is only used otherwise from then on: %o",
    async (change) => {
      const stored = await store([{ adrId: noted("MPI-086").adrId }]);
      await control.fail({ register: "ads", drop: true });
      const address = [{ ...stored.json.address[0], ...change }];
      const put = await send(`${service.url}/fhir/Patient/${stored.json.id}`, {
        method: "PUT",
        body: JSON.stringify({ ...stored.json, address }),
      });
      expect(put.status).toBe(200);
      expect(put.json.address).toEqual(address);
    },
  );

  it("is told of beside identifiers that another patient has, and not at all while the registry is away", async () => {
    const [{ json: holder }, { json: other }] = [await storeWithout(), await storeWithout()];
    const address = [addressOf({ text: "Kusagil mujal 7" })];
    const created = JSON.stringify({ ...inventedPatient({ address }), identifier: holder.identifier });
    const changed = JSON.stringify({
      ...other,
      identifier: [...other.identifier, ...holder.identifier],
      address,
    });
    const answers = async () => [
      codesOf(await send(`${service.url}/fhir/Patient`, { method: "POST", body: created })),
      codesOf(await send(`${service.url}/fhir/Patient/${other.id}`, { method: "PUT", body: changed })),
    ];
    expect(await answers()).toEqual([
      ["MPI-058", "MPI-010"],
      ["MPI-058", "MPI-017"],
    ]);
    await control.fail({ register: "ads", drop: true });
    expect(await answers()).toEqual([["MPI-010"], ["MPI-017"]]);
  });

  it.for([
    [{ code: "ADS7", message: "no" }, 502, ["MPI-031", "XR_ADS-100", "ADS7"]],
    [{ drop: true }, 503, ["MPI-031", "XR_ADS-001"]],
  ] as const)("cannot be stored while the registry fails: %o", async ([fault, status, codes]) => {
    await control.fail({ register: "ads", ...fault });
    const answer = await store([{ adrId: good?.adrId ?? "" }]);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toEqual(codes);
  });
});

/** How often the registry was asked since it was told to forget. */
async function timesAsked(): Promise<number> {
  const { counts } = await control.calls();
  const asked = Object.entries<number>(counts).filter(([name]) => name.includes("ads"));
  return asked.reduce((sum, [, count]) => sum + count, 0);
}

function unknownTexts(count: number): { text: string }[] {
  return Array.from({ length: count }, (_, n) => ({ text: `Kusagil mujal ${n}` }));
}

describe("addresses of one patient", () => {
  it("are asked for four at a time", async () => {
    await control.fail({ register: "ads", delayMs: 250 });
    const startedAt = performance.now();
    const answer = await store(unknownTexts(12));
    expect([answer.status, answer.json.issue.length]).toEqual([422, 12]);
    expect(performance.now() - startedAt).toBeGreaterThan(3 * 250 - 20);
  });

  it("are asked for once where they are the same", async () => {
    await control.forgetCalls();
    const period = { end: "2020-01-01" };
    const again = { ...addressOf({ adrId: good?.adrId ?? "" }), period };
    const body = JSON.stringify(inventedPatient({ address: [again, again, again] }));
    const answer = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
    expect([answer.status, await timesAsked()]).toEqual([201, 1]);
  });
});

describe("an address elsewhere", () => {
  it("asks no registry", async () => {
    await control.fail({ register: "ads", drop: true });
    const address = [{ use: "home", type: "physical", country: "FI", text: "Koulukatu 1, Tampere" }];
    const body = JSON.stringify(inventedPatient({ address }));
    const answer = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
    expect(answer.status).toBe(201);
  });
});

describe("an address in a transaction", () => {
  const address = [addressOf({ adrId: good?.adrId ?? "" })];
  const identifierOf = ({ json }: HttpAnswer) => {
    const [{ system, value }] = json.identifier;
    return `${system}|${value}`;
  };
  const withReference = (stored: HttpAnswer) => {
    const valueReference = { reference: `Patient?identifier=${identifierOf(stored)}` };
    return { extension: [{ url: "https://fhir.ee/a-relative", valueReference }] };
  };

  it.for<[string, (stored: HttpAnswer) => { url: string; added?: object }]>([
    ["an id", ({ json }) => ({ url: `Patient/${json.id}` })],
    ["a condition", (stored) => ({ url: `Patient?identifier=${identifierOf(stored)}` })],
    [
      "an id, with a reference by a search",
      (stored) => ({ url: `Patient/${stored.json.id}`, added: withReference(stored) }),
    ],
  ])("is asked for before any patient is locked, and once, in a PUT by %s", async ([, put]) => {
    const stored = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      body: JSON.stringify(inventedPatient()),
    });
    const { url, added } = put(stored);
    const moved = { ...stored.json, ...added, address };
    await control.forgetCalls();
    await control.fail({ register: "ads", delayMs: 60_000 });
    const entry = [{ resource: moved, request: { method: "PUT", url } }];
    const transaction = send(`${service.url}/fhir`, {
      method: "POST",
      body: JSON.stringify({ resourceType: "Bundle", type: "transaction", entry }),
    });
    await expect.poll(timesAsked).toBe(1);
    const meanwhile = await send(`${service.url}/fhir/Patient/${stored.json.id}`, {
      method: "PUT",
      body: JSON.stringify({ ...stored.json, gender: "other" }),
    });
    expect(meanwhile.status).toBe(200);
    await control.heal();
    const { status, json } = await transaction;
    expect([status, json.entry[0].resource.meta.versionId]).toEqual([200, "3"]);
    expect(json.entry[0].resource.address).toMatchObject([
      { text: good?.text, postalCode: good?.postalCode },
    ]);
    expect(await timesAsked()).toBe(1);
  });

  const transaction = (request: object, ...patients: object[]) => {
    const entry = patients.map((resource) => ({ resource, request }));
    const body = JSON.stringify({ resourceType: "Bundle", type: "transaction", entry });
    return send(`${service.url}/fhir`, { method: "POST", body });
  };

  it.for([
    { method: "POST", url: "Patient" },
    { method: "PUT", url: "Patient?identifier=https://fhir.ee/sid/pid/fin/ni|nobody-has-it" },
  ])(
    "is not asked for when the rules refuse its patient, or too many entries the whole: %o",
    async (request) => {
      await control.forgetCalls();
      const many = unknownTexts(50).map(addressOf);
      const refused = [
        await transaction(request, inventedPatient({ address: many, gender: "x" })),
        await transaction(request, inventedPatient({ address: many, birthDate: "x" })),
        await transaction(request, ...Array.from({ length: 201 }, () => inventedPatient({ address }))),
      ];
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
      expect(await timesAsked()).toBe(0);
    },
  );
});
