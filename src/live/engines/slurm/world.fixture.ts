import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { SlurmCluster } from "../../../../test/slurm-cluster.fixture.ts";
import { attemptKey, type AttemptId } from "../attempt-id.ts";
import { systemProcesses } from "../local/processes.ts";
import { ShellJobs } from "../shell-jobs.fixture.ts";
import { ShellWorld } from "../shell-world.fixture.ts";
import { systemClock } from "../system/clock.ts";
import { systemCommands, type Commands } from "../system/commands.ts";
import { systemDisk } from "../system/disk.ts";
import { Lifeline } from "../system/lifeline.fixture.ts";
import { Watched, type Fault, type World } from "../world.fixture.ts";
import { SlurmEngine } from "./engine.ts";
import { readSettings } from "./settings.ts";

const PATIENCE_SECONDS = 100;

/** A real Slurm of two nodes that run and one that does not. */
export class SlurmWorld extends ShellWorld implements World {
  readonly machines = ["n1", "n2"] as const;
  readonly downMachine = "down-1";
  readonly cluster = new SlurmCluster();
  readonly folder = join(this.cluster.folder, "state");
  readonly jobs = new ShellJobs(join(this.cluster.folder, "jobs"), null);
  private life = new Lifeline();

  constructor() {
    super(PATIENCE_SECONDS);
  }

  static async make(): Promise<SlurmWorld> {
    const world = new SlurmWorld();
    // Jobs of other users go through it to their folders.
    chmodSync(world.cluster.folder, 0o711);
    // With less than 30 s for `SlurmdTimeout` a busy machine's nodes are taken for dead when the controller comes back,
    // and not asked again for minutes. With the usual 300 s the tests of nodes that end would take as long.
    await world.cluster.start({
      nodes: 2,
      cores: 8,
      memoryMiB: 8000,
      partitions: ["normal"],
      missingNodes: 1,
      settings: `
SelectTypeParameters=CR_CPU_Memory
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,bf_continue,default_queue_depth=1000
ReturnToService=2
SlurmdTimeout=30
MessageTimeout=5
InactiveLimit=0`,
    });
    return world;
  }

  async open(diesAtStep?: number): Promise<Watched> {
    this.life.die();
    const life = new Lifeline(diesAtStep);
    this.life = life;
    return new Watched(this.engineWith({}, life), life, this).open();
  }

  engineWith(settings: Readonly<Record<string, unknown>>, life = new Lifeline()): SlurmEngine {
    const common = { config: this.cluster.configPath, allowRoot: true, lostPatienceSeconds: 10 };
    return new SlurmEngine(readSettings({ ...common, ...settings }), {
      ...life.system(systemClock(), systemDisk, systemCommands),
      commands: commandsOf(life),
      folder: this.folder,
    });
  }

  readonly faults: readonly Fault[] = [
    {
      name: "kill -9 of the job",
      inject: async (id) => this.kill(id, (isWrapper) => !isWrapper),
      repair,
      outcomes: ["exited"],
      mayBeUnharmed: false,
    },
    {
      name: "kill -9 of the wrapper",
      inject: async (id) => this.kill(id, (isWrapper) => isWrapper),
      repair,
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
    {
      name: "kill -9 of slurmctld, which has saved the job",
      inject: async (id) => {
        await this.saved(id);
        await this.cluster.kill("controller");
      },
      repair: () => this.cluster.startController(),
      outcomes: [],
      mayBeUnharmed: true,
    },
    {
      name: "kill -9 of slurmctld, at once",
      inject: () => this.cluster.kill("controller"),
      repair: async () => {
        await this.cluster.startController();
        // A slurmd takes a number that is given out again for a second launch of the job that had it, and is
        // drained for it. So docs/live/slurm.md says that they are to be restarted too.
        for (const node of this.machines) {
          await this.cluster.kill(node);
          this.cluster.startNode(node);
        }
      },
      outcomes: ["lost"],
      mayBeUnharmed: true,
    },
    {
      name: "kill -9 of slurmd",
      inject: () => this.cluster.kill("n1"),
      repair: async () => this.cluster.startNode("n1"),
      outcomes: [],
      mayBeUnharmed: true,
    },
    {
      name: "the node ends with all that runs there",
      inject: () => this.cluster.killNode("n1"),
      repair: async () => {
        // A machine needs longer to start than Slurm to miss it. A slurmd that is back before that, without the
        // job, is not asked for it for long.
        await this.until("n1 is missed", async () =>
          (await this.cluster.run("sinfo", "-h", "-n", "n1", "-o", "%T")).startsWith("down"),
        );
        this.cluster.startNode("n1");
      },
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
  ];

  /** Waits until the start is saved. The engine has to ask for that: by itself Slurm was seen not to do it. */
  private async saved(id: AttemptId): Promise<void> {
    const startedSeconds = statSync(join(this.folder, "attempts", attemptKey(id), "start")).mtimeMs / 1000;
    await this.until("the start is saved", () => this.cluster.savedUnixSeconds() > startedSeconds);
  }

  private kill(id: AttemptId, whom: (isWrapper: boolean) => boolean): void {
    const all = this.jobs.processes(id);
    const pids = new Set(all.map(({ pid }) => pid));
    // The wrapper's own parent is Slurm's.
    for (const { pid, parent } of all) if (whom(!pids.has(parent))) systemProcesses.signal(pid, "SIGKILL");
  }

  async litter(): Promise<() => Promise<boolean>> {
    const attempts = join(this.folder, "attempts");
    const unreadable = join(attempts, "22222222-2222-4222-8222-222222222222.1");
    for (const folder of [unreadable, join(attempts, "not-an-attempt")]) mkdirSync(folder);
    writeFileSync(join(unreadable, "launch"), "note 0\n{}\nend 0\n");
    writeFileSync(join(unreadable, "start"), "\u0000\u0001croft-start-1 1 1");
    symlinkSync("/", join(attempts, "33333333-3333-4333-8333-333333333333.1"));
    const key = "55555555-5555-4555-8555-555555555555.1";
    const args = [`--job-name=${key}`, `--comment=croft ${key}`, "--output=/dev/null", "--nodelist=n2"];
    const stranger = await this.cluster.run("sbatch", "--parsable", ...args, "--wrap", "exec sleep 180");
    return async () =>
      existsSync(unreadable) && (await this.cluster.run("squeue", "-h", "-j", stranger, "-o", "%T")) !== "";
  }

  /** Slurm does not ask a node that it has taken for dead for minutes, unless an administrator wants it back. */
  async bringBack(machine: string): Promise<void> {
    // Refused of a node that is not down any more.
    await this.cluster
      .run("scontrol", "update", `NodeName=${machine}`, "State=RESUME")
      .catch(() => undefined);
  }

  protected override async situation(): Promise<string> {
    const [jobs, nodes] = await Promise.all([
      this.cluster.run("squeue", "-t", "all", "-o", "%i %T %r %N %j").catch(String),
      this.cluster.run("sinfo", "-N", "-o", "%N %T %E").catch(String),
    ]);
    return `${jobs}\n${nodes}`;
  }

  async close(): Promise<void> {
    this.life.die();
    await this.cluster.stop();
  }
}

/** What changes something in Slurm is a step at which the service can die; questions are asked all the time. */
function commandsOf(life: Lifeline): Commands {
  const effects = life.effects(systemCommands, { answers: [], sync: [] });
  const answers = life.answers(systemCommands);
  return {
    run: (program, args, options) => {
      const isQuestion = program === "squeue" || args.includes("show");
      return (isQuestion ? answers : effects).run(program, args, options);
    },
  };
}

const repair = async (): Promise<void> => undefined;
