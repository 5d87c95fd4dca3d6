/** An element as it is read by names that are known to be there or not. */
export type Node = Readonly<Record<string, unknown>>;

/** An invariant of R5 by its key, and whether an element holds to it. */
export type Invariant = readonly [key: string, holds: (element: Node) => boolean];

const UCUM = "http://unitsofmeasure.org";
/** Of meals, which have no time before or after them. */
const DURING_MEALS: ReadonlySet<unknown> = new Set(["C", "CM", "CD", "CV"]);
const VARIABLE = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * The invariants of severity error that hold of one element by itself, by its type (definitions of R5 5.0.0, `constraint`).
 * A test names those of R5 that are not here, and why.
 */
export const invariantsOfTypes: Readonly<Record<string, readonly Invariant[]>> = {
  Age: [
    ["age-1", (age) => hasUnit(age) && isInUcum(age) && isAboveZero(age)],
    ["qty-3", hasSystemOfCode],
  ],
  Attachment: [["att-1", (attachment) => !has(attachment, "data") || has(attachment, "contentType")]],
  "Availability.AvailableTime": [
    ["av-1", (time) => time["allDay"] !== true || !hasAny(time, "availableStartTime", "availableEndTime")],
  ],
  ContactPoint: [["cpt-2", (point) => !has(point, "value") || has(point, "system")]],
  Count: [
    ["cnt-3", (count) => hasUnit(count) && isInUcum(count) && isOne(count) && isWhole(count)],
    ["qty-3", hasSystemOfCode],
  ],
  "DataRequirement.CodeFilter": [["drq-1", hasOnePath]],
  "DataRequirement.DateFilter": [["drq-2", hasOnePath]],
  Distance: [
    ["dis-1", (distance) => hasUnit(distance) && isInUcum(distance)],
    ["qty-3", hasSystemOfCode],
  ],
  Dosage: [["dos-1", (dosage) => !has(dosage, "asNeededFor") || dosage["asNeeded"] !== false]],
  Duration: [
    [
      "drt-1",
      (duration) => !has(duration, "code") || (duration["system"] === UCUM && has(duration, "value")),
    ],
    ["qty-3", hasSystemOfCode],
  ],
  Expression: [
    ["exp-1", (expression) => hasAny(expression, "expression", "reference")],
    ["exp-2", ({ name }) => typeof name !== "string" || VARIABLE.test(name)],
  ],
  Observation: [
    ["obs-8", (observation) => !has(observation, "bodySite") || !has(observation, "bodyStructure")],
  ],
  "Observation.ReferenceRange": [["obs-3", (range) => hasAny(range, "low", "high", "text")]],
  Quantity: [["qty-3", hasSystemOfCode]],
  Range: [["rng-2", ({ low, high }) => isInOrder(low as Node | undefined, high as Node | undefined)]],
  Ratio: [
    [
      "rat-1",
      (ratio) =>
        has(ratio, "numerator")
          ? has(ratio, "denominator")
          : !has(ratio, "denominator") && has(ratio, "extension"),
    ],
  ],
  RatioRange: [
    [
      "ratrng-1",
      (range) =>
        hasAny(range, "lowNumerator", "highNumerator")
          ? has(range, "denominator")
          : !has(range, "denominator") && has(range, "extension"),
    ],
  ],
  // A reference of nothing at all is an empty element, which the structure does not let pass.
  Reference: [
    [
      "ref-2",
      (reference) =>
        !has(reference, "type") || hasAny(reference, "reference", "identifier", "display", "extension"),
    ],
  ],
  SampledData: [["sdd-1", (data) => has(data, "interval") !== has(data, "offsets")]],
  "Timing.Repeat": [
    ["tim-1", needs("duration", "durationUnit")],
    ["tim-2", needs("period", "periodUnit")],
    ["tim-4", ({ duration }) => !isNegative(duration)],
    ["tim-5", ({ period }) => !isNegative(period)],
    ["tim-6", needs("periodMax", "period")],
    ["tim-7", needs("durationMax", "duration")],
    ["tim-8", needs("countMax", "count")],
    ["tim-9", (repeat) => !has(repeat, "offset") || isAroundMeals(repeat["when"])],
    ["tim-10", (repeat) => !has(repeat, "timeOfDay") || !has(repeat, "when")],
  ],
  TriggerDefinition: [
    ["trd-1", (trigger) => !has(trigger, "data") || !has(trigger, "timing")],
    ["trd-2", needs("condition", "data")],
    ["trd-3", hasWhatItsTypeNeeds],
  ],
};

/** Those of every contained resource: it has no version of its own, and no label of its own. */
export const invariantsOfContained: readonly Invariant[] = [
  ["dom-4", ({ meta }) => !isNode(meta) || !hasAny(meta, "versionId", "lastUpdated")],
  ["dom-5", ({ meta }) => !isNode(meta) || !has(meta, "security")],
];

/** Whether there is such an element: a primitive is there with extensions alone, too. */
function has(element: Node, name: string): boolean {
  return isThere(element[name]) || isThere(element[`${name}Element`]);
}

function hasAny(element: Node, ...names: readonly string[]): boolean {
  return names.some((name) => has(element, name));
}

function isThere(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isNode(value) && "case" in value) return value["case"] !== undefined;
  return value !== undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function needs(name: string, other: string): (element: Node) => boolean {
  return (element) => !has(element, name) || has(element, other);
}

function hasSystemOfCode(quantity: Node): boolean {
  return !has(quantity, "code") || has(quantity, "system");
}

function hasUnit(quantity: Node): boolean {
  return has(quantity, "code") || !has(quantity, "value");
}

function isInUcum({ system }: Node): boolean {
  return system === undefined || system === UCUM;
}

function isOne({ code }: Node): boolean {
  return code === undefined || code === "1";
}

/** A value of which only is said why it is missing is none to compare. */
function isAboveZero({ value }: Node): boolean {
  return value === undefined || Number(value) > 0;
}

function isWhole({ value }: Node): boolean {
  return typeof value !== "string" || !value.includes(".");
}

function hasOnePath(filter: Node): boolean {
  return has(filter, "path") !== has(filter, "searchParam");
}

function isNegative(decimal: unknown): boolean {
  return Number(decimal ?? 0) < 0;
}

function isAroundMeals(when: unknown): boolean {
  return Array.isArray(when) && when.length > 0 && !when.some((one) => DURING_MEALS.has(one));
}

function hasWhatItsTypeNeeds(trigger: Node): boolean {
  const { type } = trigger;
  if (type === "named-event") return has(trigger, "name");
  if (type === "periodic") return has(trigger, "timing");
  return typeof type !== "string" || !type.startsWith("data-") || has(trigger, "data");
}

/** Quantities of different units are in no order; a decimal means all that is rounded to it. */
function isInOrder(low: Node | undefined, high: Node | undefined): boolean {
  const [least, most] = [low?.["value"], high?.["value"]];
  if (typeof least !== "string" || typeof most !== "string") return true;
  if (low?.["system"] !== high?.["system"] || low?.["code"] !== high?.["code"]) return true;
  return Number(least) - roundingOf(least) <= Number(most) + roundingOf(most);
}

function roundingOf(decimal: string): number {
  const [, fraction = ""] = /\.(\d*)/.exec(decimal) ?? [];
  return 0.5 * 10 ** -fraction.length;
}
