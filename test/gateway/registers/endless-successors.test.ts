import { expect, it } from "vitest";
import { startPopulationStandIn } from "../../registers/population-stand-in.ts";
import { startService } from "../../service.ts";
import { codesOf, send } from "../http-client.ts";
import { everybody, RR, UNKNOWN_CODE } from "./register-answers.ts";

const [old = "", successor = "", last = "", ...others] = everybody.map(({ personalCode }) => personalCode);

/** One after the other, more than anybody may have had. */
const many = [old, ...others.slice(0, 9)];

it.for<[string, Readonly<Record<string, string>>]>([
  ["itself", { [old]: old }],
  ["a circle", { [old]: successor, [successor]: last, [last]: old }],
  ["somebody whom it does not know", { [old]: UNKNOWN_CODE }],
  ["what is no personal code", { [old]: "12345678901" }],
  ["one after the other without end", Object.fromEntries(many.map((code, at) => [code, many[at + 1] ?? ""]))],
])(
  "a register that names %s as successor has said garbage (MPI-029, XRR100): nothing is stored",
  async ([, successors]) => {
    const standIn = await startPopulationStandIn(successors);
    const service = await startService({ rrUrl: standIn.url, authorCheck: false });
    try {
      const path = `${service.url}/fhir/Patient/$lookup?identifier=${old}`;
      const answer = await send(`${path}&source=${RR}`);
      expect([answer.status, codesOf(answer)]).toEqual([502, ["MPI-029", "XRR100"]]);
      expect((await send(path)).json.entry).toBeUndefined();
    } finally {
      await service.stop();
      await standIn.stop();
    }
  },
);
