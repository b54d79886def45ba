import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { newAttempt, NO_RECORD, type KubernetesAttempt } from "./attempt.ts";
import type { ApiFailure, Connection, Query } from "./connection.ts";
import { Output } from "./output.ts";
import { outputPath, type Parts } from "./parts.ts";
import { readSettings } from "./settings.ts";

const FOLDER = "/state";
const ID = { job: "5b7f0c9e-8a55-4a0e-9c7b-0f2f6a3f1d20", attempt: 1 };
const GONE: ApiFailure = { ok: false, status: 404, reason: "NotFound", message: "", retryAfterSeconds: null };
const AWAY: ApiFailure = { ...GONE, status: null };

/** A log that is read from its beginning each time, and is cut now and then. */
class ScriptedLog {
  text = "";
  isOver = false;
  /** How the next readings fail before they have come to the end. */
  readonly failures: { afterBytes: number; failure: ApiFailure }[] = [];
  readings = 0;

  readonly connection: Connection = {
    call: () => Promise.reject(new Error("nothing is called")),
    follow: (_path, query: Query, began, receive, ended) => {
      this.readings++;
      const fault = this.failures.shift();
      let isStopped = false;
      const all = new TextEncoder().encode(this.text);
      const bytes = all.subarray(0, fault?.afterBytes ?? all.length);
      void Promise.resolve().then(() => {
        if (isStopped) return;
        began();
        for (let at = 0; at < bytes.length; at += 7) receive(bytes.subarray(at, at + 7));
        if (fault !== undefined) ended(fault.failure);
        else if (query["follow"] !== true || this.isOver) ended(null);
      });
      return () => (isStopped = true);
    },
    close: () => undefined,
  };
}

async function setup() {
  const clock = new VirtualClock();
  const disk = new MemoryDisk(clock);
  const log = new ScriptedLog();
  const attempt: KubernetesAttempt = { ...newAttempt(ID, NO_RECORD), state: "running" };
  const notices: string[] = [];
  const parts: Parts = {
    clock,
    disk,
    folder: FOLDER,
    settings: readSettings({ namespace: "croft", image: "image" }),
    connection: log.connection,
    random: () => 0.5,
    attempts: new Map(),
    machine: () => undefined,
    report: (report) => void (report.kind === "notice" && notices.push(report.text)),
    insist: (task) => task(),
    reconcileSoon: () => undefined,
  };
  const path = outputPath(parts, attempt.key);
  await disk.makeFolder(path.slice(0, path.lastIndexOf("/")));
  return { clock, log, attempt, notices, disk, output: new Output(parts), kept: () => disk.written(path) };
}

describe("what an attempt prints", () => {
  it("is kept as it comes, and to its end", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\n";
    output.follow(attempt);
    output.follow(attempt);
    await clock.pass(1);
    expect(kept()).toBe("one\n");
    expect(log.readings).toBe(1);
    log.text += "two\n";
    log.isOver = true;
    void output.keepAll(attempt);
    await clock.pass(30);
    expect(kept()).toBe("one\ntwo\n");
  });

  it("is kept once, however often the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(60), { maxLength: 6 }),
        fc.string({ unit: "grapheme", maxLength: 40 }),
        async (cuts, text) => {
          const { clock, log, attempt, output, kept } = await setup();
          log.text = text;
          for (const afterBytes of cuts) log.failures.push({ afterBytes, failure: AWAY });
          output.follow(attempt);
          await clock.pass(60);
          log.isOver = true;
          void output.keepAll(attempt);
          await clock.pass(60);
          expect(kept()).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("goes on where it was while the disk is full", async () => {
    const { clock, log, attempt, output, kept, disk } = await setup();
    log.text = "one\n";
    disk.writesFailWith = "ENOSPC";
    output.follow(attempt);
    await clock.pass(10);
    expect(kept()).toBe("");
    disk.writesFailWith = null;
    await clock.pass(10);
    expect(kept()).toBe("one\n");
  });

  it("is given up where the pod is gone, without a word", async () => {
    const { clock, log, attempt, notices, output } = await setup();
    log.failures.push({ afterBytes: 0, failure: GONE });
    let isOver = false;
    void output.keepAll(attempt).then(() => (isOver = true));
    await clock.pass(1);
    expect(isOver).toBe(true);
    expect(notices).toEqual([]);
  });

  it("is given up where the node does not answer, with a word", async () => {
    const { clock, log, attempt, notices, output } = await setup();
    for (let tries = 0; tries < 10; tries++) log.failures.push({ afterBytes: 0, failure: AWAY });
    let isOver = false;
    void output.keepAll(attempt).then(() => (isOver = true));
    await clock.pass(60);
    expect(isOver).toBe(true);
    expect(notices).toEqual([`the end of what ${attempt.key} printed could not be read`]);
  });
});
