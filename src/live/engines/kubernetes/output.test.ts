import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { newAttempt, NO_RECORD, type KubernetesAttempt } from "./attempt.ts";
import type { ApiAnswer, ApiFailure, Connection, Query } from "./connection.ts";
import { Output } from "./output.ts";
import { outputPath, type Parts } from "./parts.ts";
import { readSettings } from "./settings.ts";

const FOLDER = "/state";
const ID = { job: "5b7f0c9e-8a55-4a0e-9c7b-0f2f6a3f1d20", attempt: 1 };
const GONE: ApiFailure = { ok: false, status: 404, reason: "NotFound", message: "", retryAfterSeconds: null };
const AWAY: ApiFailure = { ...GONE, status: null };
const FORBIDDEN: ApiFailure = { ...GONE, status: 403, message: 'pods "x" is forbidden' };
const POD: ApiAnswer = { ok: true, value: { metadata: { uid: "uid" } } };

/** A log that is read from its beginning each time, and is cut now and then. */
class ScriptedLog {
  text = "";
  isOver = false;
  /** How the next readings fail before they have come to the end. */
  readonly failures: { afterBytes: number; failure: ApiFailure | null }[] = [];
  /** What every request is refused with, once those have been. */
  refusal: ApiFailure | null = null;
  /** How the pod itself is found. */
  pod: ApiAnswer = GONE;
  /** Nothing is ever heard. */
  isSilent = false;
  readings = 0;

  readonly connection: Connection = {
    call: async () => this.pod,
    follow: (_path, query: Query, began, receive, ended) => {
      this.readings++;
      const refused = this.refusal === null ? undefined : { afterBytes: 0, failure: this.refusal };
      const fault = this.failures.shift() ?? refused;
      const stopping = new AbortController();
      const { signal } = stopping;
      const all = new TextEncoder().encode(this.text);
      const bytes = all.subarray(0, fault?.afterBytes ?? all.length);
      void Promise.resolve().then(async () => {
        if (signal.aborted || this.isSilent) return;
        began();
        for (let at = 0; at < bytes.length && !signal.aborted; at += 7)
          await receive(bytes.subarray(at, at + 7));
        if (signal.aborted) return;
        if (fault !== undefined) ended(fault.failure);
        else if (query["follow"] !== true || this.isOver) ended(null);
      });
      return () => stopping.abort();
    },
    close: () => undefined,
  };
}

