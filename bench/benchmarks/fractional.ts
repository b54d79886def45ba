import {
  allocate,
  findFractionalAlgorithm,
  verifyPlacement,
  yieldBound,
} from "../../src/research/fractional/index.ts";
import { generateInstance, generatorDefaults } from "../../src/research/instances/index.ts";
import type { Benchmark, Row } from "../benchmark.ts";
import { below, peakMiB, timed } from "../measure.ts";

/** Instances of the shape for which the times of the authors' own program are known: 15 s for its METAHVP. */
const REFERENCE = { hosts: 512, services: 2000 };
const REFERENCE_ALGORITHMS = ["greedy-light", "meta-greedy", "meta-hvp"];
const REFERENCE_TENTH_SECONDS = 1.4;
const SEEDS = [1, 2, 3, 4];

/** Ten services a host: how the cost grows. */
const HOSTS = [1000, 3000, 10_000];
const GROWTH_ALGORITHMS = ["vp-ff-sum", "vp-bf-sum", "vp-cp-sum", "vp-pp-sum-w1", "meta-hvp"];

export const fractional: Benchmark = {
  name: "fractional",
  summary: "minimum yields, their bound and the time of packing services onto unequal hosts",
  cases: ({ quick }) => [
    ...(quick ? SEEDS.slice(0, 1) : SEEDS).map((seed) => `512 × 2,000, seed ${seed}`),
    ...(quick ? HOSTS.slice(0, 1) : HOSTS).flatMap((hosts) =>
      GROWTH_ALGORITHMS.map((algorithm) => `${hosts.toLocaleString("en")} × ${algorithm}`),
    ),
  ],
  async measure(name): Promise<readonly Row[]> {
    const seed = /seed (\d+)/.exec(name)?.[1];
    if (seed !== undefined) return measureAll(REFERENCE_ALGORITHMS, { ...REFERENCE, seed: Number(seed) });
    const [hosts, algorithm] = name.split(" × ");
    const count = Number(hosts.replaceAll(",", ""));
    return measureAll([algorithm], { hosts: count, services: 10 * count, seed: 1 });
  },
};

async function measureAll(
  algorithms: readonly string[],
  size: { readonly hosts: number; readonly services: number; readonly seed: number },
): Promise<Row[]> {
  const instance = generateInstance({ ...generatorDefaults, ...size, shape: "cores" });
  const { result: bound } = await timed(() => yieldBound(instance));
  const rows: Row[] = [];
  for (const name of algorithms) {
    const { result, processorSeconds } = await timed(() =>
      findFractionalAlgorithm(name)!.solve(instance, { bound, random: () => 0 }),
    );
    if (result === null) throw new Error(`${name}: no placement`);
    if (verifyPlacement(instance, result.hostOf, allocate(instance, result.hostOf)).length > 0)
      throw new Error(`${name}: a wrong placement`);
    const figures = `yield ${result.minYield.toFixed(3)} of ${bound.toFixed(3)}`;
    rows.push({
      what: `${name}, ${size.hosts} × ${size.services}`,
      figure: `${figures}, ${processorSeconds.toFixed(2)} CPU s`,
      peakMiB: peakMiB(),
      ...(name === "meta-hvp" && size.hosts === REFERENCE.hosts
        ? { target: below(REFERENCE_TENTH_SECONDS, "s", processorSeconds) }
        : {}),
    });
  }
  return rows;
}
