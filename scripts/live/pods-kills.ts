/**
 * Kills `croft schedule-pods`, the API server, etcd and hollow kubelets of a real Kubernetes while Jobs are made: in half
 * of the trials the scheduler at a named step, in the others whatever at any moment.
 */
import { setTimeout as pause } from "node:timers/promises";

import { podCrashPoints } from "../../src/live/pods/crash-points.ts";
import { Draws } from "../../src/live/service/draws.ts";
import { hasWholeKubernetes } from "../../test/kubernetes-cluster.fixture.ts";
import { Wedged } from "./patience.ts";
import { Grounds, HEAD, isWrong, noCounts, type Counts, type TrialJob, type Victim } from "./pods-grounds.ts";
import { printTable } from "./table.ts";
import type { Trial } from "./trial.ts";

const JOBS_IN_A_TRIAL = 6;
/** A step that was not passed by then will not be passed. The lease of a scheduler that was killed lasts 15 s. */
const PASSING_MILLISECONDS = 8000;
/** How often a step is passed before the scheduler dies there, less one, by what is changed at it. */
const PASSES = { lease: 1, binding: 4, condition: 2, event: 1 } as const;
/** Nothing is evicted here. */
const STEPS = podCrashPoints.filter((step) => !step.endsWith("-eviction"));

export const podsKills: Trial = {
  name: "pods-kills",
  summary:
    "kill -9 of croft schedule-pods, the API server, etcd and kubelets of a real Kubernetes, while Jobs are made",
  unit: "trials",
  usual: 24,
  plants: { names: ["a-second-start", "pods-that-take-nothing"], count: 6 },
  run,
};

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  if (!hasWholeKubernetes)
    throw new Error("it needs scripts/kubernetes/build-cluster.sh, and its folder in CROFT_KUBERNETES");
  const sums = noCounts();
  let grounds = await Grounds.make(plant);
  try {
    for (let at = seed; at < seed + count; at++) {
      const found = noCounts();
      found.trials = 1;
      try {
        await one(grounds, at, found);
      } catch (error) {
        if (!(error instanceof Wedged)) throw error;
        console.log(`wedged: ${error.message}`);
        found.wedged = 1;
        await grounds.close();
        grounds = await Grounds.make(plant);
      }
      if (isWrong(found)) console.log(`with seed ${at}`);
      for (const name of HEAD) sums[name] += found[name];
      if (plant !== null && isWrong(sums)) break;
      process.stderr.write(`${HEAD.map((name) => sums[name]).join(" ")}\n`);
    }
  } finally {
    await grounds.close();
  }
  if (plant === null) printTable(HEAD, [HEAD.map((name) => String(sums[name]))]);
  return !isWrong(sums);
}

async function one(grounds: Grounds, seed: number, found: Counts): Promise<void> {
  const draws = new Draws(seed);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  grounds.begin();
  const isAtStep = seed % 2 === 0;
  const step = STEPS[(seed >> 1) % STEPS.length];
  const passes = PASSES[step.split("-")[1] as keyof typeof PASSES];
  grounds.startScheduler(isAtStep ? `${step}:${draws.below(passes)}` : null);
  const jobs = Array.from({ length: JOBS_IN_A_TRIAL }, (_, at): TrialJob => {
    const isGang = draws.below(4) === 0;
    const pods = isGang ? of([2, 3]) : of([1, 2, 4]);
    return { name: `t${seed}-${at}`, pods, cores: of(["100m", "300m", "500m"]), memory: "50Mi", isGang };
  });
  const making = (async () => {
    await grounds.makeTooLarge();
    for (const job of jobs) {
      await grounds.make(job);
      await pause(draws.below(of([1, 1, 400, 1500])));
    }
  })();
  making.catch(() => undefined);
  if (isAtStep) {
    const died = await Promise.race([grounds.schedulerDied(), pause(PASSING_MILLISECONDS, false)]);
    if (died) found["died at step"]++;
    // What dies with it, at the same moment.
    await grounds.killAndMend(["scheduler", ...of(TOGETHER)], draws, found);
  } else {
    // In most of them pods run by then: a scheduler takes seconds to start.
    if (draws.below(4) > 0) await grounds.someRun();
    for (let left = of([1, 1, 2]); left > 0; left--) {
      await pause(draws.below(of([300, 1500, 4000])));
      await grounds.killAndMend(of(HARMS), draws, found);
    }
  }
  await making;
  const neverRan = await grounds.allRun(jobs);
  // A kubelet may say that a pod runs before it has written down that it started it.
  await grounds.clear(jobs);
  grounds.judge(jobs, neverRan, found);
}

const TOGETHER: readonly (readonly Victim[])[] = [
  [],
  ["kube-apiserver"],
  ["etcd", "kube-apiserver"],
  ["etcd"],
  ["kubelet"],
];
const HARMS: readonly (readonly Victim[])[] = [
  ["scheduler"],
  ["kube-apiserver"],
  ["etcd"],
  ["kubelet"],
  ["etcd", "kube-apiserver"],
  ["scheduler", "kube-apiserver"],
  ["scheduler", "kubelet"],
  ["scheduler", "etcd", "kube-apiserver", "kubelet"],
];
