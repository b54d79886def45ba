import { expect, it } from "vitest";

import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { newAttempt, NO_RECORD } from "./attempt.ts";
import type { Connection } from "./connection.ts";
import { readLog } from "./log-reading.ts";
import type { Parts } from "./parts.ts";
import { readSettings } from "./settings.ts";

const MIB = 1024 * 1024;
const LIMIT_BYTES = 256 * MIB;

/** A file of nothing but `x`, as far as it goes. */
class LargeFile extends MemoryDisk {
  size = 0;
  last = "";

  override async read(_path: string, fromByte: number, limitBytes: number) {
    const length = Math.max(0, Math.min(limitBytes, this.size - fromByte));
    return { bytes: new Uint8Array(length).fill(0x78), modifiedUnixSeconds: 0 };
  }

  override async append(_path: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content);
    this.size += bytes.length;
    this.last = bytes.subarray(-200).toString();
  }
}

it("keeps 256 MiB of a log, says where it is cut, and asks for no more", async () => {
  const clock = new VirtualClock();
  const disk = new LargeFile(clock);
  let sent = 0;
  const connection: Connection = {
    call: () => Promise.reject(new Error("nothing is called")),
    follow: (_path, _query, _began, receive, ended) => {
      const stopping = new AbortController();
      const { signal } = stopping;
      void (async () => {
        const piece = new Uint8Array(MIB).fill(0x78);
        for (; sent < 300 && !signal.aborted; sent++) await receive(piece);
        if (!signal.aborted) ended(null);
      })();
      return () => stopping.abort();
    },
    close: () => undefined,
  };
  const parts: Parts = {
    clock,
    disk,
    folder: "/state",
    settings: readSettings({ namespace: "croft", image: "image" }),
    connection,
    random: () => 0.5,
    attempts: new Map(),
    machine: () => undefined,
    report: () => undefined,
    insist: (task) => task(),
    reconcileSoon: () => undefined,
  };
  const id = { job: "5b7f0c9e-8a55-4a0e-9c7b-0f2f6a3f1d20", attempt: 1 };
  const attempt = newAttempt(id, NO_RECORD);
  // It goes on from what an earlier reading has kept.
  disk.size = 250 * MIB + 5;
  const line = "\ncroft: more than 256 MiB were printed; the rest is not kept\n";
  const end = await readLog(parts, attempt, true).over;
  expect(end).toMatchObject({ failure: null, isShort: false });
  expect(disk.size).toBe(LIMIT_BYTES + line.length);
  expect(disk.last.endsWith(line)).toBe(true);
  expect(sent).toBeLessThan(260);
  expect(await readLog(parts, attempt, false).over).toEqual({ failure: null, addedBytes: 0, isShort: false });
  expect(disk.size).toBe(LIMIT_BYTES + line.length);
});
