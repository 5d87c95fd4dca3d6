const CLIENT = /^[^/,]+\/[^/,]+\/([^/,]+)(?:\/[^/,]+)?$/;

/**
 * The member code of an x-road-client, `instance/class/member-code/subsystem`; undefined where it is none, as where the
 * header was sent twice, which comes joined by a comma: nobody can say which of them is meant.
 */
export function memberCode(client: string | null | undefined): string | undefined {
  const [, member] = CLIENT.exec(client?.trim() ?? "") ?? [];
  return member?.trim() || undefined;
}
