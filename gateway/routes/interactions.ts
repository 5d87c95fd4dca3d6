import { timestampNow } from "@bufbuild/protobuf/wkt";
import { capabilityParts, capabilityStatement } from "../capability/capability-statement.ts";
import { jsonAnswer } from "../exchange/answer.ts";
import { tallinnInstant } from "../fhir/index.ts";
import type { Interaction } from "./interaction.ts";
import { patientInteractions } from "./patient/interactions.ts";

/** Everything that the FHIR interface offers. */
export function allInteractions(): Interaction[] {
  const interactions = [...patientInteractions];
  const parts = capabilityParts(interactions, tallinnInstant(timestampNow()));
  return [
    {
      code: "capabilities",
      method: "GET",
      path: "/metadata",
      parameters: ["mode"],
      handle: (request) =>
        jsonAnswer(request, 200, capabilityStatement(parts, request.base, request.contract.version)),
    },
    ...interactions,
  ];
}
