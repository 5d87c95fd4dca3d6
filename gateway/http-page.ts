import { parametersByName } from "./definitions/operations.ts";
import { resultParametersOf, searchParametersByType } from "./definitions/search-parameters.ts";
import { contracts } from "./exchange/contracts.ts";
import type { Interaction } from "./exchange/interaction.ts";
import { bodyMediaTypes } from "./exchange/media-types.ts";
import { documentationPaths } from "./routes/documentation.ts";
import { healthPaths } from "./routes/health.ts";
import { allInteractions } from "./routes/interactions.ts";

/** docs/http.md: what the FHIR interface offers, from the table of what is registered, and how it behaves. */
export function httpPage(): string {
  const parts = [
    introduction,
    "## Requests",
    interactionTable(allInteractions()),
    otherPaths(),
    "## Search parameters",
    parameterTable(),
    behaviour,
  ];
  return `${parts.join("\n\n")}\n`;
}

const introduction = `# The FHIR interface

FHIR R5 in JSON and XML. This page is made by \`npm run docs\`; the requests and parameters in it are those that are registered
(\`gateway/routes\`), as in the CapabilityStatement at \`/fhir/metadata\`.

Base paths, each the contract version it stands for: ${contracts
  .map(({ basePath, version }) => `\`${basePath}\` ${version}`)
  .join(", ")}.`;

function interactionTable(interactions: readonly Interaction[]): string {
  const rows = interactions.map(
    ({ method, path, code, otherCodes = [], body, conditional, ...taken }) =>
      `| ${method} \`${shownPath(path)}\` | ${conditionalName([code, ...otherCodes].join(", "), conditional)} | ${bodyOf(body)} | ${parametersOf(taken)} |`,
  );
  return ["| request | interaction | body | parameters |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function shownPath(path: string): string {
  return path === "" ? "/" : path.replace(/:(\w+)/g, "{$1}");
}

function conditionalName(code: string, conditional: true | undefined): string {
  return conditional ? `${code}, conditional` : code;
}

function bodyOf(body: Interaction["body"]): string {
  return body === undefined ? "" : bodyMediaTypes[body].map((type) => `\`${type}\``).join(", ");
}

function parametersOf({ parameters, operation }: Pick<Interaction, "parameters" | "operation">): string {
  if (parameters !== "core") return named(parameters);
  return operation === undefined ? "search parameters" : named([...parametersByName(operation).keys()]);
}

function named(parameters: readonly string[]): string {
  return parameters.map((name) => `\`${name}\``).join(", ");
}

function otherPaths(): string {
  const paths = [...Object.keys(healthPaths), ...documentationPaths].map((path) => `\`${path}\``);
  return `Every request takes \`_format\` and \`_pretty\`; every GET may be a HEAD. Beside the base paths: ${paths.join(", ")},
and the services of \`proto/\` by Connect and gRPC-Web at \`/{service}/{method}\`.`;
}

