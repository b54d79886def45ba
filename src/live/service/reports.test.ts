import { describe, expect, it } from "vitest";

import type { ExitCause } from "../engines/engine.ts";
import { endOf } from "./reports.ts";

function end(status: number | null, signal: number | null, cause: ExitCause): string {
  const usage = { elapsedSeconds: 1, cpuSeconds: 1, memoryPeakMiB: 1 };
  const id = { job: "job", attempt: 1 };
  const { state, reason } = endOf({ kind: "exited", id, status, signal, cause, usage, unixSeconds: 0 }, "");
  return `${state}: ${reason}`;
}

describe("a job that exits", () => {
  it("has ended only if it did so by itself, with status 0", () => {
    expect(end(0, null, "itself")).toBe("ended: ");
    expect(end(0, null, "time")).toBe("failed: its time was over");
    expect(end(0, null, "memory")).toBe("failed: it took more memory than it had asked for");
    expect(end(0, null, "cores")).toBe("failed: it took more cores than it had asked for");
    expect(end(0, null, "outside")).toBe("failed: it was ended from outside the farm");
    expect(end(0, null, "asked")).toBe("failed: it was ended");
    expect(end(null, null, "never-ran")).toBe("failed: it was ended");
  });

  it("tells its status, and the signal that this may stand for", () => {
    expect(end(3, null, "itself")).toBe("failed: it ended with status 3");
    expect(end(129, 1, "itself")).toBe(
      "failed: it ended with status 129: by signal 1 (SIGHUP), or by itself with that status",
    );
    expect(end(127, null, "itself")).toBe(
      "failed: it ended with status 127: a program was not found, or by itself with that status",
    );
    expect(end(126, null, "itself")).toBe(
      "failed: it ended with status 126: a program may not be executed, or by itself with that status",
    );
    expect(end(null, 9, "itself")).toBe("failed: it was ended by signal 9");
    expect(end(null, null, "itself")).toBe("failed: its end was not seen");
  });
});
