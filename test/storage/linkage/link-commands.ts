import fc from "fast-check";
import { expect } from "vitest";
import { LinkModel } from "../../linkage/link-model.ts";
import { expectAgreement, foundBy, notifications } from "./agreement.ts";
import { type LinkageUnderTest, linksOf } from "./linked-patients.ts";

type LinkCommand = fc.AsyncCommand<LinkModel, LinkageUnderTest>;

/** Any act on any two of the patients; the places are taken round what there is. */
function command(
  name: string,
  run: (model: LinkModel, opened: LinkageUnderTest) => Promise<void>,
  check: (model: LinkModel) => boolean = (model) => model.patients.length > 0,
): LinkCommand {
  return { check, run, toString: () => name };
}

function create(isUnknown: boolean): LinkCommand {
  const run = async (model: LinkModel, opened: LinkageUnderTest) => {
    model.add(await opened.add([isUnknown ? "est/mrt" : "fin/ni"]), isUnknown);
  };
  return command(isUnknown ? "create unknown" : "create", run, () => true);
}

function link(one: number, other: number): LinkCommand {
  return command(`link ${one} to ${other}`, async (model, opened) => {
    const [source, target] = [at(model, one), at(model, other)];
    const attempt = opened.link(source, target);
    if (model.link(source, target)) expect(linksOf(await attempt)).toEqual(model.linksOf(target));
    else await expect(attempt).rejects.toMatchObject({ name: "MpiError" });
  });
}

function unlink(one: number, other: number): LinkCommand {
  return command(`unlink ${one} and ${other}`, async (model, opened) => {
    const [first, second] = [at(model, one), at(model, other)];
    const attempt = opened.unlink(first, second);
    const released = model.unlink(first, second);
    if (released === undefined) await expect(attempt).rejects.toMatchObject({ name: "MpiError" });
    else expect((await attempt).id).toBe(released);
  });
}

function undo(one: number, other: number): LinkCommand {
  return command(`link ${one} to ${other} and back`, async (model, opened) => {
    const [source, target] = [at(model, one), at(model, other)];
    const root = model.rootOf(target);
    const before = await opened.read(root);
    if (!model.link(source, target)) return;
    await opened.link(source, target);
    await opened.unlink(target, source);
    model.unlink(source, target);
    const after = await opened.read(root);
    expect({ ...after, meta: undefined, etag: "" }).toEqual({ ...before, meta: undefined, etag: "" });
  });
}

function search(one: number): LinkCommand {
  return command(`search for ${one}`, async (model, opened) => {
    const id = at(model, one);
    expect(await foundBy(opened, id)).toEqual(model.groupOf(id).sort());
  });
}

function at(model: LinkModel, place: number): string {
  return model.patients[place % model.patients.length] ?? "";
}

/** Random acts, one after the other, on a database: after them it shows what the model says, and has told it all. */
export async function expectModelHolds(
  opened: LinkageUnderTest,
  runs: number,
  longest: number,
): Promise<void> {
  const place = fc.nat({ max: 11 });
  const commands = fc.commands(
    [
      fc.boolean().map((isUnknown) => create(isUnknown)),
      fc.constant(create(false)),
      fc.tuple(place, place).map(([one, other]) => link(one, other)),
      fc.tuple(place, place).map(([one, other]) => link(one, other)),
      fc.tuple(place, place).map(([one, other]) => unlink(one, other)),
      fc.tuple(place, place).map(([one, other]) => undo(one, other)),
      place.map(search),
    ],
    { maxCommands: longest, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const model = new LinkModel();
      await clear(opened);
      await fc.asyncModelRun(() => ({ model, real: opened }), sequence);
      await expectAgreement(opened, model);
      await expectTold(opened, model);
    }),
    { numRuns: runs },
  );
}

/** What the WM service was told leads to the same links. */
async function expectTold(opened: LinkageUnderTest, model: LinkModel): Promise<void> {
  const heard = new LinkModel();
  for (const id of model.patients) heard.add(id, false);
  for (const { kind, secondaryId, primaryId } of await notifications(opened)) {
    if (kind === "link") expect(heard.link(secondaryId, primaryId)).toBe(true);
    else expect(heard.unlink(secondaryId, primaryId)).toBe(secondaryId);
  }
  expect(heard.edges()).toEqual(model.edges());
}

async function clear({ database }: LinkageUnderTest): Promise<void> {
  await database.$executeRaw`TRUNCATE link, link_group, link_history, link_group_history, outbox,
    patient, patient_history, identifier, identifier_value`;
}
