import { expect, it } from "vitest";

import { afterKey, keysIn, type Wish } from "./keys.ts";
import type { Choice } from "./screen.ts";

const list: Choice = { filter: "", isTyping: false, chosen: 0, why: null, whyFrom: 0 };

/** What is chosen after what a terminal sent, among ten jobs. */
function after(text: string, from = list): { choice: Choice; wishes: Wish[] } {
  let choice = from;
  const wishes: Wish[] = [];
  for (const key of keysIn(text)) {
    const next = afterKey(choice, key, 10);
    choice = next.choice;
    if (next.wish !== null) wishes.push(next.wish);
  }
  return { choice, wishes };
}

it("reads the keys of a terminal, and passes over what it does not know", () => {
  expect(keysIn("\u001b[A\u001bOBq\r\u007f\u0003")).toEqual([
    "up",
    "down",
    "q",
    "enter",
    "rubout",
    "interrupt",
  ]);
  expect(keysIn("\u001b[1;5C\u001b[200~é\u0000")).toEqual(["é"]);
  expect(keysIn("\u001b")).toEqual(["escape"]);
});

it("moves the choice within the jobs that are there", () => {
  expect(after("\u001b[B\u001b[B\u001b[A").choice.chosen).toBe(1);
  expect(after("\u001b[A").choice.chosen).toBe(0);
  expect(after("\u001b[6~\u001b[6~").choice.chosen).toBe(9);
  expect(after("\u001b[F\u001b[H").choice.chosen).toBe(0);
});

it("types a filter, in which q is a letter", () => {
  expect(after("/qx\u007f").choice).toMatchObject({ filter: "q", isTyping: true });
  expect(after("/ann\r").choice).toMatchObject({ filter: "ann", isTyping: false });
  expect(after("/ann\u001b").choice.filter).toBe("");
  expect(after(`/${"x".repeat(500)}`).choice.filter).toHaveLength(60);
});

it("asks why of a job, goes back, and quits", () => {
  expect(after("\r").wishes).toEqual(["why"]);
  expect(afterKey(list, "enter", 0).wish).toBeNull();
  const why = { ...list, why: ["Job 1 is waiting."] };
  expect(after("\u001b", why).choice.why).toBeNull();
  expect(after("\u001b[B\u001b[6~\u001b[A", why).choice.whyFrom).toBe(10);
  expect(after("\u001b[A", why).choice.whyFrom).toBe(0);
  expect(after("q", why).wishes).toEqual(["quit"]);
  expect(after("\u0003", { ...list, isTyping: true }).wishes).toEqual(["quit"]);
});
