import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

import { swf as format } from "../../src/workload/formats/swf.ts";
import type { Benchmark, Options } from "../benchmark.ts";
import { atLeast, median, peakMiB, speedOf, timed, type Took } from "../measure.ts";

const TARGET = 150;
const ROUNDS = 5;

export const swf: Benchmark = {
  name: "swf",
  summary: "text in the Standard Workload Format, read into columns; the median of five readings",
  cases: () => ["plain text"],
  async prepare(options) {
    if (!existsSync(fileOf(options))) writeLog(fileOf(options), linesOf(options));
  },
  async measure(name, options) {
    const path = fileOf(options);
    const megabytes = statSync(path).size / 1e6;
    const readings: Took[] = [];
    for (let round = 0; round < ROUNDS; round++) readings.push(await timed(() => format.read(path)));
    const took = {
      seconds: median(readings.map(({ seconds }) => seconds)),
      processorSeconds: median(readings.map(({ processorSeconds }) => processorSeconds)),
    };
    const rate = megabytes / took.processorSeconds;
    return [
      {
        what: `${name}, ${megabytes.toFixed(0)} MB`,
        speed: speedOf(linesOf(options), took),
        figure: `${rate.toFixed(0)} MB/CPU s, ${(megabytes / took.seconds).toFixed(0)} MB/s`,
        peakMiB: peakMiB(),
        target: atLeast(TARGET, "MB/s", rate),
      },
    ];
  },
};

function linesOf({ quick }: Options): number {
  return quick ? 500_000 : 2_000_000;
}

function fileOf(options: Options): string {
  return join(options.dataFolder, `made-${linesOf(options)}.swf`);
}

/**
 * A log with the columns' widths of a large cluster's. Lines differ in every
 * column; the numbers come from a small congruential generator.
 */
function writeLog(path: string, lines: number): void {
  const file = openSync(`${path}.part`, "w");
  let state = 1;
  const random = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
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
  renameSync(`${path}.part`, path);
}
