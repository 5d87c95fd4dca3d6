/** The reasons for which a FHIR JSON body is refused, with the parameters of their texts. */
export interface FaultParameters {
  /** The text is no JSON, or its bytes are no UTF-8. */
  MALFORMED_JSON: Record<never, string>;
  /** Objects and arrays lie deeper in each other than `limit`. */
  TOO_DEEP: { readonly limit: string };
  /** An object names a property twice. */
  DUPLICATE_ELEMENT: { readonly element: string };
  /** The body is a resource of another type than `expected`, or of none; Resource stands for any type. */
  WRONG_RESOURCE_TYPE: { readonly expected: string };
  /** R5 knows no such element here. */
  UNKNOWN_ELEMENT: { readonly element: string };
  /** Another JSON type than `expected`: object, array, string, number or boolean; null is never right by itself. */
  WRONG_JSON_TYPE: { readonly expected: string };
  /** An empty object, array or string, which FHIR does not allow. */
  EMPTY: Record<never, string>;
  /** A required element is not there. */
  MISSING_ELEMENT: { readonly element: string };
  /** The value is none of the FHIR primitive `type`. */
  BAD_PRIMITIVE: { readonly type: string };
  /** More than one type of the choice `element` is given. */
  SEVERAL_CHOICES: { readonly element: string };
  /** The values of `element` and their ids and extensions (_element) are arrays of different lengths. */
  UNEQUAL_LENGTHS: { readonly element: string };
}

/** Why a body is refused: the key of a text that stands in for the message of MPI-096. */
export type FaultReason = keyof FaultParameters;

/** One thing that is wrong with a body, as plain data. */
export interface Fault {
  readonly reason: FaultReason;
  readonly parameters: Readonly<Record<string, string>>;
  /** FHIRPath of the element at fault, such as Patient.name[0].use; none when the body is no JSON. */
  readonly expression?: string;
}
