import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import * as fc from "fast-check";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import type { AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import { NO_LIMITS } from "../limits.ts";
import type { Watched } from "../world.fixture.ts";
import { newAttempt, type LocalAttempt } from "./attempt.ts";
import { findGpus } from "./find-gpus.ts";
import { devicesFor, gpuVariables } from "./gpus.ts";
import { LocalWorld } from "./world.fixture.ts";

const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });

describe("devices", () => {
  it("are never more than one attempt's, or than as many as share one; those of who is over are free", () => {
    const step = fc.record({ asked: fc.integer({ min: 0, max: 3 }), over: fc.nat(9) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(1, 2, 4),
        fc.array(step, { maxLength: 40 }),
        (count, parts, steps) => {
          const devices = Array.from({ length: count }, (_, at) => `d${at}`);
          const attempts: LocalAttempt[] = [];
          for (const { asked, over } of steps) {
            const milli = parts === 1 ? 1000 * asked : asked === 0 ? 0 : 1000 / parts;
            const live = attempts.filter(({ state }) => state !== "over");
            const room = devices.length * parts - live.reduce((sum, { gpus }) => sum + gpus.length, 0);
            const wanted = parts === 1 ? asked : Math.min(1, asked);
            const gpus = devicesFor({ devices, parts }, milli, attempts);
            expect(gpus === null).toBe(wanted > room);
            if (gpus !== null) {
              expect(new Set(gpus).size).toBe(wanted);
              const attempt = newAttempt(fresh(), NO_LIMITS, null, gpus);
              attempt.state = over % 2 === 0 ? "running" : "suspended";
              attempts.push(attempt);
            }
            const held = attempts.filter(({ state }) => state !== "over").flatMap((each) => each.gpus);
            for (const device of devices)
              expect(held.filter((each) => each === device).length).toBeLessThanOrEqual(parts);
            if (attempts.length > over) attempts[over].state = "over";
          }
        },
      ),
    );
  });

  it("are shown to the drivers by name, and none where none are asked for", () => {
    expect(gpuVariables(["GPU-1", "GPU-2"])).toEqual({
      CUDA_VISIBLE_DEVICES: "GPU-1,GPU-2",
      ROCR_VISIBLE_DEVICES: "GPU-1,GPU-2",
      GPU_DEVICE_ORDINAL: "GPU-1,GPU-2",
    });
    expect(gpuVariables([]).CUDA_VISIBLE_DEVICES).toBe("-1");
  });
});

