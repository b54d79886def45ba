import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import { findEngine } from "../registry.ts";
import { systemClock } from "../system/clock.ts";
import { systemDisk, type Disk } from "../system/disk.ts";
import { recordsDisk } from "../system/records-disk.ts";
import type { Watched } from "../world.fixture.ts";
import { cgroupFixture, hasUsers } from "./needs.fixture.ts";
import { systemProcesses, type Process } from "./processes.ts";
import { LocalWorld, type LocalWorldOptions } from "./world.fixture.ts";

const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });
const { cgroup, why } = cgroupFixture();

let world: LocalWorld;
let side: Watched;
afterEach(async () => {
  await world.close();
});

async function start(options: LocalWorldOptions = {}): Promise<void> {
  world = new LocalWorld(options);
  side = await world.open();
}

/** Starts a script and waits until it has begun. */
async function running(script: string, change: Partial<StartRequest> = {}): Promise<AttemptId> {
  const id = fresh();
  side.engine.start({ ...world.jobs.script(id, script, "here"), ...change });
  await world.until("it runs", () => world.runs(id) === 1);
  return id;
}

async function said(id: AttemptId, stream: "stdout" | "stderr" = "stdout"): Promise<string> {
  return new TextDecoder().decode((await side.engine.output(id, stream, 0, 100_000))!);
}

