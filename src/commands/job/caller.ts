import { randomUUID } from "node:crypto";

/** Where a caller's token comes from: given, or else from a sandbox. */
export interface TokenSource {
  /** An access token; undefined asks the sandbox for one. */
  readonly token: string | undefined;
  /** Such as http://127.0.0.1:8090. */
  readonly sandboxUrl: string;
}

const ORGANIZATION = "70009770";

/** The metadata by which an administrator is known to the service. Throws when there is no token to be had. */
export async function administratorHeaders({
  token,
  sandboxUrl,
}: TokenSource): Promise<Record<string, string>> {
  const accessToken = token ?? (await sandboxToken(sandboxUrl));
  const personalCode = personOf(accessToken);
  return {
    authorization: `Bearer ${accessToken}`,
    "x-road-id": randomUUID(),
    "accept-language": "en",
    ...(personalCode !== undefined && { "x-road-userid": `EE${personalCode}` }),
  };
}

/** A token of somebody living whom the sandbox knows: authors are looked up in its population register. */
async function sandboxToken(url: string): Promise<string> {
  try {
    const { people } = await answerOf<{ people: readonly { personalCode: string; deathDate?: string }[] }>(
      fetch(`${url}/sandbox/people`),
    );
    const personalCode = people.find(({ deathDate }) => !deathDate)?.personalCode;
    const request = {
      user: { personalCode, name: "Administrator" },
      organization: ORGANIZATION,
      role: "administrator",
      application: "job",
    };
    const issued = fetch(`${url}/v2/token`, { method: "POST", body: JSON.stringify(request) });
    return (await answerOf<{ accessToken: string }>(issued)).accessToken;
  } catch (cause) {
    throw new Error(`There is no sandbox at ${url} to get a token from. Give one in MPI_TOKEN.`, { cause });
  }
}

async function answerOf<Answer>(asked: Promise<Response>): Promise<Answer> {
  const response = await asked;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}.`);
  return (await response.json()) as Answer;
}

/** The person that a token names: the service wants the header to name the same one. */
function personOf(token: string): string | undefined {
  const [, payload = ""] = token.split(".");
  try {
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
      personalCode?: unknown;
    };
    return typeof claims.personalCode === "string" ? claims.personalCode : undefined;
  } catch (cause) {
    throw new Error("MPI_TOKEN holds no JWT.", { cause });
  }
}
