// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import type { IssueType, Texts, Variant } from "./entry.ts";

/** A fault of the input: INPUT_INVALID, with this text as its message. */
function inputFault<const I extends IssueType, const T extends Texts>(issueType: I, detail: T) {
  return { reportedAs: "INPUT_INVALID", status: GrpcStatus.INVALID_ARGUMENT, issueType, detail } as const;
}

/** The body as such, and the structure of the resource in it. */
export const structureFaults = {
  BODY_MISSING: inputFault("required", { et: "Päringul puudub sisu.", en: "The request has no body." }),
  JSON_MALFORMED: inputFault("structure", {
    et: "Päringu sisu ei ole korrektne JSON.",
    en: "The body is not well-formed JSON.",
  }),
  MESSAGE_UNDECODABLE: inputFault("structure", {
    et: "Sõnumit ei saa dekodeerida kujul ${type}.",
    en: "The message cannot be decoded as ${type}.",
  }),
  NESTING_TOO_DEEP: inputFault("too-long", {
    et: "Sisu on sügavamalt pesastatud kui ${limit} taset.",
    en: "The content is nested deeper than ${limit} levels.",
  }),
  RESOURCE_TYPE_WRONG: inputFault("structure", {
    et: "Ressursi tüüp (resourceType) peab olema ${expected}.",
    en: "The resourceType must be ${expected}.",
  }),
  CONTAINED_TYPE_WRONG: inputFault("structure", {
    et: "Elemendis ${element} oleva ressursi tüüp (resourceType) puudub või ei saa see seal olla.",
    en: "The resource in the element ${element} has no resourceType, or one that cannot be there.",
  }),
  ELEMENT_UNKNOWN: inputFault("structure", {
    et: "Tundmatu element ${element}.",
    en: "The element ${element} is not known.",
  }),
  ELEMENT_DUPLICATED: inputFault("structure", {
    et: "Element ${element} esineb samas objektis mitu korda.",
    en: "The element ${element} is in the same object more than once.",
  }),
  ELEMENT_TYPE_WRONG: inputFault("structure", {
    et: "Elemendi ${element} JSON-i tüüp peab olema ${expected}.",
    en: "The JSON type of the element ${element} must be ${expected}.",
  }),
  ELEMENT_MISSING: inputFault("required", {
    et: "Kohustuslik element ${element} puudub.",
    en: "The required element ${element} is missing.",
  }),
  ELEMENT_EMPTY: inputFault("structure", {
    et: "Element ${element} on tühi.",
    en: "The element ${element} is empty.",
  }),
  ELEMENT_REPEATED_TOO_OFTEN: inputFault("structure", {
    et: "Elementi ${element} võib olla kõige rohkem ${max}.",
    en: "There may be no more than ${max} of the element ${element}.",
  }),
  PRIMITIVE_INVALID: inputFault("value", {
    et: "Elemendi ${element} väärtus ei ole tüübi ${type} kohane.",
    en: "The value of the element ${element} is not a valid ${type}.",
  }),
  VALUE_NOT_ALLOWED: inputFault("code-invalid", {
    et: "Elemendi ${element} väärtus peab olema üks järgmistest: ${allowed}.",
    en: "The value of the element ${element} must be one of ${allowed}.",
  }),
  INVARIANT_BROKEN: inputFault("invariant", {
    et: "Element ${element} ei vasta FHIR R5 tingimusele ${key}.",
    en: "The element ${element} breaks the invariant ${key} of FHIR R5.",
  }),
  PERIOD_REVERSED: inputFault("value", {
    et: "Ajavahemik ${element} lõpeb enne, kui algab.",
    en: "The period ${element} ends before it starts.",
  }),
  DATE_AHEAD: inputFault("value", {
    et: "Elemendi ${element} kuupäev on tulevikus.",
    en: "The date in the element ${element} lies in the future.",
  }),
  DEATH_BEFORE_BIRTH: inputFault("value", {
    et: "Surm elemendis ${element} on varasem kui sünd.",
    en: "The death in the element ${element} is before the birth.",
  }),
  CHOICE_AMBIGUOUS: inputFault("structure", {
    et: "Elemendil ${element} tohib olla ainult ühe tüübi väärtus.",
    en: "The element ${element} may have a value of one type only.",
  }),
  EXTENSION_AMBIGUOUS: inputFault("invariant", {
    et: "Laiendil ${element} on nii väärtus kui ka laiendeid; olla tohib ainult üks neist.",
    en: "The extension ${element} has both a value and extensions; it may have only one of them.",
  }),
  NULL_NOT_ALLOWED: inputFault("structure", {
    et: "Element ${element} ei tohi olla null.",
    en: "The element ${element} must not be null.",
  }),
  ARRAYS_NOT_PARALLEL: inputFault("structure", {
    et: "Elemendi ${element} väärtuste ja lisaandmete massiivid ei ole ühepikkused.",
    en: "The arrays of values and of extensions of the element ${element} differ in length.",
  }),
  ELEMENT_OUT_OF_ORDER: inputFault("structure", {
    et: "Element ${element} ei ole XML-is oma kohal: järjekord on see, mille määrab R5.",
    en: "The element ${element} is out of place in the XML: the order is that of the R5 definition.",
  }),
  NAMESPACE_WRONG: inputFault("structure", {
    et: "XML-elemendi ${element} nimeruum peab olema ${namespace}.",
    en: "The XML namespace of the element ${element} must be ${namespace}.",
  }),
  TEXT_NOT_ALLOWED: inputFault("structure", {
    et: "XML-elemendis ${element} ei tohi olla teksti: väärtused on atribuudis value.",
    en: "There must be no text in the XML element ${element}: values stand in the attribute value.",
  }),
  REFERENCE_INVALID: inputFault("value", {
    et: "Viide elemendis ${element} ei osuta ressursile, mida siin oodatakse.",
    en: "The reference in the element ${element} is not to a resource that is expected there.",
  }),
} as const satisfies Readonly<Record<string, Variant>>;

