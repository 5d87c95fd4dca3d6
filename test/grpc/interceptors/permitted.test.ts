import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, test } from "vitest";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { type ConsumerReach, refuseUnlistedMethods } from "../../../src/access/index.ts";
import type { Caller } from "../../../src/call/caller.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { callContextOf, keepCallContext } from "../../../src/grpc/calls/call-context.ts";
import {
  type Interceptor,
  intercept,
  permitted,
  standardInterceptors,
} from "../../../src/grpc/interceptors/index.ts";
import { callerWith } from "../../access/callers.ts";
import { EchoService } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

const log = pino({ level: "silent" });
const OWN_ID = 7n;

/** An index in which everybody is patient 7; `asked` is what it was asked. */
function indexOfOne() {
  const asked: string[] = [];
  const noted = async <Answer>(question: string, answer: Answer) => {
    asked.push(question);
    return answer;
  };
  const reach = {
    patients: { holders: () => noted("holders", [OWN_ID]), group: () => noted("group", [OWN_ID]) },
  };
  // The register is for representatives alone, of whom there are none here.
  return { asked, reach: reach as unknown as ConsumerReach };
}

function patientsFor(caller: Caller | undefined, reach: ConsumerReach) {
  const known: Interceptor = (call, next) => {
    keepCallContext(call.context, { ...callContextOf(call.context), caller });
    return next(call);
  };
  const interceptors = [...standardInterceptors(log, defaultErrorSystems), known, permitted(reach)];
  const impl = { readPatient: () => ({}), searchPatients: () => ({}), listPatientChanges: () => ({}) };
  const spec = intercept(PatientService, impl, { interceptors, defaultLanguage: "en" });
  return createClient(PatientService, createInProcessTransport([spec]));
}

async function refusal(call: Promise<unknown>) {
  const error = await rejectionOf(call);
  const [details] = error.findDetails(ErrorDetailsSchema);
  return { status: error.code, issues: details?.issues.map(({ code, text }) => `${code} ${text}`) };
}

test("a service with a method of which nobody has said what it is does not start", () => {
  expect(() => refuseUnlistedMethods([PatientService])).not.toThrow();
  expect(() => refuseUnlistedMethods([PatientService, EchoService])).toThrow(
    "No interaction of the permission matrix is given for test.EchoService/Say, test.EchoService/Repeat, ",
  );
});

test("a method of which nobody has said what it is would be refused to everybody", async () => {
  const { reach } = indexOfOne();
  const interceptors = [permitted(reach)];
  const spec = intercept(EchoService, { say: (given) => given }, { interceptors, defaultLanguage: "en" });
  await rejectionOf(createClient(EchoService, createInProcessTransport([spec])).say({}));
});

test("whoever calls as nobody is refused", async () => {
  const { reach } = indexOfOne();
  const { status } = await refusal(patientsFor(undefined, reach).readPatient({ id: "7" }));
  expect(status).toBe(7);
});

test("the role decides without a question to the index", async () => {
  const { reach, asked } = indexOfOne();
  const patients = patientsFor(callerWith({ role: "student" }), reach);
  await patients.readPatient({ id: "8" });
  await patients.searchPatients({ parameters: [{ name: "_id", value: "8" }] });
  expect(await refusal(patients.listPatientChanges({}))).toEqual({
    status: 7,
    issues: ["MPI-403 The interaction Patient/_history is not allowed."],
  });
  expect(asked).toEqual([]);
});

test("a consumer's own record costs two questions, and what the role does not grant none", async () => {
  const { reach, asked } = indexOfOne();
  const patients = patientsFor(callerWith({ role: "patient" }), reach);
  await patients.readPatient({ id: "7" });
  expect(asked).toEqual(["holders", "group"]);
  await refusal(patients.searchPatients({ parameters: [{ name: "_id", value: "7" }] }));
  expect(asked).toHaveLength(2);
});

test("all that is not granted is told at once", async () => {
  const { reach } = indexOfOne();
  const patients = patientsFor(callerWith({ role: "patient" }), reach);
  const parameters = [{ name: "birthdate", value: "2000-01-01" }];
  expect((await refusal(patients.searchPatients({ parameters }))).issues).toEqual([
    "MPI-403 The interaction search Patient is not allowed.",
    "MPI-403 The interaction search Patient by birthdate is not allowed.",
  ]);
});

test("a role that is none has no rights, whatever it is called", async () => {
  const { reach } = indexOfOne();
  for (const role of ["", "Doctor", "admin", "practitioner", "constructor", "__proto__"]) {
    const { status } = await refusal(patientsFor(callerWith({ role }), reach).readPatient({ id: "7" }));
    expect([role, status]).toEqual([role, 7]);
  }
});

test("in version 1.1.1 the general code stands for both refusals, with their status", async () => {
  const { reach } = indexOfOne();
  const headers = { "x-mpi-version": "1.1.1" };
  const patients = patientsFor(callerWith({ role: "patient" }), reach);
  const calls = [
    patients.listPatientChanges({}, { headers }),
    patients.readPatient({ id: "8" }, { headers }),
  ];
  for (const call of calls) {
    const { status, issues } = await refusal(call);
    expect([status, issues?.map((issue) => issue.slice(0, 7))]).toEqual([7, ["MPI-400"]]);
  }
});