async function setup() {
  const clock = new VirtualClock();
  const disk = new MemoryDisk(clock);
  const log = new ScriptedLog();
  const attempt: KubernetesAttempt = {
    ...newAttempt(ID, { ...NO_RECORD, uid: "uid" }),
    state: "running",
    presence: "there",
  };
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
    report: (report) => void (report.kind === "notice" && report.warns === true && notices.push(report.text)),
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
    output.keep(attempt);
    await clock.pass(30);
    expect(kept()).toBe("one\ntwo\n");
  });

  it("is told while it is still read after the end, with what is in the way", async () => {
    const { clock, log, attempt, output } = await setup();
    log.text = "one\n";
    log.pod = POD;
    output.follow(attempt);
    await clock.pass(1);
    expect(output.doing(attempt.key)).toBeNull();
    const ended = clock.unixSeconds();
    log.refusal = FORBIDDEN;
    output.keep(attempt);
    await clock.pass(600);
    expect(output.doing(attempt.key)).toEqual({
      text: 'it has ended on its node; what it printed is still being read: pods "x" is forbidden. The service has no right to get pods/log. It is asked for again for 60 min, and then what is not read is lost',
      sinceUnixSeconds: ended,
    });
    log.refusal = AWAY;
    log.pod = AWAY;
    await clock.pass(60);
    expect(output.doing(attempt.key)?.text).toMatch(/still being read: .*asked for again until it can be$/);
    log.refusal = null;
    log.isOver = true;
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: null });
    expect(output.doing(attempt.key)).toBeNull();
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
          output.keep(attempt);
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

  it("is read on after each failure that says nothing of the pod", async () => {
    for (const status of [400, 401, 403, 404, 408, 429, 500, 502, 503, 504, null]) {
      const { clock, log, attempt, notices, output, kept } = await setup();
      log.text = "one\ntwo\n";
      log.pod = POD;
      output.follow(attempt);
      log.refusal = { ...GONE, status };
      await clock.pass(10);
      log.text += "three\n";
      log.isOver = true;
      expect(output.keep(attempt)).toBeNull();
      await clock.pass(40);
      expect(output.keep(attempt), String(status)).toBeNull();
      log.refusal = null;
      await clock.pass(60);
      expect(output.keep(attempt), String(status)).toEqual({ lost: null });
      expect(kept()).toBe("one\ntwo\nthree\n");
      expect(notices.length).toBe([null, 401, 404].includes(status) ? 0 : 1);
    }
  });

  it("is read on where a stream is ended in order while it runs: its node or the API server starts anew", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\ntwo\nthree\n";
    log.failures.push({ afterBytes: 4, failure: null });
    output.follow(attempt);
    await clock.pass(10);
    expect(kept()).toBe("one\ntwo\nthree\n");
  });

  it("is compared with the whole log after its end, again until nothing is new", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\ntwo\nthree\n";
    log.isOver = true;
    for (const afterBytes of [4, 8]) log.failures.push({ afterBytes, failure: null });
    output.follow(attempt);
    output.keep(attempt);
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: null });
    expect(kept()).toBe("one\ntwo\nthree\n");
  });

  it("is told once of the pool where no log may be read, with the right that is missing", async () => {
    const { clock, log, attempt, notices, output } = await setup();
    log.refusal = FORBIDDEN;
    const other: KubernetesAttempt = { ...attempt, key: `${ID.job}.2`, id: { ...ID, attempt: 2 } };
    for (const each of [attempt, other]) output.follow(each);
    // An API server that has just started forbids everything for a moment.
    await clock.pass(1);
    expect(notices).toEqual([]);
    await clock.pass(120);
    expect(notices).toEqual([
      'what jobs print cannot be read: pods "x" is forbidden. Give the service the right to get pods/log, as examples/kubernetes/own-jobs.yaml does. A job that has ended waits for that, for at most 60 min',
    ]);
  });

  it("is lost with a word where it may not be read for an hour after the end", async () => {
    const { clock, log, attempt, output } = await setup();
    log.refusal = FORBIDDEN;
    output.keep(attempt);
    await clock.pass(3500);
    expect(output.keep(attempt)).toBeNull();
    await clock.pass(200);
    expect(output.keep(attempt)).toEqual({ lost: 'pods "x" is forbidden' });
  });

  it("waits as long as the API server is away", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\n";
    log.refusal = AWAY;
    log.pod = AWAY;
    output.keep(attempt);
    await clock.pass(10_000);
    expect(output.keep(attempt)).toBeNull();
    log.refusal = null;
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: null });
    expect(kept()).toBe("one\n");
  });

  it("is lost with a word where its stream was broken and its pod is gone", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\n";
    log.failures.push({ afterBytes: 4, failure: AWAY });
    output.follow(attempt);
    await clock.pass(1);
    log.refusal = GONE;
    output.keep(attempt);
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: "its pod is gone" });
    expect(kept()).toBe("one\n");
  });

  it("is whole where its stream had come to its end before its pod was deleted", async () => {
    const { clock, log, attempt, notices, output, kept } = await setup();
    log.text = "one\n";
    log.isOver = true;
    output.follow(attempt);
    await clock.pass(1);
    log.refusal = GONE;
    await clock.pass(10);
    output.keep(attempt);
    await clock.pass(1);
    expect(output.keep(attempt)).toEqual({ lost: null });
    expect([kept(), ...notices]).toEqual(["one\n"]);
  });

  it("is not asked for by its name where another pod may have that", async () => {
    const { clock, log, attempt, output } = await setup();
    attempt.presence = "gone";
    output.follow(attempt);
    output.keep(attempt);
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: "its pod is gone" });
    expect(log.readings).toBe(0);
  });

  it("is not mixed up where a node has rotated the log and the stream was broken", async () => {
    // Longer than what is kept, or shorter.
    for (const rotated of ["four\nfive\nsix\nseven\n", "four\n"]) {
      const { clock, log, attempt, output, kept } = await setup();
      log.text = "one\ntwo\n";
      log.failures.push({ afterBytes: 8, failure: AWAY });
      output.follow(attempt);
      await clock.pass(1);
      log.text = rotated;
      log.isOver = true;
      output.keep(attempt);
      await clock.pass(60);
      expect(output.keep(attempt)).toEqual({
        lost: "its node has rotated the log, and has only the last part of it",
      });
      expect(kept()).toBe("one\ntwo\n");
    }
  });

  it("is whole where a node has rotated the log after the stream had come to its end", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\ntwo\n";
    log.isOver = true;
    output.follow(attempt);
    await clock.pass(1);
    log.text = "two\n";
    await clock.pass(10);
    output.keep(attempt);
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: null });
    expect(kept()).toBe("one\ntwo\n");
  });

  it("is not what a kubelet says in the place of a log", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    const words = "unable to retrieve container logs for containerd://3bb6fd00e2a1";
    log.text = words;
    log.isOver = true;
    log.pod = POD;
    output.keep(attempt);
    await clock.pass(30);
    expect(output.keep(attempt)).toBeNull();
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: words });
    expect(kept()).toBe("");
  });

  it("may begin as that does", async () => {
    for (const text of ["u", "unable", "unable to retrieve container logs for a\n", "unable to do it"]) {
      const { clock, log, attempt, output, kept } = await setup();
      log.text = text;
      log.isOver = true;
      output.keep(attempt);
      await clock.pass(30);
      expect(kept()).toBe(text);
    }
  });

  it("is not held up by an answer that never ends", async () => {
    const { clock, log, attempt, output, kept } = await setup();
    log.text = "one\n";
    log.pod = POD;
    log.isSilent = true;
    output.keep(attempt);
    await clock.pass(61);
    log.isSilent = false;
    await clock.pass(60);
    expect(output.keep(attempt)).toEqual({ lost: null });
    expect(kept()).toBe("one\n");
  });

  it("is left for the next service where this one is closed", async () => {
    const { clock, log, attempt, notices, output } = await setup();
    log.refusal = FORBIDDEN;
    output.keep(attempt);
    await clock.pass(1);
    output.close();
    await clock.pass(7200);
    expect(output.keep(attempt)).toBeNull();
    expect([log.readings, ...notices]).toEqual([1]);
  });
});