/** What the profiles ask beyond R5. */
export const profileFaults = {
  PROFILE_ELEMENT_REQUIRED: inputFault("required", {
    et: "Profiil ${profile} nõuab elementi ${element}.",
    en: "The profile ${profile} requires the element ${element}.",
  }),
  PROFILE_ELEMENT_NOT_ALLOWED: inputFault("business-rule", {
    et: "Profiil ${profile} ei luba elementi ${element}.",
    en: "The profile ${profile} does not allow the element ${element}.",
  }),
  PROFILE_ELEMENT_COUNT: inputFault("business-rule", {
    et: "Profiili ${profile} järgi peab elemente ${element} olema ${allowed}.",
    en: "By the profile ${profile} the number of elements ${element} must be ${allowed}.",
  }),
  PROFILE_VALUE_NOT_ALLOWED: inputFault("code-invalid", {
    et: "Profiil ${profile} lubab elemendis ${element} ainult väärtusi ${allowed}.",
    en: "The profile ${profile} allows only ${allowed} in the element ${element}.",
  }),
  PROFILES_CONTRADICT: inputFault("business-rule", {
    et: "Korraga saab kehtida ainult üks indeksi profiilidest.",
    en: "Only one of the profiles of the index can hold at a time.",
  }),
} as const satisfies Readonly<Record<string, Variant>>;

/** Rules of the index that have no code of their own. */
export const contentFaults = {
  ID_DIFFERS: inputFault("value", {
    et: "Sisu id ei ole sama mis aadressis: ${id}.",
    en: "The id in the body is not the one of the address: ${id}.",
  }),
  RESOURCE_REPEATED: inputFault("business-rule", {
    et: "Tehingus puudutab ressurssi ${reference} mitu kirjet.",
    en: "More than one entry of the transaction is about ${reference}.",
  }),
  ENTRY_NAMED_TWICE: inputFault("business-rule", {
    et: "Tehingu kirje nimetab oma ressurssi nii id kui ka tingimusega.",
    en: "The entry of the transaction names its resource both by an id and by a condition.",
  }),
  REFERENCE_UNRESOLVED: inputFault("not-found", {
    et: "Viitele elemendis ${element} ei vasta tehingus ega indeksis täpselt üht ressurssi.",
    en: "The reference in the element ${element} leads to no resource of the transaction or the index, or to several.",
  }),
  RESOURCE_SUBSETTED: inputFault("business-rule", {
    et: "Kärbitud ressurssi (SUBSETTED) ei saa salvestada; loe see enne tervikuna.",
    en: "A resource that elements were cut from (SUBSETTED) cannot be stored; read it whole first.",
  }),
  IDENTIFIER_REMOVED: inputFault("business-rule", {
    et: "Süsteemi ${system} identifikaatorit ei tohi eemaldada.",
    en: "An identifier of the system ${system} must not be removed.",
  }),
  IDENTIFIER_CHANGED: inputFault("business-rule", {
    et: "Süsteemi ${system} identifikaatori väärtust ei tohi muuta.",
    en: "The value of an identifier of the system ${system} must not be changed.",
  }),
  CONTACT_IS_PATIENT: inputFault("business-rule", {
    et: "Patsient ei saa olla iseenda kontaktisik.",
    en: "A patient cannot be the contact person of himself or herself.",
  }),
  TOO_MANY_DEPENDENTS: inputFault("business-rule", {
    et: "Selle patsiendi juurde ei saa enam ressurssi ${type} luua: numbrid on otsas.",
    en: "No more ${type} can be created for this patient: all numbers have been given.",
  }),
  LINK_TO_SELF: inputFault("business-rule", {
    et: "Patsienti ei saa siduda iseendaga.",
    en: "A patient cannot be linked with itself.",
  }),
  PATCH_MALFORMED: inputFault("structure", {
    et: "Muudatuste dokumendi ${number}. toiming on vigane.",
    en: "Operation ${number} of the patch is malformed.",
  }),
  PATCH_NOT_APPLICABLE: inputFault("conflict", {
    et: "Muudatuste dokumendi ${number}. toimingut ei saa kohas ${path} teha.",
    en: "Operation ${number} of the patch cannot be done at ${path}.",
  }),
  LANGUAGE_TAG_MALFORMED: inputFault("value", {
    et: "Keele märgend ${tag} ei vasta BCP 47-le.",
    en: "The language tag ${tag} does not follow BCP 47.",
  }),
  HEADER_MALFORMED: inputFault("value", {
    et: "Päise ${header} väärtus on vigane.",
    en: "The header ${header} has a malformed value.",
  }),
  FEED_PLACE_GONE: inputFault("value", {
    et: "Muudatuste loend on pärast selle lehe andmist taastatud varasemasse aega; alusta uuesti ajast enne seda.",
    en: "The feed was put back to an earlier time since this page was given; begin anew with a time before that.",
  }),
  PARAMETER_MALFORMED: inputFault("value", {
    et: "Parameetri ${param} väärtus on vigane.",
    en: "The parameter ${param} has a malformed value.",
  }),
} as const satisfies Readonly<Record<string, Variant>>;
