import type { Disk } from "../system/disk.ts";

/** Puts a script in its place. One that is there already is not written again: the disk may be full. */
export async function keepScript(disk: Disk, path: string, script: string): Promise<void> {
  const there = await disk.read(path, 0, Buffer.byteLength(script) + 1);
  if (there !== null && Buffer.from(there.bytes).toString("utf8") === script) return;
  await disk.writeWhole(path, script);
}
