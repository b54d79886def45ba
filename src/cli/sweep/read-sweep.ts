import { filesOfPlugin, loadPlugin, printedPolicyName, type Estimates } from "../../simulation/index.ts";
import { InputError, readYaml, sourceTitle, type FileNode } from "../../workload/index.ts";
import type { NamedBytes } from "../../workload/input/bytes.ts";
import { hashOf, hashOfFile } from "../fingerprint.ts";
import { seenFrom } from "./seen-from.ts";
import { sweepShape } from "./sweep-shape.ts";

/** More units than this are most likely a slip of the pen. */
const MOST_UNITS = 100_000;

type SweepFile = ReturnType<(typeof sweepShape)["read"]>;
/** A log as the file describes it; its paths are seen from the sweep's folder. */
export type LogSpec = SweepFile["logs"][number];

export interface SweepLog {
  /** Its name in tables, unique in the sweep. */
  readonly name: string;
  readonly spec: LogSpec;
}

/** What is varied: a unit is made for each log, seed, load, estimates and policy. */
export interface Sweep {
  /** Of the file. */
  readonly title: string;
  /** From which the file's paths are seen. */
  readonly folder: string;
  /** A folder under which all files are at their whole paths; absent: they are at these. */
  readonly root?: string;
  readonly logs: readonly SweepLog[];
  /** A loaded plugin, with the hash of its files. */
  readonly plugin: { readonly file: string; readonly hash: string; readonly at: FileNode } | null;
  /** As they are printed. */
  readonly policies: readonly string[];
  readonly baseline: string;
  /** Null: the log's own pace. */
  readonly loads: readonly (number | null)[];
  readonly estimates: readonly Estimates[];
  readonly seeds: readonly number[];
  readonly intervalSeconds: number | null;
  readonly warmupSeconds: number;
  readonly cooldownSeconds: number;
}

/**
 * @param folder from which its paths are seen
 * @throws InputError naming file, line, column and path of what is wrong
 */
export async function readSweep(source: NamedBytes, folder: string): Promise<Sweep> {
  const file = sweepShape.read(await readYaml(source));
  // Before the policies, which may be its.
  const plugin =
    file.plugin === null ? null : await openPlugin(seenFrom(folder, file.plugin.value), file.plugin.at);
  const policies = file.policies.map(({ value, at }) => atPlace(at, () => printedPolicyName(value)));
  refuseTwice(policies, file.policies);
  const { baseline } = file;
  const against =
    baseline === null ? policies[0]! : atPlace(baseline.at, () => printedPolicyName(baseline.value));
  if (!policies.includes(against)) baseline?.at.refuse(`it is none of the policies: ${policies.join(", ")}`);
  for (const values of [file.loads, file.estimates, file.seeds])
    if (values !== null)
      refuseTwice(
        values.map(({ value }) => value),
        values,
      );
  const [loads, estimates, seeds] = [
    valuesOf(file.loads, null),
    valuesOf<Estimates>(file.estimates, "log"),
    valuesOf(file.seeds, 1),
  ];
  const units = file.logs.length * policies.length * loads.length * estimates.length * seeds.length;
  if (units > MOST_UNITS)
    file.at.refuse(
      `logs × policies × loads × estimates × seeds are ${units} runs; at most ${MOST_UNITS} are made`,
    );
  return {
    title: sourceTitle(source.name),
    folder,
    logs: namedLogs(file.logs),
    plugin,
    policies,
    baseline: against,
    loads,
    estimates,
    seeds,
    intervalSeconds: file.interval,
    warmupSeconds: file.warmup,
    cooldownSeconds: file.cooldown,
  };
}

async function openPlugin(file: string, at: FileNode): Promise<Sweep["plugin"]> {
  await loadPlugin(file);
  const hashes = await Promise.all(filesOfPlugin(file).map(hashOfFile));
  // Sorted: the same wherever the files are, and in whatever order they were read.
  return { file, hash: hashOf(hashes.sort()), at };
}

/** Repeats an error about what stands there with its place in the file. */
export function atPlace<T>(at: FileNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw placed(at, error);
  }
}

/** The error with the place of what it is about; that of another file has its own. */
export function placed(at: FileNode, error: unknown): unknown {
  if (!(error instanceof InputError) || error.file !== undefined) return error;
  try {
    return at.refuse(error.message);
  } catch (refused) {
    return refused;
  }
}

function namedLogs(specs: readonly LogSpec[]): SweepLog[] {
  const logs = specs.map((spec) => {
    if (spec.machines !== null && spec.farm !== null)
      spec.farm.at.refuse("machines and farm both say what the jobs run on: give one of them");
    const source = "generate" in spec ? spec.generate : spec.file;
    if (source.value === "-") source.at.refuse("standard input can be read once only: give a file");
    if (!("generate" in spec) && spec.machines === null && spec.farm === null)
      spec.at.refuse("machines is missing: say what the jobs run on, with machines or farm");
    const name = spec.name?.value ?? ("generate" in spec ? source.value : sourceTitle(source.value));
    return { name, spec };
  });
  logs.forEach(({ name, spec }, i) => {
    if (logs.findIndex((each) => each.name === name) !== i)
      (spec.name?.at ?? spec.at).refuse(`another log is called ${name} already: give each a name of its own`);
  });
  return logs;
}

function valuesOf<T>(given: readonly { readonly value: T }[] | null, fallback: T): readonly T[] {
  return given === null ? [fallback] : given.map(({ value }) => value);
}

function refuseTwice(values: readonly unknown[], places: readonly { readonly at: FileNode }[]): void {
  values.forEach((value, i) => {
    if (values.indexOf(value) !== i) places[i]!.at.refuse("it stands in the list twice");
  });
}
