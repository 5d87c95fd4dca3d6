import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A span as a collector gets it. */
export interface TakenSpan {
  /** Of the process that told it. */
  readonly service: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
}

type Field = number | bigint | Uint8Array;
type Fields = ReadonlyMap<number, readonly Field[]>;

const KINDS = { 1: "internal", 2: "server", 3: "client" } as const;
const ERROR = 2;

/** The spans of an ExportTraceServiceRequest of OTLP (opentelemetry/proto/trace/v1/trace.proto, numbers of fields by it). */
export function spansOf(request: Uint8Array): TakenSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const [resource = new Map()] = messages(ofResource, 1);
    const service = String(attributesOf(resource, 1)["service.name"]);
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).map((span) => ({ service, ...spanOf(span) })),
    );
  });
}

function spanOf(span: Fields): Omit<TakenSpan, "service"> {
  const [status = new Map()] = messages(span, 15);
  return {
    name: text(span, 5),
    kind: KINDS[Number(span.get(6)?.[0]) as keyof typeof KINDS],
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentId: hex(span, 4),
    attributes: attributesOf(span, 9),
    isError: Number(status.get(3)?.[0] ?? 0) === ERROR,
  };
}

function attributesOf(message: Fields, number: number): Record<string, string | number> {
  const pairs = messages(message, number).map((pair) => {
    const [value = new Map()] = messages(pair, 2);
    const integer = value.get(3)?.[0];
    return [text(pair, 1), integer === undefined ? text(value, 1) : Number(integer)] as const;
  });
  return Object.fromEntries(pairs);
}

function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Map<number, Field[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    fields.set(number, [...(fields.get(number) ?? []), field(reader, type)]);
  }
  return fields;
}

function field(reader: BinaryReader, type: WireType): Field {
  switch (type) {
    case WireType.Varint:
      return BigInt(reader.int64());
    case WireType.Bit64:
      return BigInt(reader.fixed64());
    case WireType.Bit32:
      return reader.fixed32();
    default:
      return reader.bytes();
  }
}

function messages(message: Fields, number: number): Fields[] {
  return (message.get(number) ?? []).map((bytes) => fieldsOf(bytes as Uint8Array));
}

function text(message: Fields, number: number): string {
  return Buffer.from((message.get(number)?.[0] as Uint8Array | undefined) ?? []).toString("utf8");
}

function hex(message: Fields, number: number): string {
  return Buffer.from((message.get(number)?.[0] as Uint8Array | undefined) ?? []).toString("hex");
}
