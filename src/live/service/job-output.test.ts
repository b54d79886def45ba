import { expect, it } from "vitest";

import type { Disk } from "../engines/system/disk.ts";
import { JobOutput } from "./job-output.ts";
import type { LivePool } from "./live-pool.ts";

it("is found in the farm's folder where the engine drops it while it is read", async () => {
  const bytes = Buffer.from("well\n");
  for (const dropped of [null, new Uint8Array(0)]) {
    let isKept = false;
    const disk = {
      read: async () => (isKept ? { bytes, modifiedUnixSeconds: 0 } : null),
    } as unknown as Disk;
    const output = async (): Promise<Uint8Array | null> => {
      isKept = true;
      return dropped;
    };
    const pool = { name: "a", engine: { output } } as unknown as LivePool;
    const job = { number: 1, id: "id", pool: "a" };
    expect(await new JobOutput(disk, "/data", [pool]).read(job, 1, "stdout", 0)).toEqual(bytes);
  }
});
