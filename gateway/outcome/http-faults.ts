import { MpiError } from "../../src/errors/index.ts";
import { allResourceMediaTypes } from "../exchange/media-types.ts";

/** What Fastify says of a request that it could not take, in the words of the catalogue; other errors as they are. */
export function asHttpFault(error: unknown, bodyLimit: number, contentType: string | undefined): unknown {
  const options = { cause: error };
  switch (codeOf(error)) {
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new MpiError("ADDRESS_MALFORMED", {}, options);
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new MpiError("BODY_TOO_LARGE", { limit: String(bodyLimit) }, options);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return unsupportedMediaType(contentType, allResourceMediaTypes, options);
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return malformedHeader("content-length", options);
    default:
      return error;
  }
}

/** The refusal of a body by its type; without a Content-Type it is given as a dash. */
export function unsupportedMediaType(
  given: string | undefined,
  allowed: readonly string[],
  options: { readonly cause?: unknown } = {},
): MpiError {
  const type = { given: given || "-", allowed: allowed.join(", ") };
  return new MpiError("MEDIA_TYPE_UNSUPPORTED", type, { expression: ["http.content-type"], ...options });
}

/** The refusal of a header whose value cannot be understood, or that is missing (MPI-096). */
export function malformedHeader(header: string, options: { readonly cause?: unknown } = {}): MpiError {
  return new MpiError("HEADER_MALFORMED", { header }, { expression: [`http.${header}`], ...options });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
