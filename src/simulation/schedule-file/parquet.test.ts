import { readFileSync } from "node:fs";

import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";

import type { Machines } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import { PlacementLog } from "../schedule.ts";
import { ParquetSchedule } from "./parquet.ts";

/** The rows of the documentation's table of the file's columns: names, type, null. */
const documented = readFileSync(new URL("../../../docs/simulate.md", import.meta.url), "utf8")
  .split("\nAs Parquet,")[1]
  .split("\n## ")[0]
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

const labels = { policy: "easy", strategy: "NoRes", packing: "none", ttl: 60, load: 0.9 };

/** Two jobs of which the second was rejected, with or without the machine of the first. */
async function write(isPlaced: boolean): Promise<ArrayBuffer> {
  const workload = workloadOf({
    name: "two",
    submitSeconds: Float64Array.of(0, 1),
    runtimeSeconds: Float64Array.of(5, 5),
    coresMilli: Int32Array.of(1000, 9000),
    memoryMiB: Int32Array.of(64, 128),
    user: { codes: Int32Array.of(0, 1), names: ["ann", ""] },
    estimateSeconds: Float64Array.of(7.5, Number.NaN),
    recordedWaitSeconds: Float64Array.of(Number.NaN, 4),
  });
  const schedule = {
    submitSeconds: workload.submitSeconds,
    startSeconds: Float64Array.of(2, Number.NaN),
    promisedSeconds: Float64Array.of(3, Number.NaN),
    counted: { fromSeconds: 1, untilSeconds: 1 },
    machines: isPlaced
      ? PlacementLog.fromLists({ only: Int32Array.of(0, -1), lists: new Int32Array(0) })
      : null,
  };
  const file = new ParquetSchedule(workload, { ids: ["m1"] } as unknown as Machines);
  const parts: Uint8Array[] = [];
  for await (const part of file.encode(schedule, labels)) parts.push(part);
  parts.push(await file.finish());
  return new Uint8Array(Buffer.concat(parts)).buffer;
}

describe("a schedule in Parquet", () => {
  it("has null where a job did not start, and where no machine is told", async () => {
    const first = {
      ...labels,
      job: 1,
      submit: 0,
      start: 2,
      end: 7,
      machine: "m1",
      outcome: "done",
      promised: 3,
      cores: 1,
      tasks: 1,
      memoryMiB: 64,
      user: "ann",
      runtimeSeconds: 5,
      estimateSeconds: 7.5,
      recordedWaitSeconds: null,
      counted: false,
    };
    const second = {
      ...labels,
      job: 2,
      submit: 1,
      start: null,
      end: null,
      machine: null,
      outcome: "rejected",
      promised: null,
      cores: 9,
      tasks: 1,
      memoryMiB: 128,
      user: null,
      runtimeSeconds: 5,
      estimateSeconds: null,
      recordedWaitSeconds: 4,
      counted: true,
    };
    expect(await parquetReadObjects({ file: await write(true) })).toEqual([first, second]);
    expect(await parquetReadObjects({ file: await write(false) })).toEqual([
      { ...first, machine: null },
      second,
    ]);
  });

  it("has the columns of the documentation", async () => {
    const columns = documented.flatMap(([, names, type, nothing]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({
        name,
        type: type.replace(/;.*/, ""),
        mayBeNull: nothing !== "",
      })),
    );
    const { schema } = parquetMetadata(await write(true));
    expect(
      schema.slice(1).map(({ name, type, logical_type, repetition_type }) => ({
        name,
        type: logical_type?.type ?? type,
        mayBeNull: repetition_type === "OPTIONAL",
      })),
    ).toEqual(columns.filter(({ name }) => name !== "beta"));
  });
});
