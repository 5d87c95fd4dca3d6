// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion, until111 } from "./entry.ts";

/** What the address registry (ADS) finds, and its findings on the quality of an address. */
export const addressRegistryMeanings = {
  ADR_ID_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "not-found",
    versions: inEveryVersion("MPI-051", {
      et: "ADR-ID väärtusega ${adr-id} aadressi ADS-ist ei leitud.",
      en: "ADS has no address with the ADR-ID ${adr-id}.",
    }),
  },
  ADS_OID_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "not-found",
    versions: inEveryVersion("MPI-053", {
      et: "ADS-OID väärtusega ${ads-oid} aadressi ADS-ist ei leitud.",
      en: "ADS has no address with the ADS-OID ${ads-oid}.",
    }),
  },
  ADS_OID_AND_ADR_ID_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "not-found",
    versions: inEveryVersion("MPI-054", {
      et: "ADS-OID väärtusega ${ads-oid} ja ADR-ID väärtusega ${adr-id} aadressi ADS-ist ei leitud.",
      en: "ADS has no address with the ADS-OID ${ads-oid} and the ADR-ID ${adr-id}.",
    }),
  },
  ADS_OID_AMBIGUOUS: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "multiple-matches",
    versions: inEveryVersion("MPI-055", {
      et: "ADS-OID väärtusele ${ads-oid} vastab mitu paralleelaadressi; vaja on ka ADR-ID väärtust.",
      en: "The ADS-OID ${ads-oid} stands for several parallel addresses; an ADR-ID is needed too.",
    }),
  },
  ADDRESS_TEXT_NOT_SEARCHABLE: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "value",
    versions: inEveryVersion("MPI-057", {
      et: "Teksti '${text}' järgi ei saa ADS-ist aadressi otsida.",
      en: "ADS cannot be searched for an address by the text '${text}'.",
    }),
  },
  ADDRESS_TEXT_NOT_FOUND: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "not-found",
    versions: inEveryVersion("MPI-058", {
      et: "Teksti '${text}' järgi ei leitud ADS-ist ühtegi aadressi.",
      en: "ADS has no address for the text '${text}'.",
    }),
  },
  ADDRESS_TEXT_AMBIGUOUS: {
    system: "MPI",
    status: GrpcStatus.FAILED_PRECONDITION,
    issueType: "multiple-matches",
    versions: inEveryVersion("MPI-059", {
      et: "Teksti '${text}' järgi ei leita ADS-ist ühest aadressi.",
      en: "ADS has no single address for the text '${text}'.",
    }),
  },
  ADDRESS_OF_SEVERAL_BUILDING_PARTS: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    severity: "warning",
    versions: inEveryVersion("MPI-081", {
      et: "Aadressiobjektiga on seotud mitu hooneosa.",
      en: "The address object has several parts of a building.",
    }),
  },
  ADDRESS_LACKS_LEVEL: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    severity: "warning",
    versions: inEveryVersion("MPI-082", {
      et: "Aadressil puudub 6. või 7. tase.",
      en: "The address has no level 6 or 7.",
    }),
  },
  ADDRESS_WITH_ADS_OID_LACKS_LEVEL: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    severity: "warning",
    versions: until111(
      "MPI-083",
      {
        et: "ADS_OID väärtusega ${ads-oid} aadressil puudub 6. või 7. tase.",
        en: "The address with the ADS_OID ${ads-oid} has no level 6 or 7.",
      },
      { nearest: "ADDRESS_LACKS_LEVEL" },
    ),
  },
  ADDRESS_LACKS_UN_MARK: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    severity: "warning",
    versions: inEveryVersion("MPI-086", {
      et: "Aadressiobjektil puudub UN-tunnus.",
      en: "The address object has no UN identifier.",
    }),
  },
  ADDRESS_TECHNICAL: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    severity: "warning",
    versions: inEveryVersion("MPI-087", {
      et: "Aadress on tehniline.",
      en: "The address is a technical one.",
    }),
  },
  ADDRESS_OF_TYPE_MR: {
    system: "MPI",
    status: GrpcStatus.INVALID_ARGUMENT,
    issueType: "business-rule",
    severity: "warning",
    versions: inEveryVersion("MPI-088", {
      et: "MR-tüüpi aadressiobjekti ei ole soovitatav kasutada.",
      en: "An address object of type MR had better not be used.",
    }),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
