import type { CatalogueVersion, ErrorSystem } from "../../src/errors/index.ts";

/** The published catalogue, transcribed: the placeholders of every code of a system, in one version. */
export type CodeList = Readonly<Record<string, readonly string[]>>;

const withoutPlaceholders = (codes: string): CodeList =>
  Object.fromEntries(codes.split(" ").map((code) => [code, []]));

const numbered = (numbers: string): CodeList =>
  withoutPlaceholders(
    numbers
      .split(" ")
      .map((number) => `MPI-${number}`)
      .join(" "),
  );

const index150: CodeList = {
  ...numbered(
    "001 002 003 004 005 006 007 010 015 016 017 019 020 021 022 024 027 029 030 031 032 033 034 035 036",
  ),
  ...numbered(
    "038 039 040 041 043 047 048 050 052 056 060 061 062 064 065 071 076 077 079 081 082 086 087 088 089",
  ),
  ...numbered("091 400"),
  "MPI-008": ["system", "allowed"],
  "MPI-009": ["code"],
  "MPI-011": ["type", "allowed"],
  "MPI-012": ["use", "allowed"],
  "MPI-013": ["use", "allowed"],
  "MPI-018": ["code"],
  "MPI-023": ["profile"],
  "MPI-025": ["system"],
  "MPI-025.01": ["system"],
  "MPI-026": ["value"],
  "MPI-028": ["param"],
  "MPI-037": ["param"],
  "MPI-042": ["max"],
  "MPI-044": ["code"],
  "MPI-045": ["param"],
  "MPI-046": ["param"],
  "MPI-049": ["addressText"],
  "MPI-051": ["adr-id"],
  "MPI-053": ["ads-oid"],
  "MPI-054": ["ads-oid", "adr-id"],
  "MPI-055": ["ads-oid"],
  "MPI-057": ["text"],
  "MPI-058": ["text"],
  "MPI-059": ["text"],
  "MPI-063": ["impersonal_code"],
  "MPI-066": ["personalCode"],
  "MPI-070": ["id-system", "id-value", "required"],
  "MPI-072": ["id"],
  "MPI-073": ["id"],
  "MPI-074": ["id"],
  "MPI-075": ["param"],
  "MPI-078": ["param"],
  "MPI-080": ["param"],
  "MPI-090": ["identifier"],
  "MPI-092": ["code"],
  "MPI-093": ["codeSystem"],
  "MPI-094": ["code"],
  "MPI-095": ["limit"],
  "MPI-096": ["message"],
  "MPI-100": ["type"],
  "MPI-403": ["interaction"],
};

const onlyIn150 =
  "052 056 062 063 064 065 066 071 072 073 074 075 076 077 078 079 080 089 090 091 092 093 094 095 096 403"
    .split(" ")
    .map((number) => `MPI-${number}`);

const index111: CodeList = {
  ...Object.fromEntries(Object.entries(index150).filter(([code]) => !onlyIn150.includes(code))),
  "MPI-037": [],
  "MPI-044": [],
  "MPI-083": ["ads-oid"],
};

/** MPI-101 is in neither published version: our addition to both. */
const ours = numbered("101");

const services: Readonly<Record<Exclude<ErrorSystem, "MPI">, CodeList>> = {
  XROAD_RR: withoutPlaceholders("XRR100 XRR200 XRR300 XRR400"),
  XROAD_ADS: { "XR_ADS-001": [], "XR_ADS-100": ["code", "text"], "XR_ADS-404": ["adrId"] },
  XROAD_TOR: { "XR_TOR-001": [], "XR_TOR-100": ["code", "text"] },
  XROAD_SKA: withoutPlaceholders("XSKA100 XSKA200"),
  XROAD_TK: withoutPlaceholders("XTK100 XTK200"),
  RR: withoutPlaceholders(
    "10175 10027 10035 10001 10002 10003 10004 10005 10900 10022 L027 L068 L069 L077 V10580",
  ),
  TAX_BOARD_TOR: withoutPlaceholders("50 51 57 58 59 60 61 63 68 69 70 71 100"),
  UNEMPLOYMENT_FUND: {},
  SOCIAL_INSURANCE: {},
  LAND_BOARD_ADS: {},
};

export const specification: Readonly<Record<CatalogueVersion, Readonly<Record<ErrorSystem, CodeList>>>> = {
  "1.5.0": { MPI: { ...index150, ...ours }, ...services },
  "1.1.1": { MPI: { ...index111, ...ours }, ...services },
};

/** The nearest code in 1.1.1 of the codes that only 1.5.0 has, or that mean something else there. */
export const nearestIn111: Readonly<Record<string, readonly string[]>> = {
  "MPI-021": ["MPI-072", "MPI-079", "MPI-089"],
  "MPI-029": ["MPI-020", "MPI-092"],
  "MPI-015": "037 044 064 075 076 077 078 080 095".split(" ").map((number) => `MPI-${number}`),
  "MPI-400": "052 056 062 063 065 066 071 073 074 090 091 093 094 096 403"
    .split(" ")
    .map((number) => `MPI-${number}`),
};

/** HTTP statuses by code, in 1.5.0; 400 where a code is not named. */
export const httpStatuses: Readonly<Record<number, string>> = {
  403: "052 062 063 066 091 403",
  404: "021 045 072 073 074 079 089",
  409: "010 017 041 049",
  422: "005 022 034 035 036 038 042 046 050 051 053 054 055 056 057 058 059 065 071",
  500: "001 002 003 004 006",
  502: "020 029 030 031 039 040 043 092",
};
