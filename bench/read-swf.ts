/**
 * How fast an SWF log is read: `node bench/read-swf.ts [million lines]`.
 *
 * The log is made here, with the columns' widths of a large cluster's log, and
 * read three times: the first reading includes the compiler's warming up.
 */
import { mkdtempSync, openSync, closeSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { swf } from "../src/workload/formats/swf.ts";

const lines = Math.round(Number(process.argv[2] ?? 2) * 1e6);
const folder = mkdtempSync(join(tmpdir(), "croft-bench-"));
try {
  const log = join(folder, "made.swf");
  writeLog(log, lines);
  const megabytes = statSync(log).size / 1e6;
  for (let round = 1; round <= 3; round++) {
    const before = performance.now();
    const cpuBefore = process.cpuUsage();
    const { count } = await swf.read(log);
    const { user, system } = process.cpuUsage(cpuBefore);
    const seconds = (performance.now() - before) / 1000;
    const rates = [seconds, (user + system) / 1e6].map((seconds) => (megabytes / seconds).toFixed(0));
    const peak = (process.resourceUsage().maxRSS / 1024).toFixed(0);
    console.log(
      `${count} jobs, ${megabytes.toFixed(0)} MB: ${rates[0]} MB/s, ${rates[1]} MB per CPU second, peak ${peak} MiB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Lines that differ in every column; the numbers come from a small congruential generator. */
function writeLog(path: string, lines: number): void {
  const file = openSync(path, "w");
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  writeSync(file, "; Version: 2.2\n; MaxProcs: 8192\n; UnixStartTime: 1272639895\n");
  let batch = "";
  for (let line = 1; line <= lines; line++) {
    const processors = 1 + random(64);
    const runtime = random(100_000);
    batch += `${String(line).padStart(7)} ${line * 3} ${random(5000)} ${runtime} ${processors} ${runtime}.${10 + random(90)} `;
    batch += `${random(4_000_000)} ${processors} 259200 1200000 ${random(2)} ${random(900)} ${random(50)} -1 ${random(5)} -1 -1 -1\n`;
    if (batch.length > 1 << 20 || line === lines) {
      writeSync(file, batch);
      batch = "";
    }
  }
  closeSync(file);
}
