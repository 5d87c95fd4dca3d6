import { toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchPatientsResponseSchema } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type GrpcClients, grpcClients } from "../../clients.ts";
import { spouseOf } from "../family.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import {
  idsIn,
  type Json,
  type LargeResources,
  large,
  linkOf,
  pagesFrom,
  startForLargeResources,
  versionsIn,
} from "../large-resources.ts";

/** What gRPC clients take unless told otherwise. */
const MOST_OF_A_MESSAGE = 4 * 1024 * 1024;
const birthDate = "1931-02-03";
/** With a remark of a megabyte and a half: three exceed what a page holds. */
const withRemark = (resource: Json) => large(resource, 1_500_000);

let opened: LargeResources;
let clients: GrpcClients;
/** Three patients, of whom a page holds two, in the order in which they were stored. */
let ids: string[];

beforeAll(async () => {
  opened = await startForLargeResources(2 * 1024 * 1024);
  clients = grpcClients(opened.service.grpcPort);
  ids = [];
  for (let n = 0; n < 3; n++) ids.push(await opened.stored(withRemark(inventedPatient({ birthDate }))));
});

afterAll(async () => {
  clients.close();
  await opened.stop();
});

describe.each(["together", "apart"] as const)("through a gateway %s with the core", (place) => {
  const found = (query: string) =>
    `${opened.origins[place]}/fhir/Patient?birthdate=${birthDate}&_sort=_lastUpdated&${query}`;

  it("the pages of a search end early, and the links leave nobody out", async () => {
    const pages = await pagesFrom(found(""));
    expect(pages.map(idsIn)).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(pages.map(({ json }) => json.total)).toEqual([3, 3]);
    const [first, second] = pages as [HttpAnswer, HttpAnswer];
    expect(linkOf(first, "last")).toBe(linkOf(first, "next"));
    const back = await send(linkOf(second, "previous") ?? "");
    expect(idsIn(back)).toEqual(idsIn(first));
    expect(linkOf(back, "next")).toBe(linkOf(second, "self"));
  });

  it("and those of the change feed", async () => {
    const pages = await pagesFrom(`${opened.origins[place]}/fhir/Patient/_history?_sort=_lastUpdated`);
    expect(pages.flatMap(idsIn).slice(0, 3)).toEqual(ids);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(idsIn)).toHaveLength(pages[0]?.json.total);
  });
});

it("so it is of histories", async () => {
  const resource = withRemark(inventedPatient());
  const id = await opened.stored(resource);
  for (const language of ["en", "et"]) {
    await opened.fhir(`Patient/${id}`, { method: "PUT", body: JSON.stringify({ ...resource, language }) });
  }
  const pages = await pagesFrom(`${opened.service.url}/fhir/Patient/${id}/_history`);
  expect(pages.map(versionsIn)).toEqual([["3", "2"], ["1"]]);
  expect(pages.map(({ json }) => json.total)).toEqual([3, 3]);
});

it("over gRPC the token says where to go on, whatever size is asked for, and each page is taken by any client", async () => {
  const parameters = [
    { name: "birthdate", value: birthDate },
    { name: "_sort", value: "_lastUpdated" },
  ];
  for (const pageSize of [0, 3]) {
    const found: (string | undefined)[] = [];
    for (let pageToken = ""; ; ) {
      const page = await clients.patients.searchPatients({ parameters, pageSize, pageToken });
      expect(page.totalSize).toBe(3n);
      expect(toBinary(SearchPatientsResponseSchema, page).length).toBeLessThan(MOST_OF_A_MESSAGE);
      found.push(...page.patients.map(({ id }) => id));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(found).toEqual(ids);
  }
});

it("the token of a search goes on where the page ended, also when another size is asked for", async () => {
  const parameters = [
    { name: "_id", value: ids.join(",") },
    { name: "_elements", value: "id" },
  ];
  const first = await clients.patients.searchPatients({ parameters, pageSize: 1 });
  const { patients } = await clients.patients.searchPatients({
    parameters: [...parameters, { name: "_page", value: first.nextPageToken }],
    pageSize: 100,
  });
  const shown = first.patients.concat(patients).map(({ id }) => id);
  expect(new Set(shown).size).toBe(2);
});

it("contact persons come in pages that end early too", async () => {
  const [patient] = ids;
  const contacts: string[] = [];
  for (let n = 0; n < 3; n++) {
    contacts.push(await opened.stored(withRemark(spouseOf(`Patient/${patient}`))));
  }
  const pages = await pagesFrom(
    `${opened.service.url}/fhir/RelatedPerson?patient=Patient/${patient}&_sort=_lastUpdated`,
  );
  expect(pages.map(idsIn)).toEqual([contacts.slice(0, 2), contacts.slice(2)]);
  expect(pages.map(({ json }) => json.total)).toEqual([3, 3]);
});
