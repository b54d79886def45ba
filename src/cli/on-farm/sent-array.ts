import type { Client } from "../../live/client/client.ts";
import { FarmError } from "../../live/client/farm-error.ts";
import type { ListedJob } from "../../live/reader/tasks.ts";
import type { SubmittedJob } from "../../live/service/submitting.ts";
import type { Plan } from "./plans.ts";

/** Of an answer with their states: it is asked for again and again. */
export const MOST_TASKS = 1000;

/** A task as the farm has it. */
export type Task = Pick<ListedJob, "number" | "state" | "reason" | "exitStatus">;

const OVER: readonly string[] = ["ended", "failed", "cancelled", "lost", "rejected"];

export function isOver({ state }: Task): boolean {
  return OVER.includes(state);
}

/** An array on the farm, and which unit each of its jobs makes. */
export class SentArray {
  readonly key: string;
  /** Those whose end was not seen yet. */
  readonly open: Map<number, string>;
  private readonly farm: Client;
  private readonly first: number;

  private constructor(farm: Client, key: string, plan: Plan, jobs: readonly SubmittedJob[]) {
    this.farm = farm;
    this.key = key;
    this.first = jobs[0]!.number;
    this.open = new Map(plan.units.map(({ hash }, i) => [jobs[i]!.number, hash]));
  }

  /**
   * Submits the plan's array, or finds it again where it was submitted before.
   *
   * @throws FarmError where the farm takes it not
   */
  static async send(farm: Client, key: string, plan: Plan): Promise<SentArray> {
    type Sent = { readonly jobs: readonly SubmittedJob[] };
    const { jobs } = await farm.insist(() => farm.sendOnce<Sent>("/v1/jobs", plan.request, key));
    return new SentArray(farm, key, plan, jobs);
  }

  /** Ends the tasks that make what nobody wants any more. Those that are over already the farm leaves alone. */
  async cancelAllBut(isWanted: (hash: string) => boolean): Promise<void> {
    const jobs: string[] = [];
    for (const [number, hash] of this.open) {
      if (isWanted(hash)) continue;
      jobs.push(String(number));
      this.open.delete(number);
    }
    if (jobs.length === 0) return;
    await this.farm.insist(() => this.farm.send("POST", "/v1/job-lists/cancel", { jobs }));
  }

  /** Its open tasks as they are now. What the farm does not have any more is lost. */
  async look(): Promise<Task[]> {
    const path = `/v1/jobs?array=${this.first}&limit=${MOST_TASKS}`;
    const listed = await this.farm
      .insist(() => this.farm.get<readonly ListedJob[]>(path))
      .catch((error: unknown) => {
        // The jobs have gone from the database: another one was put in its place.
        if (error instanceof FarmError && error.status === 422) return [];
        throw error;
      });
    const byNumber = new Map(listed.map((job) => [job.number, job]));
    return [...this.open.keys()].map(
      (number) =>
        byNumber.get(number) ?? {
          number,
          state: "lost",
          reason: "the farm does not have it any more",
          exitStatus: null,
        },
    );
  }
}
