import { describe, expect, it } from "vitest";

import type { Listing } from "../engines/engine.ts";
import { anyFarmOf } from "./farms.fixture.ts";
import { Farm } from "./farm.fixture.ts";
import { simulatedJob } from "./farm-world.fixture.ts";

const jobs = (...outputs: string[]) => outputs.map((output) => simulatedJob({ output }));

describe("a file that a job names for its output", () => {
  it("is refused where several jobs of a submission share it", async () => {
    const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
    const list = (...outputs: string[]) => farm.submit(1, {}, { jobs: jobs(...outputs) });
    await expect(list("/a", "/b", "/x/../a")).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/^jobs\/2: several jobs would write to \/a: /),
    });
    const array = [1, 2].map((index) => simulatedJob({ output: "/a", array: { first: 0, index } }));
    await expect(farm.submit(1, {}, { jobs: array })).rejects.toThrow(/^several jobs would write to \/a: /);
    const crossed = [simulatedJob({ output: "/a" }), simulatedJob({ output: "/b", errorOutput: "/a" })];
    await expect(farm.submit(1, {}, { jobs: crossed })).rejects.toThrow(/^jobs\/1: several jobs/);
    // Signs tell them apart: by what they come to, not by how they are written.
    const signed = (output: string) =>
      farm.submit(
        1,
        {},
        { jobs: [1, 2].map((index) => simulatedJob({ output, array: { first: 0, index } })) },
      );
    await expect(signed("/s/%A.%t")).rejects.toThrow(/^several jobs would write to \/s\/1.%t: /);
    await signed("/s/%a");
    await expect(farm.submit(1, { output: "/s/%j" }, { jobs: jobs("/s/2") })).rejects.toThrow(
      "job 2 is not over",
    );
    await expect(farm.submit(1, {}, { jobs: jobs("/c", "/%w") })).rejects.toThrow(/^jobs\/1: "%w" in/);
    await list("/a", "/b");
    await list("/dev/null", "/dev/null");
    await farm.submit(1, { output: "/c", errorOutput: "/c" });
  });

  it("is refused while another job of the user writes to it, over a restart too, unless it starts after that", async () => {
    const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
    await farm.submit(10, { output: "/a" });
    await farm.submit(10, { errorOutput: "/b" });
    await expect(farm.submit(1, { output: "/a" })).rejects.toThrow(
      "job 1 is not over and writes to /a: give another file, or start after it (--after 1:any)",
    );
    await farm.submit(1, { output: "/a" }, { user: "bob" });
    farm.world.changeFarm(anyFarmOf([{ name: "one", machines: 1, cores: 8 }]));
    farm.world.die();
    await farm.world.start();
    await expect(farm.submit(1, { output: "/b" })).rejects.toThrow("job 2 is not over");
    await farm.submit(1, { output: "/a", after: [{ job: 1, condition: "any" }] });
    await expect(farm.submit(1, { output: "/a", after: [{ job: 1, condition: "any" }] })).rejects.toThrow(
      "job 4 is not over",
    );
    await farm.pass(30);
    await farm.submit(1, { output: "/a" });
  });

  it("is refused where it is another's at some attempt", async () => {
    const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
    const submit = (output: string, retries = 0) => farm.submit(10, { output, retries });
    await submit("/P-%t");
    await expect(submit("/P-1")).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(
        "job 1 is not over and writes to /P-%t, which may be /P-1: give another",
      ),
    });
    await submit("/Q-31");
    await submit("/Q-2");
    await expect(submit("/Q-%t")).rejects.toThrow("job 3 is not over and writes to /Q-2, which may be /Q-%t");
    await submit("/R-31");
    await submit("/R-%%t");
    await expect(submit("/R-%t", 30)).rejects.toThrow("job 4 is not over");
    await submit("/P-x%t");
    await farm.submit(1, { output: "/P-1", after: [{ job: 1, condition: "any" }] });
    await submit("/own.%t", 1);
    await farm.submit(1, { output: "/both.%t", errorOutput: "/both.1" });
    await expect(farm.submit(1, {}, { jobs: jobs("/s%t", "/s12") })).rejects.toThrow(
      /^jobs\/1: several jobs would write to \/s%t, which may be \/s12: /,
    );
  });

  it("is refused while something writes to it that was left alone, whose job the books do not have", async () => {
    const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
    const { engine } = farm.world.service.pools[0];
    const id = { job: "00000000-0000-4000-8000-000000000000", attempt: 2 };
    const list = engine.list.bind(engine);
    let outputs = ["/x/../a", "/b.2"];
    engine.list = async () => ({
      ...((await list()) as Listing),
      attempts: outputs.length === 0 ? [] : [{ id, state: "starting", outputs }],
    });
    // The books are compared every minute.
    await farm.pass(61);
    for (const output of ["/a", "/b.%t"])
      for (const user of ["ann", "bob"])
        await expect(farm.submit(1, {}, { user, jobs: jobs("/c", output) })).rejects.toMatchObject({
          status: 409,
          message: expect.stringMatching(/^jobs\/1: something that .* runs on and writes to \/(a|b.2): /),
        });
    await farm.submit(1, { output: "/b.1" });
    outputs = [];
    await farm.pass(61);
    await farm.submit(1, {}, { jobs: jobs("/a", "/b.%t") });
  });
});
