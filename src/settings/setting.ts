/** How a setting is read from its environment variable. */
export interface Setting<Value> {
  readonly name: string;
  /** Value of a text; throws with a reason when the text is none. */
  readonly parse: (text: string) => Value;
  readonly fallback: Value;
  /** The default as the docs show it, where it is not the fallback itself. */
  readonly shownDefault?: string;
  readonly meaning: string;
}

export function setting<Value>(
  name: string,
  parse: (text: string) => Value,
  fallback: NoInfer<Value>,
  meaning: string,
  shownDefault?: string,
): Setting<Value> {
  return { name, parse, fallback, meaning, ...(shownDefault !== undefined && { shownDefault }) };
}

export function text(given: string): string {
  return given;
}

export function url(given: string): string {
  if (!URL.canParse(given) || !/^https?:\/\//.test(given)) throw new Error("must be an http or https URL");
  const { username, password } = new URL(given);
  // fetch would take none with them, and say so at every call. Links made of it would tell them.
  if (username !== "" || password !== "") throw new Error("must have no user and no password");
  return given;
}

/** A URL that paths are put behind, in ASCII: a header such as Location does not take every other character. */
export function baseUrl(given: string): string {
  const address = new URL(url(given));
  if (address.search !== "" || address.hash !== "") throw new Error("must have neither query nor fragment");
  // An empty query too.
  address.search = "";
  address.hash = "";
  return address.href.replace(/\/+$/, "");
}

/** Where OTLP over HTTP goes to: the path that it usually has, unless there is one. */
export function collectorUrl(given: string): string {
  const address = new URL(baseUrl(given));
  return address.pathname === "/" ? new URL("/v1/traces", address).href : given;
}

const HOST_AND_PORT = String.raw`(?:[\w.-]+|\[[\da-fA-F:.]+(?:%\w+)?\]):\d{1,5}`;
const GRPC_ADDRESS = new RegExp(
  String.raw`^(?:(?:dns:(?://[\w.:[\]-]*/)?|ipv4:|ipv6:)?${HOST_AND_PORT}|unix:[\w./%-]+)$`,
);

/** What a gRPC client takes as a target, such as `core:50051` or `dns:///core:50051`. */
export function grpcAddress(given: string): string {
  // Without a port it would be that of HTTPS, which no core has.
  if (!GRPC_ADDRESS.test(given)) throw new Error("must be a gRPC address with its port, such as core:50051");
  return given;
}

export function databaseUrl(given: string): string {
  // The value itself may hold a password: it is not repeated.
  if (!/^postgres(ql)?:\/\//.test(given) || !URL.canParse(given) || new URL(given).hostname.includes(",")) {
    throw new Error("must be a URL of one host, such as postgres://user:password@host/mpi");
  }
  return given;
}

export function flag(given: string): boolean {
  if (given === "on" || given === "true") return true;
  if (given === "off" || given === "false") return false;
  throw new Error("must be on or off");
}

export function port(given: string): number {
  return integer(0, 65_535)(given);
}

export function integer(least: number, most: number): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < least || value > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

/** A part of all, as a decimal fraction. */
export function share(given: string): number {
  const value = Number(given);
  if (!/^\d*\.?\d+$/.test(given) || value > 1) throw new Error("must be a number from 0 to 1, such as 0.1");
  return value;
}

export function oneOf<const Value extends string>(values: readonly Value[]): (given: string) => Value {
  return (given) => {
    const value = values.find((one) => one === given);
    if (value === undefined) throw new Error(`must be one of ${values.join(", ")}`);
    return value;
  };
}

/** Some of them, at least one, separated by commas or spaces. */
export function someOf<const Value extends string>(values: readonly Value[]): (given: string) => Value[] {
  const one = oneOf(values);
  return (given) => {
    const names = given.split(/[\s,]+/).filter((name) => name !== "");
    if (names.length === 0) throw new Error(`must be some of ${values.join(", ")}`);
    return names.map(one);
  };
}

/** Origins of web pages, separated by commas or spaces; `*` is any. */
export function origins(given: string): readonly string[] {
  const all = given.split(/[\s,]+/).filter((one) => one !== "");
  const wrong = all.find((one) => one !== "*" && !isOrigin(one));
  if (wrong !== undefined) throw new Error("must be origins such as https://portal.example.ee, or *");
  return all;
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export function optional<Value>(parse: (given: string) => Value): (given: string) => Value | undefined {
  return parse;
}
