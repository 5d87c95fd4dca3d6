import type { RunningService } from "../servers/service.ts";
import { type Caller, jobOf, type Requests } from "./client.ts";
import type { Cell } from "./dimension.ts";

/** Makes the cells of a size, of requests to one service. */
export function cellsAt(service: RunningService, size: number, caller: Caller = service.caller) {
  return (operation: string, ...requests: Requests): Cell => ({
    operation,
    size,
    job: jobOf(service, requests, caller),
    pid: service.pid,
  });
}
