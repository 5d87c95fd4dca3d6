import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  DuplicateReviewService,
  DuplicateState,
} from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { doctor } from "../callers.ts";
import { type GrpcClients, grpcClients, refusalOf } from "../clients.ts";
import { type RunningService, startService } from "../service.ts";
import { somebody } from "../storage/patients/store.ts";
import { codesOf, type HttpAnswer, send } from "./http-client.ts";

let service: RunningService;
let clients: GrpcClients;
let ids: string[];

beforeAll(async () => {
  service = await startService();
  clients = grpcClients(service.grpcPort);
  ids = [];
  for (let n = 0; n < 3; n++) {
    const { patient } = await clients.patients.createPatient({ patient: somebody() });
    if (!patient) throw new Error("Nobody was created.");
    const { id = "" } = patient;
    await clients.patients.updatePatient({ id, patient: { ...patient, language: "et" } });
    ids.push(id);
  }
});

afterAll(async () => {
  clients.close();
  await service.stop();
});

function get(path: string): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`);
}

/** The token of the next page of a list; waits until so much has been published that there is one. */
async function tokenOf(list: string): Promise<string> {
  await expect.poll(async () => nextIn((await get(list)).json)).toBeDefined();
  return new URL(nextIn((await get(list)).json) ?? "").searchParams.get("_page") ?? "";
}

function nextIn(json: HttpAnswer["json"]): string | undefined {
  return linkIn(json, "next");
}

function linkIn(json: HttpAnswer["json"], relation: string): string | undefined {
  return json.link?.find((link: { relation: string }) => link.relation === relation)?.url;
}

describe("the token of a page", () => {
  it("is good for its own list", async () => {
    const oldest = "_sort=_lastUpdated";
    for (const list of [`Patient/_history?_count=1`, `Patient/${ids[0]}/_history?_count=1`]) {
      for (const asked of [list, `${list}&${oldest}`]) {
        expect((await get(`${asked}&_page=${await tokenOf(asked)}`)).status).toBe(200);
      }
    }
  });

  it("is refused by every other: another type, another resource, the other order", async () => {
    const feed = await tokenOf("Patient/_history?_count=1");
    const history = await tokenOf(`Patient/${ids[0]}/_history?_count=1`);
    for (const other of [
      `RelatedPerson/_history?_page=${feed}`,
      `Patient/_history?_page=${feed}&_sort=_lastUpdated`,
      `Patient/${ids[0]}/_history?_page=${feed}`,
      `Patient/_history?_page=${history}`,
      `Patient/${ids[1]}/_history?_page=${history}`,
      `Patient/${ids[0]}/_history?_page=${history}&_sort=_lastUpdated`,
    ]) {
      const answer = await get(other);
      expect([other, answer.status, ...codesOf(answer)]).toEqual([other, 400, "MPI-096"]);
      expect(answer.json.issue[0].expression).toEqual(["http._page"]);
    }
    const refused = await refusalOf(clients.relatedPersons.listRelatedPersonChanges({ pageToken: feed }));
    expect(refused).toEqual({ status: "InvalidArgument", issues: ["MPI-096 page_token"] });
    const negative = await refusalOf(clients.patients.listPatientChanges({ pageSize: -1 }));
    expect(negative).toEqual({ status: "InvalidArgument", issues: ["MPI-096 page_size"] });
  });

  it("is refused where it is empty: the first page would be taken for the next one", async () => {
    for (const list of ["Patient/_history", `Patient/${ids[0]}/_history`]) {
      const answer = await get(`${list}?_page=`);
      expect([answer.status, ...codesOf(answer)]).toEqual([400, "MPI-096"]);
      expect(answer.json.issue[0].expression).toEqual(["http._page"]);
    }
  });

  it("of a search is refused by the name of its field, a parameter by its own", async () => {
    const parameters = [{ name: "_id", value: ids.join(",") }];
    const { nextPageToken } = await clients.patients.searchPatients({ parameters, pageSize: 2 });
    expect(nextPageToken).not.toBe("");
    const refused = async (request: Parameters<typeof clients.patients.searchPatients>[0]) =>
      (await refusalOf(clients.patients.searchPatients(request))).issues;
    expect(await refused({ parameters, pageToken: "next" })).toEqual(["MPI-015 page_token"]);
    expect(await refused({ parameters, pageSize: -1, pageToken: "0" })).toEqual([
      "MPI-015 page_size",
      "MPI-015 page_token",
    ]);
    const asParameter = [...parameters, { name: "_page", value: "next" }];
    expect(await refused({ parameters: asParameter, pageSize: 2 })).toEqual(["MPI-015 http._page"]);
    expect(await refused({ parameters, condition: true, pageToken: "2" })).toEqual(["MPI-015 page_token"]);
    const ofOne = [{ name: "patient", value: `Patient/${ids[0]}` }];
    const contacts = clients.relatedPersons.searchRelatedPersons({ parameters: ofOne, pageToken: "next" });
    expect((await refusalOf(contacts)).issues).toEqual(["MPI-015 page_token"]);
  });

  it("of the end of the feed goes on with what is published later", async () => {
    const read = async (link: string) => (await send(link)).json;
    let page = (await get("Patient/_history?_sort=_lastUpdated&_count=1")).json;
    for (let next = nextIn(page); next; next = nextIn(page)) page = await read(next);
    const last = linkIn(page, "self") ?? "";
    expect(last).toContain("_page=");
    const { patient } = await clients.patients.createPatient({ patient: somebody() });
    await expect
      .poll(async () => JSON.stringify(await read(nextIn(await read(last)) ?? last)))
      .toContain(`"id":"${patient?.id}"`);
  });

  it("of the jobs of one type, or of duplicates in one state, is refused for another", async () => {
    const administrators = grpcClients(service.grpcPort, { ...doctor, role: "administrator" });
    const jobs = createClient(JobService, administrators.transport);
    const { nextPageToken } = await jobs.listJobs({ pageSize: 1 });
    await jobs.listJobs({ pageToken: nextPageToken });
    const ofType = await refusalOf(jobs.listJobs({ pageToken: nextPageToken, type: "check-index" }));
    const duplicates = createClient(DuplicateReviewService, administrators.transport);
    const open = Buffer.from("0.9 1 2 open").toString("base64url");
    await duplicates.listPossibleDuplicates({ pageToken: open });
    const dismissed = await refusalOf(
      duplicates.listPossibleDuplicates({ pageToken: open, state: DuplicateState.DISMISSED }),
    );
    administrators.close();
    for (const { status, issues } of [ofType, dismissed]) {
      expect([status, issues[0]?.slice(0, 7)]).toEqual(["InvalidArgument", "MPI-096"]);
    }
  });
});
