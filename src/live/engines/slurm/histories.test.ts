import { describe, expect, it } from "vitest";

import { Random } from "../../../workload/random.ts";
import type { AttemptId } from "../attempt-id.ts";
import type { Engine, Report, StartRequest } from "../engine.ts";
import { playHistory, type HistoryWorld } from "../histories.fixture.ts";
import { seeded } from "../simulated/draws.ts";
import { Lifeline } from "../system/lifeline.fixture.ts";
import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { SlurmEngine } from "./engine.ts";
import { readSettings } from "./settings.ts";
import { StandInSlurm } from "./stand-in.fixture.ts";

/** Slurm's stand-in with faults of the controller, the nodes, the disk and the commands. */
class StandInWorld implements HistoryWorld {
  readonly clock = new VirtualClock();
  readonly slurm: StandInSlurm;
  readonly faults: readonly (() => void)[];
  private readonly disk = new MemoryDisk(this.clock);
  private readonly random: Random;
  private life = new Lifeline();

  constructor(seed: number) {
    this.random = new Random(seed);
    this.slurm = new StandInSlurm(this.clock, this.disk, this.random, (key) => {
      const random = seeded(seed, key);
      const listens = random.unit();
      return {
        runSeconds: 60 * random.unit(),
        status: random.index(3),
        listensSeconds: listens < 0.3 ? null : listens < 0.6 ? 0 : 5 * listens,
      };
    });
    const { slurm, clock } = this;
    const disk = this.disk;
    const fewSeconds = (): number => 15 * this.random.unit();
    this.faults = [
      () => {
        slurm.crash();
        clock.after(fewSeconds(), () => slurm.restart());
      },
      () => {
        const node = this.random.unit() < 0.5 ? "n1" : "n2";
        slurm.nodes.crash(node);
        clock.after(2 * fewSeconds(), () => slurm.nodes.restart(node));
      },
      () => {
        slurm.unansweredPart = 0.5;
        clock.after(fewSeconds(), () => (slurm.unansweredPart = 0));
      },
      () => {
        disk.writesFailWith = "ENOSPC";
        clock.after(fewSeconds(), () => (disk.writesFailWith = null));
      },
    ];
  }

  async open(diesAtStep: number | undefined, reports: (report: Report) => void): Promise<Engine | null> {
    this.life.die();
    const life = new Lifeline(diesAtStep);
    this.life = life;
    const system = life.system(this.clock, this.disk, this.slurm);
    const engine = new SlurmEngine(readSettings({ allowRoot: true }), { ...system, folder: "/state" });
    const opening = { isOver: false, failed: false };
    void engine
      .open((report) => {
        if (!life.isDead) reports(report);
      })
      .catch(() => (opening.failed = true))
      .then(() => (opening.isOver = true));
    while (!opening.isOver && !life.isDead) await this.clock.pass(0.1);
    if (opening.failed) life.die();
    return life.isDead ? null : engine;
  }

  isDead(): boolean {
    return this.life.isDead;
  }

  request(id: AttemptId): StartRequest {
    return {
      id,
      placement: [
        { machine: id.attempt % 2 === 0 ? "n1" : "n2", coresMilli: 1000, memoryMiB: 1, gpuMilli: 0 },
      ],
      command: ["job"],
      directory: "/",
      environment: {},
      user: null,
      stdoutPath: null,
      stderrPath: null,
      limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 1 },
    };
  }

  runs(key: string): number {
    return this.slurm.nodes.runs.get(key) ?? 0;
  }

  isAlive(key: string): boolean {
    return this.slurm.nodes.isAlive(key);
  }

  isThere(folder: string): boolean {
    return this.disk.hasFolder(folder);
  }

  repair(): void {
    this.slurm.restart();
    for (const node of ["n1", "n2"]) this.slurm.nodes.restart(node);
    this.slurm.unansweredPart = 0;
    this.disk.writesFailWith = null;
  }
}

/** More than that can be asked for: CROFT_HISTORIES=5000. */
const histories = Number(process.env["CROFT_HISTORIES"] ?? 40);
const first = Number(process.env["CROFT_FIRST_HISTORY"] ?? 1);

describe("Slurm's stand-in", () => {
  it(`loses nothing and runs nothing twice, in ${histories} histories of faults on both sides`, async () => {
    for (let seed = first; seed < first + histories; seed++) {
      const world = new StandInWorld(seed);
      await playHistory(world, seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      });
      // What Slurm remembers again after a crash, of an attempt that was forgotten, finds no folder and cannot run.
      const left = world.slurm.liveJobs().filter(({ folder }) => world.isThere(folder));
      expect(left, `seed ${seed}: nothing is left in the queue`).toEqual([]);
    }
  });
});
