import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { elementTable } from "./elements.ts";
import type { MessageNode } from "./message-node.ts";
import { type FhirJson, writerOf } from "./writer.ts";

/**
 * FHIR JSON of a resource, elements in the order of the R5 definition, instants of the index with the offset of
 * Europe/Tallinn. The message is one that was checked when it came in.
 */
export function encodeResource<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): FhirJson {
  return writerOf(elementTable(schema)).write(message as Message as unknown as MessageNode);
}
