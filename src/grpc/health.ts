import type { DescService } from "@bufbuild/protobuf";
import type { Server } from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";

/** The standard health service, as far as its server steers it. */
export interface Health {
  /** Tells those who ask and those who watch that no new call should come here. */
  stopServing(): void;
}

/** Adds grpc.health.v1.Health: serving, for the server as a whole ("") and for each service by name. */
export function addHealth(server: Server, services: readonly DescService[]): Health {
  const names = ["", ...services.map((service) => service.typeName)];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, "SERVING"])));
  health.addToServer(server);
  return {
    stopServing: () => {
      for (const name of names) health.setStatus(name, "NOT_SERVING");
    },
  };
}
