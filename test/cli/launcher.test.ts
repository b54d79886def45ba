import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, test } from "vitest";

import { finished, temporaryFolder, type Finished } from "./croft.fixture.ts";

const launcher = fileURLToPath(new URL("../../bin/croft.js", import.meta.url));
const top = temporaryFolder();
const newFolder = (): string => mkdtempSync(join(top, "test-"));

const sources = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const program = fileURLToPath(new URL("../../dist/bundle/croft.js", import.meta.url));
/** Makes the launcher believe that it runs on an old Node.js. */
const old = [
  "--import",
  `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})`,
];

const run = (...args: string[]): Promise<Finished> => finished(spawn(process.execPath, args));

// All other tests run a bundle of the sources.
test("the sources run as they are, and find their worker threads", async () => {
  const study = ["--traces", "1", "--jobs", "20", "--load", "0.5", "--policy", "FCFS", "--quiet"];
  expect(await run(sources, "study", "online", ...study)).toMatchObject({ status: 0, stderr: "" });
  const log = join(newFolder(), "jobs.csv");
  writeFileSync(log, "submit,runtime,cores\n0,10,1\n");
  const { status, stderr } = await run(sources, "simulate", log, "--machines", "1x1c", "--policy", "fcfs");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

describe("bin/croft.js", () => {
  it("says what to do where croft is not built", async () => {
    const folder = newFolder();
    cpSync(launcher, join(folder, "bin/croft.js"));
    const { status, stderr } = await run(join(folder, "bin/croft.js"), "--version");
    expect(status).toBe(1);
    expect(stderr).toBe("croft is not built yet: run `npm run build` in its folder\n");
  });

  it("says what it needs where no newer Node.js is at hand", async () => {
    const folder = newFolder();
    cpSync(launcher, join(folder, "bin/croft.js"));
    cpSync(launcher, join(folder, "dist/bundle/croft.js"));
    const { status, stderr } = await run(...old, join(folder, "bin/croft.js"), "--version");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^croft needs Node\.js 24 or newer, and this is 20\.1\.0: .* npm install node-\w+-\w+@24, .*\n$/,
    );
  });

  it("uses the package that it tells of, installed beside it", async () => {
    const folder = newFolder();
    const croft = join(folder, "node_modules/croft");
    cpSync(launcher, join(croft, "bin/croft.js"));
    mkdirSync(join(croft, "dist/bundle"), { recursive: true });
    writeFileSync(join(croft, "dist/bundle/croft.js"), "console.log(process.execPath);");
    const node = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
    mkdirSync(dirname(node), { recursive: true });
    symlinkSync(process.execPath, node);
    const { status, stdout } = await run(...old, join(croft, "bin/croft.js"));
    expect([status, stdout]).toEqual([0, `${realpathSync(process.execPath)}\n`]);
  });

  it.skipIf(!existsSync(program))("starts croft (needs npm run build)", async () => {
    const { status, stdout } = await run(launcher, "--version");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.skipIf(!existsSync(program))("finds its worker threads (needs npm run build)", async () => {
    const folder = newFolder();
    const log = join(folder, "jobs.txt");
    writeFileSync(log, "1 0 2 0.5 0.1 60\n2 5 1 1 0.2 30\n");
    const small = ["--machines", "4x4c", "--policy", "FCFS", "--json", "--quiet"];
    const [simulation, study] = await Promise.all([
      run(launcher, "simulate", log, "--format", "tasks", ...small),
      run(launcher, "study", "online", "--traces", "1", "--jobs", "20", "--load", "0.5", ...small),
    ]);
    expect(simulation).toMatchObject({ status: 0, stderr: "" });
    expect(study).toMatchObject({ status: 0, stderr: "" });
  });

  it.skipIf(!existsSync(program) || !bringsNode())(
    "finds the newer Node.js of a clone, and passes its exit status on (needs npm run build)",
    async () => {
      const [version, wrong] = await Promise.all([
        run(...old, launcher, "--version"),
        run(...old, launcher, "no-such-command"),
      ]);
      expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(version.status).toBe(0);
      expect(wrong.status).toBe(2);
    },
  );

  it.skipIf(!existsSync(program) || !bringsNode())(
    "takes what it has started with it when it is killed (needs npm run build)",
    async () => {
      const folder = newFolder();
      const child = spawn(process.execPath, [
        ...old,
        launcher,
        "serve",
        "--demo",
        "--socket",
        join(folder, "s"),
      ]);
      child.stdout.setEncoding("utf8");
      await new Promise((resolve) => child.stdout.once("data", resolve));
      // The service has the same output, which is closed when the last of the two is gone.
      const isGone = once(child, "close");
      child.kill("SIGKILL");
      await isGone;
      expect(existsSync(join(folder, "s"))).toBe(false);
    },
  );
});

function bringsNode(): boolean {
  try {
    createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
    return true;
  } catch {
    return false;
  }
}
