import type { FullExplanation } from "../../live/api/why-routes.ts";
import type { Client } from "../../live/client/client.ts";
import type { MachineView, PoolView } from "../../live/service/farm-views.ts";
import type { ListedJob } from "../../live/reader/tasks.ts";
import { liveExplanationLines } from "../live/explain.ts";
import type { Picture } from "./screen.ts";

/** So many jobs, the last ones that are not over. */
const LISTED = 500;
const PRESENT = "waiting,held,starting,running,suspended";
/** All machines are a long list. */
const MACHINES_MILLISECONDS = 30_000;
const EXPLAINED_SECONDS = 45;

/** Asks a farm for what is shown of it. */
export class Pictures {
  private readonly farm: Client;
  private closed: readonly MachineView[] = [];
  private closedAt = -Infinity;
  private closedCount = 0;

  constructor(farm: Client) {
    this.farm = farm;
  }

  async next(): Promise<Picture> {
    const { farm } = this;
    const [{ name, jobs: jobCount }, pools, jobs, writeError] = await Promise.all([
      farm.get<{ name: string; jobs: number }>("/v1/farm"),
      farm.get<PoolView[]>("/v1/pools"),
      farm.get<ListedJob[]>(`/v1/jobs?limit=${LISTED}&state=${PRESENT}`),
      farm.writeError(),
    ]);
    const closedCount = pools.reduce((sum, { machinesClosed }) => sum + machinesClosed, 0);
    const isOld = performance.now() - this.closedAt > MACHINES_MILLISECONDS;
    if (closedCount === 0) this.closed = [];
    else if (isOld || closedCount !== this.closedCount) {
      const machines = await farm.get<MachineView[]>("/v1/machines");
      this.closed = machines.filter(({ state }) => state !== "up");
      this.closedAt = performance.now();
    }
    this.closedCount = closedCount;
    return {
      name,
      now: farm.unixMilliseconds,
      jobCount,
      pools,
      closed: this.closed,
      writeError,
      // The last ones first.
      jobs: jobs.toReversed(),
    };
  }

  /** Why a job waits, in lines. */
  async why(job: number): Promise<string[]> {
    const explanation = await this.farm.get<FullExplanation>(`/v1/jobs/${job}/explain`, EXPLAINED_SECONDS);
    return liveExplanationLines(explanation, this.farm.unixMilliseconds);
  }
}
