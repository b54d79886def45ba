import type { Random } from "../../../workload/random.ts";
import type { Commands, Ran, RunOptions } from "../system/commands.ts";
import type { MemoryDisk } from "../system/memory-disk.fixture.ts";
import type { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { StandInNodes, type JobPlan } from "./stand-in-nodes.fixture.ts";

/** slurmctld's own SAVE_MAX_WAIT. */
const SAVE_SECONDS = 5;
/** From the controller's start until all nodes have registered: 4 s were measured. */
const REGISTER_SECONDS = 4;
/** Nodes register again now and then. */
const REGISTER_AGAIN_SECONDS = 300;
const MIN_JOB_AGE_SECONDS = 300;
const OVER = new Set(["CANCELLED", "COMPLETED", "FAILED", "NODE_FAIL"]);

export interface StandInJob {
  readonly id: string;
  readonly name: string;
  readonly comment: string;
  readonly node: string;
  readonly folder: string;
  state: string;
  reason: string;
  /** Whether it was started, as far as the controller knows. */
  hasStarted: boolean;
  endedAt: number;
}

/**
 * Stands in for Slurm under a virtual clock, with the faults that were measured on the real one: what is
 * younger than 5 s is forgotten when the controller is killed, and a start also later, where nothing else happens;
 * numbers are given out again; jobs that had started come back as waiting, and their processes are killed when
 * their node registers, unless they were cancelled by then; commands time out although they were carried out.
 */
export class StandInSlurm implements Commands {
  readonly nodes: StandInNodes;
  /** Of the commands that change something, those that get no answer: carried out, or not. */
  unansweredPart = 0;
  private readonly clock: VirtualClock;
  private readonly random: Random;
  private jobs = new Map<string, StandInJob>();
  private nextId = 1;
  private saved: { readonly jobs: readonly StandInJob[]; readonly nextId: number } = { jobs: [], nextId: 1 };
  private isUp = true;
  /** Something has happened that is to be saved. */
  private isDirty = false;
  private boot = 1;
  /** Jobs of whose end it was told, and those of them that run for ever by its books, since it has forgotten that. */
  private readonly told = new Set<string>();
  private readonly missed = new Set<string>();

  constructor(clock: VirtualClock, disk: MemoryDisk, random: Random, plan: (key: string) => JobPlan) {
    this.clock = clock;
    this.random = random;
    this.nodes = new StandInNodes(clock, disk, plan, ["n1", "n2"], (jobId, state) => this.tell(jobId, state));
    this.every(SAVE_SECONDS, () => {
      if (this.isDirty) this.save();
    });
    this.every(1, () => this.schedule());
    this.every(REGISTER_AGAIN_SECONDS, () => {
      for (const jobId of this.nodes.running())
        if (OVER.has(this.jobs.get(jobId)?.state ?? "")) this.nodes.kill(jobId);
      this.register();
    });
  }

  crash(): void {
    this.isUp = false;
  }

  restart(): void {
    if (this.isUp) return;
    this.isUp = true;
    this.boot++;
    this.jobs = new Map(this.saved.jobs.map((job) => [job.id, { ...job }]));
    this.nextId = this.saved.nextId;
    // A node tells of an end once. The real one finds out when it asks the node for its jobs: from some minutes to more
    // than ten later.
    for (const { id, state } of this.liveJobs())
      if (state === "RUNNING" && this.told.has(id) && this.random.unit() < 0.5) this.missed.add(id);
    const boot = this.boot;
    this.clock.after(REGISTER_SECONDS, () => {
      if (this.isUp && this.boot === boot) this.register();
    });
  }

  liveJobs(): StandInJob[] {
    return [...this.jobs.values()].filter(({ state }) => !OVER.has(state));
  }

  async run(program: string, args: readonly string[], _options: RunOptions): Promise<Ran> {
    await this.delay(0.005 + 0.05 * this.random.unit());
    if (!this.isUp) return failed("Unable to contact slurm controller (connect failure)");
    const changes = program !== "squeue" && !args.includes("show");
    if (!changes || this.random.unit() >= this.unansweredPart) return this.carryOut(program, args);
    const lot = this.random.unit();
    if (lot < 0.4) this.carryOut(program, args);
    // A request that waited in the controller while the client gave up.
    else if (lot < 0.7)
      this.clock.after(20 * this.random.unit(), () => this.isUp && this.carryOut(program, args));
    await this.delay(5);
    return failed("Socket timed out on send/recv operation");
  }

  private delay(seconds: number): Promise<void> {
    return new Promise((resolve) => this.clock.after(seconds, resolve));
  }

  private every(seconds: number, call: () => void): void {
    this.clock.after(seconds, () => {
      if (this.isUp) call();
      this.every(seconds, call);
    });
  }

  private carryOut(program: string, args: readonly string[]): Ran {
    const option = (name: string): string =>
      args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? "";
    this.isDirty ||= program !== "squeue" && !args.includes("show");
    const job = this.jobs.get(args.at(-1)!);
    switch (program) {
      case "sbatch":
        return this.submit(option("job-name"), option("comment"), option("nodelist"), args.at(-3)!);
      case "squeue":
        if (args.includes("--version")) return ok("slurm 22.05.8\n");
        return this.queue(args);
      case "scancel":
        if (args.length === 2) {
          for (const each of this.liveJobs()) if (each.name === args[1]) this.cancel(each, false);
          return ok("");
        }
        if (job === undefined || job.name !== args[args.indexOf("-n") + 1]) return ok("");
        return this.cancel(job, args.includes("--signal=TERM"));
      default:
        if (args[0] === "hold" || args[0] === "update")
          return this.byName(args[0], args[1].replace("jobname=", ""));
        if (!args.includes("show")) return this.control(args[0], job);
        return ok(args.includes("config") ? this.config() : this.nodeLines());
    }
  }

  private submit(name: string, comment: string, node: string, folder: string): Ran {
    const id = String(this.nextId++);
    this.jobs.set(id, {
      id,
      name,
      comment,
      node,
      folder,
      state: "PENDING",
      reason: "None",
      hasStarted: false,
      endedAt: 0,
    });
    return ok(`${id}\n`);
  }

  private queue(args: readonly string[]): Ran {
    const format = args.at(-1)!;
    const only = args.includes("-j") ? args[args.indexOf("-j") + 1] : undefined;
    const lines = [...this.jobs.values()]
      .filter(({ id }) => only === undefined || id === only)
      .map((job) =>
        format
          .replace("%i", job.id)
          .replace("%T", job.state)
          .replace("%U", String(process.getuid!()))
          .replace("%M", "0:01")
          .replace("%N", job.hasStarted ? job.node : "")
          .replace("%r", job.reason)
          .replace("%j", job.name)
          .replace("%k", job.comment),
      );
    return ok(lines.map((line) => `${line}\n`).join(""));
  }

  private config(): string {
    return `BOOT_TIME = ${this.boot}\nSlurmUser = root(0)\n`;
  }

  private nodeLines(): string {
    return this.nodes
      .names()
      .map((name) => {
        const state = this.nodes.isDown(name) ? "DOWN*" : "IDLE";
        return `NodeName=${name} Arch=x86_64 CPUAlloc=0 CPUTot=64 State=${state} RealMemory=64000 AllocMem=0 Partitions=normal \n`;
      })
      .join("");
  }

  private cancel(job: StandInJob, isSignal: boolean): Ran {
    if (OVER.has(job.state)) return ok("");
    if (isSignal) {
      if (job.state !== "RUNNING") return failed("Job can not be altered now, try again later");
      this.nodes.terminate(job.id);
      return ok("");
    }
    if (job.state === "PENDING") this.end(job, "CANCELLED");
    else {
      job.state = "COMPLETING";
      this.nodes.end(job.id, 2);
    }
    return ok("");
  }

  private byName(command: string, name: string): Ran {
    const jobs = this.liveJobs().filter((job) => job.name === name);
    if (jobs.length === 0) return failed("Invalid job id specified");
    if (command === "update") return ok("");
    const waiting = jobs.filter(({ state }) => state === "PENDING");
    for (const job of waiting) job.reason = "JobHeldAdmin";
    return waiting.length > 0 ? ok("") : failed("Job is no longer pending execution");
  }

  private control(command: string, job: StandInJob | undefined): Ran {
    if (job === undefined) return failed("Invalid job id specified");
    const from = command === "suspend" ? "RUNNING" : "SUSPENDED";
    const to = command === "suspend" ? "SUSPENDED" : "RUNNING";
    if (job.state === to && command === "suspend") return ok("");
    if (job.state !== from) return failed(`Job is not ${from.toLowerCase()} for job ${job.id}`);
    job.state = to;
    this.nodes.setSuspended(job.id, command === "suspend");
    return ok("");
  }

  /** Once a second, as the real one does with the settings of the tests. */
  private schedule(): void {
    for (const job of this.jobs.values()) {
      if (OVER.has(job.state) && job.endedAt + MIN_JOB_AGE_SECONDS < this.clock.monotonicSeconds())
        this.jobs.delete(job.id);
      if (["RUNNING", "SUSPENDED", "COMPLETING"].includes(job.state) && this.nodes.isDown(job.node))
        this.end(job, "NODE_FAIL");
      if (job.state !== "PENDING" || /held/i.test(job.reason) || !this.nodes.isRegistered(job.node)) continue;
      const twin = this.liveJobs().find((other) => other !== job && other.name === job.name);
      if (twin !== undefined && (twin.state !== "PENDING" || Number(twin.id) < Number(job.id))) {
        job.reason = "Dependency";
        continue;
      }
      if (!this.nodes.launch(job)) {
        // slurmd: already running, do not launch second copy.
        job.reason = "launch failed requeued held";
        continue;
      }
      job.state = "RUNNING";
      job.reason = "None";
      job.hasStarted = true;
      // One of the two schedulers has it saved, the other one does not.
      this.isDirty ||= this.random.unit() < 0.5;
    }
  }

  /** A node says that a job's processes are gone. It says so until it is heard. */
  private tell(jobId: string, state: string): boolean {
    if (!this.isUp) return false;
    const job = this.jobs.get(jobId);
    this.told.add(jobId);
    if (job !== undefined && !OVER.has(job.state) && job.state !== "PENDING")
      this.end(job, job.state === "COMPLETING" ? "CANCELLED" : state);
    return true;
  }

  private end(job: StandInJob, state: string): void {
    this.isDirty = true;
    job.state = state;
    job.endedAt = this.clock.monotonicSeconds();
  }

  private save(): void {
    this.isDirty = false;
    this.saved = { jobs: [...this.jobs.values()].map((job) => ({ ...job })), nextId: this.nextId };
  }

  /**
   * Processes that the controller knows nothing of, or has waiting, are killed. Those of a job that was cancelled
   * as it waited are not: it is taken for one that has just completed.
   */
  private register(): void {
    for (const jobId of this.nodes.running()) {
      const job = this.jobs.get(jobId);
      if (job === undefined || job.state === "PENDING") this.nodes.kill(jobId);
    }
    // What ran by the controller's books and does not run any more.
    for (const job of this.jobs.values())
      if (
        ["RUNNING", "SUSPENDED", "COMPLETING"].includes(job.state) &&
        !this.nodes.running().includes(job.id) &&
        !this.missed.has(job.id)
      )
        this.end(job, "NODE_FAIL");
  }
}

function ok(stdout: string): Ran {
  return { status: 0, stdout, stderr: "" };
}

function failed(stderr: string): Ran {
  return { status: 1, stdout: "", stderr };
}
