import type { Scenario } from "../scenario.ts";
import { callerScenarios } from "./callers.ts";
import { contactPointScenarios } from "./contact-points.ts";
import { exchangeScenarios } from "./exchange.ts";
import { identifierScenarios } from "./identifiers.ts";
import { jobScenarios } from "./jobs.ts";
import { linkageScenarios } from "./linkage.ts";
import { matchingScenarios } from "./matching.ts";
import { observationScenarios } from "./observations.ts";
import { patchScenarios } from "./patches.ts";
import { profileScenarios } from "./profiles.ts";
import { registerScenarios } from "./registers.ts";
import { relatedPersonScenarios } from "./related-persons.ts";
import { rightsScenarios } from "./rights.ts";
import { searchScenarios } from "./search.ts";
import { structureScenarios } from "./structure.ts";
import { transactionScenarios } from "./transactions.ts";
import { versionScenarios } from "./versions.ts";
import { xmlScenarios } from "./xml.ts";

/** Every scenario of the atlas. */
export const scenarios: readonly Scenario[] = [
  ...callerScenarios,
  ...identifierScenarios,
  ...profileScenarios,
  ...contactPointScenarios,
  ...structureScenarios,
  ...xmlScenarios,
  ...searchScenarios,
  ...rightsScenarios,
  ...versionScenarios,
  ...patchScenarios,
  ...transactionScenarios,
  ...relatedPersonScenarios,
  ...observationScenarios,
  ...linkageScenarios,
  ...matchingScenarios,
  ...jobScenarios,
  ...registerScenarios,
  ...exchangeScenarios,
];
