export { latestTry, nextTry } from "./next-try.ts";
export { type InTurns, inNextTurn, inTurn, type Renew } from "./turn.ts";
