import { afterAll, beforeAll, describe, expect, it } from "vitest";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, send } from "../http-client.ts";

const { people, addresses } = file;
const RR = "https://rahvastikuregister.ee";

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService();
  control = sandboxControl(service.sandboxUrl);
});

afterAll(async () => {
  await service.stop();
});

interface Sent {
  readonly personalCode: string;
  readonly phones?: string[];
  readonly emails?: string[];
  readonly addresses?: { readonly adrId: string }[];
}

async function loaded(code: string) {
  const { json } = await send(`${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}`);
  return json.entry[0].resource;
}

function put(patient: { readonly id: string }): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient/${patient.id}`, { method: "PUT", body: JSON.stringify(patient) });
}

async function sentOf(code: string): Promise<Sent[]> {
  const { contactData } = await control.sent();
  return contactData.filter(({ personalCode }: Sent) => personalCode === code);
}

function located(adrId: string | undefined) {
  const valueCoding = { system: "https://fhir.ee/base/CodeSystem/ads-adr-id", code: adrId };
  const extension = [{ url: "https://fhir.ee/base/StructureDefinition/ee-ads-adr-id", valueCoding }];
  return { use: "home", type: "postal", country: "EE", extension };
}

describe("contact data that a client changes for an Estonian patient", () => {
  it("are sent to the population register: phones, e-mail, and addresses without findings", async () => {
    const code = people[0]?.personalCode ?? "";
    const patient = await loaded(code);
    const noted = addresses.find((address) => "note" in address && address.note?.includes("MPI-086"));
    const telecom = [...patient.telecom, { system: "phone", value: "+37256781234", use: "mobile" }];
    const address = [...patient.address, located(addresses[40]?.adrId), located(noted?.adrId)];
    expect((await put({ ...patient, telecom, address })).status).toBe(200);
    await expect.poll(() => sentOf(code)).toHaveLength(1);
    const [sent] = await sentOf(code);
    expect(sent?.phones).toContain("+37256781234");
    expect(sent?.addresses?.map(({ adrId }) => adrId)).toEqual([addresses[40]?.adrId]);
  });

  it("are sent with what begins later, of which the register would not be told on its day, and without what has ended", async () => {
    const code = people[6]?.personalCode ?? "";
    const patient = await loaded(code);
    const phone = (value: string, period: object) => ({ system: "phone", value, use: "mobile", period });
    const telecom = [
      ...patient.telecom,
      phone("+37256781235", { start: "2999-01-01" }),
      phone("+37256781236", { end: "2020-01-01" }),
    ];
    expect((await put({ ...patient, telecom })).status).toBe(200);
    await expect.poll(() => sentOf(code)).toHaveLength(1);
    const [sent] = await sentOf(code);
    expect(sent?.phones).toContain("+37256781235");
    expect(sent?.phones).not.toContain("+37256781236");
  });

  it("are sent without an address that was edited to one abroad, whatever ids it keeps", async () => {
    const code = people[5]?.personalCode ?? "";
    const patient = await loaded(code);
    const given = { ...patient, address: [...patient.address, located(addresses[41]?.adrId)] };
    const { json: stored } = await put(given);
    await expect.poll(() => sentOf(code)).toHaveLength(1);
    const address = [
      ...stored.address.slice(0, -1),
      { ...stored.address.at(-1), country: "FI", text: "Mannerheimintie 1, Helsinki" },
    ];
    const moved = await put({ ...stored, address });
    expect(moved.json.address.at(-1).extension).toEqual(stored.address.at(-1).extension);
    await expect.poll(() => sentOf(code)).toHaveLength(2);
    const told = (await sentOf(code)).map((sent) => sent.addresses?.map(({ adrId }) => adrId) ?? []);
    expect(told).toEqual([[addresses[41]?.adrId], []]);
  });

  it("go out in the name of whoever changed them, and with the reason", async () => {
    const code = people[4]?.personalCode ?? "";
    const patient = await loaded(code);
    const telecom = [...patient.telecom, { system: "phone", value: "+37256781299", use: "mobile" }];
    const headers = { "x-road-issue": encodeURIComponent("käsitlus 17") };
    const body = JSON.stringify({ ...patient, telecom });
    expect(
      (await send(`${service.url}/fhir/Patient/${patient.id}`, { method: "PUT", body, headers })).status,
    ).toBe(200);
    await expect.poll(() => sentOf(code)).toHaveLength(1);
    const { json } = await send(`${service.sandboxUrl}/sandbox/calls`);
    const call = json.calls.findLast((one: { service: string }) => one.service === "contact-data");
    expect(call.headers).toMatchObject({
      "x-road-userid": expect.stringMatching(/^EE\d{11}$/),
      "x-road-issue": headers["x-road-issue"],
    });
  });

  it("are sent again until the register takes them", async () => {
    const code = people[1]?.personalCode ?? "";
    const patient = await loaded(code);
    await control.fail({ register: "rr", service: "contact-data", code: "L027", times: 1 });
    await put({ ...patient, telecom: [{ system: "email", value: "uus@post.example", use: "home" }] });
    await expect.poll(() => sentOf(code)).toMatchObject([{ emails: ["uus@post.example"] }]);
  });

  it("are not sent when something else was changed", async () => {
    const code = people[2]?.personalCode ?? "";
    const patient = await loaded(code);
    await put({
      ...patient,
      communication: [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: "et" }] } }],
    });
    const last = await loaded(people[3]?.personalCode ?? "");
    await put({ ...last, telecom: [{ system: "phone", value: "+37256780000" }] });
    await expect.poll(() => sentOf(people[3]?.personalCode ?? "")).toHaveLength(1);
    expect(await sentOf(code)).toEqual([]);
  });
});
