import { consumerGroups, type Permission, permissions, roleGroups } from "../../access/index.ts";

/** The matrix as gateway/capability/granted.gen.ts has it: the gateway knows the core by its contract alone. */
export function grantedFile(): string {
  const rows: readonly Permission[] = permissions;
  const entries = rows.flatMap(({ interactions, groups, scope }) => {
    const isOf = (isConsumer: boolean) =>
      groups
        .filter((group) => consumerGroups.some((one) => one === group) === isConsumer)
        .flatMap((group) => roleGroups[group]);
    const grant = { roles: isOf(false), ownRecord: isOf(true), ...(scope !== undefined && { scope }) };
    return interactions.map((name) => [name, grant] as const);
  });
  return `// Made from src/access/matrix by \`npm run docs\`.

/** Who may do an interaction: roles, those that reach a record of their own or one that they represent, a scope. */
export interface Granted {
  readonly roles: readonly string[];
  readonly ownRecord: readonly string[];
  readonly scope?: string;
}

export const granted: Readonly<Record<string, Granted>> = ${JSON.stringify(Object.fromEntries(entries), null, 2)};
`;
}
