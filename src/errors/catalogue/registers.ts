import type { ErrorSystem } from "../error-systems.ts";
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, type Texts } from "./entry.ts";

/** A code of a register, last in a chain. */
function registerCode<const S extends ErrorSystem, const C extends string, const T extends Texts>(
  system: S,
  code: C,
  texts: T,
) {
  return {
    system,
    status: GrpcStatus.UNKNOWN,
    issueType: "exception",
    versions: inEveryVersion(code, texts),
  } as const;
}

export const populationRegisterMeanings = {
  RR_PERSON_AMBIGUOUS: registerCode("RR", "10175", {
    et: "Isikut ei saa üheselt tuvastada; täpsusta päringu tingimusi.",
    en: "The person cannot be told apart with certainty; make the query more precise.",
  }),
  RR_PERSON_ABSENT: registerCode("RR", "10027", {
    et: "Isikut rahvastikuregistris ei ole.",
    en: "The person is not in the population register.",
  }),
  RR_SEVERAL_PERSONS: registerCode("RR", "10035", {
    et: "Päringu tingimustele vastab rahvastikuregistris rohkem kui üks isik.",
    en: "More than one person in the population register fits the query.",
  }),
  RR_PERSONAL_CODE_LENGTH: registerCode("RR", "10001", {
    et: "Isikukoodi pikkus ei ole 11 sümbolit.",
    en: "The personal code is not 11 symbols long.",
  }),
  RR_PERSONAL_CODE_NOT_DIGITS: registerCode("RR", "10002", {
    et: "Isikukoodis on sümboleid, mis ei ole numbrid.",
    en: "The personal code holds symbols that are no digits.",
  }),
  RR_PERSONAL_CODE_FIRST_SYMBOL: registerCode("RR", "10003", {
    et: "Isikukood algab lubamatu sümboliga.",
    en: "The personal code begins with a symbol that is not allowed.",
  }),
  RR_PERSONAL_CODE_BIRTH_DATE: registerCode("RR", "10004", {
    et: "Isikukoodis sisalduv sünnikuupäev on vigane.",
    en: "The birth date in the personal code is invalid.",
  }),
  RR_PERSONAL_CODE_CHECK_DIGIT: registerCode("RR", "10005", {
    et: "Isikukoodi kontrollnumber on vale.",
    en: "The check digit of the personal code is wrong.",
  }),
  RR_QUERY_UNDEFINED: registerCode("RR", "10900", {
    et: "Päringu tingimused on määramata.",
    en: "The query has no conditions.",
  }),
  RR_PARAMETERS_MISSING: registerCode("RR", "10022", {
    et: "Kohustuslikud sisendparameetrid puuduvad.",
    en: "Required input parameters are missing.",
  }),
  RR_STATUS_TO_CHECK: registerCode("RR", "L027", {
    et: "Kontrolli isiku või kirje olekut.",
    en: "Check the status of the person or of the record.",
  }),
  RR_RELATIONSHIP_ROLE_NOT_ALLOWED: registerCode("RR", "L068", {
    et: "Suhte rolli tüüp ei ole lubatud.",
    en: "The type of the relationship's role is not allowed.",
  }),
  RR_RELATIONSHIP_STATUS_NOT_ALLOWED: registerCode("RR", "L069", {
    et: "Suhte olek ei ole lubatud.",
    en: "The status of the relationship is not allowed.",
  }),
  RR_RELATIONSHIP_NOT_FOUND: registerCode("RR", "L077", {
    et: "Suhet rahvastikuregistrist ei leitud.",
    en: "The population register has no such relationship.",
  }),
  RR_USER_INVALID: registerCode("RR", "V10580", {
    et: "Kasutajal puudub rahvastikuregistris kehtiv isikukood või on masina konto vale.",
    en: "The user has no valid personal code in the population register, or the machine account is wrong.",
  }),
} as const satisfies Readonly<Record<string, CodedMeaning>>;

export const employmentRegisterMeanings = {
  TOR_PROCESSING_FAILED: registerCode("TAX_BOARD_TOR", "50", {
    et: "Päringu töötlemisel tekkis viga.",
    en: "The request could not be processed.",
  }),
  TOR_INPUT_MISSING: registerCode("TAX_BOARD_TOR", "51", {
    et: "Päringul puuduvad sisendandmed.",
    en: "The request has no input data.",
  }),
  TOR_REQUEST_TYPE_MISSING: registerCode("TAX_BOARD_TOR", "57", {
    et: "Sisendandmetes puudub päringu tüüp.",
    en: "The input data have no request type.",
  }),
  TOR_REQUIRED_DATA_MISSING: registerCode("TAX_BOARD_TOR", "58", {
    et: "Päringus ei ole kõiki kohustuslikke andmeid.",
    en: "The request does not hold all the required data.",
  }),
  TOR_PERIOD_DATES_MISSING: registerCode("TAX_BOARD_TOR", "59", {
    et: "Päringu tüübil 'P' puudub algus- või lõppkuupäev.",
    en: "A request of type 'P' lacks its start or its end date.",
  }),
  TOR_CHANGE_DATES_MISSING: registerCode("TAX_BOARD_TOR", "60", {
    et: "Päringu tüübil AM/TM puudub muutmise algus- või lõppkuupäev.",
    en: "A request of type AM/TM lacks the start or the end date of the change.",
  }),
  TOR_PM_DATES_MISSING: registerCode("TAX_BOARD_TOR", "61", {
    et: "Päringu tüübil PM puuduvad kohustuslikud kuupäevad.",
    en: "A request of type PM lacks the dates that it needs.",
  }),
  TOR_REQUEST_TYPE_WRONG: registerCode("TAX_BOARD_TOR", "63", {
    et: "Päringu tüüp ei ole õige.",
    en: "The request type is not a correct one.",
  }),
  TOR_PERSONAL_CODE_MISSING: registerCode("TAX_BOARD_TOR", "68", {
    et: "Sisendandmetes puudub isikukood.",
    en: "The input data have no personal code.",
  }),
  TOR_PERSONAL_CODE_LENGTH: registerCode("TAX_BOARD_TOR", "69", {
    et: "Isikukoodi pikkus ei sobi.",
    en: "The personal code has an unsuitable length.",
  }),
  TOR_DATA_NOT_LOADED: registerCode("TAX_BOARD_TOR", "70", {
    et: "Üldine viga: andmete laadimine andmebaasist ebaõnnestus.",
    en: "General error: data could not be loaded from the database.",
  }),
  TOR_SYSTEM_PARAMETER_NOT_LOADED: registerCode("TAX_BOARD_TOR", "71", {
    et: "Üldine viga: süsteemiparameetri laadimine andmebaasist ebaõnnestus.",
    en: "General error: a system parameter could not be loaded from the database.",
  }),
  TOR_TOO_MANY_RECORDS: registerCode("TAX_BOARD_TOR", "100", {
    et: "Vastussõnumis on liiga palju kirjeid.",
    en: "The response message holds too many records.",
  }),
} as const satisfies Readonly<Record<string, CodedMeaning>>;
