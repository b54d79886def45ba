import { expect, test } from "vitest";
import { NONE } from "../none.ts";
import { KindNotes } from "./kind-notes.ts";

test("a number is known of its kind until all are cleared, or the kind", () => {
  const notes = new KindNotes();
  expect([1, 5000].map((kind) => notes.of(kind))).toEqual([NONE, NONE]);
  notes.set(1, 0);
  notes.set(5000, Infinity);
  expect([1, 2, 5000].map((kind) => notes.of(kind))).toEqual([0, NONE, Infinity]);
  notes.clearKind(1);
  notes.clearKind(1_000_000);
  expect([1, 5000].map((kind) => notes.of(kind))).toEqual([NONE, Infinity]);
  notes.clear();
  expect(notes.of(5000)).toBe(NONE);
});
