/** Headers of every answer: what it holds is for the one who asked, is not to be kept, and is never run or framed. */
export const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** What holds nobody's data may be kept, and is asked for again each time. */
export const openToAll = { "cache-control": "no-cache" } as const;

/** Over TLS: not without it for a year. */
export const onlyByTls = { "strict-transport-security": "max-age=31536000" } as const;
