import { clone, create } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import {
  type LoadedPatient,
  LoadOutcome,
  type LoadPatientsResponse,
  PatientLoadService,
} from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { transportAs } from "../../caller-transport.ts";
import { doctor } from "../../callers.ts";
import { refusalOf } from "../../clients.ts";
import { rowsOfPatient } from "../../rows-of-patient.ts";
import { type RunningService, startService } from "../../service.ts";
import { somebody } from "../../storage/patients/store.ts";
import { rejectionOf } from "../refusals.ts";

const { STORED, ALREADY_THERE, REFUSED } = LoadOutcome;

const GRACE_MS = 60_000;

let service: RunningService;
let transport: RemoteTransport;
let loading: Client<typeof PatientLoadService>;
let patients: Client<typeof PatientService>;

beforeAll(async () => {
  service = await startService({ shutdownGrace: GRACE_MS });
  transport = transportAs(service.grpcPort);
  loading = createClient(PatientLoadService, transport);
  patients = createClient(PatientService, transport);
});

afterAll(async () => {
  transport.close();
  const stoppingAt = performance.now();
  await service.stop();
  // Less than the grace: no stream is waited for.
  expect(performance.now() - stoppingAt).toBeLessThan(GRACE_MS / 2);
});

/** Sends messages ahead of the answers. */
async function load(
  messages: readonly (readonly Patient[])[],
  client = loading,
): Promise<LoadPatientsResponse[]> {
  async function* requests() {
    for (const patients of messages) yield { patients: [...patients] };
  }
  return await Array.fromAsync(client.loadPatients(requests()));
}

/** What became of each: the outcome, and the codes of the issues. */
function outcomes(answers: readonly LoadPatientsResponse[]) {
  return answers.map(({ results }) =>
    results.map(({ outcome, issues }) => [outcome, ...issues.map(({ code }) => code)]),
  );
}

function withoutName(): Patient {
  return { ...somebody(), name: [] };
}

function withIdentifiersOf(...others: readonly Patient[]): Patient {
  return { ...somebody(), identifier: others.flatMap(({ identifier }) => identifier) };
}

it("stores the good ones of each message, in order, and says of the others what createPatient says", async () => {
  const [one, two, three, four] = [somebody(), somebody("fin", "lva"), somebody(), somebody()];
  const wrong = withoutName();
  const refused = await refusalOf(patients.createPatient({ patient: wrong }));
  const answers = await load([[one, wrong, two], [three]]);
  const more = await load([[withIdentifiersOf(one), withIdentifiersOf(one, three), four]]);
  expect(outcomes([...answers, ...more])).toEqual([
    [[STORED], [REFUSED, ...refused.issues.map((issue) => issue.split(" ")[0])], [STORED]],
    [[STORED]],
    [[ALREADY_THERE, "MPI-010"], [ALREADY_THERE, "MPI-017"], [STORED]],
  ]);
  expect(answers.map(({ stored, refused: wrongOnes }) => [stored, wrongOnes])).toEqual([
    [2n, 1n],
    [3n, 1n],
  ]);
  expect(more[0]).toMatchObject({ stored: 1n, alreadyThere: 2n, refused: 0n });
  const id = answers[0]?.results[2]?.id ?? "";
  const { patient } = await patients.readPatient({ id });
  expect(patient?.identifier).toEqual(two.identifier);
  expect(patient?.meta?.versionId).toBe("1");
});

it("of several in one message with the same identifier stores the first", async () => {
  const one = somebody();
  const answers = await load([[one, clone(PatientSchema, one)]]);
  expect(outcomes(answers)).toEqual([[[STORED], [ALREADY_THERE, "MPI-010"]]]);
});

it("knows who is there in whatever order known and new people come", async () => {
  const [first, second, third] = [somebody(), somebody(), somebody()];
  const again = (one: Patient) => [clone(PatientSchema, one), somebody()];
  // A load asks who is there only if the one before met somebody: each of these comes behind either.
  const messages = [[first], again(first), [second, ...again(first)], [third], again(second)];
  const answers: LoadPatientsResponse[] = [];
  // One after the other: of two messages of a stream that are on their way either may be stored first.
  for (const message of messages) answers.push(...(await load([message])));
  const known = [ALREADY_THERE, "MPI-010"];
  expect(outcomes(answers)).toEqual([
    [[STORED]],
    [known, [STORED]],
    [[STORED], known, [STORED]],
    [[STORED]],
    [known, [STORED]],
  ]);
});

it("leaves what single creations leave: history with its author, an audit chain, the change feed, the blind index", async () => {
  const { patient: single } = await patients.createPatient({ patient: somebody("fin", "lva") });
  const [answer] = await load([[somebody("fin", "lva"), somebody("fin", "lva")]]);
  const ids = (answer?.results ?? []).map(({ id }) => id);
  const left = await Promise.all(
    [single?.id ?? "", ...ids].map((id) => rowsOfPatient(service.databaseUrl, id)),
  );
  expect(left[0]).toMatchObject({ patient: 1, identifier: 2, identifier_value: 2, audit_event: 1 });
  expect(left).toEqual(Array(3).fill(left[0]));
  for (const id of ids) {
    const { changes } = await patients.listPatientHistory({ id });
    expect(changes[0]?.author?.organization).toBe(doctor.organization);
  }
  const { changes } = await patients.listPatientChanges({});
  expect(changes.map(({ patient }) => patient?.id)).toEqual(expect.arrayContaining(ids));
});

