/** A FHIR R5 StructureDefinition of ours, as it is served. */
export interface StructureDefinition {
  readonly resourceType: "StructureDefinition" | (string & {});
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly name: string;
  readonly title?: string;
  readonly status: string;
  readonly experimental: boolean;
  readonly description: string;
  readonly fhirVersion: string;
  readonly kind: string;
  readonly abstract: boolean;
  readonly type: string;
  readonly baseDefinition: string;
  readonly derivation: string;
  readonly differential: { readonly element: readonly ElementDefinition[] };
}

/** What a profile says of an element, as far as ours say it. */
export interface ElementDefinition {
  readonly id: string;
  readonly path: string;
  readonly sliceName?: string;
  readonly slicing?: { readonly discriminator?: readonly object[]; readonly rules: string };
  readonly short?: string;
  readonly comment?: string;
  readonly min?: number;
  readonly max?: string;
  readonly type?: readonly { readonly code: string }[];
  readonly patternCode?: string;
  readonly patternString?: string;
  readonly patternCodeableConcept?: object;
  readonly constraint?: readonly ElementConstraint[];
}

/** A rule in words, and in FHIRPath where that can say it. */
export interface ElementConstraint {
  readonly key: string;
  readonly severity: string;
  readonly human: string;
  readonly expression?: string;
}
