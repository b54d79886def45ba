import type { PhysicalPool } from "../../workload/index.ts";
import type { Engine } from "./engine.ts";
import type { Finding } from "./finding.ts";
import type { Clock } from "./system/clock.ts";
import type { Commands } from "./system/commands.ts";
import type { Disk } from "./system/disk.ts";

/** A way to run jobs, as the farm file names it. */
export interface EngineKind {
  readonly name: string;
  readonly summary: string;
  /**
   * An engine for one pool, not yet open.
   *
   * @throws {InputError} where a setting cannot be used, or there is none of that name
   */
  create(settings: EngineSettings, system: System): Engine;
  /**
   * The machines that the farm file gives a pool, as settings. Absent: the engine finds its machines itself.
   *
   * @throws {InputError} where the engine cannot have such machines
   */
  machineSettings?(pool: PhysicalPool): EngineSettings;
  /** Whether it gives jobs the devices that a pool's `gpus` names. Absent: its machines tell how many they have. */
  readonly givesGpus?: true;
  /** Whether it runs the programs around attempts that a pool's `hooks` names. */
  readonly runsHooks?: true;
  /** Why none of its pools can run a job that asks for this, and what to do; null: they can. Absent: they can run any. */
  refuses?(asked: AskedOfEngine): string | null;
  /** The settings by which it runs jobs of root too, for `croft serve --allow-root`. Absent: that changes nothing. */
  readonly rootSettings?: EngineSettings;
  /**
   * Looks whether all is there that an engine with these settings needs, for `croft doctor`: it changes nothing, and the
   * farm may be running. Absent: it needs nothing else.
   *
   * @throws {InputError} where a setting cannot be used
   */
  examine?(settings: EngineSettings, system: System): Promise<Finding[]>;
}

/** What a job asks for that not every kind of engine has. */
export interface AskedOfEngine {
  /** Files that its user names; null: none. */
  readonly input: string | null;
  readonly output: string | null;
  readonly errorOutput: string | null;
  /** Which it gets before its time is over; null: none. */
  readonly signal: object | null;
  /** Of each task. */
  readonly gpus: number;
}

/** As the farm file names them. */
export type EngineSettings = Readonly<Record<string, unknown>>;

/** What an engine has of the world. */
export interface System {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly commands: Commands;
  /** The folder of the engine's state, which no other engine uses: an absolute path. It is made if missing. */
  readonly folder: string;
}
