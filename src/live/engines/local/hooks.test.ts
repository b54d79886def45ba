import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { Watched } from "../world.fixture.ts";
import { MARK } from "./census.ts";
import { HOOK } from "./hooks.ts";
import { systemProcesses } from "./processes.ts";
import { placeName } from "./place-name.ts";
import { LocalWorld } from "./world.fixture.ts";

const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });
const waits = 'while ! [ -e "$2" ]; do sleep 0.02; done';

let world: LocalWorld;
let side: Watched;
afterEach(() => world.close());

/** @param scripts of the prolog and the epilog; absent: there is none */
async function open(scripts: { prolog?: string; epilog?: string; limitSeconds?: number }): Promise<void> {
  const { limitSeconds = 20 } = scripts;
  world = new LocalWorld({
    hooks: (top) => {
      mkdirSync(join(top, "scratch"), { recursive: true, mode: 0o755 });
      const paths = (["prolog", "epilog"] as const).flatMap((name) => {
        const script = scripts[name];
        if (script === undefined) return [];
        const path = join(top, name);
        if (!existsSync(path)) {
          writeFileSync(path, `#!/bin/sh\nlog=${join(top, "log")}\n${script}\n`);
          chmodSync(path, 0o755);
        }
        return [[name, path]];
      });
      return { ...Object.fromEntries(paths), limitSeconds, scratch: join(top, "scratch") };
    },
  });
  side = await world.open();
}

const log = (): string[] => {
  const path = join(world.top, "log");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};
const scratch = (): string[] => readdirSync(join(world.top, "scratch"));

/** The processes of its prolog and its epilog. */
async function hooksOf(id: AttemptId): Promise<number[]> {
  const pids: number[] = [];
  for (const { pid } of systemProcesses.all()) {
    const isIts = (await systemProcesses.variable(pid, MARK)) === attemptKey(id);
    if (isIts && (await systemProcesses.variable(pid, HOOK)) !== null) pids.push(pid);
  }
  return pids;
}

