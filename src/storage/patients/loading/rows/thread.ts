// The thread that makes rows of new patients. It is told of patients with a port of their own, on which it is asked.

import { parentPort } from "node:worker_threads";
import { LoadPatientsRequestSchema } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { readMessage } from "../../../../messages/index.ts";
import { PatientRows } from "./patient-rows.ts";
import { type Answer, type Given, type Opening, type Question, sentFailure } from "./questions.ts";

parentPort?.on("message", ({ port, keys, patients }: Opening) => {
  let rows: PatientRows | undefined;
  port.on("message", (question: Question) => {
    try {
      // Made with the first question: what fails then has somebody to be told to.
      rows ??= new PatientRows(keys, readMessage(LoadPatientsRequestSchema, patients).patients);
      for (const given of answersTo(rows, question)) {
        port.postMessage({ given } satisfies Answer, memoryOf(given));
      }
    } catch (error) {
      port.postMessage({ failure: sentFailure(error) } satisfies Answer);
    }
  });
});

function* answersTo(rows: PatientRows, question: Question): Generator<Given> {
  switch (question.kind) {
    case "identifiers":
      yield rows.givenIdentifiers();
      break;
    case "names":
      yield rows.makeBlocks();
      break;
    case "written":
      yield [rows.identifiers(question.parts.flat())];
      for (const part of question.parts) yield rows.patients(part, question.writtenWith);
  }
}

/** Arrays of rows, which have memory of their own: it is handed over instead of being copied. */
function memoryOf(given: Given): ArrayBuffer[] {
  const statements = "taken" in given ? [given.taken] : given.filter((one) => typeof one !== "string");
  const arrays = statements.flatMap(({ values }) => values.filter((value) => value instanceof Uint8Array));
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))];
}
