import { describe, expect, it } from "vitest";

import { machineOf, parseNodes } from "./nodes.ts";
import { parseQueue } from "./queue.ts";

describe("squeue's answer", () => {
  const line = (fields: string): string => `NONCE|${fields}\n`;

  it("is read", () => {
    const text =
      line("12|RUNNING|0|1-02:03:04|n1|None|name|croft name") +
      line("13|PENDING|0|0:00||Resources|other|a|b");
    expect(parseQueue(text, "NONCE")).toEqual([
      {
        id: "12",
        state: "RUNNING",
        uid: 0,
        usedSeconds: 93_784,
        nodes: "n1",
        reason: "None",
        name: "name",
        comment: "croft name",
      },
      {
        id: "13",
        state: "PENDING",
        uid: 0,
        usedSeconds: 0,
        nodes: "",
        reason: "Resources",
        name: "other",
        comment: "a|b",
      },
    ]);
  });

  it("does not believe what users write into it", () => {
    const text =
      line("12|RUNNING|0|0:01|n1|None|name|comment\n99|RUNNING|0|0:01|n1|None|forged|croft forged") +
      line("13|RUNNING|0|0:01|n1|None|a\nname|98|RUNNING|0|0:01|n1|None|forged|croft forged") +
      line("14|RUNNING|0|0:01|n1|None|fine|");
    const jobs = parseQueue(text, "NONCE");
    expect(jobs.map(({ id, name }) => [id, name])).toEqual([
      ["12", "name"],
      ["14", "fine"],
    ]);
    expect(parseQueue("|12|RUNNING|0|0:01|n1|None|name|comment\n", "NONCE")).toEqual([]);
  });
});

describe("scontrol's answer", () => {
  const node = (fields: string): string =>
    `NodeName=n1 Arch=x86_64 CPUAlloc=3 CPUEfctv=8 CPUTot=8 AvailableFeatures=fast,ssd Gres=gpu:a100:2(S:0-1),gpu:t4:1 OS=Linux 6.1 #1 SMP RealMemory=8000 AllocMem=3000 ${fields} Partitions=normal,urgent BootTime=None CfgTRES=cpu=8,mem=8000M\n`;

  it("is read", () => {
    expect(parseNodes(node("State=MIXED"))).toEqual([
      {
        name: "n1",
        state: "up",
        reason: "",
        cores: 8,
        memoryMiB: 8000,
        gpus: 3,
        allocatedCores: 3,
        allocatedMemoryMiB: 3000,
        partitions: ["normal", "urgent"],
        attributes: { arch: "x86_64", os: "Linux", fast: "true", ssd: "true" },
      },
    ]);
  });

  it.each([
    ["IDLE", "up"],
    ["ALLOCATED", "up"],
    ["IDLE+PLANNED", "up"],
    ["IDLE*", "down"],
    ["DOWN", "down"],
    ["DOWN*+DRAIN", "down"],
    ["UNKNOWN", "down"],
    ["IDLE+NOT_RESPONDING", "down"],
    ["IDLE+CLOUD+POWERED_DOWN", "down"],
    ["IDLE+DRAIN", "drained"],
    ["MIXED+DRAIN", "drained"],
    ["FUTURE", "down"],
  ])("tells a machine that is %s to be %s", (state, expected) => {
    expect(parseNodes(node(`State=${state}`))[0].state).toBe(expected);
  });

  it("keeps a reason with blanks in it", () => {
    const text = node("State=DOWN*").replace("\n", " Reason=Not responding [root@2026-11-22T05:00:00]\n");
    expect(parseNodes(text)[0].reason).toBe("Not responding [root@2026-11-22T05:00:00]");
  });

  it("leaves to others what they have", () => {
    const [n1] = parseNodes(node("State=MIXED"));
    expect(machineOf(n1, { coresMilli: 1000, memoryMiB: 3000 })).toMatchObject({
      coresMilli: 6000,
      memoryMiB: 8000,
      gpuMilli: 3000,
    });
    expect(machineOf(n1, { coresMilli: 5000, memoryMiB: 0 })).toMatchObject({
      coresMilli: 8000,
      memoryMiB: 5000,
    });
  });
});
