import { flag, grpcAddress, integer, setting } from "./setting.ts";

/** Settings that only a gateway has that runs apart from its core. */
export const apartSettings = {
  coreAddress: setting("MPI_CORE_ADDRESS", grpcAddress, "127.0.0.1:50051", "gRPC address of the core."),
  coreChannels: setting("MPI_CORE_CHANNELS", integer(1, 64), 1, "Connections to the core."),
  gatherCalls: setting(
    "MPI_GATHER_CALLS",
    flag,
    true,
    "Look-ups made at the same moment go to the core as one call (docs/architecture.md); `off` sends each by itself.",
  ),
} as const;
