import { registerError } from "./register-error.ts";
import type { SandboxRegisters } from "./sandbox-registers.ts";

type Json = Readonly<Record<string, unknown>>;

/** The services of the registers but the population register, by register and name. */
export function otherServices(registers: SandboxRegisters) {
  const person = ({ personalCode }: Json) => registers.people.get(String(personalCode));
  return {
    ads: { addresses: (body: Json) => ({ addresses: findAddresses(registers, body) }) },
    tor: {
      jobs: ({ personalCode }: Json) => {
        if (typeof personalCode !== "string" || personalCode === "") throw registerError("tor", "68");
        if (personalCode.length !== 11) throw registerError("tor", "69");
        return { jobs: (registers.people.get(personalCode)?.jobs ?? []).map(shownJob) };
      },
    },
    ska: {
      disabilities: (body: Json) => ({
        disabilities: (person(body)?.disability ?? []).map(({ degree, ...period }) => ({ degree, period })),
      }),
    },
    tk: {
      "work-capacity": (body: Json) => ({
        decisions: (person(body)?.workCapacity ?? []).map(({ code, ...period }) => ({ code, period })),
      }),
    },
    wm: {
      linkages: (body: Json) => {
        const id = String(body["notificationId"]);
        if (!registers.linkages.has(id) && !registers.retractions.has(id)) registers.linkages.set(id, body);
        return {};
      },
      retractions: ({ notificationId }: Json) => {
        registers.retractions.add(String(notificationId));
        registers.linkages.delete(String(notificationId));
        return {};
      },
    },
  };
}

function shownJob({
  employer,
  occupation,
  rate,
}: {
  readonly employer: unknown;
  readonly occupation: { readonly code: string; readonly display: string };
  readonly rate?: string;
}): Json {
  return { employer, occupationCode: occupation.code, occupationDisplay: occupation.display, rate };
}

/** By ids exactly; by text whole addresses first, else those that hold it. */
function findAddresses({ addresses }: SandboxRegisters, { adrId, adsOid, text }: Json): readonly unknown[] {
  const byIds = addresses.filter(
    (address) => (!adrId || address.adrId === adrId) && (!adsOid || address.adsOid === adsOid),
  );
  if (!text) return adrId || adsOid ? byIds : [];
  const wanted = comparable(String(text));
  const whole = byIds.filter((address) => comparable(address.text) === wanted);
  return whole.length > 0 ? whole : byIds.filter((address) => comparable(address.text).includes(wanted));
}

function comparable(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s,]+/g, " ")
    .trim();
}
