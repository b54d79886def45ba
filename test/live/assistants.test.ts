import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, inject, it } from "vitest";

import { finished, start } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

const farmFile = (folder: string): string[] => ["--farm", join(folder, "farm.yaml")];
const croft = inject("cliBundle");

async function aFarm(): Promise<TestFarm> {
  const { writeFileSync } = await import("node:fs");
  const farm = new TestFarm((folder) => {
    writeFileSync(
      join(folder, "farm.yaml"),
      "pools: [{ name: north, engine: { kind: simulated }, machines: [2x4c8g] }]\n",
    );
    return farmFile(folder);
  });
  await farm.serve();
  return farm;
}

const submit = (farm: TestFarm, ...more: string[]): Promise<{ stdout: string }> =>
  farm.croft("submit", "--env", "CROFT_SIMULATED_SECONDS=1000", "--memory", "1G", ...more, "--", "pretend");

describe("a farm asked why, as processes", () => {
  it("tells one reason, what would help, and that it helped", async () => {
    const farm = await aFarm();
    await submit(farm, "--cores", "3");
    await submit(farm, "--cores", "4");
    await submit(farm, "--cores", "2");
    const why = await farm.croft("explain", "3");
    expect(why.stdout).toMatch(
      /^Job 3 is waiting\.\ncores: 2 machines are too full for it, and north-1, which lacks least, lacks 1 core\.\n/,
    );
    expect(why.stdout).toContain("Ahead: no job.");
    const [, command = ""] = /would start now, on 1 machine: croft (change .*)$/m.exec(why.stdout) ?? [];
    expect(command).toBe("change 3 --cores 1");
    await farm.croft(command.split(" ")[0], ...command.split(" ").slice(1));
    const [job] = JSON.parse((await farm.croft("jobs", "--json", "--limit", "1")).stdout) as {
      state: string;
    }[];
    expect(job.state).toMatch(/starting|running/);
    await submit(farm, "--cores", "4");
    await submit(farm, "--hold");
    const all = await farm.croft("explain", "--all");
    expect(all.stdout).toContain("1 job waits for pool north: cores; job 4");
    expect(all.stdout).toContain("1 job waits for a release: held; job 5");
    const json = JSON.parse((await farm.croft("explain", "4", "--json")).stdout) as object;
    expect(json).toMatchObject({
      dominant: { token: "cores" },
      ahead: { jobs: 0 },
      when: { never: null, jobsAhead: 0 },
      changes: [],
    });
    expect(await farm.croft("explain", "--all", "4")).toMatchObject({ status: 2 });
    expect((await farm.croft("explain", "--all", "--policy", "easy")).stderr).toContain("no effect");
  });

  it("prints the terminal's view once where there is no terminal", async () => {
    const farm = await aFarm();
    await submit(farm, "--cores", "4");
    await submit(farm, "--cores", "4", "--name", "second");
    await farm.croft("drain", "north/north-1", "--reason", "disk");
    const top = await farm.croft("top", "--filter", "second");
    expect(top).toMatchObject({ status: 0, stderr: "" });
    expect(top.stdout).toMatch(
      /^WRONG {2}1 of 2 machines of pool north takes nothing new: first north-1, since .*disk/m,
    );
    expect(top.stdout).toMatch(/^north +0 +2 +0 +\[#+\] +8 of 8/m);
    expect(top.stdout).toContain("second");
    expect(top.stdout).not.toContain("pretend");
    // oxlint-disable-next-line no-control-regex
    expect(top.stdout).not.toMatch(/\u001b/);
  });

  it("answers an assistant over standard input and output, and ends with it", async () => {
    const farm = await aFarm();
    await submit(farm, "--cores", "4");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [croft, "mcp", "--socket", farm.socket],
      stderr: "pipe",
    });
    const assistant = new Client({ name: "test", version: "1" });
    await assistant.connect(transport);
    const { tools } = await assistant.listTools();
    expect(tools.length).toBeGreaterThan(4);
    const { content } = await assistant.callTool({ name: "farm", arguments: {} });
    expect((content as { text: string }[])[0].text).toContain('"name":"north"');
    const fits = await assistant.callTool({ name: "fits", arguments: { cores: 4, memoryMiB: 1024 } });
    expect((fits.content as { text: string }[])[0].text).toContain('"nowByPool":{"north":1}');
    const when = await assistant.callTool({ name: "when", arguments: { cores: 4, memoryMiB: 1024 } });
    expect((when.content as { text: string }[])[0].text).toContain("Such a job starts now in pool ");
    await assistant.close();

    const child = start(["mcp", "--socket", farm.socket], farm.folder, "pipe");
    child.stdin!.on("error", () => undefined);
    child.stdin!.write("x".repeat(6_000_000));
    const { status, stderr } = await finished(child);
    expect(status).toBe(117);
    expect(stderr).toContain("a message is longer than");
    const ended = start(["mcp", "--socket", farm.socket], farm.folder, "pipe");
    ended.stdin!.end();
    expect(await finished(ended)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });
});
