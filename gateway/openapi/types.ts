/** A parameter of a request, or where the one of that name stands. */
export type OpenApiParameter =
  | { readonly $ref: string }
  | {
      readonly name: string;
      readonly in: "path" | "query" | "header";
      readonly required?: true;
      readonly description: string;
      readonly schema: object;
    };

export interface OpenApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, object>>;
}

export interface OpenApiRequestBody {
  readonly required?: true;
  readonly content: Readonly<Record<string, object>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: OpenApiRequestBody;
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** Nothing for what is open to everybody. */
  readonly security: readonly object[];
}

/** Operations by path and method. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

/** Points to a part of the document. */
export function ref(place: "schemas" | "parameters", name: string): { readonly $ref: string } {
  return { $ref: `#/components/${place}/${name}` };
}
