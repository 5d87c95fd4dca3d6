import type { Topic } from "../rule.ts";
import { auditing } from "./auditing.ts";
import { bundling } from "./bundling.ts";
import { changing } from "./changing.ts";
import { creating } from "./creating.ts";
import { deleting } from "./deleting.ts";
import { describing } from "./describing.ts";
import { histories } from "./histories.ts";
import { keeping } from "./keeping.ts";
import { negotiating } from "./negotiating.ts";
import { paging } from "./paging.ts";
import { patching } from "./patching.ts";
import { reading } from "./reading.ts";
import { refusing } from "./refusing.ts";
import { searching } from "./searching.ts";
import { shaping } from "./shaping.ts";
import { timing } from "./timing.ts";
import { validating } from "./validating.ts";
import { xml } from "./xml.ts";

/** The checklist. */
export const topics: readonly Topic[] = [
  reading,
  creating,
  changing,
  deleting,
  histories,
  searching,
  paging,
  shaping,
  patching,
  bundling,
  validating,
  auditing,
  negotiating,
  xml,
  keeping,
  timing,
  refusing,
  describing,
];
