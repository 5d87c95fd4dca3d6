import type { Job } from "./job.ts";

/** Numbers for requests; the same one never twice, in whatever job. */
export interface Serials {
  /** So many digits. */
  next(length: number): string;
}

/** Gives the requests of a job, in random order unless it says otherwise, with a number of its own wherever there is a place for one. */
export function requestSource({ requests, serial, isInTurn }: Job, serials: Serials): () => Buffer {
  const all = requests.map((request) => Buffer.from(request));
  const places = all.map((request) => (serial === undefined ? [] : placesOf(request, serial)));
  let sent = 0;
  return () => {
    const index = isInTurn ? sent++ % all.length : Math.floor(Math.random() * all.length);
    const request = all[index] as Buffer;
    if (serial === undefined) return request;
    const copy = Buffer.from(request);
    for (const place of places[index] ?? []) copy.write(serials.next(serial.length), place, "latin1");
    return copy;
  };
}

function placesOf(request: Buffer, serial: string): number[] {
  const places: number[] = [];
  for (let at = request.indexOf(serial); at >= 0; at = request.indexOf(serial, at + serial.length)) {
    places.push(at);
  }
  return places;
}