describe("programs around an attempt", () => {
  it("run before and after it, and are told of which; its scratch folder is its own and goes", async () => {
    const say = (what: string): string =>
      `echo "${what} $CROFT_JOB_NUMBER $CROFT_USER \${CROFT_ATTEMPT%.*} $(basename "$TMPDIR")" >>"$log"`;
    await open({ prolog: say("before"), epilog: say("after") });
    const id = fresh();
    const key = `${id.job}.1`;
    const request = world.jobs.script(id, 'echo x >"$TMPDIR/file"; mkdir "$TMPDIR/a"; exit 3', "here");
    side.engine.start({ ...request, user: "root", environment: { CROFT_JOB_NUMBER: "12", TMPDIR: "/x" } });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
    const folder = `${placeName(world.folder)}.${key}`;
    expect(log()).toEqual([`before 12 root ${id.job} ${folder}`, `after 12 root ${id.job} ${folder}`]);
    expect(scratch()).toEqual([]);
  });

  it("are told while they run, with what ends them", async () => {
    const waitsFor = (name: string): string =>
      `while ! [ -e "$(dirname "$log")/${name}" ]; do sleep 0.02; done`;
    await open({ prolog: waitsFor("go"), epilog: waitsFor("end"), limitSeconds: 1200 });
    const id = fresh();
    const before = Date.now() / 1000;
    side.engine.start(world.jobs.script(id, "exit 0", "here"));
    const doing = (): string => side.engine.doing?.(id)?.text ?? "";
    await world.until("the prolog is told", () => doing().startsWith("its prolog"));
    expect(doing()).toBe(
      `its prolog ${world.top}/prolog runs; it is ended after 20 min, and then the machine takes no more jobs, and this one waits again`,
    );
    expect(side.engine.doing!(id)!.sinceUnixSeconds).toBeGreaterThanOrEqual(before - 1);
    writeFileSync(join(world.top, "go"), "");
    await world.until("the epilog is told", () => doing().startsWith("it has ended"));
    expect(doing()).toBe(
      `it has ended, and its epilog ${world.top}/epilog runs; it is ended after 20 min, and then the job is over`,
    );
    writeFileSync(join(world.top, "end"), "");
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
    expect(side.engine.doing!(id)).toBeNull();
  });

  it.each([
    ["fails", "exit 7", /^the prolog \/.*\/prolog has failed with status 7$/],
    [
      "fails and says why",
      "echo that it begins; printf 'no \\033[1mdisk\\n\\nmore\\n' >&2; exit 7",
      /prolog has failed with status 7: no {2}\[1mdisk$/,
    ],
    [
      "fails and leaves something that holds its output",
      "sleep 1000 & echo no disk >&2; exit 7",
      /prolog has failed with status 7: no disk$/,
    ],
    ["hangs, with what it has started", "sleep 1000 & sleep 1000", /prolog took longer than 1 s$/],
    ["prints without end", "yes", /prolog has printed more than 1 MiB$/],
    ["prints errors without end", "yes >&2", /prolog has printed more than 1 MiB$/],
    [
      "prints without end, whatever it is told",
      "trap '' PIPE TERM; line=$(head -c 65536 /dev/zero | tr '\\0' y); while :; do echo $line; done",
      /printed more than 1 MiB$/,
    ],
    ["kills itself", "kill -9 $$", /prolog was ended by SIGKILL$/],
  ])("a prolog that %s drains the machine, and nothing of the attempt runs", async (_, prolog, reason) => {
    await open({ prolog, limitSeconds: 1, epilog: 'echo after >>"$log"' });
    const id = fresh();
    side.engine.start(world.jobs.script(id, waits, "here"));
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "machine",
      drains: true,
      reason: expect.stringMatching(reason) as string,
    });
    expect([world.runs(id), log(), scratch()]).toEqual([0, [], []]);
    side = await world.open();
    expect(await side.known(id)).toMatchObject({ state: "over", outcome: { drains: true } });
  });

  it("a prolog that is not there drains the machine; an epilog that is not there is told", async () => {
    world = new LocalWorld({ hooks: () => ({ prolog: "/nowhere/prolog" }) });
    side = await world.open();
    const id = fresh();
    side.engine.start(world.jobs.script(id, waits, "here"));
    expect(await side.outcome(id)).toMatchObject({
      drains: true,
      reason: "the prolog /nowhere/prolog cannot be run: spawn /nowhere/prolog ENOENT",
    });
    await world.close();
    world = new LocalWorld({ hooks: () => ({ epilog: "/nowhere/epilog" }) });
    side = await world.open();
    const other = fresh();
    const request = world.jobs.script(other, "exit 0", "here");
    side.engine.start({ ...request, environment: { CROFT_JOB_NUMBER: "7" } });
    expect(await side.outcome(other)).toMatchObject({ kind: "exited", status: 0 });
    expect(side.of("notice")).toContainEqual({
      kind: "notice",
      text: "the epilog /nowhere/epilog of job 7 cannot be run: spawn /nowhere/epilog ENOENT",
      warns: true,
    });
  });

  it("one that is written for a program that is not there is told as that", async () => {
    world = new LocalWorld({
      hooks: (top) => {
        const prolog = join(top, "prolog");
        writeFileSync(prolog, "#!/no/such/sh\n", { mode: 0o755 });
        return { prolog };
      },
    });
    side = await world.open();
    const id = fresh();
    side.engine.start(world.jobs.script(id, waits, "here"));
    expect(await side.outcome(id)).toMatchObject({
      reason: expect.stringMatching(/ENOENT: what its first line names \(#!\) is not there$/) as string,
    });
  });

  it("what has left the group of a prolog that takes too long is killed too", async () => {
    await open({ prolog: "setsid sleep 1000 & sleep 1000", limitSeconds: 1 });
    const id = fresh();
    side.engine.start(world.jobs.script(id, waits, "here"));
    expect(await side.outcome(id)).toMatchObject({ drains: true });
    expect(await hooksOf(id)).toEqual([]);
  });

  it("folders that may not be written to are removed with the scratch folder", async () => {
    await open({});
    const id = fresh();
    const folder = join(world.top, "scratch", `${placeName(world.folder)}.${attemptKey(id)}`);
    const locked = join(folder, "modules");
    mkdirSync(locked, { recursive: true });
    writeFileSync(join(locked, "file"), "");
    if (process.getuid?.() === 0) {
      // To root all may be written.
      const NOBODY = 65534;
      chmodSync(world.top, 0o755);
      for (const path of [folder, locked]) chownSync(path, NOBODY, NOBODY);
    }
    chmodSync(locked, 0o500);
    side = await world.open();
    await world.until("it is gone", () => scratch().length === 0);
  });

  it("other attempts start and end while one's epilog hangs", async () => {
    await open({ epilog: '[ "$CROFT_JOB_NUMBER" != 1 ] || exec sleep 1000', limitSeconds: 600 });
    const [hanging, other] = [fresh(), fresh()];
    const request = world.jobs.script(hanging, "exit 0", "here");
    side.engine.start({ ...request, environment: { CROFT_JOB_NUMBER: "1" } });
    await world.until("it has run", () => world.runs(hanging) === 1);
    side.engine.start(world.jobs.script(other, "exit 0", "here"));
    expect(await side.outcome(other)).toMatchObject({ kind: "exited", status: 0 });
    expect(side.outcomes(hanging)).toEqual([]);
    await side.engine.close();
  });

  it("the epilog of an attempt that ended while no service was there runs, and its folder goes", async () => {
    await open({ epilog: 'echo "after $CROFT_JOB_NUMBER" >>"$log"' });
    const id = fresh();
    const request = world.jobs.script(id, waits, "here");
    side.engine.start({ ...request, environment: { CROFT_JOB_NUMBER: "5" } });
    await world.until("it runs", () => world.runs(id) === 1);
    side = await world.open();
    expect(scratch()).toHaveLength(1);
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
    expect(log()).toEqual(["after 5"]);
    expect(scratch()).toEqual([]);
  });

  it.each(["prolog", "epilog"])(
    "a hanging %s that a killed service has left is killed by the next one, and runs again alone",
    async (hook) => {
      // Only the first one hangs, and so does what it has started.
      const hangs = 'echo "$CROFT_HOOK $$" >>"$log"; [ "$(wc -l <"$log")" -gt 1 ] || { sleep 1000 & wait; }';
      await open({ [hook]: hangs, limitSeconds: 600 });
      const id = fresh();
      const request = world.jobs.script(id, "exit 0", "here");
      side.engine.start(request);
      await world.until("it hangs", async () => (await hooksOf(id)).length === 2);
      const [first] = await hooksOf(id);
      side = await world.open();
      expect(await hooksOf(id)).not.toContain(first);
      if (hook === "prolog") side.engine.start(request);
      const outcome = await side.outcome(id);
      expect(outcome).toMatchObject({ kind: "exited", status: 0 });
      expect(outcome).not.toHaveProperty("left");
      expect(log()).toEqual([expect.stringContaining(hook), expect.stringContaining(hook)]);
      expect([world.runs(id), await hooksOf(id)]).toEqual([1, []]);
    },
  );

  it("what a prolog has started for the job is left alone when the next service comes", async () => {
    await open({ prolog: "setsid sleep 1000 &" });
    const id = fresh();
    side.engine.start(world.jobs.script(id, waits, "here"));
    await world.until("it runs", () => world.runs(id) === 1);
    const started = await hooksOf(id);
    expect(started).toHaveLength(1);
    side = await world.open();
    expect(await hooksOf(id)).toEqual(started);
  });

  it("the folders of attempts that are over go when the next service comes, and no others", async () => {
    await open({});
    const place = placeName(world.folder);
    const id = fresh();
    side.engine.start(world.jobs.script(id, waits, "here"));
    await world.until("it runs", () => world.runs(id) === 1);
    const [left, others] = [`${place}.${randomUUID()}.1`, `croft-000000000000.${randomUUID()}.1`];
    for (const name of [left, others, `${place}.x`]) mkdirSync(join(world.top, "scratch", name));
    writeFileSync(join(world.top, "scratch", left, "file"), "");
    side = await world.open();
    await world.until("it is gone", () => !scratch().includes(left));
    expect(scratch().sort()).toEqual([others, `${place}.${id.job}.1`, `${place}.x`].sort());
  });
});
