import type { Meaning } from "../catalogue/catalogue.ts";
import { notRaised } from "./not-raised.ts";
import type { Occurrence } from "./occurrence.ts";
import { raised } from "./raised.ts";

export type { Occurrence } from "./occurrence.ts";

/** Of every meaning of the catalogue, where it is met or why it is not. */
export const occurrences: Readonly<Record<Meaning, Occurrence>> = { ...raised, ...notRaised };
