import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readMachines, readWorkload, simulate } from "../../src/index.ts";
import { farmOfMachines } from "../../src/workload/index.ts";
import { samples } from "../../src/workload/machines/samples.fixture.ts";
import { croftIn, finished, start, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const file = (name: string): string => join(folder, name);
for (const [name, text] of Object.entries(samples)) writeFileSync(file(`${name}.txt`), text);
writeFileSync(
  file("jobs.csv"),
  `submit,runtime,cores,memory,requires\n${[4, 4, 5].map((gpus) => `0,10,40,100,gpu.a100 >= ${gpus}`).join("\n")}\n`,
);
writeFileSync(file("plain.csv"), "submit,runtime,cores,memory\n0,10,60,100\n0,10,60,100\n");

describe("croft simulate --machines", () => {
  it("says what is odd about a list", async () => {
    const { status, stderr } = await croft("simulate", "plain.csv", "--machines", "scontrol.txt");
    expect(status).toBe(0);
    expect(stderr).toContain(
      "scontrol: less what Slurm keeps for the system (CoreSpecCount, MemSpecLimit): 2 (n1; n3)\n" +
        "scontrol: down or drained, but kept: --leave-out-down leaves them out: 2 " +
        "(g1 MIXED+DRAIN: fan, see State=DOWN Gres=gpu:9; n3 DOWN*: Not responding)\n",
    );
  });

  it("sends jobs to the machines of their partitions, and says what is not known of those", async () => {
    const node = (name: string, partitions: string): string =>
      `NodeName=${name} CPUTot=8 RealMemory=1000 State=IDLE Partitions=${partitions}\n`;
    writeFileSync(file("nodes.txt"), node("a", "long") + node("b", "long,short") + node("c", "short"));
    writeFileSync(
      file("partitions.csv"),
      `submit,start,runtime,cores,queue\n${["long", "long", "long", "old"].map((queue) => `0,0,100,8,${queue}`).join("\n")}\n`,
    );
    const args = ["partitions.csv", "--machines", "nodes.txt", "--policy", "first-fit", "--interval", "1"];
    const { stdout, stderr } = await croft("simulate", args, "--schedule", "where.csv", "--json");
    expect(stderr).toContain(
      "partitions: jobs go to the machines of their queue, of 3: long 2; limits, priorities and rights of queues are not known, and all jobs wait in one line\n" +
        "partitions: queues that no machine of the list names: old\n",
    );
    // Two of three start at once; the one of the old partition has the machine that is left.
    const { runs } = JSON.parse(stdout) as { runs: readonly { waitMaxSeconds: number }[] };
    expect(runs[0].waitMaxSeconds).toBe(100);
    const where = readFileSync(file("where.csv"), "utf8");
    expect(where).toMatch(/\bc\b/);
    expect(where.match(/\b[ab]\b/g)).toHaveLength(3);
  });

  it("tries machines of the queue that jobs wait in, and none of those that would do nothing for them", async () => {
    const node = (name: string, partitions: string): string =>
      `NodeName=${name} CPUTot=8 RealMemory=1000 State=IDLE Partitions=${partitions}\n`;
    const idle = Array.from({ length: 19 }, (_, i) => node(`i${i}`, "idle")).join("");
    writeFileSync(file("two-queues.txt"), node("b", "busy") + idle);
    // Every other day twelve jobs of two hours each: alone they end after a day, with a machine more after half of one.
    const jobs = [0, 2, 4, 6, 8, 10, 12]
      .map((day) => day * 86_400)
      .flatMap((time) => [...Array.from({ length: 12 }, () => `${time},7200,8,busy`), `${time},600,8,idle`]);
    writeFileSync(file("two-queues.csv"), `submit,runtime,cores,queue\n${jobs.join("\n")}\n`);
    const args = [
      "two-queues.csv",
      "--machines",
      "two-queues.txt",
      "--policy",
      "first-fit,fcfs",
      "--baseline",
      "first-fit",
    ];
    const { stdout } = await croft("simulate", args, "--json");
    const { verdict } = JSON.parse(stdout) as { verdict: { machines: string } };
    // 0, 2, … 22 hours over 12 of 13 jobs, and 0, 0, 2, 2, … 10, 10.
    expect(verdict.machines).toBe(
      "Other machines in place of another policy: 100 % of all waiting is in queue busy, which has 1 of 20 machines; simulated, the mean wait under first-fit is 10.2 h, 4.62 h with 2 machines of queue busy in place of 1.",
    );
  });

  it("takes - for standard input, and leaves out who is down", async () => {
    const args = [
      "simulate",
      "plain.csv",
      "--machines",
      "-",
      "--leave-out-down",
      "--policy",
      "first-fit",
      "--schedule",
      "s.csv",
      "--json",
    ];
    const child = start(args, folder, "pipe");
    child.stdin!.end(samples["scontrol"]);
    const { status, stdout, stderr } = await finished(child);
    expect(stderr).toMatch(/^standard input: left out: down or drained: 2 \(g1 /m);
    expect(status).toBe(0);
    // One node with 60 cores is left, for two jobs of 60: one has to wait for the next cycle.
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ started: 2, waitMaxSeconds: 30 }] });
  });

  it.each([
    [["--machines", "4x8c", "--leave-out-down"], /"4x8c" does not tell which machines are down/],
    [["--machines", "sinfo.txt", "--machine-memory-unit", "Gb"], /"Gb" means bits: .* write GB/],
    [
      ["--machines", "sinfo.txt", "--machine-memory-unit", "GB"],
      /a unit of its own: leave out --machine-memory-unit/,
    ],
  ])("refuses %j", async (args, message) => {
    const { status, stderr } = await croft("simulate", "plain.csv", args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

it("what a list says of its machines is there for requirements", async () => {
  const farm = farmOfMachines(await readMachines(file("scontrol.txt")));
  const { schedule } = simulate(await readWorkload(file("jobs.csv")), farm);
  // Only g1 has the GPUs: the second job has to wait for the first, until the next cycle; no node has five.
  expect([...schedule.startSeconds]).toEqual([0, 30, Number.NaN]);
});
