import type { CodeableConcept, Coding } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient, Patient_Communication } from "#proto/patientindex/v1/patient_pb.ts";
import { currentCall } from "../call/current-call.ts";
import { catalogueVersions } from "../errors/index.ts";
import type { StoredPatient } from "./ports.ts";
import { hasNotice, shownNotices } from "./rules/address-notices.ts";
import { linksOf, viewedIdentifiers } from "./rules/group-view.ts";
import { BCP_47, NATIONAL_LANGUAGES } from "./rules/languages.ts";

const NAMES = new Intl.DisplayNames(["et"], { type: "language", fallback: "none" });

/** Names by tag: asking the engine takes longer than all the rest of showing a patient. */
const knownNames = new Map<string, string | undefined>();
const MOST_KNOWN_NAMES = 1000;

/**
 * A stored patient as it is shown: with the links and the identifiers of its group, with the Estonian name of
 * languages without a display, where one is known, and with the codes of the caller's contract version in the notices
 * of addresses. Shares what needs no change with the stored one.
 */
export function showPatient({ patient, group }: StoredPatient): Patient {
  const shown = showNotices(showLanguages(patient));
  if (!group) return shown;
  return { ...shown, identifier: viewedIdentifiers(patient, group), link: linksOf(group) };
}

function showNotices(stored: Patient): Patient {
  if (!stored.address.some(hasNotice)) return stored;
  const version = currentCall()?.version ?? catalogueVersions[0];
  return { ...stored, address: stored.address.map((address) => shownNotices(address, version)) };
}

function showLanguages(stored: Patient): Patient {
  if (!stored.communication.some(lacksDisplay)) return stored;
  return { ...stored, communication: stored.communication.map(showCommunication) };
}

function lacksDisplay({ language }: Patient_Communication): boolean {
  return language?.coding.some(({ display }) => display === undefined) ?? false;
}

function showCommunication(stored: Patient_Communication): Patient_Communication {
  return stored.language ? { ...stored, language: showLanguage(stored.language) } : stored;
}

function showLanguage(stored: CodeableConcept): CodeableConcept {
  return { ...stored, coding: stored.coding.map(showCoding) };
}

function showCoding(stored: Coding): Coding {
  if (stored.display !== undefined) return stored;
  const display = languageName(stored);
  return display === undefined ? stored : { ...stored, display };
}

/** The national list is taken to use the codes of ISO 639, as BCP 47 does; others have no name here. */
function languageName({ system, code }: Coding): string | undefined {
  if (system !== BCP_47 && system !== NATIONAL_LANGUAGES) return undefined;
  if (code === undefined) return undefined;
  if (knownNames.has(code)) return knownNames.get(code);
  const name = nameOfTag(code);
  // What can be written down as a tag has no end; what patients speak has.
  if (knownNames.size < MOST_KNOWN_NAMES) knownNames.set(code, name);
  return name;
}

function nameOfTag(tag: string): string | undefined {
  try {
    return NAMES.of(new Intl.Locale(tag).baseName);
  } catch (error) {
    // The engine does not take every tag of BCP 47, and a code of the national list need not be one.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
