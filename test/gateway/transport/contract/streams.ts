import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { MpiError } from "../../../../src/errors/index.ts";
import { rejectionOf } from "../../../grpc/refusals.ts";
import { abortOf, type ClientOf, type WayTraits } from "./way.ts";

export function streams(clientOf: ClientOf, traits: WayTraits): void {
  describe("streams", () => {
    test("of answers arrive in order, with headers and trailers", async () => {
      const client = await clientOf({
        async *repeat({ value }, context) {
          context.responseHeader.set("x-first", "1");
          for (let i = 0; i < 500; i += 1) yield { value: `${value}${i}` };
          context.responseTrailer.set("x-last", "9");
        },
      });
      const seen: string[] = [];
      const ends: (string | null)[] = [];
      const answers = client.repeat(
        { value: "a" },
        { onHeader: (h) => ends.push(h.get("x-first")), onTrailer: (t) => ends.push(t.get("x-last")) },
      );
      for await (const { value } of answers) seen.push(value);
      expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => `a${i}`));
      expect(ends).toEqual(["1", "9"]);
    });

    test("may be empty", async () => {
      const client = await clientOf({ async *repeat() {} });
      expect(await allOf(client.repeat({}))).toEqual([]);
    });

    test("that are refused midway keep what came before", async () => {
      const client = await clientOf({
        async *repeat() {
          yield { value: "one" };
          throw new MpiError("PATIENT_NOT_FOUND");
        },
      });
      const seen: string[] = [];
      const error = await rejectionOf(
        (async () => {
          for await (const { value } of client.repeat({})) seen.push(value);
        })(),
      );
      expect(seen).toEqual(["one"]);
      expect(error.code).toBe(Code.NotFound);
      expect(error.findDetails(ErrorDetailsSchema)[0]?.issues[0]?.code).toBe("MPI-021");
    });

    test("end for the service when the caller gives up", async () => {
      const ended = Promise.withResolvers<void>();
      const client = await clientOf({
        async *repeat(_, context) {
          try {
            yield { value: "one" };
            await abortOf(context);
            throw context.signal.reason;
          } finally {
            ended.resolve();
          }
        },
      });
      const controller = new AbortController();
      const error = await rejectionOf(
        (async () => {
          for await (const _ of client.repeat({}, { signal: controller.signal })) controller.abort();
        })(),
      );
      expect(error.code).toBe(Code.Canceled);
      await ended.promise;
    });

    test("of questions reach the service whole", async () => {
      const client = await clientOf({
        join: async (requests) => ({ value: (await allOf(requests)).join("") }),
      });
      expect((await client.join(texts("a", "b", "c"))).value).toBe("abc");
    });

    const bidirectionalTest = traits.bidirectional ? test : undefined;
    bidirectionalTest?.("go both ways at once", async () => {
      const client = await clientOf({
        async *talk(requests) {
          for await (const { value } of requests) yield { value: `${value}!` };
        },
      });
      expect(await allOf(client.talk(texts("a", "b")))).toEqual(["a!", "b!"]);
    });
  });
}

async function allOf(stream: AsyncIterable<{ value: string }>): Promise<string[]> {
  const values: string[] = [];
  for await (const { value } of stream) values.push(value);
  return values;
}

async function* texts(...values: string[]): AsyncGenerator<{ value: string }> {
  for (const value of values) yield { value };
}