function childrenOf(parent: Process, id: AttemptId): Process[] {
  return world.jobs.processes(id).filter((process) => process.parent === parent.pid);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

const waits = 'while ! [ -e "$2" ]; do sleep 0.02; done';

describe.each([
  { name: "", options: {}, isThere: true },
  { name: ` in a cgroup${why}`, options: { cgroup }, isThere: cgroup !== null },
])("a local process$name", ({ options, isThere }) => {
  beforeEach(({ skip }) => {
    if (!isThere) skip();
    return start(options);
  });

  it("is stopped and goes on, however many programs it starts", async () => {
    const id = await running("while :; do /bin/true; done");
    for (let round = 0; round < 10; round++) {
      side.engine.suspend(id);
      await side.next(id, "suspended", round);
      const before = world.jobs
        .processes(id)
        .map(({ pid, cpuSeconds, startTicks }) => [pid, cpuSeconds, startTicks]);
      const known = await side.known(id);
      expect(known).toMatchObject({ state: "suspended" });
      expect(
        world.jobs.processes(id).map(({ pid, cpuSeconds, startTicks }) => [pid, cpuSeconds, startTicks]),
      ).toEqual(before);
      side.engine.resume(id);
      await side.next(id, "resumed", round);
    }
    side.engine.end(id, 5);
    await side.outcome(id);
    expect(await world.isAlive(id)).toBe(false);
  });

  it("takes all that it has started with it", async () => {
    const left = (...how: string[]) => `${how.join(" ")} sh -c 'echo $$ >>"$0"; exec sleep 1000' "$3" &`;
    const id = fresh();
    const pids = join(world.top, "pids");
    writeFileSync(pids, "");
    const request = world.jobs.script(
      id,
      [
        left("nohup"),
        left("setsid"),
        left("setsid", "env", "-i", "PATH=/bin"),
        left("(setsid", "nohup"),
        ")",
        waits,
        "exit 5",
      ]
        .join("\n")
        .replace("&\n)", "& )"),
      "here",
    );
    side.engine.start({ ...request, command: [...request.command, pids] });
    await world.until("all run", () => readFileSync(pids, "utf8").split("\n").length === 5);
    // Two looks at least, before it leaves them behind.
    side.engine.suspend(id);
    await side.next(id, "suspended");
    side.engine.resume(id);
    await side.next(id, "resumed");
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 5, cause: "itself" });
    for (const pid of readFileSync(pids, "utf8").trim().split("\n"))
      expect(
        systemProcesses.all().some((process) => process.pid === Number(pid)),
        pid,
      ).toBe(false);
  });

  it("can be ended, and ends by itself, though it has stopped its whole process group, the wrapper too", async () => {
    const standing = await running("kill -STOP 0; sleep 1000");
    side.engine.end(standing, 5);
    expect(await side.outcome(standing)).toMatchObject({ kind: "exited", cause: "asked" });
    const passing = await running("kill -STOP $PPID; exit 7");
    expect(await side.outcome(passing)).toMatchObject({ kind: "exited", status: 7, cause: "itself" });
  });

  it("asks what it leaves running to end, gives it the grace, and says so", async () => {
    const tidies =
      'trap \'sleep 0.3; echo tidied >>"$3"; exit\' TERM; echo ready >>"$3"; while :; do sleep 0.02; done';
    const listens = 'while ! grep -q ready "$3"; do sleep 0.02; done';
    const id = fresh();
    const out = join(world.top, "out");
    writeFileSync(out, "");
    const request = world.jobs.script(id, `(${tidies}) &\n${listens}\nexit 4`, "here");
    side.engine.start({ ...request, command: [...request.command, out] });
    const outcome = await side.outcome(id);
    expect(outcome).toMatchObject({ kind: "exited", status: 4, cause: "itself" });
    if (outcome.kind === "exited") expect(outcome.left).toBeGreaterThanOrEqual(1);
    expect(readFileSync(out, "utf8")).toBe("ready\ntidied\n");
  });

  it("kills after the grace what it leaves running and does not listen, by a later engine too", async () => {
    const deaf = `(trap '' TERM; exec sleep 1000) &`;
    const limits = { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 1 };
    const [one, other] = [fresh(), fresh()];
    side.engine.start({ ...world.jobs.script(one, deaf, "here"), limits });
    expect(await side.outcome(one)).toMatchObject({ kind: "exited", status: 0, left: 1 });
    side.engine.start({ ...world.jobs.script(other, deaf, "here"), limits });
    await world.until("it runs", () => world.runs(other) === 1);
    side = await world.open();
    expect(await side.outcome(other)).toMatchObject({ kind: "exited", status: 0 });
    for (const id of [one, other]) expect(await world.isAlive(id)).toBe(false);
  });

  it("says nothing of what ends by itself right after it", async () => {
    const id = fresh();
    side.engine.start(world.jobs.script(id, "(sleep 0.05) &", "here"));
    const outcome = await side.outcome(id);
    expect(outcome).toMatchObject({ kind: "exited", status: 0 });
    expect(outcome).not.toHaveProperty("left");
  });

  it("is warned once before its time is over, and its children are not", async () => {
    const limits = {
      memoryMiB: null,
      coresMilli: null,
      seconds: 60,
      graceSeconds: 1,
      warning: { signal: "USR1", seconds: 59 },
    } as const;
    const script = `n=0; trap 'n=$((n + 1)); echo warned' USR1\n${waits}\nexit $n`;
    const id = await running(script, { limits });
    await world.until("it is warned", async () => (await said(id)) === "warned\n");
    // The next engine looks at both, and finds that one was.
    side = await world.open();
    const other = await running(script, { limits });
    await world.until("it is warned", async () => (await said(other)) === "warned\n");
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 1, cause: "itself" });
    expect(await said(id)).toBe("warned\n");
  });

  it("is killed after the grace, where it does not listen", async () => {
    const id = await running("trap '' TERM; while :; do sleep 0.02; done");
    const before = Date.now();
    side.engine.end(id, 1);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 137, signal: 9, cause: "asked" });
    expect(Date.now() - before).toBeGreaterThanOrEqual(990);
    expect(await world.isAlive(id)).toBe(false);
  });

  it("is asked first, and may tidy up", async () => {
    const id = await running("trap 'echo tidied; exit 6' TERM; while :; do sleep 0.02; done");
    side.engine.suspend(id);
    await side.next(id, "suspended");
    side.engine.end(id, 60);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 6, signal: null, cause: "asked" });
    expect(await said(id)).toBe("tidied\n");
  });

  it("is ended above its memory, and what it took is said", async () => {
    const limits = { memoryMiB: 64, coresMilli: null, seconds: null, graceSeconds: 5 };
    // tail keeps a line that does not end.
    const id = await running("(head -c 150000000 /dev/zero; exec sleep 1000) | tail", { limits });
    const outcome = await side.outcome(id);
    expect(outcome).toMatchObject({ kind: "exited", cause: "memory" });
    if (outcome.kind === "exited") expect(outcome.usage.memoryPeakMiB).toBeGreaterThan(60);
  });

  it("is ended after its time, in which it was not suspended", async () => {
    const limits = { memoryMiB: null, coresMilli: null, seconds: 2, graceSeconds: 5 };
    const [one, other] = [await running(waits, { limits }), await running(waits, { limits })];
    side.engine.suspend(one);
    await side.next(one, "suspended");
    expect(await side.outcome(other)).toMatchObject({ kind: "exited", signal: 15, cause: "time" });
    // The service is another one meanwhile: the pause counts all the same.
    side = await world.open();
    side.engine.resume(one);
    await side.next(one, "resumed");
    expect(await side.known(one)).toMatchObject({ state: "running" });
    const outcome = await side.outcome(one);
    expect(outcome).toMatchObject({ kind: "exited", signal: 15, cause: "time" });
    if (outcome.kind === "exited") expect(outcome.usage.elapsedSeconds).toBeGreaterThan(3);
  });

  it("has its processor time counted", async () => {
    const id = await running("i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done");
    const outcome = await side.outcome(id);
    expect(outcome).toMatchObject({ kind: "exited", status: 0 });
    if (outcome.kind === "exited") {
      expect(outcome.usage.cpuSeconds).toBeGreaterThan(0.03);
      expect(outcome.usage.cpuSeconds).toBeLessThanOrEqual(outcome.usage.elapsedSeconds! + 0.1);
    }
  });

  it("has the environment that it was given, no open files of ours, and goes first when memory runs out", async () => {
    const command = ["sh", "-c", "env -0; ls /proc/self/fd; cat /proc/self/oom_score_adj; umask"];
    const id = fresh();
    side.engine.start({
      ...world.jobs.script(id, "", "here"),
      command,
      environment: { A: "one\ntwo", HOME: "/tmp" },
    });
    await side.outcome(id);
    const [variables, rest] = [
      (await said(id)).split("\0").slice(0, -1),
      (await said(id)).split("\0").at(-1),
    ];
    const own = [
      /^CROFT_ATTEMPT=/,
      /^PATH=\/usr\/local\/bin:\/usr\/bin:\/bin$/,
      /^(USER|LOGNAME)=root$/,
      /^PWD=\/$/,
    ];
    const others = variables.filter((each) => !own.some((pattern) => pattern.test(each)));
    expect(others.sort()).toEqual(["A=one\ntwo", "HOME=/tmp"]);
    // As many as any child of this process has: 3 is the folder that ls reads, others are from whoever started the test.
    const { stdout: files } = spawnSync("ls", ["/proc/self/fd"], { encoding: "utf8" });
    expect(rest).toBe(`${files}500\n0022\n`);
  });
});

