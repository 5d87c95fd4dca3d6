import { ESTONIAN_PLACES, ESTONIAN_STREETS } from "../../invented-people/places.ts";
import type { SandboxAddress } from "../people-file.ts";

const FIRST_ADR_ID = 2_100_001;
const PER_PLACE = 9;

/** Addresses without anything to say of them: people live there. */
export function inventAddresses(): SandboxAddress[] {
  return ESTONIAN_PLACES.flatMap((place, placeIndex) =>
    Array.from({ length: PER_PLACE }, (_, index): SandboxAddress => {
      const number = placeIndex * PER_PLACE + index;
      const { state, district, city, postal } = place;
      const streetName = ESTONIAN_STREETS[number % ESTONIAN_STREETS.length] ?? "";
      // Numbers differ everywhere, so that no two of these share a street and a house.
      const houseNumber = String(3 + number);
      return {
        ...ids(number),
        ehak: String(1000 + placeIndex),
        text: [...new Set([state, district, city]), `${streetName} ${houseNumber}`].join(", "),
        state,
        district,
        city,
        streetName,
        houseNumber,
        postalCode: postal + String(number % 100).padStart(2, "0"),
        objectType: "EE",
        hasUnMark: true,
      };
    }),
  );
}

/** One address for every finding on quality, and those that a look-up cannot tell apart. */
export function inventSpecialAddresses(): SandboxAddress[] {
  const tartu = {
    state: "Tartu maakond",
    district: "Tartu linn",
    city: "Tartu linn",
    ehak: "1004",
    postalCode: "51003",
  };
  const good = { ...tartu, objectType: "EE", hasUnMark: true };
  const at = (streetName: string, houseNumber: string) => ({
    text: `Tartu maakond, Tartu linn, ${streetName} ${houseNumber}`,
    streetName,
    houseNumber,
  });
  return [
    {
      note: "MPI-081: several building parts",
      ...ids(200),
      ...good,
      ...at("Riia tn", "12"),
      hasSeveralBuildingParts: true,
    },
    {
      note: "MPI-082: no level 6 or 7",
      ...ids(201),
      ...good,
      text: "Tartu maakond, Tartu linn, Narva mnt",
      streetName: "Narva mnt",
    },
    { note: "MPI-086: no UN mark", ...ids(202), ...good, ...at("Turu tn", "8"), hasUnMark: false },
    {
      note: "MPI-087: a technical address",
      ...ids(203),
      ...good,
      ...at("Ringtee tn", "75"),
      isTechnical: true,
    },
    {
      note: "MPI-088: an object of type MR",
      ...ids(204),
      ...good,
      ...at("Ilmatsalu tn", "30"),
      objectType: "MR",
    },
    {
      note: "all findings at once",
      ...ids(205),
      ...good,
      text: "Tartu maakond, Tartu linn, Vana tee",
      streetName: "Vana tee",
      hasSeveralBuildingParts: true,
      hasUnMark: false,
      isTechnical: true,
      objectType: "MR",
    },
    { note: "MPI-055: parallel addresses of one object", ...ids(206), ...good, ...at("Kooli tn", "1") },
    {
      note: "MPI-055: parallel addresses of one object",
      ...ids(207),
      adsOid: ids(206).adsOid,
      ...good,
      ...at("Pargi põik", "2"),
    },
    { note: "MPI-059: the same text twice", ...ids(208), ...good, ...at("Kaksiku tn", "5") },
    { note: "MPI-059: the same text twice", ...ids(209), ...good, ...at("Kaksiku tn", "5") },
    {
      note: "in the country, without a street",
      ...ids(210),
      ...good,
      city: "Haage küla",
      text: "Tartu maakond, Tartu linn, Haage küla, Kaseotsa",
      streetNameBase: "Kaseotsa",
    },
  ];
}

function ids(number: number): { adrId: string; adsOid: string } {
  return {
    adrId: String(FIRST_ADR_ID + number),
    adsOid: `EE${String(FIRST_ADR_ID + number).padStart(8, "0")}`,
  };
}
