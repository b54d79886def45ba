import { NONE, type EngineJobRequest } from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { BuiltEngine } from "./build-engine.ts";

type Request = { -readonly [Field in keyof EngineJobRequest]: EngineJobRequest[Field] };

/** How often the engine restarts a job whose machine failed: as often as needed, until `JobRuns` gives up. */
const RETRIES = 2 ** 30;

/** What the rows of a workload ask of the engine. */
export class RowRequests {
  private readonly workload: Workload;
  private readonly rows: BuiltEngine["rows"];
  private readonly considersMemory: boolean;
  private readonly considersGpu: boolean;
  private readonly request: Request = {
    cores: 0,
    memory: 0,
    gpu: 0,
    tasks: 1,
    project: 0,
    family: 0,
    heuristic: NONE,
    estimateSeconds: 0,
    requirement: 0,
    licences: 0,
    account: 0,
    owner: 0,
    virtualPool: 0,
    candidates: 0,
    priority: 0,
    retries: RETRIES,
  };

  constructor(workload: Workload, { rows, machines }: Pick<BuiltEngine, "rows" | "machines">) {
    this.workload = workload;
    this.rows = rows;
    this.considersMemory = machines.some(({ memoryMiB }) => memoryMiB !== null);
    this.considersGpu = machines.some(({ gpuMilli }) => gpuMilli !== null);
  }

  /** The request of a row: one object for all, since a run makes millions. */
  of(row: number, estimateSeconds: number): EngineJobRequest {
    const { workload, rows, request } = this;
    request.cores = workload.coresMilli[row];
    request.memory = workload.memoryMiB === null || !this.considersMemory ? 0 : workload.memoryMiB[row];
    request.gpu = workload.gpuMilli === null || !this.considersGpu ? 0 : workload.gpuMilli[row];
    request.tasks = workload.tasks === null ? 1 : workload.tasks[row];
    request.project = workload.project === null ? 0 : workload.project.codes[row];
    request.family = rows.family === null ? 0 : rows.family[row];
    request.heuristic = rows.heuristic === null ? NONE : rows.heuristic[row];
    request.estimateSeconds = estimateSeconds;
    request.requirement = rows.requirement === null ? 0 : rows.requirement[row];
    request.licences = rows.licences === null ? 0 : rows.licences[row];
    request.account = rows.account === null ? 0 : rows.account[row];
    request.owner = rows.owner === null ? 0 : rows.owner[row];
    request.virtualPool = rows.virtualPool === null ? 0 : rows.virtualPool[row];
    request.candidates = rows.candidates === null ? 0 : rows.candidates[row];
    request.priority = rows.priority === null ? 0 : rows.priority[row];
    return request;
  }
}
