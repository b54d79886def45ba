import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { System } from "../engine-kind.ts";
import { ShellJobs } from "../shell-jobs.fixture.ts";
import { ShellWorld } from "../shell-world.fixture.ts";
import { systemClock } from "../system/clock.ts";
import { systemCommands } from "../system/commands.ts";
import { systemDisk, type Disk } from "../system/disk.ts";
import { recordsDisk } from "../system/records-disk.ts";
import { Lifeline } from "../system/lifeline.fixture.ts";
import { Watched, type World } from "../world.fixture.ts";
import { Cgroups } from "./cgroups.ts";
import { LocalEngine } from "./engine.ts";
import { systemProcesses, type Process, type Processes } from "./processes.ts";
import { readSettings } from "./settings.ts";

const PATIENCE_SECONDS = 60;

export interface LocalWorldOptions {
  /** A cgroup to use; null: none. */
  readonly cgroup?: string | null;
  /** Whose jobs; null: root's. */
  readonly user?: string | null;
  /** The engine's setting `gpus`; absent: there are none. */
  readonly gpus?: Readonly<Record<string, unknown>>;
  /** The engine's setting `hooks`, by the world's folder; absent: there are none. */
  readonly hooks?: (top: string) => Readonly<Record<string, unknown>>;
}

export interface Instead {
  readonly boot?: string;
  readonly disk?: Disk;
  readonly processes?: Partial<Processes>;
}

/** Real processes of this machine. */
export class LocalWorld extends ShellWorld implements World {
  readonly machines = ["here"] as const;
  readonly downMachine = null;
  /** All users may enter; the service's own part is closed to them. */
  readonly top = mkdtempSync(join(tmpdir(), "croft-local-"));
  readonly folder = join(this.top, "state");
  readonly jobs: ShellJobs;
  private readonly cgroup: string | null;
  private readonly user: string | null;
  private readonly gpus: LocalWorldOptions["gpus"];
  private readonly hooks: LocalWorldOptions["hooks"];
  private life = new Lifeline();

  constructor({ cgroup = null, user = null, gpus, hooks }: LocalWorldOptions = {}) {
    super(PATIENCE_SECONDS);
    this.cgroup = cgroup;
    this.user = user;
    this.gpus = gpus;
    this.hooks = hooks;
    chmodSync(this.top, 0o755);
    this.jobs = new ShellJobs(join(this.top, "jobs"), user);
    chmodSync(join(this.top, "jobs"), 0o777);
  }

  /** @param instead what this engine has of the world instead of the real thing */
  async open(diesAtStep?: number, instead: Instead = {}): Promise<Watched> {
    this.life.die();
    const life = new Lifeline(diesAtStep);
    this.life = life;
    const settings = readSettings({
      name: "here",
      allowRoot: this.user === null,
      memoryMiB: 4096,
      ...(this.gpus === undefined ? {} : { gpus: this.gpus }),
      ...(this.hooks === undefined ? {} : { hooks: this.hooks(this.top) }),
    });
    const { clock, disk, commands } = this.system();
    const system = life.system(clock, disk, commands);
    const { disk: records } = life.system(clock, instead.disk ?? recordsDisk, commands);
    const engine = new LocalEngine(settings, {
      ...system,
      records,
      clock: { ...system.clock, boot: instead.boot ?? clock.boot },
      processes: { ...processesOf(life), ...instead.processes },
      cgroups: this.cgroup === null ? null : new Cgroups(this.cgroup),
      folder: this.folder,
    });
    return new Watched(engine, life, this).open();
  }

  system(): Pick<System, "clock" | "disk" | "commands"> {
    return { clock: systemClock(), disk: systemDisk, commands: systemCommands };
  }

  /** By the process number in its start record. */
  wrapper(id: AttemptId): Process | undefined {
    const pid = Number(readFileSync(join(this.attempt(id), "start"), "utf8").split(" ")[1]);
    return systemProcesses.one(pid) ?? undefined;
  }

  attempt(id: AttemptId): string {
    return join(this.folder, "attempts", attemptKey(id));
  }

