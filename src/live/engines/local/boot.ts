import type { Disk } from "../system/disk.ts";

/** More than the name of a boot takes. */
const LIMIT_BYTES = 1000;

/**
 * Notes the boot of the machine that attempts are launched in, durably, before the first of them: records are not flushed,
 * so those of another boot may be gone.
 */
export class Boot {
  private readonly disk: Disk;
  private readonly path: string;
  private readonly now: string;
  private kept: Promise<void> | null = null;
  /** Whether attempts were launched in another boot, and nobody was told. */
  isOther = false;

  /**
   * @param disk a durable one
   * @param now names the present boot
   */
  constructor(disk: Disk, path: string, now: string) {
    this.disk = disk;
    this.path = path;
    this.now = now;
  }

  async open(): Promise<void> {
    const file = await this.disk.read(this.path, 0, LIMIT_BYTES);
    const before = file === null ? null : new TextDecoder().decode(file.bytes).trim();
    if (before === this.now) this.kept = Promise.resolve();
    this.isOther = before !== null && before !== this.now;
  }

  /** Resolves when it is noted. Until then nothing may be launched. */
  keep(): Promise<void> {
    this.kept ??= this.disk.writeWhole(this.path, `${this.now}\n`).catch((error: unknown) => {
      this.kept = null;
      throw error;
    });
    return this.kept;
  }
}
