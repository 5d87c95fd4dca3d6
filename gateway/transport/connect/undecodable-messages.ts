import {
  create,
  type DescMessage,
  fromBinary,
  fromJsonString,
  type JsonReadOptions,
  type Message,
  toJsonString,
} from "@bufbuild/protobuf";
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
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import {
  acceptedLanguage,
  catalogueVersions,
  type ErrorSystems,
  type Language,
  MpiError,
  type Presentation,
  renderError,
} from "../../../src/errors/index.ts";

/** What came of the bytes of a message. */
type Decoded = { readonly message: Message } | { readonly type: DescMessage; readonly cause: unknown };

const DECODED = createContextKey<Decoded | undefined>(undefined);

/** In which words those are refused who name no others. */
export interface Wording {
  readonly defaultLanguage: Language;
  readonly errorSystems: ErrorSystems;
}

/** Hands on what `decodingFirst` has decoded; refuses what it could not, in the words of the caller and the form of the protocol. */
export function handOnDecoded(wording: Wording): Interceptor {
  return (next) => (request) => {
    const decoded = request.contextValues.get(DECODED);
    if (decoded === undefined) return next(request);
    if (!("message" in decoded)) throw refusal(decoded, presentationFor(request.header, wording));
    const { message } = decoded;
    return next(
      request.stream ? { ...request, message: createAsyncIterable([message]) } : { ...request, message },
    );
  };
}

function presentationFor(header: Headers, { defaultLanguage, errorSystems }: Wording): Presentation {
  const named = header.get("x-mpi-version");
  return {
    version: catalogueVersions.find((version) => version === named) ?? catalogueVersions[0],
    language: acceptedLanguage(header.get("accept-language"), defaultLanguage),
    systems: errorSystems,
  };
}

function refusal(
  { type, cause }: Extract<Decoded, { cause: unknown }>,
  presentation: Presentation,
): ConnectError {
  const error = new MpiError("MESSAGE_UNDECODABLE", { type: type.typeName }, { cause });
  const { message, details, info } = renderError(error, presentation, Number.POSITIVE_INFINITY);
  const outgoing = [
    { desc: ErrorDetailsSchema, value: details },
    { desc: ErrorInfoSchema, value: info },
  ];
  // Which key of the JSON it was, to whoever sent it.
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new ConnectError(`${message}${why}`, Code.InvalidArgument, undefined, outgoing, error);
}

/** How messages are read. */
interface Reading {
  readonly readMaxBytes: number;
  readonly jsonOptions: Partial<JsonReadOptions> & { readonly textDecoder: TextDecoder };
}

/** How the messages of a type come, and an empty one in each form. */
interface Form {
  readonly decode: (bytes: Uint8Array) => Message;
  readonly empty: Uint8Array;
}

type Forms = Readonly<Record<"json" | "proto", Form>>;

function formsOf(type: DescMessage, options: Reading["jsonOptions"]): Forms {
  return {
    json: {
      decode: (bytes) => fromJsonString(type, options.textDecoder.decode(bytes), options),
      empty: Buffer.from(toJsonString(type, create(type))),
    },
    proto: { decode: (bytes) => fromBinary(type, bytes), empty: new Uint8Array() },
  };
}

/**
 * The handler, which gets an empty message in place of each one, for `handOnDecoded`: by itself Connect takes bytes that
 * are none for its own failure (INTERNAL, 500), bad base64 in an address too, and refuses JSON without details.
 */
export function decodingFirst(
  handler: UniversalHandler,
  { readMaxBytes, jsonOptions }: Reading,
): UniversalHandler {
  const { methodKind, input } = handler.method;
  if (methodKind !== "unary" && methodKind !== "server_streaming") return handler;
  const forms = formsOf(input, jsonOptions);
  const decoded = async (request: UniversalServerRequest) =>
    handler(
      request.method === "GET"
        ? decodedAddress(request, input, forms)
        : await decodedBody(request, input, forms, readMaxBytes),
    );
  return Object.assign(decoded, handler);
}

function decodedAddress(
  request: UniversalServerRequest,
  type: DescMessage,
  forms: Forms,
): UniversalServerRequest {
  const url = new URL(request.url);
  const { searchParams } = url;
  const encoding = searchParams.get("encoding");
  if ((encoding !== "proto" && encoding !== "json") || isCompressed(searchParams.get("compression"))) {
    return request;
  }
  const form = forms[encoding];
  const message = searchParams.get("message") ?? "";
  const isBase64 = searchParams.get("base64") === "1";
  const decoded = decodedBy(type, () => form.decode(isBase64 ? base64Decode(message) : Buffer.from(message)));
  searchParams.delete("base64");
  searchParams.set("message", Buffer.from(form.empty).toString());
  return { ...request, url: url.href, contextValues: withDecoded(request, decoded) };
}

/** Content types of messages; those of streams and of gRPC-Web have a head of five bytes before each message. */
const CONTENT_TYPE = /^application\/(?:(connect\+|grpc-web\+)?(json|proto)|(grpc-web))\s*(?:;|$)/i;
const HEAD = 5;

async function decodedBody(
  request: UniversalServerRequest,
  type: DescMessage,
  forms: Forms,
  maxBytes: number,
): Promise<UniversalServerRequest> {
  const match = CONTENT_TYPE.exec(request.header.get("content-type") ?? "");
  if (!match || !isStream(request.body) || isCompressed(request.header.get("content-encoding")))
    return request;
  const [, stream, name = "proto", web] = match;
  const form = forms[name.toLowerCase() === "json" ? "json" : "proto"];
  const hasHead = stream !== undefined || web !== undefined;
  let bytes: Uint8Array;
  try {
    const most = maxBytes + (hasHead ? HEAD : 0);
    bytes = await readAllBytes(request.body, most, request.header.get("content-length"));
  } catch (error) {
    return { ...request, body: failing(error) };
  }
  const message = hasHead ? soleMessage(bytes) : bytes;
  if (message === undefined) return { ...request, body: createAsyncIterable([bytes]) };
  const decoded = decodedBy(type, () => form.decode(message));
  const header = new Headers(request.header);
  header.delete("content-length");
  const body = createAsyncIterable([hasHead ? withHead(form.empty) : form.empty]);
  return { ...request, header, body, contextValues: withDecoded(request, decoded) };
}

/** Undefined where the bytes are anything but one uncompressed message behind its head: Connect says what is wrong. */
function soleMessage(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < HEAD || bytes[0] !== 0) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  return length === bytes.length - HEAD ? bytes.subarray(HEAD) : undefined;
}

function withHead(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, HEAD);
  return bytes;
}

/** Connect takes no compression here, and says so. */
function isCompressed(encoding: string | null): boolean {
  return encoding !== null && encoding !== "" && encoding !== "identity";
}

function decodedBy(type: DescMessage, decode: () => Message): Decoded {
  try {
    return { message: decode() };
  } catch (cause) {
    return { type, cause };
  }
}

function withDecoded({ contextValues = createContextValues() }: UniversalServerRequest, decoded: Decoded) {
  return contextValues.set(DECODED, decoded);
}

function isStream(body: UniversalServerRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function failing(error: unknown): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
