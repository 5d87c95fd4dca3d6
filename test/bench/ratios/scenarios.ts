/** What is measured. */
export const scenarios = ["read", "search", "create", "update", "match", "validation"] as const;
export type Scenario = (typeof scenarios)[number];
/** What is measured as requests to a server. */
export type RequestScenario = Exclude<Scenario, "validation">;

/** The servers that are measured, and how they are spoken to. */
export const ways = ["yardstick", "one process", "apart", "gRPC"] as const;
export type Way = (typeof ways)[number];
