import { expect } from "vitest";
import { MpiError } from "../../../src/errors/index.ts";
import { LinkModel } from "../../linkage/link-model.ts";
import { expectAgreement, expectNoDeadlock, notifications } from "./agreement.ts";
import type { LinkageUnderTest } from "./linked-patients.ts";

/**
 * Clients link and unlink the same few patients at once. Whatever came in between, what was told follows from one
 * order in which each act is allowed, and that order leads to what is stored: nothing was lost, nothing done twice.
 */
export async function expectSerialisable(
  opened: LinkageUnderTest,
  clients: number,
  acts: number,
  patients: number,
): Promise<void> {
  const model = new LinkModel();
  while (model.patients.length < patients) model.add(await opened.add(), false);
  const done = await Promise.all(
    Array.from({ length: clients }, () => actAtRandom(opened, model.patients, acts)),
  );
  const told = await notifications(opened);
  for (const { kind, secondaryId, primaryId } of told) {
    if (kind === "link") expect(model.link(secondaryId, primaryId)).toBe(true);
    else expect(model.unlink(secondaryId, primaryId)).toBe(secondaryId);
  }
  expect(told).toHaveLength(done.reduce((sum, one) => sum + one, 0));
  await expectAgreement(opened, model);
  await expectNoDeadlock(opened);
}

/** Some acts of one client; answers with how many of them were not refused. */
async function actAtRandom(
  opened: LinkageUnderTest,
  patients: readonly string[],
  acts: number,
): Promise<number> {
  let done = 0;
  for (let act = 0; act < acts; act++) {
    const [one, other] = [anyOf(patients), anyOf(patients)];
    try {
      if (Math.random() < 0.6) await opened.link(one, other);
      else await opened.unlink(one, other);
      done++;
    } catch (error) {
      if (!(error instanceof MpiError)) throw error;
    }
  }
  return done;
}

function anyOf(patients: readonly string[]): string {
  return patients[Math.floor(Math.random() * patients.length)] ?? "";
}
