import { memoryText } from "./memory-text.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { KindRequest } from "../jobs/request-kinds.ts";
import { missingLicence, type LicenceSettings } from "../licences/licences.ts";
import { excessText, type LimitExcess, type Limits } from "../limits/limits.ts";
import type { AllowedMachines } from "./allowed-machines.ts";
import { tasksWithin, type MachineState, REMOVED } from "./machine-state.ts";

/** What eligibility depends on. */
export type Asked = Readonly<
  Pick<KindRequest, "cores" | "memory" | "gpu" | "tasks" | "requirement" | "licences" | "account">
>;

/** Why no machines of a pool could ever hold a job, as data; `ineligibleText` puts it into words. */
export type Ineligible =
  | { readonly kind: "requirement"; readonly requirement: number }
  | { readonly kind: "cores" | "memory" | "gpu"; readonly asked: number; readonly largest: number }
  | { readonly kind: "together"; readonly cores: number; readonly memory: number; readonly gpu: number }
  | { readonly kind: "gpu-part"; readonly asked: number; readonly part: number }
  | { readonly kind: "tasks"; readonly asked: number; readonly held: number }
  /** It takes more than its user, group or project may at a time. */
  | { readonly kind: "limit"; readonly excess: LimitExcess }
  | { readonly kind: "licence"; readonly licence: number; readonly asked: number; readonly held: number };

/** Machines of one group that are configured alike. */
interface MachineType {
  readonly group: number;
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
  count: number;
}

/**
 * Whether the machines of a pool that meet a job's requirement could hold it if they were empty. Machines that are
 * drained or down count, since they may come back, and so does what somebody else uses of them; removed ones do not. Works by type of machine. The pool must also
 * have as many licences as the job asks for.
 */
export class Eligibility {
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines | null;
  /** The layout of the machines that the rest is for. */
  private layout = NaN;
  private types: MachineType[] = [];
  /** By kind of request: 1 if eligible, 0 if not. */
  private readonly known: KindMemory;
  private readonly jobs: Jobs;
  private readonly licences: LicenceSettings | undefined;
  private readonly gpuPart: number | undefined;
  private readonly limits: Limits | null;
  private readonly isUnknown: boolean;

  /**
   * @param allowed null if there are no requirements
   * @param licences undefined if no job asks for any
   * @param gpuPart as the pool's settings have it
   * @param isUnknown whether nothing is known of the pool's machines yet
   */
  constructor(
    machines: MachineState,
    jobs: Jobs,
    allowed: AllowedMachines | null,
    licences?: LicenceSettings,
    gpuPart?: number,
    limits: Limits | null = null,
    isUnknown = false,
  ) {
    this.isUnknown = isUnknown;
    this.limits = limits;
    this.gpuPart = gpuPart;
    this.licences = licences;
    this.machines = machines;
    this.jobs = jobs;
    this.allowed = allowed;
    this.known = new KindMemory(jobs.kinds);
  }

  /** Whether the machines could hold all of a job's tasks at once. The answer is remembered for its kind. */
  isEligible(job: number): boolean {
    if (this.isUnknown) return false;
    const kind = this.jobs.kind[job];
    if (this.layout !== this.machines.layout) this.refresh();
    const known = this.known.of(kind);
    if (known >= 0) return known === 1;
    const isEligible = this.reason(this.jobs.kinds.request(kind)) === null;
    this.known.note(kind, isEligible ? 1 : 0);
    return isEligible;
  }

  /** Whether it could, or nothing is known of the machines and nothing else speaks against it. */
  mightHold(job: number): boolean {
    const { kind, kinds } = this.jobs;
    return this.isUnknown ? this.reason(kinds.request(kind[job])) === null : this.isEligible(job);
  }

