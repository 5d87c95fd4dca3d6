import { expect, it } from "vitest";
import { type Stops, stoppable } from "../../src/lifecycle/stoppable.ts";

/** Puts three things there to be stopped, of which the second fails to; their names as they are stopped. */
function three(stops: Stops): string[] {
  const stopped: string[] = [];
  for (const name of ["database", "jobs", "server"]) {
    stops.push(async () => {
      stopped.push(name);
      if (name === "jobs") throw new Error("The jobs hang.");
    });
  }
  return stopped;
}

it("one that cannot be stopped keeps nothing else from it, and is told of", async () => {
  const service = await stoppable(async (stops) => ({ stopped: three(stops) }));
  await expect(service.stop()).rejects.toThrow("The jobs hang.");
  expect(service.stopped).toEqual(["server", "jobs", "database"]);
});

it("a start that fails says why, whatever cannot be stopped again", async () => {
  const failure = new Error("The port is taken.");
  let stopped: string[] = [];
  const start = stoppable(async (stops) => {
    stopped = three(stops);
    throw failure;
  });
  await expect(start).rejects.toMatchObject({
    cause: failure,
    errors: [failure, new Error("The jobs hang.")],
  });
  expect(stopped).toEqual(["server", "jobs", "database"]);
});

it("of several that cannot be stopped each is told", async () => {
  const service = await stoppable(async (stops) => {
    for (const name of ["one", "other"]) stops.push(() => Promise.reject(new Error(name)));
    return {};
  });
  await expect(service.stop()).rejects.toMatchObject({ errors: [new Error("other"), new Error("one")] });
});
