import { findJob, listEvents } from "../store/job-views.ts";
import type { JobChange } from "./acts.ts";
import { anyFarmOf, type PoolSize } from "./farms.fixture.ts";
import { FarmWorld, simulatedJob } from "./farm-world.fixture.ts";
import type { JobRequest } from "../store/job-request.ts";
import type { Submission, SubmittedJob } from "./submitting.ts";

/** A farm in its own world, by what people do to it. */
export class Farm {
  readonly world: FarmWorld;

  private constructor(world: FarmWorld) {
    this.world = world;
  }

  /** @param unreached pools whose engines are not reached: see `FarmWorld.unreached` */
  static async of(
    pools: readonly PoolSize[],
    rules: Parameters<typeof anyFarmOf>[1] = {},
    unreached: readonly string[] = [],
  ): Promise<Farm> {
    const farm = new Farm(new FarmWorld(anyFarmOf(pools, rules)));
    for (const pool of unreached) farm.world.unreached.add(pool);
    await farm.world.start();
    return farm;
  }

  async submit(
    seconds: number,
    more: Partial<JobRequest> = {},
    { status = 0, ...submission }: Partial<Submission> & { status?: number } = {},
  ): Promise<SubmittedJob> {
    const outcome = await this.world.act((service) =>
      service.loop.act((turn) =>
        service.submitting.submit(turn, {
          user: "ann",
          jobs: [simulatedJob(more)],
          environment: { CROFT_SIMULATED_SECONDS: String(seconds), CROFT_SIMULATED_STATUS: String(status) },
          key: null,
          ...submission,
        }),
      ),
    );
    if (outcome === null) throw new Error("the service is dead");
    if ("refusal" in outcome) throw outcome.refusal;
    return outcome.answer[0];
  }

  async act(verb: "cancel" | "hold" | "release" | "pause" | "resume", job: number): Promise<void> {
    const outcome = await this.world.act(({ loop, acts }) =>
      loop.act((turn) => acts[verb](turn, job, "ann")),
    );
    if (outcome !== null && "refusal" in outcome) throw outcome.refusal;
  }

  async change(job: number, change: JobChange): Promise<void> {
    const outcome = await this.world.act(({ loop, acts }) =>
      loop.act((turn) => acts.change(turn, job, change, "ann")),
    );
    if (outcome !== null && "refusal" in outcome) throw outcome.refusal;
  }

  state(job: number): string {
    return findJob(this.world.database, job)!.state;
  }

  kinds(job: number): string[] {
    return listEvents(this.world.database, { after: 0, job, user: null, limit: 100 }).map(({ kind }) => kind);
  }

  pass(seconds: number): Promise<void> {
    return this.world.clock.pass(seconds);
  }
}
