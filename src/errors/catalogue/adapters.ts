// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold placeholders that are filled in later.
import { GrpcStatus } from "../grpc-status.ts";
import { type CodedMeaning, inEveryVersion } from "./entry.ts";

/** No answer, a late one, or garbage. */
const outOfReach = {
  status: GrpcStatus.UNAVAILABLE,
  otherStatuses: [GrpcStatus.DEADLINE_EXCEEDED, GrpcStatus.UNKNOWN],
  issueType: "exception",
} as const;

/** The register, or the exchange layer on the way to it, answered with an error. */
const refused = { status: GrpcStatus.UNKNOWN, issueType: "exception" } as const;

/** The issue of a register adapter, second in a chain. */
export const adapterMeanings = {
  XROAD_RR_SYSTEM_ERROR: {
    system: "XROAD_RR",
    ...outOfReach,
    versions: inEveryVersion("XRR100", { et: "Süsteemiviga.", en: "System error." }),
  },
  XROAD_RR_REGISTER_ERROR: {
    system: "XROAD_RR",
    ...refused,
    original: true,
    versions: inEveryVersion("XRR200", {
      et: "Rahvastikuregister vastas andmevahetuskihi kaudu veaga:",
      en: "The population register answered over the data exchange layer with an error:",
    }),
  },
  XROAD_RR_PERSON_OR_ACCOUNT_INVALID: {
    system: "XROAD_RR",
    ...refused,
    original: true,
    versions: inEveryVersion("XRR300", {
      et: "Isikukoodi rahvastikuregistris ei ole või konto ei kehti:",
      en: "The population register lacks the personal code, or the account is invalid:",
    }),
  },
  XROAD_RR_CONTACT_EXCHANGE_FAILED: {
    system: "XROAD_RR",
    ...refused,
    otherStatuses: [GrpcStatus.UNAVAILABLE, GrpcStatus.DEADLINE_EXCEEDED],
    original: true,
    versions: inEveryVersion("XRR400", {
      et: "Isiku kontaktandmete vahetamine rahvastikuregistriga ebaõnnestus:",
      en: "Contact data of the person could not be exchanged with the population register:",
    }),
  },
  XROAD_ADS_INTERNAL_ERROR: {
    system: "XROAD_ADS",
    ...outOfReach,
    versions: inEveryVersion("XR_ADS-001", {
      et: "ADS-i teenuse sisemine viga.",
      en: "Internal error of the ADS service.",
    }),
  },
  XROAD_ADS_EXCHANGE_ERROR: {
    system: "XROAD_ADS",
    ...refused,
    versions: inEveryVersion("XR_ADS-100", {
      et: "ADS-i teenuse andmevahetuse viga: ${code} - ${text}",
      en: "The data exchange of the ADS service failed: ${code} - ${text}",
    }),
  },
  XROAD_ADS_ADDRESS_NOT_FOUND: {
    system: "XROAD_ADS",
    ...refused,
    versions: inEveryVersion("XR_ADS-404", {
      et: "Adr-id väärtusega ${adrId} aadressi ADS-ist ei leitud.",
      en: "ADS has no address with the adr-id ${adrId}.",
    }),
  },
  XROAD_TOR_INTERNAL_ERROR: {
    system: "XROAD_TOR",
    ...outOfReach,
    versions: inEveryVersion("XR_TOR-001", {
      et: "TÖR-i teenuse sisemine viga.",
      en: "Internal error of the TÖR service.",
    }),
  },
  XROAD_TOR_EXCHANGE_ERROR: {
    system: "XROAD_TOR",
    ...refused,
    versions: inEveryVersion("XR_TOR-100", {
      et: "TÖR-i teenuse andmevahetuse viga: ${code} - ${text}",
      en: "The data exchange of the TÖR service failed: ${code} - ${text}",
    }),
  },
  XROAD_SKA_SYSTEM_ERROR: {
    system: "XROAD_SKA",
    ...outOfReach,
    versions: inEveryVersion("XSKA100", { et: "Süsteemiviga.", en: "System error." }),
  },
  XROAD_SKA_REGISTER_ERROR: {
    system: "XROAD_SKA",
    ...refused,
    original: true,
    versions: inEveryVersion("XSKA200", {
      et: "Sotsiaalkindlustusamet vastas andmevahetuskihi kaudu veaga:",
      en: "The social insurance board answered over the data exchange layer with an error:",
    }),
  },
  XROAD_TK_SYSTEM_ERROR: {
    system: "XROAD_TK",
    ...outOfReach,
    versions: inEveryVersion("XTK100", { et: "Süsteemiviga.", en: "System error." }),
  },
  XROAD_TK_REGISTER_ERROR: {
    system: "XROAD_TK",
    ...refused,
    original: true,
    versions: inEveryVersion("XTK200", {
      et: "Töötukassa vastas andmevahetuskihi kaudu veaga:",
      en: "The unemployment insurance fund answered over the data exchange layer with an error:",
    }),
  },
} as const satisfies Readonly<Record<string, CodedMeaning>>;
