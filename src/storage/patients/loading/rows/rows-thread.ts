import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { LoadPatientsRequestSchema } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../../../identifier-index/index.ts";
import { blankMessages, writeMessage } from "../../../../messages/index.ts";
import type { Statement } from "../../../connection/named-statements.ts";
import type { Added, GivenIdentifiers, WrittenWith } from "./patient-rows.ts";
import { type Answer, type Given, type Opening, type Question, receivedFailure } from "./questions.ts";

const blankRequest = blankMessages(LoadPatientsRequestSchema);

const PROGRAM = new URL("./thread.ts", import.meta.url);

/** A thread that runs, or has until a moment ago. */
interface Thread {
  readonly worker: Worker;
  /** Why it has ended, once it has. */
  readonly ended: Promise<Error>;
}

/**
 * A thread that makes rows of new patients (patient-rows.ts): that is most of the work of a load, and others who ask this
 * process need not wait for it. It is started with the first load; one that has died is replaced with the next.
 */
export class RowsThread {
  readonly #program: URL;
  #thread: Thread | undefined;
  #isClosed = false;

  constructor(program = PROGRAM) {
    this.#program = program;
  }

  /** Hands patients over to the thread. */
  rowsOf({ primary, secondary }: IndexKeys, patients: readonly Patient[]): RowsInThread {
    if (this.#isClosed) throw new Error("There is nobody any more who makes rows.");
    const request = { ...blankRequest(), patients: [...patients] };
    const bytes = writeMessage(LoadPatientsRequestSchema, request);
    this.#thread ??= startThread(this.#program);
    const thread = this.#thread;
    const { port1, port2 } = new MessageChannel();
    const keys = { primary, ...(secondary && { secondary }) };
    const opening: Opening = { port: port2, keys, patients: bytes };
    thread.worker.postMessage(opening, [port2, bytes.buffer]);
    return new RowsInThread(port1, () => {
      if (this.#thread === thread) this.#thread = undefined;
      return thread.ended;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.worker.terminate();
  }
}

function startThread(program: URL): Thread {
  const worker = new Worker(program);
  const ended = new Promise<Error>((resolve) => {
    let cause: unknown;
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => resolve(new Error("The thread that makes rows has ended.", { cause })));
  });
  // Whoever waits for an answer keeps the process alive by its port.
  worker.unref();
  return { worker, ended };
}

interface Asker {
  readonly resolve: (given: Given) => void;
  readonly reject: (reason: unknown) => void;
}

/** The rows of some patients, as they come from the thread; to be closed. After a failure nothing more comes. */
export class RowsInThread {
  readonly #port: MessagePort;
  /** Answers come in the order of the questions. */
  readonly #askers: Asker[] = [];
  /** Why nothing comes any more. */
  #end: { readonly reason: unknown } | undefined;

  /** `onLost` is called when the thread has let go of the port, and answers with the reason once that is known. */
  constructor(port: MessagePort, onLost: () => Promise<Error>) {
    this.#port = port;
    port.on("message", (answer: Answer) => {
      if ("given" in answer) this.#askers.shift()?.resolve(answer.given);
      else this.#endWith(receivedFailure(answer.failure));
    });
    port.on("close", async () => {
      if (!this.#end) this.#endWith(await onLost());
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
    this.#endWith(new Error("Nobody wants rows any more."));
  }

  #endWith(reason: unknown): void {
    this.#end ??= { reason };
    this.#port.close();
    for (const { reject } of this.#askers.splice(0)) reject(this.#end.reason);
  }

  #ask<Answers extends Given[]>(
    question: Question,
    count: number,
  ): { [At in keyof Answers]: Promise<Answers[At]> } {
    const answers = Array.from({ length: count }, () => {
      const { promise, ...asker } = Promise.withResolvers<Given>();
      if (this.#end) asker.reject(this.#end.reason);
      else this.#askers.push(asker);
      // When one fails nobody waits for those behind it, which fail for its sake.
      promise.catch(() => undefined);
      return promise;
    });
    this.#port.postMessage(question);
    return answers as { [At in keyof Answers]: Promise<Answers[At]> };
  }
}
