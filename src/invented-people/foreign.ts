import { create } from "@bufbuild/protobuf";
import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { NATIONAL_CODE_DEMANDED } from "../identifiers/index.ts";
import { FOREIGN_NAMES, type NameList } from "./names.ts";
import {
  BIRTHDAYS,
  birthday,
  identifierOf,
  languageOf,
  metaOf,
  officialName,
  type Sex,
  telecomOf,
} from "./person.ts";
import { FOREIGN_PLACES } from "./places.ts";
import type { Random } from "./random.ts";
import { streetLine } from "./street-line.ts";

interface Country {
  readonly alpha3: string;
  readonly alpha2: string;
  readonly language: string;
  readonly phone: string;
  /** Kinds of document that a person of the country may show, the national code first where there is one. */
  readonly documents: readonly string[];
}

const COUNTRIES: readonly Country[] = [
  { alpha3: "fin", alpha2: "FI", language: "fi", phone: "+35840", documents: ["ni", "ppn", "cz", "dl"] },
  { alpha3: "lva", alpha2: "LV", language: "lv", phone: "+37129", documents: ["ni", "ppn", "cz", "dl"] },
  { alpha3: "ltu", alpha2: "LT", language: "lt", phone: "+37061", documents: ["ni", "ppn", "cz", "dl"] },
  { alpha3: "ukr", alpha2: "UA", language: "uk", phone: "+38067", documents: ["ni", "ppn", "cz", "dl"] },
  { alpha3: "rou", alpha2: "RO", language: "ro", phone: "+40721", documents: ["ni", "ppn", "cz", "dl"] },
  { alpha3: "tur", alpha2: "TR", language: "tr", phone: "+90532", documents: ["ni", "ppn", "dl"] },
  { alpha3: "deu", alpha2: "DE", language: "de", phone: "+49151", documents: ["ppn"] },
  { alpha3: "pol", alpha2: "PL", language: "pl", phone: "+48501", documents: ["ni", "ppn", "cz", "dl"] },
  { alpha3: "usa", alpha2: "US", language: "en-US", phone: "+1617", documents: ["ppn"] },
];

const PREFIX: Readonly<Record<string, string>> = { ni: "", ppn: "P", cz: "C", dl: "D" };

/** A foreigner with documents of one country or two, the national code among them where MPI-070 demands it. */
export function inventForeigner(random: Random, index: number): Patient {
  const home = random.pick(COUNTRIES);
  const sex: Sex = random.percent(50) ? "male" : "female";
  const birthDate = birthday(random.below(BIRTHDAYS));
  const second = random.percent(20) ? random.pick(COUNTRIES) : home;
  const identifier = documentsOf(random, home, index);
  if (second !== home) identifier.push(...documentsOf(random, second, index));
  return create(PatientSchema, {
    meta: metaOf("ee-mpi-patient-verified"),
    identifier,
    active: true,
    name: [officialName(random, FOREIGN_NAMES[home.alpha3] as NameList, sex)],
    telecom: telecomOf(random, home.phone, index),
    gender: sex,
    // The day of birth is not always known.
    birthDate: random.percent(10) ? birthDate.slice(0, 4) : birthDate,
    address: [addressOf(random, home)],
    communication: [languageOf(home.language)],
  });
}

/** One to three documents of a country; their numbers hold the index, so no two people share one. */
function documentsOf(random: Random, { alpha3, documents }: Country, index: number): Identifier[] {
  const wanted = 1 + random.below(Math.min(3, documents.length));
  const shown = documents
    .filter((_, place) => random.percent(50) || place >= documents.length - 1)
    .slice(0, wanted);
  const kinds = NATIONAL_CODE_DEMANDED.has(alpha3) ? [...new Set(["ni", ...shown])] : shown;
  return kinds.map((kind) =>
    identifierOf(`${alpha3}/${kind}`, `${PREFIX[kind]}${random.digits(2)}${String(index).padStart(9, "0")}`),
  );
}

function addressOf(random: Random, { alpha3, alpha2 }: Country) {
  const place = FOREIGN_PLACES[alpha3] as (typeof FOREIGN_PLACES)[string];
  const city = random.pick(place.cities);
  const { text, ...lines } = streetLine({
    streetName: place.street,
    houseNumber: String(1 + random.below(120)),
  });
  const postalCode = random.digits(5);
  return {
    use: "home",
    type: "both",
    text: `${text}, ${postalCode} ${city}`,
    ...lines,
    city,
    postalCode,
    country: alpha2,
    period: { start: `20${10 + random.below(15)}-0${1 + random.below(9)}-01` },
  };
}
