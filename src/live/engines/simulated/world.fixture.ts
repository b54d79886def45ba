import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import { Lifeline } from "../system/lifeline.fixture.ts";
import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { Watched, type JobKind, type World } from "../world.fixture.ts";
import { SimulatedEngine } from "./engine.ts";
import type { SimulatedAttempt } from "./attempt.ts";
import { readSettings } from "./settings.ts";

const RUN_SECONDS: Record<JobKind, number> = { short: 1, waiting: 1000, busy: 1e9 };
const PATIENCE_SECONDS = 100_000;

/** Simulated machines under a virtual clock, on a disk in memory. */
export class SimulatedWorld implements World {
  readonly machines = ["machine-1", "machine-2"];
  readonly downMachine = "machine-3";
  readonly clock = new VirtualClock();
  readonly disk = new MemoryDisk(this.clock);
  private readonly settings;
  private readonly folder = "/state";
  private life = new Lifeline();
  private engine: SimulatedEngine | null = null;

  constructor(settings: Readonly<Record<string, unknown>> = {}) {
    this.settings = readSettings({
      machines: [{ count: 3, cores: 16, memoryMiB: 16_000 }],
      startLatencySeconds: 0.1,
      ...settings,
    });
  }

  async open(diesAtStep?: number): Promise<Watched> {
    this.life.die();
    const life = new Lifeline(diesAtStep);
    this.life = life;
    this.engine = new SimulatedEngine(this.settings, {
      ...life.system(this.clock, this.disk, { run: () => Promise.reject(new Error("nothing is run")) }),
      folder: this.folder,
    });
    const watched = await new Watched(this.engine, life, this).open();
    this.engine.setMachine(this.downMachine, "down", "for the test");
    return watched;
  }

  request(id: AttemptId, kind: JobKind, machine = "machine-1"): StartRequest {
    return {
      id,
      placement: [{ machine, coresMilli: 1000, memoryMiB: 100, gpuMilli: 0 }],
      command: [kind],
      directory: "/",
      environment: {
        CROFT_SIMULATED_SECONDS: String(RUN_SECONDS[kind]),
        CROFT_SIMULATED_STATUS: kind === "short" ? "3" : "0",
      },
      user: null,
      stdoutPath: null,
      stderrPath: null,
      limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 5 },
    };
  }

  /** It ends when its time is over. */
  release(): void {}

  /** By the file: a row for each time that it began. */
  runs(id: AttemptId): number {
    const lines = this.disk.written(`${this.folder}/attempts.jsonl`).split("\n");
    return lines.filter((line) => {
      if (!line.includes(attemptKey(id)) || !line.startsWith("{")) return false;
      const row = JSON.parse(line) as SimulatedAttempt;
      return row.state === "running" && row.since === row.startedAt;
    }).length;
  }

  async progress(id: AttemptId): Promise<number> {
    return this.engine?.ranSeconds(id) ?? 0;
  }

  async isAlive(id: AttemptId): Promise<boolean> {
    const listing = await this.engine!.list();
    return (
      listing.kind === "listing" &&
      listing.attempts.some((known) => attemptKey(known.id) === attemptKey(id) && known.state !== "over")
    );
  }

  readonly faults: World["faults"] = [
    {
      name: "the machine fails",
      inject: async () => this.engine?.setMachine("machine-1", "down", "for the test"),
      repair: async () => this.engine?.setMachine("machine-1", "up", ""),
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
    {
      name: "the disk is full for a while",
      inject: async () => void (this.disk.writesFailWith = "ENOSPC"),
      repair: async () => void (this.disk.writesFailWith = null),
      outcomes: [],
      mayBeUnharmed: true,
    },
  ];

  async litter(): Promise<() => Promise<boolean>> {
    const path = `${this.folder}/attempts.jsonl`;
    await this.disk.append(path, '\u0000\u0001{"key":\n{"key":"../../etc","state":"running"}\n[]\n');
    return async () => this.disk.written(path).includes("../../etc");
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const start = this.clock.monotonicSeconds();
    while (!(await isSo())) {
      if (this.clock.monotonicSeconds() > start + PATIENCE_SECONDS)
        throw new Error(`not within ${PATIENCE_SECONDS} virtual seconds: ${what}`);
      await this.clock.pass(0.5);
    }
  }

  async close(): Promise<void> {
    this.life.die();
  }
}
