import { fault, MpiError } from "../errors/index.ts";

/** MPI-006, followed by what it is caused by. */
export function inconsistent(cause?: MpiError): MpiError {
  return MpiError.of([fault("INDEX_INCONSISTENT"), ...(cause?.issues ?? [])], { cause });
}
