/** The registers, by the names that settings, metrics and the paths of the sandbox have for them. */
export const registerNames = ["rr", "ads", "tor", "ska", "tk", "wm"] as const;
export type RegisterName = (typeof registerNames)[number];

/** Where each register's services are: see XRoadOptions. */
export type RegisterAddresses = Readonly<Record<RegisterName, string>>;

/** The same of each register. */
export function ofEachRegister<Said>(
  say: (register: RegisterName) => Said,
): Readonly<Record<RegisterName, Said>> {
  return Object.fromEntries(registerNames.map((register) => [register, say(register)])) as Record<
    RegisterName,
    Said
  >;
}
