import { expect, it } from "vitest";

import { anyEngine, Draws } from "../../core/port/any-engine.fixture.ts";
import { FaultyDriver } from "../../core/port/faulty-driver.fixture.ts";
import { Port } from "../../core/index.ts";
import { replay, type JournalEntry } from "./journal.ts";

const SEED = 7;

/** What a bad day has written; its STARTs as they are, or as versions wrote them that did not say what a job takes. */
function written(isOld: boolean): JournalEntry[] {
  const driver = new FaultyDriver(anyEngine(SEED), SEED);
  driver.run(60);
  const taken = driver.journal.filter(({ answer }) => answer.answer !== "ignored");
  return taken.map(({ event, answer }, seq) => ({
    seq,
    event,
    decisions: answer.decisions.map((decision) => {
      if (!isOld || decision.type !== "START") return decision;
      const { cores: _cores, memory: _memory, gpu: _gpu, ...older } = decision;
      return older as typeof decision;
    }),
  }));
}

function replayed(entries: readonly JournalEntry[]): JournalEntry | null {
  const random = new Draws(SEED + 1);
  return replay(new Port(anyEngine(SEED).settings((below) => random.below(below))), entries);
}

it("a journal of this version and one of an older version lead to what they say", () => {
  expect(written(false).some(({ decisions }) => decisions.some(({ type }) => type === "START"))).toBe(true);
  expect(replayed(written(false))).toBeNull();
  expect(replayed(written(true))).toBeNull();
});

it("a journal that says other decisions, or none, is found", () => {
  const entries = written(true);
  const at = entries.findIndex(({ decisions }) => decisions.length > 0);
  const [first] = entries[at].decisions;
  const others = [[{ ...first, number: 99 }], [], [...entries[at].decisions, first]];
  for (const decisions of others)
    expect(replayed(entries.with(at, { ...entries[at], decisions }))?.seq).toBe(at);
});
