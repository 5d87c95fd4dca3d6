import { timestampNow } from "@bufbuild/protobuf/wkt";
import { capabilityParts, capabilityStatement } from "../capability/capability-statement.ts";
import { servedStructures } from "../definitions/index.ts";
import { operationDefinitions } from "../definitions/operation-definitions.ts";
import { searchParameterDefinitions } from "../definitions/search-parameter-definitions.ts";
import { jsonAnswer } from "../exchange/answer.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { tallinnInstant } from "../fhir/index.ts";
import { linkageOperations } from "../operations/linkage.ts";
import { matchingOperations } from "../operations/matching.ts";
import { registerOperations } from "../operations/registers.ts";
import { auditInteractions } from "./audit-event.ts";
import { bundleOf } from "./batch/bundle.ts";
import { definitionInteractions } from "./definitions.ts";
import { observationType } from "./observation.ts";
import { patientType } from "./patient.ts";
import { relatedPersonType } from "./related-person.ts";
import { faultsOfRead } from "./resource/elements.ts";
import { resourceInteractions } from "./resource/interactions.ts";
import { openToAll } from "./security-headers.ts";

/** Everything that the FHIR interface offers. */
export function allInteractions(): Interaction[] {
  const ofRecords = [
    ...resourceInteractions(patientType),
    ...linkageOperations,
    ...matchingOperations,
    ...registerOperations,
    ...resourceInteractions(relatedPersonType),
    ...resourceInteractions(observationType),
    ...auditInteractions,
  ];
  const interactions = [
    ...ofRecords,
    ...definitionInteractions("StructureDefinition", servedStructures),
    ...definitionInteractions("OperationDefinition", operationDefinitions(ofRecords)),
    ...definitionInteractions("SearchParameter", searchParameterDefinitions()),
  ];
  const capabilities: Interaction = {
    code: "capabilities",
    open: true,
    method: "GET",
    path: "/metadata",
    parameters: ["mode", "_summary"],
    faultsIn: faultsOfRead,
    handle: (request) =>
      jsonAnswer(request, 200, capabilityStatement(parts, request.base, request.contract.version), openToAll),
  };
  const bundle = bundleOf([capabilities, ...interactions]);
  const parts = capabilityParts([...interactions, bundle], tallinnInstant(timestampNow()));
  return [capabilities, bundle, ...interactions];
}