it("sent again stores nobody twice", async () => {
  const people = Array.from({ length: 450 }, () => somebody());
  const messages = [people.slice(0, 200), people.slice(200, 400), people.slice(400)];
  await load(messages.slice(0, 2));
  const answers = await load(messages);
  expect(answers.at(-1)).toMatchObject({ stored: 50n, alreadyThere: 400n, refused: 0n });
});

it("two streams with the same people at once store each once", async () => {
  const people = Array.from({ length: 300 }, () => somebody());
  const halves = [people.slice(0, 150), people.slice(150)];
  const both = await Promise.all([load(halves), load([...halves].reverse())]);
  const stored = both.map((answers) => Number(answers.at(-1)?.stored));
  expect(stored.reduce((sum, one) => sum + one)).toBe(300);
});

it("answers a message before the next one is sent", async () => {
  const seen: bigint[] = [];
  let answered = () => {};
  async function* requests() {
    for (let message = 1; message <= 3; message++) {
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield { patients: [somebody()] };
      await answer;
    }
  }
  for await (const { stored } of loading.loadPatients(requests())) {
    seen.push(stored);
    answered();
  }
  expect(seen).toEqual([1n, 2n, 3n]);
});

it("a stream that is broken off keeps what was answered, and holds nothing up", async () => {
  const people = [somebody(), somebody()];
  const breaking = new AbortController();
  async function* requests() {
    for (const patient of people) yield { patients: [patient] };
    await new Promise(() => {});
  }
  const broken = (async () => {
    for await (const { stored } of loading.loadPatients(requests(), { signal: breaking.signal })) {
      if (stored === 2n) breaking.abort();
    }
  })();
  expect((await refusalOf(broken)).status).toBe("Canceled");
  expect(outcomes(await load([people]))).toEqual([
    [
      [ALREADY_THERE, "MPI-010"],
      [ALREADY_THERE, "MPI-010"],
    ],
  ]);
});

it("refuses a message that is too long, and who may not create patients", async () => {
  const tooMany = Array.from({ length: 201 }, () => somebody());
  expect((await refusalOf(load([tooMany]))).status).toBe("InvalidArgument");
  const student = transportAs(service.grpcPort, { ...doctor, role: "student" });
  const refused = await refusalOf(load([[somebody()]], createClient(PatientLoadService, student)));
  student.close();
  expect(refused).toEqual({ status: "PermissionDenied", issues: ["MPI-403"] });
});

it("says so much of a patient with very many faults that the answer can be taken, and stores the others", async () => {
  const wrong = {
    ...somebody(),
    name: Array.from({ length: 1000 }, () => create(HumanNameSchema, { use: "x" })),
  };
  const [alone] = (await rejectionOf(patients.createPatient({ patient: wrong }))).findDetails(
    ErrorDetailsSchema,
  );
  const { results } = await patients.createPatients({ patients: [wrong, somebody()] });
  const [first, second] = results.map(({ result }) => result);
  if (first?.case !== "refusal") throw new Error("It was not refused.");
  const [details] = first.value.details.flatMap((detail) => anyUnpack(detail, ErrorDetailsSchema) ?? []);
  expect(details).toEqual(alone);
  expect((details?.issues.length ?? 0) + (details?.omittedIssues ?? 0)).toBeGreaterThanOrEqual(1000);
  expect(details?.omittedIssues).toBeGreaterThan(900);
  expect(second?.case).toBe("patient");
  const [[refused, stored]] = (await load([[wrong, somebody()]])).map((answer) => answer.results) as [
    LoadedPatient[],
  ];
  expect(refused).toMatchObject({
    outcome: REFUSED,
    issues: alone?.issues,
    omittedIssues: alone?.omittedIssues,
  });
  expect(stored?.outcome).toBe(STORED);
});

it("answers what it works on when the service stops, and ends the stream", async () => {
  const other = await startService({ shutdownGrace: GRACE_MS });
  const way = transportAs(other.grpcPort);
  const sent = Promise.withResolvers<void>();
  async function* requests() {
    yield { patients: [somebody()] };
    // Nothing more is sent, and the stream is not ended.
    await sent.promise;
  }
  const answers: LoadPatientsResponse[] = [];
  const loaded = (async () => {
    for await (const answer of createClient(PatientLoadService, way).loadPatients(requests()))
      answers.push(answer);
  })();
  const refused = rejectionOf(loaded);
  await expect.poll(() => answers.length).toBe(1);
  const stoppingAt = performance.now();
  await other.stop();
  expect(performance.now() - stoppingAt).toBeLessThan(GRACE_MS / 2);
  const error = await refused;
  sent.resolve();
  way.close();
  expect(error.code).toBe(Code.Unavailable);
  expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("SERVICE_STOPPING");
});
