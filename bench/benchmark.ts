/** The options of all benchmarks. */
export interface Options {
  /** Smaller workloads: minutes become seconds, and the figures rougher. */
  readonly quick: boolean;
  /** The folder in which benchmarks make the files that they read. The next run uses them again. */
  readonly dataFolder: string;
}

/** A benchmark: some cases, each measured in a process of its own. */
export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  /** Where several processes work side by side, on all cores of the machine; the others on one. */
  readonly onAllCores?: true;
  cases(options: Options): readonly string[];
  /** Makes the files that the cases read; not measured. */
  prepare?(options: Options): Promise<void>;
  measure(name: string, options: Options): Promise<readonly Row[]>;
}

/** One line of a benchmark's table. */
export interface Row {
  readonly what: string;
  readonly speed?: Speed;
  /** How many times as fast as the plain scan, in the same process. */
  readonly timesPlainScan?: number;
  /** Any other figure, with its unit. */
  readonly figure?: string;
  readonly peakMiB?: number;
  readonly target?: { readonly text: string; readonly isMet: boolean };
}

/** Jobs per second: of the process's processor time, and by the clock. */
export interface Speed {
  readonly perProcessorSecond: number;
  readonly perSecond: number;
}
