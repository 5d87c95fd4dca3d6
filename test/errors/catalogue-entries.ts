import { codedMeanings, referredMeaning, variantMeanings } from "../../src/errors/catalogue/catalogue.ts";
import { type CodedMeaning, catalogueVersions, type Texts } from "../../src/errors/catalogue/entry.ts";
import { type ErrorIssue, type ErrorSystem, languages, type Meaning } from "../../src/errors/index.ts";
import { placeholdersIn } from "../../src/errors/placeholders.ts";

/** A meaning with the code and texts that it has of its own in a version. */
export interface OwnWording {
  readonly meaning: Meaning;
  readonly system: ErrorSystem;
  readonly code: string;
  readonly texts: Texts;
}

/** Everything that has a code of its own in a version. */
export function ownWordings(version: (typeof catalogueVersions)[number]): OwnWording[] {
  return Object.entries(codedMeanings).flatMap(([meaning, { system, versions }]) => {
    const held = versions[version];
    return "code" in held
      ? [{ meaning: meaning as Meaning, system, code: held.code, texts: held.texts }]
      : [];
  });
}

/** The meaning that has this code of its own in a version. */
export function meaningOf(
  code: string,
  version: (typeof catalogueVersions)[number],
  system = "MPI",
): Meaning {
  const found = ownWordings(version).find((own) => own.code === code && own.system === system);
  if (found === undefined) throw new Error(`no ${system} ${code} in ${version}`);
  return found.meaning;
}

export const everyMeaning = [...Object.keys(codedMeanings), ...Object.keys(variantMeanings)] as Meaning[];

/** A fault of any meaning, each parameter filled by a value made from its name. */
export function sampleFault(meaning: Meaning, value = (name: string) => `<${name}>`): ErrorIssue {
  const names = [...neededTexts(meaning).flatMap(placeholdersIn), "original"];
  const parameters = Object.fromEntries(names.map((name) => [name, value(name)]));
  return { meaning, parameters } as unknown as ErrorIssue;
}

function neededTexts(meaning: Meaning): string[] {
  const variant =
    meaning in variantMeanings ? variantMeanings[meaning as keyof typeof variantMeanings] : undefined;
  const entry = referredMeaning(variant?.reportedAs ?? meaning);
  const detail = variant?.detail === undefined ? [] : textsOf(variant.detail);
  return [...detail, ...textsInAllVersions(entry)];
}

function textsInAllVersions({ versions }: CodedMeaning): string[] {
  return catalogueVersions.flatMap((version) => {
    const held = versions[version];
    return "code" in held ? textsOf(held.texts) : textsInAllVersions(onlyOwn(referredMeaning(held.nearest)));
  });
}

/** A substitute's own wordings; those that it has none for have a substitute of their own, which is not used. */
function onlyOwn(entry: CodedMeaning): CodedMeaning {
  const own = catalogueVersions.map((version) => entry.versions[version]).find((held) => "code" in held);
  if (own === undefined) throw new Error("a substitute without a wording");
  return { ...entry, versions: { "1.5.0": own, "1.1.1": own } };
}

function textsOf(texts: Texts): string[] {
  return languages.map((language) => texts[language]);
}