describe("the GPUs of a machine", () => {
  function machine(files: Readonly<Record<string, string>>): string {
    const root = mkdtempSync(join(tmpdir(), "croft-gpus-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }
  const nvidia = (model: string, uuid: string, minor: number): string =>
    `Model: \t\t NVIDIA ${model}\nIRQ:   \t\t 130\nGPU UUID: \t ${uuid}\nDevice Minor: \t ${minor}\n`;

  it("are found by the drivers' lists", () => {
    const two = machine({
      "proc/driver/nvidia/gpus/0000:3b:00.0/information": nvidia("A100-SXM4-40GB", "GPU-aa", 0),
      "proc/driver/nvidia/gpus/0000:5e:00.0/information": nvidia("A100-SXM4-40GB", "GPU-????????", 1),
    });
    expect(findGpus(two)).toEqual({ devices: ["GPU-aa", "1"], kind: "a100-sxm4-40gb" });
    const nodes = "sys/class/kfd/kfd/topology/nodes";
    const amd = machine({
      [`${nodes}/0/properties`]: "cpu_cores_count 64\nsimd_count 0\n",
      [`${nodes}/1/properties`]: "simd_count 440\ngfx_target_version 90010\n",
      [`${nodes}/10/properties`]: "simd_count 440\ngfx_target_version 90010\n",
      [`${nodes}/2/properties`]: "simd_count 440\ngfx_target_version 90010\n",
    });
    expect(findGpus(amd)).toEqual({ devices: ["0", "1", "2"], kind: "gfx90a" });
  });

  it("are to be named where there are none, or of several kinds", () => {
    expect(() => findGpus(machine({}))).toThrow("lists a GPU of this machine; if there is one, name it");
    const mixed = machine({
      "proc/driver/nvidia/gpus/0000:3b:00.0/information": nvidia("A100", "GPU-aa", 0),
      "proc/driver/nvidia/gpus/0000:5e:00.0/information": nvidia("T4", "GPU-bb", 1),
    });
    expect(() => findGpus(mixed)).toThrow(
      "several kinds (a100, t4): make a pool for each kind, and name its devices: GPU-aa is a100, GPU-bb is t4",
    );
  });
});

describe("an attempt on made-up devices", () => {
  let world: LocalWorld;
  let side: Watched;
  afterEach(() => world.close());
  const waits =
    'echo "$CUDA_VISIBLE_DEVICES $ROCR_VISIBLE_DEVICES $GPU_DEVICE_ORDINAL"; while ! [ -e "$2" ]; do sleep 0.02; done';

  function request(id: AttemptId, gpus: number): StartRequest {
    const script = world.jobs.script(id, waits, "here");
    return {
      ...script,
      environment: { CUDA_VISIBLE_DEVICES: "of the submitter" },
      placement: [{ ...script.placement[0], gpuMilli: 1000 * gpus }],
    };
  }

  async function started(id: AttemptId, gpus: number): Promise<string[]> {
    side.engine.start(request(id, gpus));
    await world.until("it runs", () => world.runs(id) === 1);
    return devicesOf(id);
  }

  async function devicesOf(id: AttemptId): Promise<string[]> {
    let said = "";
    await world.until("it says what it sees", async () => {
      said = new TextDecoder().decode((await side.engine.output(id, "stdout", 0, 1000)) ?? new Uint8Array());
      return said.endsWith("\n");
    });
    const [cuda, rocr, ordinal] = said.trim().split(" ");
    expect([rocr, ordinal]).toEqual([cuda, cuda]);
    return cuda === "-1" ? [] : cuda.split(",");
  }

  it("has its own, while it is suspended and through another engine too", async () => {
    world = new LocalWorld({ gpus: { devices: ["x", "y", "z"], kind: "a100" } });
    side = await world.open();
    expect(side.engine.machines()).toMatchObject([{ gpuMilli: 3000, attributes: { gpuKind: "a100" } }]);
    const [first, second, none, more] = [fresh(), fresh(), fresh(), fresh()];
    expect(await started(first, 2)).toEqual(["x", "y"]);
    expect(await started(none, 0)).toEqual([]);
    side.engine.suspend(first);
    await side.next(first, "suspended");
    expect(await started(second, 1)).toEqual(["z"]);
    side.engine.start(request(more, 1));
    expect(await side.outcome(more)).toMatchObject({
      kind: "start-failed",
      fault: "transient",
      reason: "its GPUs are not free yet",
    });
    // The service is killed: the next one reads who has what.
    side = await world.open();
    const [late, other] = [fresh(), fresh()];
    side.engine.start(request(late, 1));
    expect(await side.outcome(late)).toMatchObject({ kind: "start-failed" });
    world.release(second);
    await side.outcome(second);
    expect(await started(other, 1)).toEqual(["z"]);
  });

  it("has no device of another's, at whatever step of a start the service is killed", async () => {
    for (let step = 0; ; step++) {
      world = new LocalWorld({ gpus: { devices: ["x", "y"], kind: "a100" } });
      const [first, second] = [fresh(), fresh()];
      side = await world.open(step);
      side.engine.start(request(first, 1));
      await world.until(
        "it is dead, or has started it",
        () => side.isDead() || side.of("started").length > 0,
      );
      const isKilled = side.isDead();
      side = await world.open();
      const [a, b] = await Promise.all([started(first, 1), started(second, 1)]);
      expect([...a, ...b].sort(), `killed at step ${step}`).toEqual(["x", "y"]);
      expect([world.runs(first), world.runs(second)]).toEqual([1, 1]);
      if (!isKilled) {
        expect(step, "steps at which it can be killed").toBeGreaterThan(5);
        return;
      }
      await world.close();
    }
  });
});
