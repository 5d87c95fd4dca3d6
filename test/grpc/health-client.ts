import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { service } from "grpc-health-check";

type Health = { status: string };

/** What the standard health service says of a service ("" for the whole server). */
export function checkHealth(port: number, name: string): Promise<string> {
  const { client, method } = open(port, "Check");
  return new Promise((resolve, reject) => {
    const answer = (error: ServiceError | null, value?: object) => {
      client.close();
      if (error) reject(error);
      else resolve((value as Health).status);
    };
    client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      { service: name },
      answer,
    );
  });
}

/** A watch of health: the statuses so far, and when the server ends it. */
interface HealthWatch {
  readonly seen: string[];
  readonly ended: Promise<void>;
  cancel(): void;
}

/** Watches the health of a service. */
export function watchHealth(port: number, name: string): HealthWatch {
  const { client, method } = open(port, "Watch");
  const seen: string[] = [];
  const call = client.makeServerStreamRequest(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
    { service: name },
  );
  call.on("data", (health: Health) => seen.push(health.status));
  // What ends it is no matter: it may have been cancelled.
  call.on("error", () => client.close());
  const ended = new Promise<void>((resolve) => {
    call.on("end", () => {
      client.close();
      resolve();
    });
  });
  return { seen, ended, cancel: () => call.cancel() };
}

function open(port: number, name: "Check" | "Watch") {
  const method = service[name];
  if (!method) throw new TypeError(`the health service has no method ${name}`);
  return { client: new Client(`127.0.0.1:${port}`, credentials.createInsecure()), method };
}
