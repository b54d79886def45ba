import type { Benchmark } from "./benchmark.ts";
import { cycle } from "./benchmarks/cycle.ts";
import { easy } from "./benchmarks/easy.ts";
import { farm } from "./benchmarks/farm.ts";
import { fractional } from "./benchmarks/fractional.ts";
import { live } from "./benchmarks/live.ts";
import { manyPods } from "./benchmarks/many-pods.ts";
import { memory } from "./benchmarks/memory.ts";
import { packing } from "./benchmarks/packing.ts";
import { parquet } from "./benchmarks/parquet.ts";
import { placement } from "./benchmarks/placement.ts";
import { pods } from "./benchmarks/pods.ts";
import { pool } from "./benchmarks/pool.ts";
import { readers } from "./benchmarks/readers.ts";
import { scale } from "./benchmarks/scale.ts";
import { swf } from "./benchmarks/swf.ts";

/** Every benchmark. To add one: a file beside the others, and a line here. */
export const benchmarks: readonly Benchmark[] = [
  pool,
  placement,
  scale,
  cycle,
  packing,
  swf,
  readers,
  parquet,
  easy,
  memory,
  fractional,
  farm,
  live,
  pods,
  manyPods,
];
