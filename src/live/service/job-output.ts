import type { Disk } from "../engines/system/disk.ts";
import type { LivePool } from "./live-pool.ts";
import { outputPath } from "./starting.ts";

const LIMIT_BYTES = 256 * 1024;

/** The output of jobs, as far as the farm keeps it. */
export class JobOutput {
  private readonly disk: Disk;
  private readonly data: string;
  private readonly pools: readonly LivePool[];

  constructor(disk: Disk, data: string, pools: readonly LivePool[]) {
    this.disk = disk;
    this.data = data;
    this.pools = pools;
  }

  /** A piece of it, from a byte on; empty at the end of what there is. */
  async read(
    job: { readonly number: number; readonly id: string; readonly pool: string | null },
    attempt: number,
    stream: "stdout" | "stderr",
    fromByte: number,
  ): Promise<Uint8Array> {
    const path = outputPath(this.data, job.number, attempt, stream);
    const inFolder = async (): Promise<Uint8Array | undefined> =>
      (await this.disk.read(path, fromByte, LIMIT_BYTES))?.bytes;
    const file = await inFolder();
    if (file !== undefined) return file;
    // Engines that do not write into the farm's folder keep it themselves.
    const pool = this.pools.find(({ name }) => name === job.pool);
    const kept = await pool?.engine.output({ job: job.id, attempt }, stream, fromByte, LIMIT_BYTES);
    if (kept !== undefined && kept !== null && kept.length > 0) return kept;
    // The engine drops it once it is in the folder, which may have been just now.
    return (await inFolder()) ?? new Uint8Array(0);
  }
}
