/**
 * The pattern of a path below a base, with a group for each part that varies. Ids begin with neither $ nor _: those
 * are the names of operations and of FHIR's own paths. Between two slashes an id may be missing, which is said of it then.
 */
export function pathPattern(base: string, path: string): RegExp {
  const steps = path
    .split("/")
    .map((step) => (step.startsWith(":") ? `(?<${step.slice(1)}>[^/$_][^/]*|(?=/))` : RegExp.escape(step)));
  return new RegExp(`^${base}${steps.join("/")}/?$`);
}

/** A path with its dollar signs as they are: some clients percent-encode those of operations. */
export function withDollarSigns(path: string): string {
  return path.replaceAll("%24", "$");
}

/** A request as FHIR writes it, such as DELETE Patient/{id}: the ids of a request are nobody's to read. */
export function requestName(method: string, path: string): string {
  return `${method} ${path.replace(/^\//, "").replace(/:(\w+)/g, "{$1}") || "/"}`;
}