function parameterTable(): string {
  const rows = Object.entries(searchParametersByType).flatMap(([type, entries]) =>
    entries.map(
      ({ name, type: kind, documentation }) =>
        `| ${type} | \`${name}\` | ${kind} | ${documentation.replaceAll("|", "\\|")} |`,
    ),
  );
  return ["| type | parameter | kind | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

const behaviour = `Results are shaped by ${named(resultParametersOf("Patient"))}; those of AuditEvent by
${named(resultParametersOf("AuditEvent"))} alone, of definitions by ${named(resultParametersOf("StructureDefinition"))}. \`_count\` is 20 unless given (of definitions 100, which is all that fit), at most 100; \`_summary\` true, text, data, count or false; \`_total\` none, estimate or accurate: the total is always told, exactly.
The parameters of a search, as its links write them, may have 12,000 characters: what is longer, as a form can be, could not be asked
for again by a link, and is refused (MPI-015).

## What was decided

- **Unknown parameters** are refused (MPI-015), on reads and histories too; under \`Prefer: handling=lenient\` they are ignored, and a searchset says which in an entry of mode outcome. The self link holds what was understood.
- **Parameters of the query** are named \`http.{name}\` in the \`expression\` of an issue (one without a name, as of \`?=x\`, by \`http\` alone), headers \`http.{header}\`, those of a body of Parameters by FHIRPath, as \`Parameters.parameter.where(name='patient')\`, operations of a JSON Patch by their place in it, from 0: \`http.body[2]\` (in a Bundle it is the data of a Binary: \`Bundle.entry[0].resource.data\`). What would be named by more than 200 bytes of FHIRPath is named by an element round it. Characters that a string of FHIR cannot hold are U+FFFD in issues.
- **Structure faults** of a body are all reported, and alone: what the rules would say of the rest comes with the next try. They are said before the token is looked at, by $validate too (200): they show nothing of the index. A Bundle of requests with an element that is unknown or of the wrong JSON type is refused whole, a batch too (MPI-096); what is wrong with the resource of an entry is said of that entry.
- **Entity tags** are compared by the version they name, weak or strong. If-Match takes one tag or \`*\`, If-None-Match several too; on a write anything else in them is refused (MPI-096), for what the client wants to keep would be written over. On a read what is no tag fits nothing. A date that is none is ignored, in If-Unmodified-Since too, as RFC 9110 demands (13.1.3, 13.1.4). If-None-Match with \`*\` or the current version, and If-Unmodified-Since (without If-Match), refuse a write of what is there (412; RFC 9110, 13.1). With a query they are compared with what fits it, in transactions too. They are looked at before a patch is tried. Without any of these a PUT replaces whatever is there. A patch without them is done again when somebody else was quicker, so that no change is lost: up to ten times in all, after short waits; then it is 409, for the client to try again. No lock is held meanwhile: a patch is done in the gateway, between a read and a write of the core.
- **Conditional requests** (If-None-Exist, PUT and DELETE with a query) need a search that is allowed by itself, and says nothing of its result: \`_sort\`, \`_count\`, \`_page\`, \`_elements\`, \`_summary\` and \`_total\` are refused (MPI-015). So it is for the criteria of transactions and for references by a search. If-None-Exist and ifNoneExist hold the query, before which \`?\`, the type (\`Patient?\`) or its whole address in the index may stand, as HAPI's client writes it, with \`_format\` and \`_pretty\` in the query, which mean nothing there. Of a linked group that an identifier finds, one patient is meant: the one that holds it itself, else the primary if it fits (\`docs/linkage.md\`). Of simultaneous conditional creates with one identifier exactly one stores, and the others answer 200 with what it stored. Of simultaneous PUTs by one identifier that nobody has yet exactly one stores (201), and the others replace what it stored (200), unless If-None-Match forbids it (412); in transactions too. So it is of simultaneous conditional creates and PUTs of contact persons and observations of one patient, or of a linked group: whether one fits is looked at once more under the lock of the patient whom the body names, and of its primary. PUT of what nobody fits creates, unless the body has an id, which clients do not give (MPI-096), but not under If-Match, which is 412 then (\`*\` too; RFC 9110, 13.1.1). DELETE of what nobody fits is 204, as what it asks for is so already.
- **Pages that would be too large** end early: where what is stored of the entries of a search, a history or a feed takes more than 3 MiB, the rest comes with the next link; a page has one entry at least, and the total stays what it is. In a search the links then name a smaller \`_count\`, that of pages which go on from there; whoever counts up \`_page\` instead of following the links would pass over what was left out.
- **Answers without pages** have a limit too. $lookup and $foreign refuse more than 3 MiB (MPI-027), $match leaves the least likely out. Of a batch, reads, searches and operations behind the first 8 MiB of answers, about, are refused one by one (MPI-027), and writes are done and answered without their resource, as under return=minimal. A transaction that reads more than 8 MiB, or patches resources of more than 3 MiB together, is refused (MPI-027, at the entry that is too much).
- **Histories** come newest first, \`_sort=_lastUpdated\` turns them round. \`_since\` takes any precision; a time without an offset is of Europe/Tallinn. In the feed of a type it compares with the time of publication.
- **Dates** are of the years 0001 to 9999: year 0000 is refused wherever a date is. An instant that an offset takes out of these years (in UTC) counts as the first or the last of them. A date or time that is compared with (\`_lastUpdated\`, \`date\`) stands for all of its day, minute or second, with an offset or, of Europe/Tallinn, without one.
- **The change feed** has a next link while there is more to read now. A reader who has come to the end asks again for the last page, by its self link, and sees what was published since; with \`_sort=_lastUpdated\` nothing is missed.
- **Links, Location, fullUrl** begin with MPI_PUBLIC_URL, else with \`http://\` and the Host of the request, and the base path by which it came. The fullUrl of an AuditEvent, which is not read by its id, is a urn:uuid.
- **References to the index** are relative (\`Patient/7\`, or a version of it) or absolute below a base path that begins with MPI_PUBLIC_URL, or with the Host of the request by http or https (a proxy may end TLS), scheme and host in letters of any case. In parameters, in $link, and as patient, subject and focus of what is stored the core gets them as relative ones; in a transaction every such reference to no entry. Any other address is to a resource of another server, whatever it ends with: MPI-021 in parameters, MPI-096 in bodies.
- **Host**: a request of HTTP/1.1 without it, with several, or with one that is no name or address with or without a port (empty, with a user or a path) is refused (MPI-096) and its connection closed. For one of HTTP/1.0 without such a Host links begin with \`localhost\`.
- **Headers that a request needs**: \`x-road-userid\` and \`x-road-id\` (MPI-060, MPI-061; the demo headers of the README show them), operations on registers also the reason in \`x-road-issue\` (MPI-032), and \`x-road-client\` where the token names no organisation (MPI-033). \`docs/security.md\` has them all.
- **Request ids**: \`x-road-id\`, else \`x-request-id\`, if it is one word of at most 200 characters of visible ASCII, else a new UUID; answered as \`x-request-id\`, and found in the logs of gateway and core and in the audit trail. Log lines hold the pattern of a route, never its ids or its query.
- **Caching**: patients' data are \`no-store\`: no cache on the way or in a browser keeps them. A client that keeps a version by itself asks whether it still holds (If-None-Match, 304). The CapabilityStatement and definitions are \`no-cache\`.
- **Browsers**: pages of the origins in MPI_CORS_ORIGINS may use the interface, Connect and gRPC-Web (CORS); there are none by default. Every answer has \`nosniff\`, a Content-Security-Policy that runs nothing, and over TLS Strict-Transport-Security.
- A slash at the end of a path changes nothing. An id of any form is looked up, and is the id of nobody (404) when it cannot be one; where there is none, as in \`/Patient//_history\`, it is missing (MPI-078).
- **_elements** takes paths too (\`name.family\`), and \`resourceType\`, which is always shown. What nothing is left of is not shown, in lists neither. Always shown are id, meta, implicitRules, modifierExtension and what R5 requires of the type (status and code of an Observation, patient of a RelatedPerson), whole; of an element that is shown in part also what R5 requires of that.
- **_summary** of metadata and definitions is understood, since clients that check the version of a server first ask so; they are shown whole each time, as R5 lets servers do, but for \`count\` of a search.
- **Batches** (a Bundle of type batch to the base path, at most 200 entries) take every request of the table but batches, GET as HEAD too (without the resource). The entries are independent, and done a few at a time. Creations of patients without ifNoneExist go to the core as one call, \`CreatePatients\`, beside the others: each is answered, refused, counted in the trail and told of as if it came alone, and those that are stored are stored in one transaction; of several with the same identifier the first is stored. For MPI_CALLER_RATE they are one request.
- **The form of an answer** follows \`_format\` (\`json\`, \`xml\`, or a media type, \`text/json\` and \`text/xml\` too), else the Accept header by its quality values; of equal ones the one named first, JSON where it is all the same. Refusals have it too; a 406, and what cannot be understood at all, is in JSON. Paging links do not repeat \`_format\`.
- **XML** says what JSON says (\`docs/fhir-mapping.md\`). In a batch or transaction the entries are answered in the form of the whole, whatever Accept says beside \`_format\`.
- **FHIRPath Patch** is a PATCH with a Parameters resource in \`application/fhir+json\` or \`application/fhir+xml\` (\`application/json\` and \`application/xml\` do not say which patch it is: 415); see below.
- **Transactions** (a Bundle of type transaction, at most 200 entries) create, replace, patch, delete and read Patient, RelatedPerson and Observation, all or nothing; gRPC callers have the same as TransactionService. Deletions go first, then creations, updates and patches, reads; of each, patients before contact persons before observations. Every entry but a deletion is answered with its resource as it is in the end: a creation whose ifNoneExist finds what another entry changes, too; one that finds what another entry deletes is refused (410). Whatever is wrong with any entry is said, with expressions that begin with \`Bundle.entry[n]\`; what is wrong with the structure of bodies is said alone.
- In transactions a fullUrl of a new resource, and references such as \`Patient?identifier=…\` to exactly one, are replaced by the address of the resource (MPI-096 when there is none). No condition or search in a transaction asks the population register; addresses are asked for before any patient is locked. A JSON Patch is a Binary with the patch as its data; it reads ahead, and the whole is done anew, as a patch alone is, when somebody else changed the resource meanwhile.
- A relative reference in an entry of a transaction is below the root of the entry's fullUrl when that is an address such as \`https://his.example/fhir/RelatedPerson/7\`: \`Patient/42\` there is to the entry with the fullUrl \`https://his.example/fhir/Patient/42\`, not to the Patient/42 of the index. Where there is no such entry it is an address of that server, as if it were given as an absolute one: MPI-096 as patient and subject, MPI-034 as focus, and stored as the absolute one elsewhere. The fullUrl of a patch, where it is an address, is that of the patch: what is patched refers to the index. Below a base path of the index it is to what the index holds; so it is in entries whose fullUrl is no such address (\`urn:uuid:…\`), or that have none. The scheme and host of a fullUrl may be in letters of any case too. A version goes with the id that it is of: a new id has none. What refers to an entry that is done later is refused (MPI-096).
- **$validate** does the write and undoes it: so it says just what the write would be refused for, by rules, registers and what is stored, in the same words, and takes the right to the write. Without \`mode\` it is a creation for a type and an update for an instance; a GET of an instance validates what is stored. With \`profile\` the resource is held to that one instead of the one that it claims. The query and the body may each hold parameters of $validate and $match, but one of them once (MPI-096).
- **Profiles** at \`/StructureDefinition\` are those that a stored resource may claim, which the CapabilityStatement names, and those of the answers of registers, which no stored resource may claim.
- **OpenAPI** 3.1 at \`/openapi.json\`, made from the same table as this page, and \`/docs\` to read it by: one file without scripts, which loads nothing. Neither, nor the CapabilityStatement and definitions, asks for a token or headers.

## FHIRPath Patch

The operations of R5 (add, insert, delete, replace, move), done in their order, all or none; what comes out is stored as by a PUT.

- A path is what R5 asks servers to take and a little more: names from the resource downwards, of choices without their type, \`[n]\`, \`first()\`, \`last()\`, \`extension('url')\`, \`ofType(type)\`, and \`where()\` with \`=\`, \`!=\`, \`exists()\`, \`empty()\`, \`and\`, \`or\`, parentheses and literals. Any other FHIRPath is refused, not guessed at.
- An operation that is none, or that cannot be done, is MPI-096 (400); the expression names it: \`Parameters.parameter[2]\`. At most 1000 operations, whose paths look at no more than half a million elements.
- A path must lead to one element; to delete, to one or none; to insert and move, to a list as a whole, such as \`Patient.name\`. An element in which nothing is left goes too.
- A value may be of any primitive type that looks alike in JSON; of a choice its type decides. An extension comes as its parts (url, value), as types without a name do: Parameters have no valueExtension.
- In a batch or transaction it is the resource of an entry with method PATCH.
- All 32 cases of \`r5/patch/fhir-path-tests.xml\` of HL7 hold, with the patch in JSON and in XML (\`test/gateway/patch/official-cases.ts\`, written anew; the narrative of the last is shortened). None was left out.`;
