import { priorities } from "../../fractional/index.ts";
import { publishedNames } from "../../simulation/index.ts";

/** The ten that are compared, by their published names (Stillwell 2014, "Max Stretch Degradation vs. Load"). */
export const onlineAlgorithms: readonly string[] = [
  "FCFS",
  "EASY",
  "Greedy *",
  "GreedyP *",
  "GreedyPM *",
  "GreedyPM */per",
  "GreedyPM */per/MVT",
  "MCB */per/MVT",
  "/per/MVT",
  "/stretch-per/MVT",
];

/** Those that never pause or move a job: a penalty changes nothing for them. */
export const unpenalised: ReadonlySet<string> = new Set(["FCFS", "EASY", "Greedy *"]);

/** Those whose period is varied: they do most of their work at periods. */
export const periodAlgorithms: readonly string[] = ["GreedyPM */per/MVT", "/per/MVT", "/stretch-per/MVT"];

/** Those whose priority is varied: they pause jobs, with and without packing. */
export const priorityAlgorithms: readonly string[] = ["GreedyPM *", "GreedyPM */per/MVT"];

/** The priorities besides the usual one. */
export const otherPriorities: readonly string[] = priorities.slice(1).map(({ word }) => word);

/** The same algorithm by another priority. */
export function withPriority(policy: string, word: string): string {
  return `${policy}/PRIO=${word}`;
}

/** GB/s at loads of 0.7 and more (Stillwell 2014, "Bandwidth Utilization"). */
export const publishedBandwidth: readonly {
  readonly policy: string;
  readonly pauseMean: number;
  readonly pauseMax: number;
  readonly migrationMean: number;
  readonly migrationMax: number;
}[] = [
  { policy: "GreedyPM *", pauseMean: 0.03, pauseMax: 0.07, migrationMean: 0.02, migrationMax: 0.05 },
  { policy: "GreedyPM */per", pauseMean: 0.56, pauseMax: 1.37, migrationMean: 0.29, migrationMax: 0.66 },
  { policy: "GreedyPM */per/MVT", pauseMean: 0.54, pauseMax: 1.34, migrationMean: 0.26, migrationMax: 0.62 },
  { policy: "MCB */per/MVT", pauseMean: 0.54, pauseMax: 1.11, migrationMean: 0.56, migrationMax: 1.53 },
  { policy: "/per/MVT", pauseMean: 0.49, pauseMax: 1.08, migrationMean: 0.19, migrationMax: 0.58 },
  { policy: "/stretch-per/MVT", pauseMean: 0.28, pauseMax: 0.64, migrationMean: 0.37, migrationMax: 0.78 },
];

/** A policy's name in the study: the published one, so that its figures stand beside the published figures. */
export function studyName(policy: string): string {
  return [...publishedNames].find(([, name]) => name === policy)?.[0] ?? policy;
}