describe.skipIf(cgroup === null)(`a local process in a cgroup${why}`, () => {
  it("takes with it what hides from everything else, before anybody has looked", async () => {
    await start({ cgroup });
    const pids = join(world.top, "pids");
    writeFileSync(pids, "");
    const id = fresh();
    const hidden = `setsid env -i PATH=/bin sh -c '(sh -c "echo \\$\\$ >>$0; exec sleep 1000" &)' "$3"`;
    const request = world.jobs.script(id, hidden, "here");
    side.engine.start({ ...request, command: [...request.command, pids] });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
    const pid = Number(readFileSync(pids, "utf8"));
    // It may not even have come to say who it is.
    if (pid > 0) expect(systemProcesses.all().some((process) => process.pid === pid)).toBe(false);
    expect(systemProcesses.all().filter(({ pid }) => commandLine(pid).includes(pids))).toEqual([]);
  });
});

describe("a local process without a cgroup", () => {
  beforeEach(() => start());

  it("is lost after a restart of the machine, unless its end was recorded", async () => {
    const [ran, ended, suspended] = [await running(waits), await running("exit 4"), await running(waits)];
    await side.outcome(ended);
    side.engine.suspend(suspended);
    await side.next(suspended, "suspended");
    const left = [ran, suspended].flatMap((id) => [
      world.wrapper(id)!,
      ...childrenOf(world.wrapper(id)!, id),
    ]);
    side = await world.open(Infinity, { boot: "another-boot" });
    expect(await side.known(ran)).toMatchObject({
      outcome: { kind: "lost", reason: "the machine was restarted" },
    });
    expect(await side.known(suspended)).toMatchObject({ outcome: { kind: "lost" } });
    expect(await side.known(ended)).toMatchObject({ outcome: { kind: "exited", status: 4 } });
    // They are other processes now, by chance with the same numbers: nobody has touched them.
    for (const { pid } of left)
      expect(
        systemProcesses.all().some((process) => process.pid === pid),
        String(pid),
      ).toBe(true);
  });

  it("is not taken for another one that has got its process number", async () => {
    const innocent = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const id = await running(waits);
    const record = join(world.attempt(id), "start");
    // The wrapper first, which would record the end of the others. It is not always the first that is listed.
    for (const { pid } of [world.wrapper(id)!, ...world.jobs.processes(id)])
      systemProcesses.signal(pid, "SIGKILL");
    // As if the wrapper had had the number that is the innocent's now, who leads a session too. The wrapper was there a
    // clock tick (10 ms) earlier: both were made just now and may have the same one, which names the same process.
    const { startTicks } = systemProcesses.one(innocent.pid!)!;
    const fields = readFileSync(record, "utf8").split(" ");
    fields[1] = String(innocent.pid);
    fields[2] = String(startTicks - 1);
    writeFileSync(record, fields.join(" "));
    side = await world.open();
    expect(await side.known(id)).toMatchObject({ outcome: { kind: "lost" } });
    side.engine.end(id, 0);
    side.engine.suspend(id);
    await side.next(id, "lost", 1);
    // Neither stopped nor ended; right after it was made it may still be running rather than asleep.
    const { state } = systemProcesses.all().find(({ pid }) => pid === innocent.pid)!;
    expect(["S", "R", "D"]).toContain(state);
    innocent.kill("SIGKILL");
  });

  it("stands or runs whole, wherever the service dies while it is suspended or goes on", async () => {
    const id = await running(`sleep 1000 & sleep 1000 & sleep 1000 & ${waits}; kill $(jobs -p)`);
    const wrapper = world.wrapper(id)!.pid;
    let deaths = 0;
    for (const act of ["suspend", "resume"] as const)
      for (let step = 0, isDone = false; !isDone; step++) {
        if (act === "resume") {
          side.engine.suspend(id);
          await world.until("it is suspended", async () => (await side.known(id))?.state === "suspended");
        }
        side = await world.open(step);
        if (!side.isDead()) side.engine[act](id);
        const kind = act === "suspend" ? "suspended" : "resumed";
        await world.until("it is done, or dead", () => side.isDead() || side.of(kind).length > 0);
        isDone = !side.isDead();
        if (!isDone) deaths++;
        side = await world.open();
        const state = (await side.known(id))!.state;
        const stopped = world.jobs
          .processes(id)
          .filter(({ pid, state: its }) => pid !== wrapper && its === "T");
        // One that sleeps now and then may be replaced meanwhile; those of before it are four.
        if (state === "suspended") expect(stopped.length).toBeGreaterThanOrEqual(4);
        else expect({ act, step, state, stopped }).toEqual({ act, step, state: "running", stopped: [] });
        side.engine.resume(id);
        await side.next(id, "resumed");
      }
    expect(deaths).toBeGreaterThan(8);
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited" });
  });

  // It has written why, and asked none of them; has asked some; waits for them.
  it.each([3, 4, 8])("is ended for its limit, though the service dies at step %i of that", async (step) => {
    const id = fresh();
    const limits = { memoryMiB: null, coresMilli: null, seconds: 0.1, graceSeconds: 0.5 };
    side.engine.start({ ...world.jobs.script(id, `trap "" TERM; ${waits}`, "here"), limits });
    await side.next(id, "started");
    side = await world.open(step);
    await world.until("it is dead", () => side.isDead());
    side = await world.open();
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "time" });
    expect(await world.isAlive(id)).toBe(false);
  });

  it("is noted as warned at the moment at which it is: a service may die while it looks for whom to tell", async () => {
    const id = fresh();
    let [isTold, isLookedLate] = [false, false];
    const isNoted = (): boolean => existsSync(join(world.attempt(id), "warned"));
    side = await world.open(undefined, {
      processes: {
        all: () => {
          if (isNoted() && !isTold) isLookedLate = true;
          return systemProcesses.all();
        },
        signal: (pid, signal) => {
          if (signal === "SIGUSR1") isTold = true;
          systemProcesses.signal(pid, signal);
        },
      },
    });
    const limits = {
      memoryMiB: null,
      coresMilli: null,
      seconds: 60,
      graceSeconds: 1,
      warning: { signal: "USR1", seconds: 60 },
    } as const;
    const script = `trap "echo warned" USR1; ${waits}`;
    side.engine.start({ ...world.jobs.script(id, script, "here"), limits });
    await world.until("it is warned", () => isTold);
    expect({ isNoted: isNoted(), isLookedLate }).toEqual({ isNoted: true, isLookedLate: false });
    world.release(id);
    await side.outcome(id);
  });

  it("says how long it stands, whoever has it stand", async () => {
    const id = await running(waits);
    const stood = async () => {
      const known = (await side.known(id))!;
      return known.state === "running" || known.state === "suspended" ? known.stood! : null;
    };
    expect(await stood()).toEqual({ seconds: 0, sinceUnixSeconds: null });
    const asked = Date.now() / 1000;
    side.engine.suspend(id);
    const since = (await side.next(id, "suspended")).stood!.sinceUnixSeconds!;
    expect(since).toBeGreaterThan(asked - 0.1);
    expect(since).toBeLessThan(Date.now() / 1000 + 0.1);
    side = await world.open();
    expect((await stood())!.sinceUnixSeconds).toBeCloseTo(since, 1);
    const before = Date.now() / 1000 - since;
    side.engine.resume(id);
    const { seconds, sinceUnixSeconds } = (await side.next(id, "resumed")).stood!;
    expect(sinceUnixSeconds).toBeNull();
    expect(seconds).toBeGreaterThan(before - 0.1);
    side = await world.open();
    expect(await stood()).toEqual({ seconds, sinceUnixSeconds: null });
    // What stands goes on for its end.
    side.engine.suspend(id);
    await side.next(id, "suspended");
    side.engine.end(id, 5);
    expect((await side.next(id, "resumed")).stood!.sinceUnixSeconds).toBeNull();
    await side.outcome(id);
  });

  it("has stood still until it is told to go on, however long it takes to find its processes", async () => {
    const id = await running(waits);
    let isSlow = false;
    let toldAt = 0;
    side = await world.open(undefined, {
      processes: {
        all: () => {
          const end = performance.now() + (isSlow ? 500 : 0);
          while (performance.now() < end);
          return systemProcesses.all();
        },
        signal: (pid, signal) => {
          if (signal === "SIGCONT") toldAt = Date.now() / 1000;
          systemProcesses.signal(pid, signal);
        },
      },
    });
    side.engine.suspend(id);
    const since = (await side.next(id, "suspended")).stood!.sinceUnixSeconds!;
    isSlow = true;
    side.engine.resume(id);
    const { seconds } = (await side.next(id, "resumed")).stood!;
    expect(seconds).toBeGreaterThan(toldAt - since - 0.1);
    isSlow = false;
    side.engine.end(id, 5);
    await side.outcome(id);
  });

  it("has stood still while a part of it did, as long as no service was there", async () => {
    const id = await running(`sleep 1000 & ${waits}; kill $!`);
    const since = systemClock().monotonicSeconds() - 50;
    const stoodSince = async (): Promise<number> => {
      writeFileSync(
        join(world.attempt(id), "suspension"),
        JSON.stringify({ totalSeconds: 0, since, until: null }),
      );
      side = await world.open();
      const known = (await side.known(id))!;
      expect(known.state).toBe("running");
      return known.state === "running" ? known.stood!.seconds : NaN;
    };
    expect(await stoodSince()).toBe(0);
    const [sleep] = world.jobs.processes(id).filter(({ pid }) => commandLine(pid).includes("1000\0"));
    systemProcesses.signal(sleep.pid, "SIGSTOP");
    await world.until("a part stands", () => systemProcesses.one(sleep.pid)?.state === "T");
    expect(await stoodSince()).toBeGreaterThan(50);
    side.engine.end(id, 5);
    await side.outcome(id);
  });

  it("has not stood still where the service died before it stopped, though it ended meanwhile", async () => {
    const id = await running(waits);
    // It notes what it is about to do, and dies.
    side = await world.open(3);
    side.engine.suspend(id);
    await world.until("it is dead", () => side.isDead());
    expect(existsSync(join(world.attempt(id), "suspension"))).toBe(true);
    world.release(id);
    await world.until("it is over", async () => !(await world.isAlive(id)));
    side = await world.open();
    expect(await side.known(id)).toMatchObject({
      state: "over",
      stood: { seconds: 0, sinceUnixSeconds: null },
    });
  });

  it("that is over but for what it left is not suspended, and has not ended because it was asked to", async () => {
    const id = await running("sh -c 'trap \"\" TERM; while :; do sleep 0.1; done' & exit 4");
    await world.until("its command is over", () =>
      readFileSync(join(world.attempt(id), "exit"), "utf8").includes("end"),
    );
    side.engine.suspend(id);
    expect(await side.next(id, "suspend-failed")).toMatchObject({
      reason: expect.stringContaining("is over") as string,
    });
    side.engine.end(id, 0);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 4, cause: "itself" });
    expect(await world.isAlive(id)).toBe(false);
  });

  it("is found again where its start record was damaged", async () => {
    const id = await running(waits);
    writeFileSync(join(world.attempt(id), "start"), "\u0000\u0000\u0000");
    side = await world.open();
    expect(await side.known(id)).toMatchObject({ state: "running" });
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
  });

  it("does not start where the disk is full; what must be written is, when it is not any more", async () => {
    const id = fresh();
    let isFull = true;
    const full = async (): Promise<never> => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    };
    const disk: Disk = {
      ...systemDisk,
      makeFolder: (path) => (isFull && path.includes(id.job) ? full() : systemDisk.makeFolder(path)),
      createIn: (folder, name, text) =>
        isFull && folder.includes(id.job) ? full() : systemDisk.createIn(folder, name, text),
    };
    side = await world.open(Infinity, { disk });
    side.engine.start(world.request({ ...id, attempt: 2 }, "short"));
    expect(await side.outcome({ ...id, attempt: 2 })).toEqual({
      kind: "start-failed",
      id: { ...id, attempt: 2 },
      fault: "transient",
      reason: "the disk is full",
    });
    side.engine.end(id, 0);
    await world.until("it says so", () => side.of("unreachable").length === 1);
    expect(side.of("unreachable")[0].reason).toBe("the disk is full");
    expect(await side.engine.list()).toMatchObject({ kind: "unreachable" });
    isFull = false;
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "never-ran" });
    expect(side.of("reachable")).toHaveLength(1);
    expect(await side.engine.list()).toMatchObject({ kind: "listing" });
  });

  it("is suspended where the disk is full, and the next service finds that; closing does not wait for the disk", async () => {
    const id = await running(waits);
    const full = async (): Promise<never> => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    };
    const disk: Disk = { ...systemDisk, writeWhole: full, create: full, createIn: full };
    // Its scripts are there already.
    side = await world.open(Infinity, { disk });
    side.engine.suspend(id);
    await side.next(id, "suspended");
    side = await world.open(Infinity, { disk });
    expect(await side.known(id)).toMatchObject({ state: "suspended" });
    side.engine.resume(id);
    await side.next(id, "resumed");
    // An end that has to be written waits for the disk, and closing does not wait for that.
    side.engine.end(fresh(), 0);
    await side.engine.close();
    side = await world.open();
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
  });

  it("is over, and killed, though no file could be opened when that was to be seen or done", async () => {
    await start();
    const state = { isShort: false };
    const open = (): void => {
      if (state.isShort) throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    };
    const failed = (): number =>
      side.reports.filter((each) => each.kind === "notice" && /not be dealt with.*EMFILE/.test(each.text))
        .length;
    side = await world.open(undefined, {
      disk: {
        ...recordsDisk,
        read: async (...args) => {
          open();
          return recordsDisk.read(...args);
        },
      },
      processes: {
        all: () => {
          open();
          return systemProcesses.all();
        },
      },
    });
    const ending = await running(`${waits}; exit 3`);
    const deaf = await running(`trap '' TERM; ${"sleep 1000; ".repeat(3)}`);
    state.isShort = true;
    side.engine.end(deaf, 0.5);
    world.release(ending);
    await world.until("neither can be dealt with", () => failed() >= 2);
    state.isShort = false;
    expect(await side.outcome(ending)).toMatchObject({ kind: "exited", status: 3 });
    expect(await side.outcome(deaf)).toMatchObject({ kind: "exited", cause: "asked" });
  });

  it("does not wait for a wrapper that could not write its start record", async () => {
    const id = fresh();
    // A disk that is full, for this name.
    mkdirSync(world.attempt(id), { recursive: true });
    symlinkSync("/dev/full", join(world.attempt(id), "start"));
    side.engine.start(world.request(id, "short"));
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "transient",
      reason: "its wrapper could not write its start record",
    });
    expect(world.runs(id)).toBe(0);
  });

  it("does not start where no process can be made, or more memory is asked for than is free", async () => {
    side = await world.open(Infinity, {
      processes: {
        exchange: (_program, _args, _environment, { ended }) => ({
          send: () => ended(),
          end: () => undefined,
        }),
        memoryAvailableMiB: () => 100,
      },
    });
    const [id, large] = [fresh(), fresh()];
    side.engine.start(world.request(id, "short"));
    expect(await side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "transient" });
    const placement = [{ machine: "here", coresMilli: 1, memoryMiB: 101, gpuMilli: 0 }];
    side.engine.start({ ...world.request(large, "short"), placement });
    expect(await side.outcome(large)).toMatchObject({ reason: "only 100 MiB of memory are free on here" });
    side = await world.open();
    side.engine.start(world.request(id, "short"));
    expect(await side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "transient" });
    expect(world.runs(id)).toBe(0);
  });

  it("says what it cannot come to", async () => {
    const id = fresh();
    side.engine.start({ ...world.request(id, "short"), directory: "/no/such/folder" });
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "job",
      reason: "its working directory cannot be entered: /no/such/folder",
    });
    expect(side.about(id, "started")).toHaveLength(0);
    side = await world.open();
    expect(await side.known(id)).toMatchObject({
      state: "over",
      outcome: { kind: "start-failed", fault: "job" },
    });
  });

  it("shares its wrapper with those that come after it, one at a time", async () => {
    const ran: AttemptId[] = [];
    for (const script of ["sleep 0.1; exit 1", "exit 2", waits]) ran.push(await running(script));
    for (const [at, id] of ran.slice(0, 2).entries())
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: at + 1 });
    const beside = await running(waits);
    const pids = [...ran, beside].map((id) => world.wrapper(id)!.pid);
    // The third began while the first two ran or their wrappers were new; nobody shares with one that runs.
    expect(pids[3]).not.toBe(pids[2]);
    expect(new Set(pids).size).toBeLessThan(4);
    // A later service cannot tell them anything, and still hears of the end of each.
    side = await world.open();
    for (const id of [ran[2], beside]) expect(await side.known(id)).toMatchObject({ state: "running" });
    world.release(ran[2]);
    world.release(beside);
    for (const id of [ran[2], beside]) expect(await side.outcome(id)).toMatchObject({ status: 0 });
    await world.until("no wrapper is left", () => pids.every((pid) => systemProcesses.one(pid) === null));
  });

  it("is lost at once where its wrapper is killed, and the next one has another", async () => {
    const id = await running(waits);
    const next = fresh();
    systemProcesses.signal(world.wrapper(id)!.pid, "SIGKILL");
    expect(await side.outcome(id)).toMatchObject({ kind: "lost", reason: "its wrapper was killed" });
    expect(await world.isAlive(id)).toBe(false);
    const ran = await running("exit 7");
    expect(await side.outcome(ran)).toMatchObject({ kind: "exited", status: 7 });
    // One that waits is killed, too, and nobody has heard of that yet.
    const pid = world.wrapper(ran)!.pid;
    systemProcesses.signal(pid, "SIGKILL");
    side.engine.start(world.request(next, "short"));
    expect(await side.outcome(next)).toMatchObject({ kind: "exited", status: 3 });
    expect(world.wrapper(next)?.pid).not.toBe(pid);
  });

  it("may have run unseen where the machine was restarted: that is told once, to who has it in his books", async () => {
    const [gone, torn] = [await running(waits), await running(waits)];
    for (const id of [gone, torn]) {
      world.release(id);
      await side.outcome(id);
    }
    // What was not flushed is gone: a folder, or what was in the files.
    rmSync(world.attempt(gone), { recursive: true });
    for (const name of readdirSync(world.attempt(torn))) writeFileSync(join(world.attempt(torn), name), "");
    expect(await side.engine.list()).not.toHaveProperty("forgotten");
    const boot = "another-boot";
    // Whoever dies before anything new is launched leaves it to be told again.
    for (let opened = 0; opened < 2; opened++) {
      side = await world.open(Infinity, { boot });
      const listing = await side.engine.list();
      expect(listing).toMatchObject({ forgotten: "the machine was restarted" });
      expect(await side.known(gone)).toBeNull();
      expect(await side.known(torn)).toMatchObject({ state: "over", outcome: { kind: "lost" } });
    }
    await side.engine.forget(torn);
    expect(existsSync(world.attempt(torn))).toBe(false);
    const next = fresh();
    side.engine.start(world.request(next, "short"));
    await side.next(next, "started").catch(() => undefined);
    side = await world.open(Infinity, { boot });
    expect(await side.engine.list()).not.toHaveProperty("forgotten");
  });

  it("keeps its records to itself", async () => {
    const id = await running("exit 0");
    await side.outcome(id);
    expect(statSync(world.folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(world.attempt(id)))
      expect(statSync(join(world.attempt(id), name)).mode & 0o777, name).toBe(0o600);
  });

  it("outlives the process of the service", async () => {
    const id = fresh();
    const host = spawn(process.execPath, [join(import.meta.dirname, "host.fixture.ts"), world.folder], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    host.stdin.write(`${JSON.stringify(world.request(id, "waiting"))}\n`);
    await world.until("it runs", () => world.runs(id) === 1);
    host.kill("SIGKILL");
    await world.until("the service is dead", () => host.signalCode !== null);
    expect(await world.isAlive(id)).toBe(true);
    side = await world.open();
    expect(await side.known(id)).toMatchObject({ state: "running" });
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0, cause: "itself" });
  });
});

