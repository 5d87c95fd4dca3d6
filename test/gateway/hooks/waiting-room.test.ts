import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WaitingRoom } from "../../../gateway/hooks/waiting-room.ts";

const AT_ONCE = 2;
/** How often it is looked at whether there is time left, and how busy a process without any is. */
const LOOK_MS = 10;
const BUSY = 0.8;

let room: WaitingRoom;
let begun: string[];
let utilization: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  utilization = 1;
  const measured = (since?: EventLoopUtilization) => ({
    idle: 0,
    active: 0,
    utilization: since ? utilization : 0,
  });
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation(measured);
  room = new WaitingRoom(AT_ONCE);
  begun = [];
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A request enters; answers with what ends it, or has its client go. */
function enter(name: string): () => void {
  const response = Object.assign(new EventEmitter(), { closed: false });
  room.enter(response as unknown as ServerResponse, () => void begun.push(name));
  return () => {
    response.closed = true;
    response.emit("close");
  };
}

describe("requests in a process that has no time left", () => {
  it("are worked on so many at once; others wait, and come in the order they came when one is over", () => {
    const endFirst = enter("first");
    const endSecond = enter("second");
    const endThird = enter("third");
    enter("fourth");
    expect([begun, room.size]).toEqual([["first", "second"], 2]);
    vi.advanceTimersByTime(100 * LOOK_MS);
    expect(begun).toHaveLength(AT_ONCE);
    endSecond();
    expect([begun, room.size]).toEqual([["first", "second", "third"], 1]);
    endFirst();
    endThird();
    expect([begun, room.size]).toEqual([["first", "second", "third", "fourth"], 0]);
  });

  it("whose clients go while they wait are never begun, and take nobody's place", () => {
    const ends = ["first", "second"].map(enter);
    const gone = enter("gone");
    enter("third");
    gone();
    expect(begun).toEqual(["first", "second"]);
    ends[0]?.();
    expect([begun, room.size]).toEqual([["first", "second", "third"], 0]);
  });
});

describe("requests that wait for somebody else, such as a register", () => {
  it("keep nobody waiting: as many more are let in whenever the process has time left", () => {
    for (let n = 1; n <= 7; n++) enter(String(n));
    utilization = BUSY - 0.01;
    for (const many of [4, 6, 7]) {
      vi.advanceTimersByTime(LOOK_MS - 1);
      expect(begun.length).toBeLessThan(many);
      vi.advanceTimersByTime(1);
      expect(begun).toHaveLength(many);
    }
    expect(begun).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leave no room when they are over until so few are worked on again", () => {
    const ends = ["1", "2", "3", "4", "5"].map(enter);
    utilization = 0;
    vi.advanceTimersByTime(LOOK_MS);
    utilization = BUSY;
    expect(begun).toHaveLength(4);
    ends[0]?.();
    ends[1]?.();
    vi.advanceTimersByTime(LOOK_MS);
    expect(begun).toHaveLength(4);
    ends[2]?.();
    expect(begun).toHaveLength(5);
  });
});
