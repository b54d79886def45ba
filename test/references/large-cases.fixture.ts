import { Draws } from "./any-farm.fixture.ts";
import type { Farm, Job } from "./farm.fixture.ts";

/** Farms on which the way of placing decides the waits by factors. */
interface LargeCase {
  readonly name: string;
  readonly machines: readonly (readonly [count: number, cores: number])[];
  /** Cores of jobs of one task, each as often as it stands here. */
  readonly cores: readonly number[];
  readonly load: number;
}

export const largeCases: readonly LargeCase[] = [
  { name: "16x16c", machines: [[16, 16]], cores: [1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 8, 16], load: 0.91 },
  { name: "8x64c", machines: [[8, 64]], cores: [1, 2, 4, 4, 8, 8, 16, 16, 32, 64], load: 0.8 },
  {
    name: "2x32c+16x4c",
    machines: [
      [2, 32],
      [16, 4],
    ],
    cores: [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4, 8, 16],
    load: 0.85,
  },
];

/** Jobs of an hour or so that come at random; users ask for up to five times the run time. */
export function largeCase({ machines, cores, load }: LargeCase, count: number, seed: number): Farm {
  const draw = new Draws(seed);
  const total = machines.reduce((sum, [count, cores]) => sum + count * cores, 0);
  const runtimeMean = 3600;
  const coresMean = cores.reduce((a, b) => a + b) / cores.length;
  const gapMean = (coresMean * runtimeMean) / (total * load);
  let time = 0;
  const jobs = Array.from({ length: count }, (_, row): Job => {
    time += draw.exponential(gapMean);
    const runtime = Math.min(86_400, 1 + Math.floor(draw.exponential(runtimeMean)));
    const estimate = Math.ceil((runtime * draw.from(10, 50)) / 600) * 60;
    const task = { cores: draw.of(cores), memory: 0, gpus: 0 };
    return {
      number: row + 1,
      submit: Math.floor(time),
      runtime,
      estimate: Math.max(runtime, estimate),
      tasks: 1,
      task,
    };
  });
  return {
    machines: machines.flatMap(([count, cores]) =>
      Array.from({ length: count }, () => ({ cores, memory: 0, gpus: 0 })),
    ),
    hasMemory: false,
    jobs,
  };
}
