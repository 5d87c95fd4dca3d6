import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type Fault, refuseFor } from "../../../src/errors/index.ts";
import { decodeElement } from "../../fhir/index.ts";
import type { FhirRequest } from "../fhir-request.ts";
import { jsonBody } from "../resource-body.ts";
import {
  contentOf,
  type GivenParameter,
  parametersIn,
  repeatedParameter,
  unknownParameter,
} from "./parameters-body.ts";

/** A parameter that an operation takes, by its name. */
export interface ParameterRule {
  /** The data type of its value. */
  readonly schema: DescMessage;
  readonly repeatable?: true;
}

/** The values of the parameters of an operation, by name. */
export interface TypedParameters {
  /** The values of a parameter whose rule names this schema. */
  values<Desc extends DescMessage>(name: string, schema: Desc): MessageShape<Desc>[];
}

/**
 * The Parameters resource in the body of a request, refused with everything that is wrong with its structure
 * (MPI-096). That a parameter is missing is for the core to say.
 */
export function typedParameters(
  request: FhirRequest,
  rules: Readonly<Record<string, ParameterRule>>,
): TypedParameters {
  const faults: Fault[] = [];
  const values = new Map<string, unknown[]>();
  for (const given of parametersIn(jsonBody(request), faults)) {
    const rule = Object.hasOwn(rules, given.name) ? rules[given.name] : undefined;
    const read = values.get(given.name) ?? [];
    if (rule === undefined) faults.push(unknownParameter(given, Object.keys(rules)));
    else {
      if (read.length > 0 && !rule.repeatable) faults.push(repeatedParameter(given));
      values.set(given.name, read);
      for (const value of readValue(given, rule, faults)) read.push(value);
    }
  }
  refuseFor(faults);
  return {
    values: <Desc extends DescMessage>(name: string, _schema: Desc) =>
      (values.get(name) ?? []) as MessageShape<Desc>[],
  };
}

function readValue(given: GivenParameter, { schema }: ParameterRule, faults: Fault[]): unknown[] {
  const content = contentOf(given, [`value${schema.name}`], faults);
  if (content === undefined) return [];
  const { message, faults: found } = decodeElement(schema, content.value, content.path);
  faults.push(...found);
  return message === undefined ? [] : [message];
}