const users = hasUsers ? "" : " (skipped: needs root)";
describe.skipIf(!hasUsers)(`jobs of users${users}`, () => {
  it("run as their user, in all of that user's groups, and cannot touch their records", async () => {
    await start({ user: "nobody" });
    const script = 'id -u; id -g; id -G; grep CapInh /proc/self/status; ls "$3" 2>&1; kill -9 $PPID 2>&1; :';
    const id = fresh();
    const request = world.jobs.script(id, script, "here");
    side.engine.start({ ...request, command: [...request.command, world.folder] });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
    const expected = spawnSync("id", ["-G", "nobody"], { encoding: "utf8" }).stdout;
    const lines = (await said(id)).split("\n");
    expect(lines.slice(0, 3)).toEqual(["65534", "65534", expected.trim()]);
    expect(lines[3]).toMatch(/0000000000000000$/);
    expect(lines[4]).toContain("Permission denied");
    expect(lines[5]).toMatch(/not permitted/i);
  });

  it("write their output as themselves", async () => {
    await start({ user: "nobody" });
    const open = join(world.top, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    const [id, denied] = [fresh(), fresh()];
    side.engine.start({ ...world.request(id, "short"), stdoutPath: join(open, "out") });
    await side.outcome(id);
    expect(statSync(join(open, "out")).uid).toBe(65534);
    expect(await side.engine.output(id, "stdout", 0, 10)).toHaveLength(0);
    side.engine.start({ ...world.request(denied, "short"), stdoutPath: join(world.folder, "out") });
    expect(await side.outcome(denied)).toMatchObject({
      kind: "start-failed",
      reason: `its output cannot be written to: ${join(world.folder, "out")}`,
    });
    expect(existsSync(join(world.folder, "out"))).toBe(false);
  });

  it("do not run as root unless that is allowed, by whatever name", async () => {
    await start({ user: "nobody" });
    for (const user of [
      "root",
      null,
      "0",
      "+0",
      "-x",
      "no such user",
      "nobody:x",
      "../nobody",
      "$(id)",
      "a\nroot",
    ]) {
      const id = fresh();
      side.engine.start({ ...world.request(id, "short"), user });
      expect(await side.outcome(id), String(user)).toMatchObject({ kind: "start-failed", fault: "job" });
      expect(world.runs(id)).toBe(0);
    }
    await world.close();
    await start({ user: null });
    const id = fresh();
    side.engine.start({ ...world.request(id, "short"), user: "root" });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
  });

  it("all run as the service's user where that is not root, and it says so", async () => {
    await start({ user: "nobody" });
    const id = fresh();
    const state = join(world.top, "theirs");
    mkdirSync(state);
    spawnSync("chown", ["nobody", state]);
    const host = spawn(
      "setpriv",
      [
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        process.execPath,
        join(import.meta.dirname, "host.fixture.ts"),
        state,
      ],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    let text = "";
    host.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    const request = { ...world.jobs.script(id, "id -u; exit 8", "here"), user: "somebody-else" };
    host.stdin.write(`${JSON.stringify({ ...request, stdoutPath: join(world.top, "jobs/out") })}\n`);
    await world.until("it has ended", () => text.includes('"exited"'));
    host.kill("SIGKILL");
    expect(text).toContain("the service is not root: all jobs run as its own user");
    expect(text).toContain('"status":8');
    expect(readFileSync(join(world.top, "jobs/out"), "utf8")).toBe("65534\n");
  });
});

describe("settings", () => {
  beforeEach(() => start());

  it("are refused where they are wrong", () => {
    const create = (settings: Record<string, unknown>) => () =>
      findEngine("local")!.create(settings, { ...world.system(), folder: world.folder });
    expect(create({ cores: -1 })).toThrow("engine local: cores: give a number from 0.1 to 100000");
    expect(create({ cgroup: "here" })).toThrow("engine local: cgroup: give auto, none, or the path");
    expect(create({ root: true })).toThrow("engine local: root: there is no such setting");
  });

  it("keep a little of the machine's memory for itself", () => {
    const engine = findEngine("local")!.create(
      { cgroup: "none" },
      { ...world.system(), folder: world.folder },
    );
    const [machine] = engine.machines();
    const totalMiB = Number(/MemTotal:\s+(\d+)/.exec(readFileSync("/proc/meminfo", "utf8"))![1]) / 1024;
    expect(machine.memoryMiB).toBeLessThanOrEqual(totalMiB - 256);
    expect(machine.memoryMiB).toBeGreaterThan(totalMiB * 0.5);
    expect(engine.capabilities.limits).toEqual({
      memory: "watched",
      cores: "watched",
      time: "watched",
      output: "watched",
    });
  });
});
