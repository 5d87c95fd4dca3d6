import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { connectRoutes } from "../../../gateway/transport/connect/connect-routes.ts";
import { defaultErrorSystems, MpiError, renderError, rpcStatusOf } from "../../../src/errors/index.ts";
import { intercept } from "../../../src/grpc/interceptors/index.ts";
import { echoSpec } from "../../grpc/echo-service.ts";

/** What any message that cannot be decoded is refused with. */
const UNDECODABLE = {
  code: "invalid_argument",
  details: [
    {
      type: "patientindex.v1.ErrorDetails",
      debug: {
        issues: [
          {
            code: "MPI-096",
            text: expect.stringContaining("The message cannot be decoded as google.protobuf.StringValue."),
          },
        ],
      },
    },
    { type: "google.rpc.ErrorInfo", debug: { reason: "MESSAGE_UNDECODABLE" } },
  ],
} as const;

const server = fastify();
const refusal = rpcStatusOf(
  renderError(new MpiError("PATIENT_NOT_FOUND"), {
    version: "1.5.0",
    language: "en",
    systems: defaultErrorSystems,
  }),
);
let url: string;

beforeAll(async () => {
  const echo = echoSpec({
    say: async ({ value }, { signal }) => {
      if (value === "nobody") throw new MpiError("PATIENT_NOT_FOUND");
      if (value === "slowly") await sleep(20, undefined, { signal });
      return { value };
    },
    async *repeat(text) {
      yield text;
    },
  });
  const patients = intercept(
    PatientService,
    {
      readPatient: () => ({ patient: { id: "7" } }),
      createPatients: () => ({ results: [{ result: { case: "refusal", value: refusal } }] }),
    },
    { interceptors: [], defaultLanguage: "en" },
  );
  await server.register(connectRoutes, {
    services: [echo, patients],
    maxRequestBytes: 100_000,
    defaultLanguage: "en",
    errorSystems: defaultErrorSystems,
  });
  server.post("/json", async (request) => ({ got: request.body }));
  url = await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

function enveloped(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return new Uint8Array(Buffer.concat([head, message]));
}

describe("the Connect routes", () => {
  test("answer a plain JSON request", async () => {
    const response = await post("/test.EchoService/Say", '"tere"');
    expect(response.status).toBe(200);
    expect(await response.json()).toBe("tere");
  });

  test("do not compress answers", async () => {
    const body = JSON.stringify("x".repeat(50_000));
    const response = await post("/test.EchoService/Say", body, { "accept-encoding": "gzip, br" });
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(body);
  });

  test("show a refusal with its issues as JSON", async () => {
    const response = await post("/test.EchoService/Say", '"nobody"', { "accept-language": "en" });
    expect(response.status).toBe(404);
    const error = (await response.json()) as { code: string; details: { type: string; debug: unknown }[] };
    expect(error.code).toBe("not_found");
    expect(error.details.map((detail) => detail.type)).toEqual([
      "patientindex.v1.ErrorDetails",
      "google.rpc.ErrorInfo",
    ]);
  });

  test("show as JSON what a part of a call is refused with", async () => {
    const response = await post("/patientindex.v1.PatientService/CreatePatients", "{}");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      results: [
        {
          refusal: { code: 5, details: [{ issues: [{ code: "MPI-021" }] }, { reason: "PATIENT_NOT_FOUND" }] },
        },
      ],
    });
  });

  test("refuse a request above the limit", async () => {
    const response = await post("/test.EchoService/Say", JSON.stringify("x".repeat(200_000)));
    expect(response.status).toBe(429);
    expect(((await response.json()) as { code: string }).code).toBe("resource_exhausted");
  });

  test.each([
    ["an element that a patient does not have", '{"patients": [{"telecoms": []}]}', "telecoms"],
    ["an option that the request does not have", '{"identityOnlyy": true}', "identityOnlyy"],
  ])("refuse JSON with %s, instead of losing it", async (_what, body, name) => {
    const response = await post("/patientindex.v1.PatientService/CreatePatients", body);
    expect(response.status).toBe(400);
    const error = (await response.json()) as { code: string; message: string };
    expect(error.code).toBe("invalid_argument");
    expect(error.message).toContain(`"${name}" is unknown`);
  });

  test("refuse JSON with a name that an enum does not have", async () => {
    const response = await post("/patientindex.v1.PatientService/ReadPatient", '{"id": "1", "write": "FOO"}');
    expect(response.status).toBe(400);
    expect(((await response.json()) as { code: string }).code).toBe("invalid_argument");
  });

  test("refuse JSON that is not UTF-8, instead of guessing at its letters", async () => {
    const refused = await post("/test.EchoService/Say", Buffer.from('"Mänd"', "latin1"));
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { code: string }).code).toBe("invalid_argument");
    expect(await (await post("/test.EchoService/Say", '"Mänd"')).json()).toBe("Mänd");
  });

  test("refuse bytes that are no message of protobuf as the fault of the client that they are", async () => {
    const response = await post("/test.EchoService/Say", new Uint8Array([0xff, 0xff]), {
      "content-type": "application/proto",
    });
    expect([response.status, await response.json()]).toMatchObject([400, UNDECODABLE]);
  });

  test.each([
    ["that is none", "{"],
    ["of another type", "5"],
    ["with letters that are not UTF-8", Buffer.from('"Mänd"', "latin1")],
  ])("refuse JSON %s with the details of any refusal", async (_what, body) => {
    const response = await post("/test.EchoService/Say", body);
    expect([response.status, await response.json()]).toMatchObject([400, UNDECODABLE]);
  });

  test("refuse it in the contract and the language of the caller", async () => {
    const texts = [{ "x-mpi-version": "1.1.1", "accept-language": "en" }, { "accept-language": "et" }].map(
      async (headers) => {
        const response = await post("/test.EchoService/Say", "{", headers);
        const { details } = (await response.json()) as {
          details: [{ debug: { issues: [{ text: string }] } }];
        };
        return details[0].debug.issues[0].text;
      },
    );
    expect(await Promise.all(texts)).toEqual([
      "General error of the FHIR server.",
      expect.stringContaining("Sõnumit ei saa dekodeerida kujul google.protobuf.StringValue."),
    ]);
  });

  test.each(["application/connect+json", "application/grpc-web+json"])(
    "read and refuse streams by %s",
    async (type) => {
      const asked = (text: string) =>
        post("/test.EchoService/Repeat", enveloped(Buffer.from(text)), { "content-type": type });
      expect(await (await asked('"tere"')).text()).toContain('"tere"');
      expect(await (await asked("{")).text()).toMatch(
        /grpc-status: 3\r\n|"code":"invalid_argument".*"details":/,
      );
    },
  );

  test("refuse compression, which they do not take, as what it is", async () => {
    const response = await post("/test.EchoService/Say", gzipSync('"tere"'), { "content-encoding": "gzip" });
    expect(await response.json()).toMatchObject({ code: "unimplemented" });
  });

  test.each(["application/grpc-web+proto", "application/connect+proto"])(
    "refuse such bytes in a stream by %s alike",
    async (type) => {
      const bytes = enveloped(new Uint8Array([0xff, 0xff]));
      const answer = await (await post("/test.EchoService/Repeat", bytes, { "content-type": type })).text();
      expect(answer).toMatch(/grpc-status: 3\r\n|"code":"invalid_argument"/);
    },
  );

  test("read messages of protobuf, empty ones too", async () => {
    const message = toBinary(StringValueSchema, create(StringValueSchema, { value: "tere" }));
    const plain = { "content-type": "application/proto" };
    for (const sent of [message, new Uint8Array()]) {
      const response = await post("/test.EchoService/Say", Buffer.from(sent), plain);
      expect([response.status, new Uint8Array(await response.arrayBuffer())]).toEqual([200, sent]);
    }
    const web = { "content-type": "application/grpc-web+proto" };
    const answer = await post("/test.EchoService/Say", enveloped(message), web);
    expect(await answer.text()).toContain("tere");
  });

  test("refuse a message of protobuf above the limit", async () => {
    const response = await post("/test.EchoService/Say", new Uint8Array(200_000), {
      "content-type": "application/proto",
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      429,
      "resource_exhausted",
    ]);
  });

  test.each([
    ["what is not base64", "encoding=json&base64=1&message=!!!"],
    ["base64 of bytes that are no message", "encoding=proto&base64=1&message=__8"],
    ["such bytes as they are", "encoding=proto&message=%C3%BF"],
  ])("refuse %s in the address of a GET", async (_what, query) => {
    const response = await fetch(`${url}/patientindex.v1.PatientService/ReadPatient?${query}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "invalid_argument", details: [{ debug: { issues: [{ code: "MPI-096" }] } }, {}] },
    ]);
  });

  test("read the message in the address of a GET", async () => {
    const message = Buffer.from('{"id": "1"}').toString("base64url");
    for (const query of [`encoding=json&base64=1&message=${message}`, "encoding=json&message=%7B%7D"]) {
      const response = await fetch(`${url}/patientindex.v1.PatientService/ReadPatient?${query}`);
      expect([response.status, await response.json()]).toEqual([200, { patient: { id: "7" } }]);
    }
  });

  test.each(["2147483648", "9999999999"])("wait for who has %s ms of time", async (time) => {
    const response = await post("/test.EchoService/Say", '"slowly"', { "connect-timeout-ms": time });
    expect([response.status, await response.text()]).toEqual([200, '"slowly"']);
  });

  test("refuse a time that is none", async () => {
    const response = await post("/test.EchoService/Say", '"tere"', { "connect-timeout-ms": "soon" });
    expect(response.status).toBe(400);
  });

  test("leave the JSON of other routes alone", async () => {
    expect(await (await post("/json", '{"a": 1}')).json()).toEqual({ got: { a: 1 } });
  });
});
