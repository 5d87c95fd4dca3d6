import { type Permission, permissions, type RoleGroup, roleGroups } from "../../access/index.ts";

/** docs/permissions.md: the matrix from its data, and what was decided about it. */
export function permissionsPage(): string {
  return [introduction, rightsTable(), scopeTable(), roleTable(), decisions].join("\n\n").concat("\n");
}

const groups = Object.keys(roleGroups) as RoleGroup[];
const rows: readonly Permission[] = permissions;

const introduction = `# Permissions

Who may do what. This page is made from \`src/access/matrix\` by \`npm run docs\`; so is what the CapabilityStatement says
of each interaction. What stands in no row is nobody's. A caller who may not is refused with MPI-403 and the name of the
interaction (in 1.1.1 with MPI-400 and the same status), whichever way the call came.`;

function rightsTable(): string {
  const lines = rows
    .filter((row) => row.groups.length > 0)
    .map((row) => [
      row.interactions.join(", "),
      ...groups.map((group) => (row.groups.includes(group) ? "x" : "")),
    ]);
  return `## By role\n\n${markdown(["interaction", ...groups], lines)}`;
}

function scopeTable(): string {
  const lines = rows.flatMap(({ interactions, scope }) =>
    scope === undefined ? [] : [[interactions.join(", "), `\`${scope}\``]],
  );
  return `## By an extra right\n\nOf whatever role, with the scope in the token:\n\n${markdown(["interaction", "scope"], lines)}`;
}

function roleTable(): string {
  const lines = groups.map((group) => [group, roleGroups[group].map((role) => `\`${role}\``).join(", ")]);
  return `## Groups of roles\n\n${markdown(["group", "role in the token"], lines)}`;
}

function markdown(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const decisions = `## Consumers

Consumers reach their own record, or the one that they represent, and no other (MPI-052; in 1.1.1 MPI-400, status 403).

| role | reaches beside their own the person of the claim \`patient\` |
| --- | --- |
| \`patient\`, \`patient-limited\` | never |
| \`consent-representative\`, \`consent-representative-limited\` | because the token says so |
| \`legal-representative\` | while the population register says so: custody of the person (H10, H11, H12; not of property alone) of somebody under 18, or guardianship, in force today |

- **One's own record** is that of the patient who holds the personal code of the token (est/ni), ended or not. **A linked group is one person**: all its records are theirs.
- **The register** is asked only when the records wanted are those of the person in the claim, and answers from what is kept (\`Cache-Control: no-cache\` asks anew), once for all entries of a transaction. When it fails the answer is MPI-029 with its chain; the representative's own record needs no register.
- **Nobody learns whom the index holds**: an id or an identifier of nobody, or a malformed one, is refused with MPI-052 like that of another. But an identifier that they give their own record is held to be unique as anybody's: that it is another's is MPI-017, which does not say whose, and each try, by $validate too, is in the trail.
- **Every patient that a request names** must be within reach, those of all parameters too. In a PUT that is the one with whom the resource lies, and the one that its body names; in a marital status also the other person, if named by the address of a patient. A search or an operation that names none is MPI-052 too.
- Those of other roles cost no query.

## What was decided

- **An earlier version** (vread) is history, as in the path; so is a linked group as of a time (LinkageService/ReadLinkGroup with \`as_of\`). A group as it is now is what a read of the patient shows.
- **A search by birthdate** needs the right to search beside its scope. \`$name\` and \`$legal-relationship\` need their scope alone; a consumer with it reaches the same records as ever.
- **PATCH**, conditional requests and $validate of what is stored are a read or a search and a write, and need the rights to both, whatever is found.
- **A link that has ended** stays in the versions from its time, with the identifiers of the other patient, for whoever may see the history: no version is rewritten. The other record itself is out of a consumer's reach from the end of the link on.
- **Transactions and $validate** need the rights to what each entry does alone, and to the searches of its conditions and of its conditional references.
- **A batch of calls** (CallBatchService, which gateways apart use) needs no right of its own: each call in it is held to this page, in the name of its own caller.
- **All that is refused** is told at once, an issue for each interaction. Its expression names the entries of a transaction that ask for it (\`Bundle.entry[2]\`).
- **A service does not start** with an RPC that \`src/access/asked/rpcs.ts\` gives no interaction. A new RPC is one line there.`;
