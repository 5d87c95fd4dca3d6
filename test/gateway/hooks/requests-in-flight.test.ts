import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { arrivingOn, RequestsInFlight, type Slowness } from "../../../gateway/hooks/requests-in-flight.ts";

/** After which a body is slow, and how long an answer may then wait to be taken. */
const SLOW_BODY_MS = 1_000;
const SLOW_READER_MS = 5_000;
/** Where nobody was slow nobody is looked at again before. */
const LOOK_AGAIN_MS = 50;

let givenUp: [IncomingMessage, Slowness][];
let inFlight: RequestsInFlight;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(LOOK_AGAIN_MS);
  givenUp = [];
  inFlight = new RequestsInFlight((request, slow) => void givenUp.push([request, slow]));
});

afterEach(() => {
  vi.useRealTimers();
});

/** A request on a connection, and its answer. */
function requestOn(socket: EventEmitter, isComplete = false) {
  const request = { socket, complete: isComplete } as unknown as IncomingMessage;
  const response = Object.assign(new EventEmitter(), { writableEnded: false });
  inFlight.add(request, response as unknown as ServerResponse);
  return { request, response };
}

describe("a request", () => {
  it("counts until its answer is closed", () => {
    const socket = new EventEmitter();
    const [first, second] = [requestOn(socket, true), requestOn(socket, true)];
    expect(inFlight.size).toBe(2);
    first.response.emit("close");
    expect(inFlight.size).toBe(1);
    second.response.emit("close");
    expect(inFlight.size).toBe(0);
  });

  it("that is given up counts no more, and once: its connection closes later", () => {
    const { request, response } = requestOn(new EventEmitter());
    vi.advanceTimersByTime(SLOW_BODY_MS);
    expect(inFlight.giveUpSlow()).toBe(true);
    expect(givenUp).toEqual([[request, "body"]]);
    expect(inFlight.size).toBe(0);
    expect(inFlight.giveUpSlow()).toBe(false);
    response.emit("close");
    expect(inFlight.size).toBe(0);
    expect(givenUp).toHaveLength(1);
  });

  it("whose body comes in time is waited for", () => {
    requestOn(new EventEmitter());
    vi.advanceTimersByTime(SLOW_BODY_MS - 1);
    expect(inFlight.giveUpSlow()).toBe(false);
    expect(inFlight.size).toBe(1);
  });

  it("that is worked on is waited for, however long that takes", () => {
    requestOn(new EventEmitter(), true);
    for (const ms of [SLOW_BODY_MS, SLOW_READER_MS, SLOW_READER_MS]) {
      vi.advanceTimersByTime(ms);
      expect(inFlight.giveUpSlow()).toBe(false);
    }
  });

  it("takes the place of the first of its connection when that is over", () => {
    const socket = new EventEmitter();
    const first = requestOn(socket, true);
    requestOn(socket);
    vi.advanceTimersByTime(SLOW_BODY_MS);
    expect(inFlight.giveUpSlow()).toBe(false);
    first.response.emit("close");
    const third = requestOn(socket);
    vi.advanceTimersByTime(SLOW_BODY_MS);
    expect(inFlight.giveUpSlow()).toBe(true);
    expect(givenUp).toEqual([[third.request, "body"]]);
  });

  it("that has been answered leaves the first of its connection what it is", () => {
    const socket = new EventEmitter();
    const first = requestOn(socket);
    requestOn(socket, true).response.emit("close");
    vi.advanceTimersByTime(SLOW_BODY_MS);
    expect(inFlight.giveUpSlow()).toBe(true);
    expect(givenUp).toEqual([[first.request, "body"]]);
  });

  it("whose answer is ready has five seconds more to take it, from when others first wanted room", () => {
    const { request, response } = requestOn(new EventEmitter(), true);
    response.writableEnded = true;
    vi.advanceTimersByTime(10 * SLOW_READER_MS);
    expect(inFlight.giveUpSlow()).toBe(false);
    vi.advanceTimersByTime(SLOW_READER_MS - 1);
    expect(inFlight.giveUpSlow()).toBe(false);
    vi.advanceTimersByTime(LOOK_AGAIN_MS);
    expect(inFlight.giveUpSlow()).toBe(true);
    expect(givenUp).toEqual([[request, "answer"]]);
  });
});

it("the slowest of several is given up first, one at a time", () => {
  const requests = [1, 2, 3].map(() => {
    vi.advanceTimersByTime(1);
    return requestOn(new EventEmitter()).request;
  });
  vi.advanceTimersByTime(SLOW_BODY_MS);
  expect(inFlight.giveUpSlow()).toBe(true);
  expect(inFlight.giveUpSlow()).toBe(true);
  expect(givenUp.map(([request]) => request)).toEqual(requests.slice(0, 2));
  expect(inFlight.size).toBe(1);
});

it("a look at all connections that finds nobody slow holds for a moment", () => {
  requestOn(new EventEmitter());
  vi.advanceTimersByTime(SLOW_BODY_MS - 1);
  expect(inFlight.giveUpSlow()).toBe(false);
  vi.advanceTimersByTime(LOOK_AGAIN_MS - 1);
  expect(inFlight.giveUpSlow()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(inFlight.giveUpSlow()).toBe(true);
});

it("a connection that has closed is forgotten, whatever became of its request", () => {
  const socket = new EventEmitter();
  requestOn(socket);
  socket.emit("close");
  vi.advanceTimersByTime(SLOW_BODY_MS);
  expect(inFlight.giveUpSlow()).toBe(false);
});

it("what arrives on a connection is a request whose body has not come", () => {
  const socket = new EventEmitter();
  const connection = socket as Socket;
  expect(arrivingOn(connection)).toBeUndefined();
  const { request, response } = requestOn(socket);
  expect(arrivingOn(connection)).toBe(request);
  Object.assign(request, { complete: true });
  expect(arrivingOn(connection)).toBeUndefined();
  response.emit("close");
  const next = requestOn(socket);
  expect(arrivingOn(connection)).toBe(next.request);
});
