import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasSlurm } from "../../../../test/slurm-cluster.fixture.ts";
import { InputError } from "../../../workload/errors.ts";
import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { Machine, StartRequest } from "../engine.ts";
import type { Watched } from "../world.fixture.ts";
import { SlurmWorld } from "./world.fixture.ts";

const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });

const skipped = hasSlurm ? "" : " (skipped: needs slurmctld and slurmd, and root)";
describe.skipIf(!hasSlurm)(`attempts on a real Slurm${skipped}`, () => {
  let world: SlurmWorld;
  let side: Watched;
  beforeAll(async () => {
    world = await SlurmWorld.make();
    side = await world.open();
  });
  afterAll(async () => {
    await world.close();
  });

  const machine = (name: string): Machine =>
    side.engine.machines().find((each) => each.name === name) ?? expect.fail(`there is no ${name}`);
  const machineIs = (name: string, what: Partial<Machine>): Promise<void> =>
    world.until(`${name} is ${JSON.stringify(what)}`, () =>
      Object.entries(what).every(([key, value]) => machine(name)[key as keyof Machine] === value),
    );

  async function running(request: StartRequest): Promise<void> {
    side.engine.start(request);
    await side.next(request.id, "started");
    await world.until("it runs", () => world.runs(request.id) === 1);
  }

  it("run as their users", async () => {
    const id = fresh();
    side.engine.start({ ...world.request(id, "short"), command: ["id", "-un"], user: "nobody" });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
    expect(new TextDecoder().decode((await side.engine.output(id, "stdout", 0, 100))!)).toBe("nobody\n");
    const unknown = fresh();
    side.engine.start({ ...world.request(unknown, "short"), user: "no-such-user" });
    expect(await side.outcome(unknown)).toMatchObject({ kind: "start-failed", fault: "job" });
  });

  it("run once on several machines", async () => {
    const id = fresh();
    const request = world.request(id, "short");
    const [part] = request.placement;
    side.engine.start({ ...request, placement: [part, { ...part, machine: "n2" }] });
    expect(await side.next(id, "started")).toMatchObject({ machines: ["n1", "n2"] });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
    expect(world.runs(id)).toBe(1);
  });

  it("are ended above their time", async () => {
    const id = fresh();
    const request = world.request(id, "waiting");
    await running({ ...request, limits: { ...request.limits, seconds: 1 } });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "time" });
  });

  it("are known to be ended by others", async () => {
    const id = fresh();
    await running(world.request(id, "waiting"));
    await world.cluster.cancel("--name", attemptKey(id));
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "outside" });
  });

  it("are not mixed up with jobs that somebody else gives their names", async () => {
    const id = fresh();
    const key = attemptKey(id);
    await running(world.request(id, "waiting"));
    const names = [`--job-name=${key}`, `--comment=croft ${key}`, "--uid=nobody", "--output=/dev/null"];
    const forged = await world.cluster.run("sbatch", "--parsable", ...names, "--wrap", "exec sleep 180");
    world.release(id);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0, cause: "itself" });
    expect(await world.cluster.run("squeue", "-h", "-j", forged, "-o", "%T")).toMatch(/PENDING|RUNNING/);
    await world.cluster.cancel(forged);
  });

  it("go to no machine that is drained", async () => {
    await world.cluster.run("scontrol", "update", "nodename=n2", "state=drain", "reason=cleaning");
    await machineIs("n2", { state: "drained" });
    expect(machine("n2").reason).toContain("cleaning");
    const id = fresh();
    side.engine.start(world.request(id, "short", "n2"));
    expect(await side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "machine" });
    await world.cluster.run("scontrol", "update", "nodename=n2", "state=resume");
    await machineIs("n2", { state: "up", reason: "" });
  });

  it("leave to others what they have", async () => {
    await machineIs("n2", { coresMilli: 8000, memoryMiB: 8000 });
    const args = ["--nodelist=n2", "--cpus-per-task=3", "--mem=1000", "--output=/dev/null"];
    const other = await world.cluster.run("sbatch", "--parsable", ...args, "--wrap", "exec sleep 180");
    await machineIs("n2", { coresMilli: 5000, memoryMiB: 7000 });
    await world.cluster.cancel(other);
    await machineIs("n2", { coresMilli: 8000, memoryMiB: 8000 });
  });

  it("wait while nobody answers, and start when somebody does", async () => {
    await world.cluster.kill("controller");
    const id = fresh();
    side.engine.start(world.request(id, "short"));
    await world.until("it is unreachable", () => side.of("unreachable").length > 0);
    expect(await side.engine.list()).toMatchObject({ kind: "unreachable" });
    expect(side.about(id, "start-failed")).toEqual([]);
    side = await world.open();
    const names = side.engine.machines().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["down-1", "n1", "n2"]));
    side.engine.start(world.request(id, "short"));
    await world.cluster.startController();
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
    expect(world.runs(id)).toBe(1);
    expect(side.of("reachable")).not.toEqual([]);
  });

  it("go nowhere without a cluster", async () => {
    const create = world.engineWith({ config: "/no/such/slurm.conf" });
    await expect(create.open(() => undefined)).rejects.toThrow(InputError);
  });
});
