import type { PhysicalPool } from "../../../workload/index.ts";
import type { Capabilities, Machine } from "../engine.ts";
import type { EngineSettings } from "../engine-kind.ts";
import { Settings } from "../settings.ts";

export interface SimulatedSettings {
  readonly machines: readonly Machine[];
  /** Simulated seconds in a second. */
  readonly speed: number;
  readonly seed: number;
  /** Of jobs that do not say how long they run: exponential, with this mean. */
  readonly runMeanSeconds: number;
  readonly startLatencySeconds: number;
  readonly suspend: Capabilities["suspend"];
  /** Of all starts, those that fail by the machine, and those that fail without a reason. */
  readonly startsFailing: { readonly machine: number; readonly transient: number };
  /** Means of the exponential times that a machine is up and down. Null: machines do not fail. */
  readonly failures: { readonly upMeanSeconds: number; readonly downMeanSeconds: number } | null;
}

const YEAR_SECONDS = 365 * 86_400;
const MAX_MACHINES = 1_000_000;

/** @throws {InputError} where one cannot be used */
export function readSettings(values: EngineSettings): SimulatedSettings {
  const settings = new Settings("simulated", values);
  const machines = settings.groups("machines").flatMap(readMachines);
  if (machines.length === 0) throw settings.wrong("machines", "give at least one");
  if (machines.length > MAX_MACHINES) throw settings.wrong("machines", `give at most ${MAX_MACHINES}`);
  if (new Set(machines.map(({ name }) => name)).size < machines.length)
    throw settings.wrong("machines", "two have the same name");
  const failing = settings.group("startsFailing");
  const failures = settings.group("failures");
  const read: SimulatedSettings = {
    machines,
    speed: settings.number("speed", { from: 1e-3, to: 1e6, otherwise: 1 }),
    seed: settings.number("seed", { from: 0, to: 2 ** 31 - 1, otherwise: 1 }),
    runMeanSeconds: settings.number("runMeanSeconds", { from: 0, to: YEAR_SECONDS, otherwise: 600 }),
    startLatencySeconds: settings.number("startLatencySeconds", { from: 0, to: YEAR_SECONDS, otherwise: 0 }),
    suspend: settings.choice("suspend", ["full", "cpu-only", "none"], "cpu-only"),
    startsFailing: {
      machine: failing?.number("machine", { from: 0, to: 1, otherwise: 0 }) ?? 0,
      transient: failing?.number("transient", { from: 0, to: 1, otherwise: 0 }) ?? 0,
    },
    failures:
      failures === null
        ? null
        : {
            upMeanSeconds: failures.number("upMeanSeconds", {
              from: 1,
              to: 100 * YEAR_SECONDS,
              otherwise: 30 * 86_400,
            }),
            downMeanSeconds: failures.number("downMeanSeconds", {
              from: 1,
              to: YEAR_SECONDS,
              otherwise: 3600,
            }),
          },
  };
  failing?.done();
  failures?.done();
  settings.done();
  return read;
}

export function machineSettings({ name, groups }: PhysicalPool): EngineSettings {
  if (groups.length === 0) return {};
  return {
    machines: groups.map((group, at) => ({
      name: groups.length === 1 ? name : `${name}-${at + 1}`,
      count: group.count,
      cores: group.coresMilli / 1000,
      memoryMiB: group.memoryMiB ?? 1e9,
      gpus: (group.gpuMilli ?? 0) / 1000,
    })),
  };
}

/** `count` machines alike: `name-1`, `name-2`, …; a single one has the name alone. */
function readMachines(settings: Settings): Machine[] {
  const name = settings.text("name") ?? "machine";
  const count = settings.number("count", { from: 1, to: MAX_MACHINES, otherwise: 1 });
  const attributes: Record<string, string> = {};
  const given = settings.group("attributes");
  for (const [attribute, value] of given?.entries() ?? []) attributes[attribute] = String(value);
  const like = {
    coresMilli: 1000 * settings.number("cores", { from: 0.001, to: 1e6, otherwise: 1 }),
    memoryMiB: settings.number("memoryMiB", { from: 1, to: 1e9, otherwise: 1024 }),
    gpuMilli: 1000 * settings.number("gpus", { from: 0, to: 1e4, otherwise: 0 }),
    attributes,
    state: "up",
    reason: "",
  } as const;
  settings.done();
  if (count === 1) return [{ name, ...like }];
  return Array.from({ length: count }, (_, at) => ({ name: `${name}-${at + 1}`, ...like }));
}
