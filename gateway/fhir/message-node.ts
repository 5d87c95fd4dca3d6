/** A message or a part of one, by the names of its fields. */
export type MessageNode = Record<string, unknown>;