  readonly faults: World["faults"] = [
    {
      name: "kill -9 of the wrapper",
      inject: this.killing(["wrapper"]),
      repair,
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
    {
      name: "kill -9 of the job",
      inject: this.killing(["job"]),
      repair,
      outcomes: ["exited"],
      mayBeUnharmed: false,
    },
    {
      name: "kill -9 of both, wrapper first",
      inject: this.killing(["wrapper", "job"]),
      repair,
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
    {
      name: "kill -9 of both, job first",
      inject: this.killing(["job", "wrapper"]),
      repair,
      outcomes: ["lost", "exited"],
      mayBeUnharmed: false,
    },
  ];

  private killing(whom: readonly ("wrapper" | "job")[]): (id: AttemptId) => Promise<void> {
    return async (id) => {
      const wrapper = this.wrapper(id);
      const all = [...(wrapper === undefined ? [] : [wrapper]), ...this.jobs.processes(id)];
      for (const each of whom)
        for (const { pid } of all.filter(
          (process) => (process.pid === wrapper?.pid) === (each === "wrapper"),
        ))
          systemProcesses.signal(pid, "SIGKILL");
    };
  }

  async litter(): Promise<() => Promise<boolean>> {
    const attempts = join(this.folder, "attempts");
    const cutOff = join(attempts, "11111111-1111-4111-8111-111111111111.1");
    const unreadable = join(attempts, "22222222-2222-4222-8222-222222222222.1");
    for (const folder of [cutOff, unreadable, join(attempts, "not-an-attempt")]) mkdirSync(folder);
    writeFileSync(join(cutOff, "launch"), "note 0\n{}\ndirectory 0\n/");
    writeFileSync(
      join(unreadable, "launch"),
      Uint8Array.from({ length: 5000 }, (_, i) => (i * 37) % 256),
    );
    writeFileSync(join(unreadable, "start"), "\u0000\u0001croft-start-1 1 1");
    symlinkSync("/etc/passwd", join(unreadable, "exit"));
    symlinkSync("/", join(attempts, "33333333-3333-4333-8333-333333333333.1"));
    writeFileSync(join(attempts, "44444444-4444-4444-8444-444444444444.1"), "a file");
    writeFileSync(join(this.folder, "stray"), "a file");
    return async () => [cutOff, unreadable, join(this.folder, "stray")].every((path) => existsSync(path));
  }

  async close(): Promise<void> {
    this.life.die();
    const keys = existsSync(this.folder) ? readdirSync(join(this.folder, "attempts")) : [];
    for (const { pid } of markedWith(keys)) systemProcesses.signal(pid, "SIGKILL");
    rmSync(this.top, { recursive: true, force: true, maxRetries: 10 });
  }
}

const repair = async (): Promise<void> => undefined;

/** What a test has started and left, because it failed. */
function markedWith(keys: readonly string[]): Process[] {
  return systemProcesses.all().filter(({ pid }) => {
    try {
      const mark = /(?:^|\0)CROFT_ATTEMPT=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "latin1"))?.[1];
      return mark !== undefined && keys.includes(mark);
    } catch {
      return false;
    }
  });
}

/** Signals and starts are steps at which the service can die. */
function processesOf(life: Lifeline): Processes {
  const cut = life.effects(systemProcesses, {
    answers: ["all", "one", "variable", "proportionalMiB", "memoryAvailableMiB", "exchange"],
    sync: ["signal"],
  });
  return {
    all: () => cut.all(),
    one: (pid) => cut.one(pid),
    variable: (pid, name) => cut.variable(pid, name),
    proportionalMiB: (pid) => cut.proportionalMiB(pid),
    memoryAvailableMiB: () => cut.memoryAvailableMiB(),
    signal: (pid, signal) => cut.signal(pid, signal),
    exchange: (program, args, environment, { line, ended }) => {
      const listener = { line: life.callback(line), ended: life.callback(ended) };
      const exchange = systemProcesses.exchange(program, args, environment, listener);
      life.atEnd(() => exchange.end());
      return life.effects(exchange, { answers: [], sync: ["send", "end"] });
    },
  };
}
