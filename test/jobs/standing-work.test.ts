import { expect, it } from "vitest";
import { defaultErrorSystems, MpiError } from "../../src/errors/index.ts";
import { standingRound } from "../../src/jobs/index.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");

type Noted = { readonly done: number; readonly problems: number };

/** Standing work whose state is stored, unless the database is away. */
function standing(away?: Error) {
  const noted: Noted[] = [];
  const noteRound = async (_type: unknown, done: number, { problems }: { problems: number }) => {
    if (away) throw away;
    noted.push({ done, problems });
  };
  return { noted, work: { store: { noteRound }, systems: defaultErrorSystems, now: () => NOW } };
}

it("a round that fails stores the problems that it found before, and fails for its own reason", async () => {
  const { noted, work } = standing();
  const failure = new Error("the register hung up");
  const round = standingRound(work, "deliver-notifications", async (problem) => {
    problem(new MpiError("WM_NOTIFICATION_FAILED"));
    throw failure;
  });
  await expect(round).rejects.toBe(failure);
  expect(noted).toEqual([{ done: 0, problems: 1 }]);
});

it("the reason of a round stays the first when its problems cannot be stored either", async () => {
  const away = new Error("the database is away");
  const { work } = standing(away);
  const failure = new Error("the register hung up");
  const round = standingRound(work, "deliver-notifications", async (problem) => {
    problem(new MpiError("WM_NOTIFICATION_FAILED"));
    throw failure;
  });
  await expect(round).rejects.toMatchObject({ cause: failure, errors: [failure, away] });
});

it("a round that did nothing writes nothing; one that did something does, and fails when it cannot", async () => {
  const { noted, work } = standing();
  await standingRound(work, "purge-cache", async () => 0);
  expect(noted).toEqual([]);
  await standingRound(work, "purge-cache", async () => 3);
  expect(noted).toEqual([{ done: 3, problems: 0 }]);
  const away = new Error("the database is away");
  await expect(standingRound(standing(away).work, "purge-cache", async () => 3)).rejects.toBe(away);
});
