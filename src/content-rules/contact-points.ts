import type { ContactPoint } from "#proto/patientindex/v1/datatypes_pb.ts";
import { isEmail } from "./email.ts";
import { checkPeriod } from "./periods.ts";
import { storedPhone } from "./phone.ts";
import type { Report } from "./report.ts";

type StoredValue = (given: string) => string | undefined;

const STORED_VALUE: ReadonlyMap<string, StoredValue> = new Map<string, StoredValue>([
  ["phone", storedPhone],
  ["email", (given) => (isEmail(given) ? given : undefined)],
]);
const USES: ReadonlySet<string> = new Set(["home", "work", "temp", "old", "mobile"]);
const ALLOWED_SYSTEMS = [...STORED_VALUE.keys()].join(", ");
const ALLOWED_USES = [...USES].join(", ");

/** Checks phones and e-mail addresses (MPI-008, MPI-013, MPI-026) and gives them in their stored form. */
export function acceptContactPoints(
  given: readonly ContactPoint[],
  path: string,
  report: Report,
): ContactPoint[] {
  return given.map((point, index) => acceptContactPoint(point, `${path}[${index}]`, report));
}

function acceptContactPoint(given: ContactPoint, path: string, report: Report): ContactPoint {
  if (given.use !== undefined && !USES.has(given.use)) {
    report("TELECOM_USE_UNKNOWN", { use: given.use, allowed: ALLOWED_USES }, `${path}.use`);
  }
  checkPeriod(given.period, `${path}.period`, report);
  const system = given.system ?? "";
  const storedValue = STORED_VALUE.get(system);
  if (!storedValue) {
    report("TELECOM_SYSTEM_UNKNOWN", { system, allowed: ALLOWED_SYSTEMS }, `${path}.system`);
    return given;
  }
  const value = given.value === undefined ? undefined : storedValue(given.value);
  if (value === undefined) {
    report("TELECOM_VALUE_INVALID", { value: given.value ?? "" }, `${path}.value`);
    return given;
  }
  return value === given.value ? given : { ...given, value };
}