  /** Why the pool could not hold all of the tasks at once; null if it could, or if `mightHold` is true. */
  reason({
    cores,
    memory,
    gpu,
    tasks,
    requirement = 0,
    licences = 0,
    account = 0,
  }: Asked): Ineligible | null {
    if (this.layout !== this.machines.layout) this.refresh();
    const held = this.isUnknown ? tasks : this.held(cores, memory, gpu, requirement, tasks);
    const { gpuPart } = this;
    if (gpuPart !== undefined && held > 0 && gpu > 0 && (gpuPart < 1000 ? gpu !== gpuPart : gpu % 1000 > 0))
      return { kind: "gpu-part", asked: gpu, part: gpuPart };
    if (held >= tasks) {
      const missing = this.licences === undefined ? undefined : missingLicence(this.licences, licences);
      if (missing !== undefined) return { kind: "licence", ...missing };
      const excess = this.limits?.neverFor({ account, cores, tasks });
      return excess === undefined ? null : { kind: "limit", excess };
    }
    if (held > 0) return { kind: "tasks", asked: tasks, held };
    const groups = this.groupsOf(requirement);
    const allowed = this.types.filter(({ group }) => groups === null || groups[group] === 1);
    if (allowed.length === 0 && groups !== null) return { kind: "requirement", requirement };
    const most = { cores: 0, memory: 0, gpu: 0 };
    for (const type of allowed) {
      most.cores = Math.max(most.cores, type.cores);
      most.memory = Math.max(most.memory, type.memory);
      most.gpu = Math.max(most.gpu, type.gpu);
    }
    if (cores > most.cores) return { kind: "cores", asked: cores, largest: most.cores };
    if (memory > most.memory) return { kind: "memory", asked: memory, largest: most.memory };
    if (gpu > most.gpu) return { kind: "gpu", asked: gpu, largest: most.gpu };
    return { kind: "together", cores, memory, gpu };
  }

  /** The number of tasks that the machines could hold when empty. Stops counting at `wanted`. */
  private held(cores: number, memory: number, gpu: number, requirement: number, wanted: number): number {
    const groups = this.groupsOf(requirement);
    let held = 0;
    for (const type of this.types) {
      if (groups !== null && groups[type.group] === 0) continue;
      held += type.count * tasksWithin(type.cores, type.memory, type.gpu, cores, memory, gpu);
      if (held >= wanted) break;
    }
    return held;
  }

  private groupsOf(requirement: number): Uint8Array | null {
    return this.allowed?.setOf(requirement)?.groups ?? null;
  }

  private refresh(): void {
    const { machines } = this;
    const { groupOf, closed } = machines;
    this.layout = machines.layout;
    this.known.clear();
    const types = new Map<string, MachineType>();
    let type: MachineType | undefined;
    for (let machine = 0; machine < machines.count; machine++) {
      if ((closed[machine] & REMOVED) !== 0) continue;
      const group = groupOf[machine];
      const cores = machines.wholeCores(machine);
      const memory = machines.wholeMemory(machine);
      const gpu = machines.wholeGpu(machine);
      // Neighbours are mostly alike, and a key for each of a hundred thousand machines would take long.
      if (type === undefined || !isOfType(type, group, cores, memory, gpu)) {
        const key = `${group} ${cores} ${memory} ${gpu}`;
        type = types.get(key) ?? { group, cores, memory, gpu, count: 0 };
        types.set(key, type);
      }
      type.count++;
    }
    this.types = [...types.values()];
  }
}

function isOfType(type: MachineType, group: number, cores: number, memory: number, gpu: number): boolean {
  return type.group === group && type.cores === cores && type.memory === memory && type.gpu === gpu;
}

export function ineligibleText(reason: Ineligible): string {
  switch (reason.kind) {
    case "requirement":
      return "no machine meets what it requires";
    case "cores":
      return `asks for ${counted(reason.asked / 1000, "core")} on one machine; the largest has ${reason.largest / 1000}`;
    case "memory":
      return `asks for ${memoryText(reason.asked)} on one machine; the largest has ${memoryText(reason.largest)}`;
    case "gpu":
      return `asks for ${counted(reason.asked / 1000, "GPU")} on one machine; the largest has ${reason.largest / 1000}`;
    case "together":
      return "no machine has the cores, memory and GPUs it asks for together";
    case "gpu-part":
      return `asks for ${counted(reason.asked / 1000, "GPU")}; ${reason.part === 1000 ? "the pool gives whole ones" : `a job of the pool gets ${reason.part / 1000} of one`}`;
    case "tasks":
      return `has ${reason.asked} tasks; the empty pool holds ${reason.held} of that size`;
    case "limit":
      return `asks for ${excessText(reason.excess).asked}, above a limit of ${excessText(reason.excess).most}`;
    case "licence":
      return `asks for ${reason.asked} of a licence of which the pool has ${reason.held}`;
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
