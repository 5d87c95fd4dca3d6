import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { LoadPatientsRequestSchema } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../../../identifier-index/index.ts";
import { blankMessages, writeMessage } from "../../../../messages/index.ts";
import type { Statement } from "../../../connection/named-statements.ts";
import type { Added, GivenIdentifiers, WrittenWith } from "./patient-rows.ts";
import { type Answer, type Given, type Opening, type Question, receivedFailure } from "./questions.ts";

const blankRequest = blankMessages(LoadPatientsRequestSchema);

/**
 * A thread that makes rows of new patients (patient-rows.ts): that is most of the work of a load, and others who ask this
 * process need not wait for it. It is started with the first load; one that has died is replaced with the next.
 */
export class RowsThread {
  #worker: Worker | undefined;
  /** Why the last one has died. */
  #death: unknown;

  /** Hands patients over to the thread. */
  rowsOf(keys: IndexKeys, patients: readonly Patient[]): RowsInThread {
    const { port1, port2 } = new MessageChannel();
    const request = { ...blankRequest(), patients: [...patients] };
    const bytes = writeMessage(LoadPatientsRequestSchema, request);
    this.#worker ??= this.#start();
    const opening: Opening = { port: port2, keys, patients: bytes };
    this.#worker.postMessage(opening, [port2, bytes.buffer]);
    return new RowsInThread(port1, () => this.#death);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./thread.ts", import.meta.url));
    worker.on("error", (error) => {
      this.#death = error;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // Whoever waits for an answer keeps the process alive by its port.
    worker.unref();
    return worker;
  }
}

interface Asker {
  readonly resolve: (given: Given) => void;
  readonly reject: (reason: unknown) => void;
}

/** The rows of some patients, as they come from the thread; to be closed. */
export class RowsInThread {
  readonly #port: MessagePort;
  /** Answers come in the order of the questions. */
  readonly #askers: Asker[] = [];
  /** Why nothing is answered any more. */
  #ended: Error | undefined;

  constructor(port: MessagePort, death: () => unknown) {
    this.#port = port;
    port.on("message", (answer: Answer) => {
      const asker = this.#askers.shift();
      if ("given" in answer) asker?.resolve(answer.given);
      else asker?.reject(receivedFailure(answer.failure));
    });
    port.on("close", () => {
      this.#ended = new Error("The thread that makes rows has ended.", { cause: death() });
      for (const { reject } of this.#askers.splice(0)) reject(this.#ended);
    });
  }

  async identifiers(): Promise<GivenIdentifiers> {
    const [answer] = this.#ask<[GivenIdentifiers]>({ kind: "identifiers" }, 1);
    return await answer;
  }

  /** The names that must be known with their variants. */
  async names(): Promise<readonly string[]> {
    const [answer] = this.#ask<[readonly string[]]>({ kind: "names" }, 1);
    return await answer;
  }

  /**
   * What is written of patients whose names were asked for: first whose the identifiers of all are, then the rest, part by part,
   * each as soon as it is made.
   */
  written(parts: readonly Added[][], writtenWith: WrittenWith): Promise<readonly Statement[]>[] {
    return this.#ask<(readonly Statement[])[]>({ kind: "written", parts, writtenWith }, 1 + parts.length);
  }

  close(): void {
    this.#port.close();
  }

  #ask<Answers extends Given[]>(
    question: Question,
    count: number,
  ): { [At in keyof Answers]: Promise<Answers[At]> } {
    const answers = Array.from({ length: count }, () => {
      const { promise, ...asker } = Promise.withResolvers<Given>();
      if (this.#ended) asker.reject(this.#ended);
      else this.#askers.push(asker);
      // When one fails nobody waits for those behind it, which fail for its sake.
      promise.catch(() => undefined);
      return promise;
    });
    this.#port.postMessage(question);
    return answers as { [At in keyof Answers]: Promise<Answers[At]> };
  }
}
