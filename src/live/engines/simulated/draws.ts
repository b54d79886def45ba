import { Random } from "../../../workload/random.ts";
import type { StartRequest } from "../engine.ts";
import type { SimulatedSettings } from "./settings.ts";

/** What will happen to an attempt. It depends only on the seed and the attempt's name, not on the order of starts. */
export interface Fate {
  /** Null: it starts. */
  readonly startFails: "machine" | "transient" | null;
  /** Until it ends by itself, in simulated seconds. */
  readonly runSeconds: number;
  readonly status: number;
}

/** A job can say how long it pretends to run, and with what status it ends. */
const SECONDS = "CROFT_SIMULATED_SECONDS";
const STATUS = "CROFT_SIMULATED_STATUS";

export function fateOf(key: string, { environment }: StartRequest, settings: SimulatedSettings): Fate {
  const random = seeded(settings.seed, key);
  const lot = random.unit();
  const { machine, transient } = settings.startsFailing;
  const seconds = Number(environment[SECONDS]);
  const status = Number(environment[STATUS]);
  return {
    startFails: lot < machine ? "machine" : lot < machine + transient ? "transient" : null,
    runSeconds:
      seconds >= 0 && Number.isFinite(seconds) ? seconds : exponential(random, settings.runMeanSeconds),
    status: Number.isInteger(status) && status >= 0 && status <= 255 ? status : 0,
  };
}

/** A stream of its own for each name. */
export function seeded(seed: number, name: string): Random {
  // FNV-1a over the characters; the generator mixes further.
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return new Random(hash);
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.unit());
}
