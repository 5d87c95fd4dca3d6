import type { Coding } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import { unescaped } from "../search/index.ts";

/** Which observations have one of these codes, FHIR tokens: `code`, `system|code`, `|code`, `system|` (R5 search, 3.2.1.5.12). */
export function codeIs(tokens: readonly string[]): ((observation: Observation) => boolean) | undefined {
  const conditions = tokens.map(codingFits);
  if (conditions.some((condition) => condition === undefined)) return undefined;
  return ({ code }) =>
    code?.coding.some((coding) => conditions.some((condition) => condition?.(coding))) ?? false;
}

function codingFits(token: string): ((coding: Coding) => boolean) | undefined {
  const separator = token.search(/(?<!\\)\|/);
  if (separator < 0) return ({ code }) => code === unescaped(token);
  const system = unescaped(token.slice(0, separator));
  const wanted = unescaped(token.slice(separator + 1));
  if (system === "" && wanted === "") return undefined;
  return (coding) => (coding.system ?? "") === system && (wanted === "" || coding.code === wanted);
}
