import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import {
  createAsyncIterable,
  readAllBytes,
  type UniversalHandler,
  type UniversalServerRequest,
} from "@connectrpc/connect/protocol";

/** Why a call is refused whose message could not be decoded. */
const UNDECODABLE = createContextKey<ConnectError | undefined>(undefined);

/** Refuses what `decodingFirst` could not decode, in the words of the protocol that the client speaks. */
export const refuseUndecodable: Interceptor = (next) => (request) => {
  const refusal = request.contextValues.get(UNDECODABLE);
  if (refusal !== undefined) throw refusal;
  return next(request);
};

/**
 * The handler, which gets an empty message in place of bytes that are none, for `refuseUndecodable`: by itself Connect
 * takes them for its own failure (INTERNAL, 500), and bad base64 in an address too. JSON it refuses as it should.
 */
export function decodingFirst(handler: UniversalHandler, maxBytes: number): UniversalHandler {
  const { methodKind, input } = handler.method;
  if (methodKind !== "unary" && methodKind !== "server_streaming") return handler;
  const decoded = async (request: UniversalServerRequest) =>
    handler(
      request.method === "GET" ? decodedAddress(request, input) : await decodedBody(request, input, maxBytes),
    );
  return Object.assign(decoded, handler);
}

function decodedAddress(request: UniversalServerRequest, type: DescMessage): UniversalServerRequest {
  const url = new URL(request.url);
  const encoding = url.searchParams.get("encoding");
  const message = url.searchParams.get("message") ?? "";
  if (encoding !== "proto" && encoding !== "json") return request;
  const isBase64 = url.searchParams.get("base64") === "1";
  const refusal = refusalOf(
    () => {
      const bytes = isBase64 ? base64Decode(message) : Buffer.from(message);
      if (encoding === "proto") fromBinary(type, bytes);
    },
    `The message in the address is not ${isBase64 ? "base64 of " : ""}a ${type.typeName}.`,
  );
  if (refusal === undefined) return request;
  url.search = "?encoding=proto&message=";
  return { ...request, url: url.href, contextValues: refused(request, refusal) };
}

/** Content types of protobuf; those of streams and of gRPC-Web have a head of five bytes before each message. */
const BINARY = /^application\/(?:proto|(connect\+proto|grpc-web(?:\+proto)?))\s*(?:;|$)/i;
const HEAD = 5;

async function decodedBody(
  request: UniversalServerRequest,
  type: DescMessage,
  maxBytes: number,
): Promise<UniversalServerRequest> {
  const [isBinary, withHead] = BINARY.exec(request.header.get("content-type") ?? "") ?? [];
  if (isBinary === undefined || !isStream(request.body)) return request;
  const head = withHead === undefined ? 0 : HEAD;
  let bytes: Uint8Array;
  try {
    bytes = await readAllBytes(request.body, maxBytes + head, request.header.get("content-length"));
  } catch (error) {
    return { ...request, body: failing(error) };
  }
  const message = head === 0 ? bytes : soleMessage(bytes);
  const refusal =
    message &&
    refusalOf(
      () => fromBinary(type, message),
      `The bytes of the message are not a ${type.typeName} of protobuf.`,
    );
  if (refusal === undefined) return { ...request, body: createAsyncIterable([bytes]) };
  const header = new Headers(request.header);
  header.delete("content-length");
  const body = createAsyncIterable([new Uint8Array(head)]);
  return { ...request, header, body, contextValues: refused(request, refusal) };
}

/** Undefined where the bytes are anything but one uncompressed message behind its head: Connect says what is wrong. */
function soleMessage(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < HEAD || bytes[0] !== 0) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  return length === bytes.length - HEAD ? bytes.subarray(HEAD) : undefined;
}

function refusalOf(decode: () => void, message: string): ConnectError | undefined {
  try {
    decode();
    return undefined;
  } catch (cause) {
    return new ConnectError(message, Code.InvalidArgument, undefined, undefined, cause);
  }
}

function refused({ contextValues = createContextValues() }: UniversalServerRequest, refusal: ConnectError) {
  return contextValues.set(UNDECODABLE, refusal);
}

function isStream(body: UniversalServerRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function failing(error: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
