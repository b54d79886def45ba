import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { finished, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
writeFileSync(file("plain.csv"), "submit,runtime,cores,memory\n0,10,60,100\n0,10,60,100\n");

describe("croft simulate --machines", () => {
  it("takes - for standard input", async () => {
    const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
    const args = ["simulate", "plain.csv", "--machines", "-", "--policy", "first-fit", "--json"];
    const child = spawn(process.execPath, [main, ...args], { cwd: folder });
    child.stdin.end("id,cores,memory\na,60,1000\n");
    const { status, stdout } = await finished(child);
    expect(status).toBe(0);
    // One node with 60 cores, for two jobs of 60: one has to wait for the next cycle.
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ started: 2, waitMaxSeconds: 30 }] });
  });
});
