import { describe, expect, it } from "vitest";

import { LogDestination } from "./log-destination.ts";

/** A place that takes so many bytes at a time, and only as many as it has room for. */
function place(atATime: number) {
  const state = { text: "", room: Infinity };
  const destination = new LogDestination((bytes) => {
    const count = Math.min(bytes.length, atATime, state.room);
    if (count === 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    state.text += Buffer.from(bytes.subarray(0, count)).toString("latin1");
    state.room -= count;
    return count;
  });
  return { state, destination };
}

describe("the log's destination", () => {
  it("writes lines whole, however few bytes are taken at a time", () => {
    const { state, destination } = place(3);
    destination.write("one line\n");
    destination.write("another\n");
    expect(state.text).toBe("one line\nanother\n");
  });

  it("drops and counts what cannot be written, and says so when it can", () => {
    const { state, destination } = place(100);
    destination.write("first\n");
    state.room = 3;
    destination.write("second\n");
    destination.write("third\n");
    expect(destination.dropped).toBe(2);
    state.room = Infinity;
    destination.write("fourth\n");
    destination.write("fifth\n");
    const lines = state.text.split("\n");
    expect(
      lines.map((line) => (line.startsWith("{") ? (JSON.parse(line) as { msg: string }).msg : line)),
    ).toEqual(["first", "sec", "2 lines of the log could not be written", "fourth", "fifth", ""]);
    expect(destination.dropped).toBe(2);
  });
});
