import type { AuditContent, AuditEntry } from "./entry.ts";

/** What of a content many calls have in common. */
type SharedContent = Pick<AuditContent, "action" | "method" | "actor" | "register" | "issue">;
/** What is of one entry alone. */
type OwnContent = Omit<AuditContent, keyof SharedContent>;

/** Each member is named, whether it is given or not: one that is forgotten would not be kept. */
type Named<Content> = Record<keyof Content, unknown>;

/** Contents of entries that were written together, in the order of their places. */
export interface JointContent {
  readonly shared: readonly SharedContent[];
  /** Of each entry: which of the shared ones, whose data (their id), and the rest. */
  readonly entries: readonly (readonly [shared: number, patient: string | null, own: OwnContent])[];
}

/** The content of an entry as bytes: its members as JSON. */
export function contentBytes(entry: AuditContent): Uint8Array<ArrayBuffer> {
  const { action, method, requestId, actor, register, issue, refusal, resources } = entry;
  const content: Named<AuditContent> = {
    action,
    method,
    requestId,
    actor,
    register,
    issue,
    refusal,
    resources,
  };
  return Buffer.from(JSON.stringify(content), "utf8");
}

/** What `contentBytes` made bytes of. */
export function contentOf(bytes: Uint8Array): AuditContent {
  return JSON.parse(new TextDecoder().decode(bytes)) as AuditContent;
}

/** The contents of entries that are written together as bytes: JSON that says once what many of them say. */
export function jointContentBytes(entries: readonly AuditEntry[]): Uint8Array<ArrayBuffer> {
  const shared = new Map<string, number>();
  const own = entries.map((entry) => {
    const { action, method, actor, register, issue, patientId, requestId, refusal, resources } = entry;
    const common: Named<SharedContent> = { action, method, actor, register, issue };
    const rest: Named<OwnContent> = { requestId, refusal, resources };
    const text = JSON.stringify(common);
    const at = shared.get(text) ?? shared.size;
    shared.set(text, at);
    return [at, patientId === undefined ? null : String(patientId), rest];
  });
  return Buffer.from(`{"shared":[${[...shared.keys()].join(",")}],"entries":${JSON.stringify(own)}}`, "utf8");
}

/** What `jointContentBytes` made bytes of. */
export function jointContentOf(bytes: Uint8Array): JointContent {
  return JSON.parse(new TextDecoder().decode(bytes)) as JointContent;
}

/** The content at a place, from 0; undefined when there is none, or one of another patient. */
export function contentAt(
  { shared, entries }: JointContent,
  place: number,
  patientId: bigint | undefined,
): AuditContent | undefined {
  const [at = -1, patient, own] = entries[place] ?? [];
  const content = shared[at];
  if (!content || patient !== (patientId === undefined ? null : String(patientId))) return undefined;
  return { ...content, ...own };
}
