/**
 * The error systems: whose code it is. The keys are the endings of the settings MPI_ERROR_SYSTEM_*,
 * the values the URIs by which OperationOutcome names them when nothing is set.
 */
export const defaultErrorSystems = {
  MPI: "https://mpi.tehik.ee",
  XROAD_RR: "https://xroad-rr.tehik.ee",
  XROAD_ADS: "https://xroad-ads.tehik.ee",
  XROAD_TOR: "https://xroad-tor.tehik.ee",
  XROAD_SKA: "https://xroad-ska.tehik.ee",
  XROAD_TK: "https://xroad-tk.tehik.ee",
  RR: "https://rahvastikuregister.ee",
  UNEMPLOYMENT_FUND: "https://tootukassa.ee",
  SOCIAL_INSURANCE: "https://sotsiaalkindlustusamet.ee",
  LAND_BOARD_ADS: "https://maaamet.ee",
  TAX_BOARD_TOR: "https://emta.ee",
} as const satisfies Readonly<Record<string, string>>;

export type ErrorSystem = keyof typeof defaultErrorSystems;

/** The URI of each error system in this deployment. */
export type ErrorSystems = Readonly<Record<ErrorSystem, string>>;
