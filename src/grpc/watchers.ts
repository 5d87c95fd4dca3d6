import type { Server, ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";

/** A stream that a server answers on. */
interface Stream {
  end(): void;
  once(event: "close", listener: () => void): unknown;
}

type Handler = (call: Stream, answer?: unknown) => void;

/**
 * Streams that only tell how things are, of health and of reflection. They have no end of their own, and their
 * connections would keep a process that stops until the end of its grace.
 */
export class Watchers {
  readonly #streams = new Set<Stream>();

  /** The server for services whose streams are such ones. */
  on(server: Server): Server {
    const noting: Pick<Server, "addService"> = {
      addService: (definition: ServiceDefinition, methods: UntypedServiceImplementation) =>
        server.addService(
          definition,
          Object.fromEntries(
            Object.entries(methods).map(([name, method]) => [name, this.#noting(method as Handler)]),
          ) as UntypedServiceImplementation,
        ),
    };
    return noting as Server;
  }

  /** Ends those that are open, once they have told what was handed to them. */
  end(): void {
    for (const stream of this.#streams) stream.end();
  }

  #noting(method: Handler): Handler {
    return (call, answer) => {
      // Only who answers once is given a function to answer with.
      if (answer !== undefined) return method(call, answer);
      this.#streams.add(call);
      call.once("close", () => this.#streams.delete(call));
      method(call);
    };
  }
}
