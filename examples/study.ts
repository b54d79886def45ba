/** A study: which heuristic packs the most of 1,000 jobs into an empty pool, and is the thesis right? */
import { generators, readMachines } from "croft";
import { bucketClaims, bucketMachines, judgeClaims, studyBuckets } from "croft/research";

const poolA = generators.find(({ name }) => name === "netbatch-a")!;
const workload = poolA.generate({ jobs: 20_000, seed: 1 });
const result = studyBuckets(workload, await readMachines(bucketMachines));

console.log(`${result.buckets} buckets of synthetic jobs`);
for (const { heuristic, winShare } of result.heuristics) {
  console.log(`${heuristic.padEnd(16)} wins ${(winShare * 100).toFixed(0)} %`);
}
for (const { claim, holds } of judgeClaims(bucketClaims, result, "a")) {
  console.log(`${holds === null ? "cannot be judged" : holds ? "holds" : "does not hold"}: ${claim}`);
}
