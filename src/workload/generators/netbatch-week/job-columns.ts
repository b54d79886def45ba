import { orderBySubmit, reordered } from "../../order-by-submit.ts";
import { sharedInt32Array } from "../../shared-arrays.ts";
import type { CodedColumn, Workload } from "../../workload.ts";
import { workloadOf } from "../../workload-of.ts";

/** One job. */
export interface GeneratedJob {
  readonly minute: number;
  readonly runtimeMinutes: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly project: string;
  /** Names of pools, as in the column `pools`. */
  readonly pools: string;
  /** As in the column `restart_pools`. */
  readonly restartPools: string;
  readonly priority: number;
  readonly group: string;
  readonly requires: string;
}

/** Collects jobs in any order, and returns them in order of submission. */
export class JobColumns {
  count = 0;
  readonly most: number;
  private readonly submit: Float64Array;
  private readonly runtime: Float64Array;
  private readonly cores: Int32Array;
  private readonly memory: Int32Array;
  private readonly priority: Int32Array;
  private readonly project: NamedColumn;
  private readonly pools: NamedColumn;
  private readonly restartPools: NamedColumn;
  private readonly group: NamedColumn;
  private readonly requires: NamedColumn;

  constructor(most: number) {
    this.most = most;
    this.submit = new Float64Array(most);
    this.runtime = new Float64Array(most);
    this.cores = new Int32Array(most);
    this.memory = new Int32Array(most);
    this.priority = new Int32Array(most);
    this.project = new NamedColumn(most);
    this.pools = new NamedColumn(most);
    this.restartPools = new NamedColumn(most);
    this.group = new NamedColumn(most);
    this.requires = new NamedColumn(most);
  }

  get isFull(): boolean {
    return this.count === this.most;
  }

  add(job: GeneratedJob): void {
    const row = this.count++;
    this.submit[row] = Math.floor(job.minute * 60);
    this.runtime[row] = Math.max(1, Math.round(job.runtimeMinutes * 60));
    this.cores[row] = job.cores * 1000;
    this.memory[row] = job.memoryMiB;
    this.priority[row] = job.priority;
    this.project.set(row, job.project);
    this.pools.set(row, job.pools);
    this.restartPools.set(row, job.restartPools);
    this.group.set(row, job.group);
    this.requires.set(row, job.requires);
  }

  workload(name: string, notes: Workload["notes"]): Workload {
    const { count } = this;
    const submit = this.submit.subarray(0, count);
    // Jobs of the same second stay in the order in which they were made.
    const order = orderBySubmit(
      submit,
      Float64Array.from({ length: count }, (_, row) => row),
    );
    const integers = (column: Int32Array): Int32Array => {
      const sorted = sharedInt32Array(count);
      for (let row = 0; row < count; row++) sorted[row] = column[order[row]!]!;
      return sorted;
    };
    const coded = ({ codes, names }: NamedColumn): CodedColumn => ({ codes: integers(codes), names });
    return workloadOf({
      name,
      synthetic: true,
      submitSeconds: reordered(submit, order),
      runtimeSeconds: reordered(this.runtime, order),
      coresMilli: integers(this.cores),
      memoryMiB: integers(this.memory),
      project: coded(this.project),
      priority: integers(this.priority),
      requires: coded(this.requires),
      pools: coded(this.pools),
      restartPools: coded(this.restartPools),
      group: coded(this.group),
      notes,
    });
  }
}

class NamedColumn {
  readonly codes: Int32Array;
  readonly names: string[] = [];
  private readonly codeOf = new Map<string, number>();

  constructor(most: number) {
    this.codes = new Int32Array(most);
  }

  set(row: number, name: string): void {
    let code = this.codeOf.get(name);
    if (code === undefined) this.codeOf.set(name, (code = this.names.push(name) - 1));
    this.codes[row] = code;
  }
}
