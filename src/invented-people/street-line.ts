const PART = "http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-";

/** The parts of a street address that FHIR has no elements for. */
export interface StreetParts {
  readonly streetName: string;
  readonly houseNumber: string;
  readonly additionalLocator?: string;
}

/** A line of an address with its parts in extensions on it. */
export function streetLine(parts: StreetParts) {
  const { streetName, houseNumber, additionalLocator } = parts;
  const text = `${streetName} ${houseNumber}${additionalLocator === undefined ? "" : `-${additionalLocator}`}`;
  const extension = Object.entries(parts).map(([name, value]: [string, string]) => ({
    url: PART + name,
    value: { case: "valueString" as const, value },
  }));
  return { text, line: [text], lineElement: [{ extension }] };
}
