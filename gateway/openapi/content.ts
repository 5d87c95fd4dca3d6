/** What a body is, in whichever of these media types it comes. */
export function contentOf(mediaTypes: readonly string[], schema: object): Record<string, object> {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
}
