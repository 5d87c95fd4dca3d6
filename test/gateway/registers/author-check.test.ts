import { afterAll, beforeAll, describe, expect, it } from "vitest";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { doctor } from "../../callers.ts";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";

const [known, second] = file.people;

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService();
  control = sandboxControl(service.sandboxUrl);
});

afterAll(async () => {
  await service.stop();
});

function sentBy(personalCode = "", headers = {}): Promise<HttpAnswer> {
  const as = { ...doctor, personalCode };
  return send(`${service.url}/fhir/Patient/1`, { as, headers });
}

async function readBy(personalCode = "", headers = {}): Promise<{ status: number; codes: string[] }> {
  const answer = await sentBy(personalCode, headers);
  return { status: answer.status, codes: codesOf(answer) };
}

describe("the author of a request", () => {
  it.for([
    ["the anonymous code", "00000000000", 403, ["MPI-063"]],
    ["a code that is none", "37002010018", 403, ["MPI-066"]],
    ["the code of nobody in the register", "60001019906", 403, ["MPI-091", "XRR300", "10027"]],
  ] as const)("with %s is refused, and told by which header", async ([, personalCode, status, codes]) => {
    const answer = await sentBy(personalCode);
    expect([answer.status, codesOf(answer)]).toEqual([status, codes]);
    expect(answer.json.issue[0].expression).toEqual(["http.x-road-userid"]);
  });

  it("whom the register knows may go on, and is asked for once, even if nothing kept is wanted", async () => {
    await control.forgetCalls();
    for (let call = 0; call < 3; call++) {
      const answer = await readBy(known?.personalCode, { "cache-control": "no-cache" });
      expect(answer.codes).toEqual(["MPI-072"]);
    }
    expect(await control.count("rr/person")).toBe(1);
  });

  it("who was found before goes on while the register is away, another one is told of it", async () => {
    await control.fail({ register: "rr", code: "10900" });
    expect((await readBy(known?.personalCode)).codes).toEqual(["MPI-072"]);
    const answer = await readBy(second?.personalCode);
    expect(answer).toEqual({ status: 502, codes: ["MPI-029", "XRR200", "10900"] });
    await control.heal();
  });
});
