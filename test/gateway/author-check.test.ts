import { afterAll, beforeAll, describe, expect, it } from "vitest";
import file from "../../src/sandbox/people.json" with { type: "json" };
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { send } from "./http-client.ts";

const [known, second] = file.people;

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService({ authorCheck: true });
  control = sandboxControl(service.sandboxUrl);
});

afterAll(async () => {
  await service.stop();
});

async function readBy(headers: Record<string, string>): Promise<{ status: number; codes: string[] }> {
  const { status, json } = await send(`${service.url}/fhir/Patient/1`, { headers });
  const codes = json.issue.map(
    (issue: { details: { coding: { code: string }[] } }) => issue.details.coding[0]?.code,
  );
  return { status, codes };
}

describe("where authors are checked", () => {
  it.for([
    [{ "x-road-userid": "EE00000000000" }, 403, ["MPI-063"]],
    [{ "x-road-userid": "EE37002010018" }, 403, ["MPI-066"]],
    [{ "x-road-userid": "EE60001019906" }, 403, ["MPI-091", "XRR300", "10027"]],
  ] as const)("%o is refused", async ([headers, status, codes]) => {
    expect(await readBy(headers)).toEqual({ status, codes });
  });

  it("an author whom the register knows may go on, and is asked for once", async () => {
    await control.forgetCalls();
    for (let call = 0; call < 3; call++) {
      expect((await readBy({ "x-road-userid": `EE${known?.personalCode}` })).codes).toEqual(["MPI-072"]);
    }
    expect(await control.count("rr/person")).toBe(1);
  });

  it("a register that fails is said to", async () => {
    await control.fail({ register: "rr", code: "10900" });
    const answer = await readBy({ "x-author-id": second?.personalCode ?? "" });
    expect(answer).toEqual({ status: 502, codes: ["MPI-029", "XRR200", "10900"] });
  });
});
