import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { MpiError } from "../../../../src/errors/index.ts";
import { callContextOf } from "../../../../src/grpc/calls/call-context.ts";
import { fourHundredIssues, rejectionOf } from "../../../grpc/refusals.ts";
import type { ClientOf, WayTraits } from "./way.ts";

export function refusedCalls(clientOf: ClientOf, traits: WayTraits): void {
  describe("refused calls", () => {
    test("bring status, issues and reason", async () => {
      const client = await clientOf({
        say: () => {
          throw new MpiError("TELECOM_SYSTEM_UNKNOWN", {
            system: "carrier pigeon",
            allowed: "phone, email",
          });
        },
      });
      const error = await rejectionOf(client.say({}, { headers: { "accept-language": "en" } }));
      expect(error.code).toBe(Code.InvalidArgument);
      const [details] = error.findDetails(ErrorDetailsSchema);
      expect(details?.issues).toMatchObject([
        { code: "MPI-008", parameters: { system: "carrier pigeon", allowed: "phone, email" } },
      ]);
      expect(details?.issues[0]?.text).toContain("carrier pigeon");
      expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "TELECOM_SYSTEM_UNKNOWN" }]);
    });

    test("name the first of hundreds of issues and count the rest", async () => {
      const client = await clientOf({ say: () => Promise.reject(fourHundredIssues()) });
      const error = await rejectionOf(client.say({}));
      expect(error.code).toBe(Code.InvalidArgument);
      const [details] = error.findDetails(ErrorDetailsSchema);
      expect(details?.issues.length).toBeGreaterThanOrEqual(traits.issuesThatFit);
      expect((details?.issues.length ?? 0) + (details?.omittedIssues ?? 0)).toBe(400);
    });

    test("show nothing of an error that nobody expected", async () => {
      const client = await clientOf({ say: () => Promise.reject(new Error("person 38001085718")) });
      const error = await rejectionOf(client.say({}));
      expect(error.code).toBe(Code.Internal);
      expect(error.message).not.toContain("38001085718");
      const [details] = error.findDetails(ErrorDetailsSchema);
      expect(details?.issues.map((issue) => issue.code)).toEqual(["MPI-001"]);
      expect(JSON.stringify(details?.issues[0]?.parameters)).not.toContain("38001085718");
    });

    test("say so when the service lacks the method", async () => {
      const client = await clientOf({});
      expect((await rejectionOf(client.say({}))).code).toBe(Code.Unimplemented);
    });

    test("take version and language from the headers", async () => {
      const client = await clientOf({
        say: (_, context) => {
          const { version, language, requestId } = callContextOf(context);
          return { value: `${version} ${language} ${requestId}` };
        },
      });
      const headers = {
        "x-mpi-version": "1.1.1",
        "accept-language": "fr, en;q=0.8, et;q=0.2",
        "x-road-id": "Q1",
      };
      expect((await client.say({}, { headers })).value).toBe("1.1.1 en Q1");
      expect((await client.say({})).value).toMatch(/^1\.5\.0 et [0-9a-f-]{36}$/);
      const error = await rejectionOf(client.say({}, { headers: { "x-mpi-version": "7.0.0" } }));
      expect(error.code).toBe(Code.InvalidArgument);
      expect(error.findDetails(ErrorDetailsSchema)[0]?.issues[0]?.code).toBe("MPI-400");
    });
  });
}
