import type { DescMethod, Message } from "@bufbuild/protobuf";
import {
  PatientService,
  type ReadPatientRequest,
  type SearchPatientsRequest,
} from "#proto/patientindex/v1/patient_service_pb.ts";

/** Characters that the texts of a request may have together: what is longer is no look-up, and goes alone. */
const MOST_CHARACTERS = 1_000;
/** And those of its metadata: a hundred such calls are not too much for one message. */
const MOST_OF_METADATA = 20_000;

/** Metadata keys with their values. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Calls that go together: they come often, cost the core little each, change nothing, and so lose nothing by it when
 * the core does not learn that one of their callers has hung up.
 */
const gathered: ReadonlyMap<DescMethod, (request: never) => boolean> = new Map<
  DescMethod,
  (request: never) => boolean
>([
  [PatientService.method.readPatient, isShortRead],
  [PatientService.method.searchPatients, isSearchByIdentifier],
]);

/** Whether calls with that request go together, if their metadata are short. */
export function isLookUp(method: DescMethod, request: Message): boolean {
  return gathered.get(method)?.(request as never) === true;
}

export function areShortMetadata(metadata: Metadata): boolean {
  let length = 0;
  for (const name in metadata) length += name.length + (metadata[name]?.length ?? 0);
  return length <= MOST_OF_METADATA;
}

function isShortRead({ id, elements }: ReadPatientRequest): boolean {
  return areShort([id, ...elements]);
}

/** A search by anything else may take long, and has to end when nobody waits for it any more. */
function isSearchByIdentifier({ parameters, pageToken }: SearchPatientsRequest): boolean {
  const [only, ...others] = parameters;
  return only?.name === "identifier" && others.length === 0 && areShort([only.value, pageToken]);
}

function areShort(texts: readonly string[]): boolean {
  return texts.reduce((length, text) => length + text.length, texts.length) <= MOST_CHARACTERS;
}
