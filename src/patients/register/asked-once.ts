import { AsyncLocalStorage } from "node:async_hooks";
import type { AddressRegistry } from "../../registers/ports.ts";

type Answer = ReturnType<AddressRegistry["findAddresses"]>;

const answers = new AsyncLocalStorage<Map<string, Answer>>();

/** The registry, which within `askedOnce` is asked once for each address. */
export function registryAskedOnce(registry: AddressRegistry): AddressRegistry {
  return {
    findAddresses(asked) {
      const known = answers.getStore();
      if (!known) return registry.findAddresses(asked);
      const key = JSON.stringify(asked);
      const answer = known.get(key) ?? registry.findAddresses(asked);
      known.set(key, answer);
      return answer;
    },
  };
}

/** Does work in which no address is asked for twice; in such work already it shares the answers. */
export function askedOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  return answers.getStore() ? work() : answers.run(new Map(), work);
}
