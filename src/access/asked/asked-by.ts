import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import type { Asked } from "./rpc.ts";
import { openMethods, reasonedServices, rpcs } from "./rpcs.ts";

const byMethod = new Map<DescMethod, (request: never) => readonly Asked[]>(rpcs);

/** What a request asks for; undefined for a method of which nobody has said what it is. */
export function askedBy(method: DescMethod, request: Message): readonly Asked[] | undefined {
  return byMethod.get(method)?.(request as never);
}

/** Whether a method demands the reason of its query (MPI-032). */
export function needsReason({ parent }: DescMethod): boolean {
  return reasonedServices.includes(parent);
}

/** Stops the start of a service with a method of which nobody has said what it asks for. */
export function refuseUnlistedMethods(services: readonly DescService[]): void {
  const unlisted = services
    .flatMap(({ methods }) => methods)
    .filter((method) => !byMethod.has(method) && !openMethods.includes(method))
    .map(({ parent, name }) => `${parent.typeName}/${name}`);
  if (unlisted.length > 0) {
    throw new Error(`No interaction of the permission matrix is given for ${unlisted.join(", ")}.`);
  }
}
