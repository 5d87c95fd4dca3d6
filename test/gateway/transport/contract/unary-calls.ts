import { setTimeout as sleep } from "node:timers/promises";
import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import type { Echo } from "../../../grpc/echo-service.ts";
import { rejectionOf } from "../../../grpc/refusals.ts";
import { abortOf, type ClientOf } from "./way.ts";

export function unaryCalls(clientOf: ClientOf): void {
  describe("unary calls", () => {
    test("carry a message there and back", async () => {
      const client = await clientOf({ say: ({ value }) => ({ value: `${value}, ${value}!` }) });
      expect((await client.say({ value: "tere õhtust 🌙" })).value).toBe("tere õhtust 🌙, tere õhtust 🌙!");
    });

    test("carry a message of two megabytes", async () => {
      const client = await clientOf({ say: (request) => request });
      const value = "õ".repeat(1_000_000);
      expect((await client.say({ value })).value).toBe(value);
    });

    test("carry headers in, headers and trailers out", async () => {
      const client = await clientOf({
        say: (_, context) => {
          context.responseHeader.set("x-first", "1");
          context.responseTrailer.set("x-last", "9");
          return { value: context.requestHeader.get("x-road-id") ?? "" };
        },
      });
      let header: Headers | undefined;
      let trailer: Headers | undefined;
      const answer = await client.say(
        {},
        {
          headers: { "x-road-id": "ID-7" },
          onHeader: (headers) => {
            header = headers;
          },
          onTrailer: (headers) => {
            trailer = headers;
          },
        },
      );
      expect(answer.value).toBe("ID-7");
      expect(header?.get("x-first")).toBe("1");
      expect(trailer?.get("x-last")).toBe("9");
    });

    test("tell the service how much time is left", async () => {
      const client = await clientOf({ say: (_, context) => ({ value: String(context.timeoutMs()) }) });
      const left = Number((await client.say({}, { timeoutMs: 60_000 })).value);
      expect(left).toBeGreaterThan(30_000);
      expect(left).toBeLessThanOrEqual(60_000);
      expect((await client.say({})).value).toBe("undefined");
    });

    test("end at their deadline, also when the service does not heed it", async () => {
      const client = await clientOf({
        say: async () => {
          await sleep(600_000, undefined, { ref: false });
          return {};
        },
      });
      const error = await rejectionOf(client.say({}, { timeoutMs: 100 }));
      expect(error.code).toBe(Code.DeadlineExceeded);
    });

    test("abort the signal of the service at the deadline", async () => {
      const service = waiting();
      const client = await clientOf(service.impl);
      await rejectionOf(client.say({}, { timeoutMs: 1_000 }));
      expect((await service.aborted).aborted).toBe(true);
    });

    test("abort the signal of the service when the caller gives up", async () => {
      const service = waiting();
      const client = await clientOf(service.impl);
      const controller = new AbortController();
      const call = rejectionOf(client.say({}, { signal: controller.signal }));
      await service.started;
      controller.abort();
      expect((await call).code).toBe(Code.Canceled);
      expect((await service.aborted).aborted).toBe(true);
    });
  });
}

/** A service that answers only by being told to stop. */
function waiting() {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<AbortSignal>();
  const impl: Echo = {
    say: async (_, context) => {
      started.resolve();
      await abortOf(context);
      aborted.resolve(context.signal);
      throw context.signal.reason;
    },
  };
  return { impl, started: started.promise, aborted: aborted.promise };
}
