import { connect, createServer, type Server, type Socket } from "node:net";

/** What happens to a connection that comes: it is connected with the database, kept waiting, or hung up on. */
type Reception = "connect" | "hold" | "hang up";

/** A way to the database that can be cut, or keep what goes over it. */
export class WayToDatabase {
  readonly #target: URL;
  readonly #passages = new Set<Passage>();
  #server: Server | undefined;
  #port = 0;
  #unheard: string | undefined;
  #reception: Reception = "connect";
  #mostOpen = 0;
  #answered = 0;
  #largestAnswer = 0;

  private constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl);
  }

  static async to(databaseUrl: string): Promise<WayToDatabase> {
    const way = new WayToDatabase(databaseUrl);
    await way.mend();
    return way;
  }

  /** Of the database, over this way. */
  get url(): string {
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  /** Connections that clients have open. */
  get open(): number {
    return this.#passages.size;
  }

  /** Most of them that were open at once since the way last changed. */
  get mostOpen(): number {
    return this.#mostOpen;
  }

  /** Bytes that came from the database. */
  get answered(): number {
    return this.#answered;
  }

  /** Most bytes that came from the database before it was asked again over the same connection, since that was last looked at. */
  takeLargestAnswer(): number {
    const largest = this.#largestAnswer;
    this.#largestAnswer = 0;
    return largest;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.hangUp();
    await closed;
    this.#server = undefined;
  }

  async mend(): Promise<void> {
    if (this.#server) return;
    this.#server = createServer((incoming) => this.#receive(incoming));
    this.#port = await listening(this.#server, this.#port);
  }

  /** What is sent over connections that come from now on stays here; those that are open go on. */
  holdNew(): void {
    this.#change("hold");
  }

  /** Nothing comes through any more, to the database or from it. */
  silence(): void {
    this.#change("hold");
    for (const passage of this.#passages) passage.hold();
  }

  /** Over connections that are open the database hears everything, and nothing of what it says arrives. */
  loseAnswers(): void {
    for (const passage of this.#passages) passage.loseAnswers();
  }

  /** Breaks the connections that are open. */
  hangUp(): void {
    for (const passage of this.#passages) passage.hangUp();
  }

  /** Connections that come from now on are closed as soon as something is said. */
  hangUpOnNew(): void {
    this.#change("hang up");
  }

  /** A connection over which a text is sent is broken before it arrives. */
  hangUpAt(text: string): void {
    this.#unheard = text;
  }

  /** Everything goes on its way, what was kept first. */
  letThrough(): void {
    this.#unheard = undefined;
    this.#change("connect");
    for (const passage of this.#passages) passage.letThrough();
  }

  #change(reception: Reception): void {
    this.#reception = reception;
    this.#mostOpen = this.open;
  }

  #receive(incoming: Socket): void {
    const outgoing = connect({ host: this.#target.hostname, port: Number(this.#target.port) });
    let answer = 0;
    incoming.on("data", (part) => {
      answer = 0;
      if (this.#unheard !== undefined && part.includes(this.#unheard)) passage.hangUp();
    });
    outgoing.on("data", (part) => {
      this.#answered += part.length;
      answer += part.length;
      this.#largestAnswer = Math.max(this.#largestAnswer, answer);
    });
    const passage = new Passage(incoming, outgoing);
    this.#passages.add(passage);
    this.#mostOpen = Math.max(this.#mostOpen, this.open);
    incoming.on("close", () => this.#passages.delete(passage));
    if (this.#reception === "hold") passage.hold();
    if (this.#reception === "hang up") {
      passage.hold();
      incoming.once("data", () => passage.hangUp());
    }
  }
}

/** One connection, from both sides. */
class Passage {
  readonly #sides: readonly Socket[];
  readonly #outgoing: Socket;
  readonly #kept: (() => void)[] = [];
  #isHeld = false;

  constructor(incoming: Socket, outgoing: Socket) {
    this.#sides = [incoming, outgoing];
    this.#outgoing = outgoing;
    this.#carry(incoming, outgoing);
    this.#carry(outgoing, incoming);
  }

  hold(): void {
    this.#isHeld = true;
  }

  loseAnswers(): void {
    this.#outgoing.pause();
  }

  letThrough(): void {
    this.#isHeld = false;
    for (const send of this.#kept.splice(0)) send();
  }

  hangUp(): void {
    for (const side of this.#sides) side.destroy();
  }

  #carry(from: Socket, to: Socket): void {
    from.on("data", (part) => {
      if (this.#isHeld) this.#kept.push(() => to.write(part));
      else to.write(part);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
