import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file),
);

/** The files that have a match, outside of comments. */
function having(pattern: RegExp): string[] {
  return files
    .filter((file) => {
      const code = readFileSync(join(root, file), "utf8")
        .replaceAll(/\/\*[\s\S]*?\*\//g, "")
        .replaceAll(/(^|\s)\/\/.*$/gm, "");
      return pattern.test(code);
    })
    .sort();
}

/** Each with the reason why it may. */
const mayBlock: Readonly<Record<string, string>> = {
  "api/listening.ts": "looks at the socket's file, which is one",
  "api/user-sockets.ts": "looks at the sockets' files, which are as many as users",
  "client/failures.ts": "the command line has nothing else to do",
  "client/places.ts": "the command line has nothing else to do",
  "client/strangers.ts": "looks at the owner of two folders, at the start",
  "engines/local/cgroups.ts": "small files of the kernel's memory, not of a disk",
  "engines/local/find-gpus.ts": "what drivers list, in the kernel's memory, before the farm serves",
  "engines/local/processes.ts": "small files of the kernel's memory, not of a disk",
  "engines/system/clock.ts": "reads the boot's name, once",
  "engines/system/records-disk.ts": "small files that are not flushed: a system call each",
  "forecasting/kept-forecasts.ts": "in the thread of forecasts",
  "log-destination.ts": "lines are in order, and a line that is lost is counted",
  "open-farm.ts": "makes a pool's folders, before the farm serves",
  "service/uuid.ts": "random numbers, from memory",
  "store/archive.ts": "in a reader's thread",
  "store/connection.ts": "the type of SQLite's database: rows by index",
  "store/database.ts": "before the farm serves; then commits, which everything waits for",
  "store/file-month.ts": "in a reader's thread",
  "store/lock.ts": "before the farm serves",
  "store/lost-database.ts": "before the farm serves",
  "reader/tasks.ts": "in a reader's thread",
};

/** Lists that are short: to take the first of one moves all others. */
const mayShift: Readonly<Record<string, string>> = {
  "api/traffic.ts": "at most eight wait on a connection",
  "engines/local/limits.ts": "a few samples of the last seconds",
  "engines/slurm/cli.ts": "commands that wait for one of a few slots",
};

describe("the live farm's source", () => {
  it("waits for a disk only where it says why", () => {
    // `croft doctor` is a process of its own, which nobody else waits for.
    const blocking = having(/\b\w+Sync\(/).filter((file) => !file.startsWith("doctor/"));
    expect(blocking).toEqual(Object.keys(mayBlock).sort());
  });

  // A process ends when no timer is left: one that only bounds a wait is cleared, or does not count (`ref: false`).
  it("keeps no process alive with a pause that bounds something else", () => {
    const pausing = having(/\bpause\([\w.]+\)/).filter((file) => !/^(client|doctor)\//.test(file));
    // It is 0.2 s there.
    expect(pausing).toEqual(["engines/system/printed.ts"]);
  });

  it("shifts only short lists", () => {
    expect(having(/\.shift\(\)/)).toEqual(Object.keys(mayShift).sort());
  });
});
