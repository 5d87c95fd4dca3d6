import { afterAll, beforeAll, expect, it } from "vitest";
import { parseGatewaySettings } from "../../gateway/settings.ts";
import { type RunningService, startService } from "../service.ts";
import { codesIn, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

const GIVEN = "https://mpi.žanr.ee/õis/";
const WRITTEN = "https://mpi.xn--anr-b3a.ee/%C3%B5is/fhir";

let service: RunningService;

beforeAll(async () => {
  const { publicUrl } = parseGatewaySettings({ MPI_PUBLIC_URL: GIVEN });
  service = await startService({ publicUrl });
});

afterAll(async () => {
  await service.stop();
});

it("a write answers with its Location where the public host is no ASCII, and what it says is understood", async () => {
  const created = await send(`${service.url}/fhir/Patient`, {
    method: "POST",
    body: JSON.stringify(inventedPatient()),
  });
  expect([created.status, codesIn(created.json)]).toEqual([201, []]);
  const { id } = created.json;
  expect(created.headers.get("location")).toBe(`${WRITTEN}/Patient/${id}/_history/1`);
  const contacts = `${service.url}/fhir/RelatedPerson?patient=${encodeURIComponent(`${WRITTEN}/Patient/${id}`)}`;
  const found = await send(contacts);
  expect([found.status, found.json.total]).toEqual([200, 0]);
});
