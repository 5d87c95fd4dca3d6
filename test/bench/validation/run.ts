// How many patients of about 1.5 kB one core validates in a second. Its own process: node run.ts SECONDS
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, encodeResource, parseJson, stringifyJson } from "../../../gateway/fhir/index.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { inventForeigner, Random } from "../../../src/invented-people/index.ts";
import { acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { checkStructure } from "../../../src/structure/index.ts";
import type { Validation } from "./validation.ts";

const SIZE = { least: 1450, most: 1600 };
const TEXTS = 64;

const seconds = Number(process.argv[2] ?? "2");
const setting = { now: new Date(), indexSystem: defaultErrorSystems.MPI };
const texts = patientsOfSize(TEXTS);
const messages = texts.map(decode);

const all = rate((index) => {
  const patient = decode(texts[index] as string);
  validate(patient);
});
const result: Validation = {
  bytes: Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length),
  perSecond: all,
  microseconds: {
    decode: 1e6 / rate((index) => decode(texts[index] as string)),
    structure: 1e6 / rate((index) => checkStructure(PatientSchema, message(index))),
    rules: 1e6 / rate((index) => acceptNewPatient(message(index), setting)),
  },
};
console.log(JSON.stringify(result));

function message(index: number) {
  return messages[index] as ReturnType<typeof decode>;
}

function decode(text: string) {
  const { message, faults } = decodeResource(PatientSchema, parseJson(text).value ?? null);
  if (!message) throw new Error(`An invented patient does not decode: ${JSON.stringify(faults)}`);
  return message;
}

function validate(patient: ReturnType<typeof decode>): void {
  const faults = [...checkStructure(PatientSchema, patient), ...acceptNewPatient(patient, setting).faults];
  if (faults.length > 0) throw new Error(`An invented patient is not valid: ${JSON.stringify(faults)}`);
}

/** How often in a second of processor time, after a warm-up of half the time: others on the machine take nothing away. */
function rate(work: (index: number) => unknown): number {
  repeat(work, seconds / 2);
  return repeat(work, seconds);
}

function repeat(work: (index: number) => unknown, seconds: number): number {
  const startedAt = threadSeconds();
  let done = 0;
  let spent = 0;
  while (spent < seconds) {
    for (let index = 0; index < texts.length; index++) work(index);
    done += texts.length;
    spent = threadSeconds() - startedAt;
  }
  return done / spent;
}

function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

function patientsOfSize(count: number): string[] {
  const found: string[] = [];
  for (let index = 0; found.length < count; index++) {
    const patient = inventForeigner(new Random(1, index), index);
    const text = stringifyJson(encodeResource(PatientSchema, patient));
    const size = Buffer.byteLength(text);
    if (size >= SIZE.least && size <= SIZE.most) found.push(text);
  }
  return found;
}
