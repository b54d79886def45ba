import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import type { Limits } from "../engine.ts";
import { Cgroups } from "./cgroups.ts";

const top = mkdtempSync(join(tmpdir(), "croft-cgroups-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const limits: Limits = { memoryMiB: 100, coresMilli: 1500, seconds: 9, graceSeconds: 1 };

/** A folder as the kernel would show it, with these controllers; what is written stays to be read. */
function standIn(name: string, controllers: string): string {
  const folder = join(top, name, "jobs");
  mkdirSync(folder, { recursive: true });
  for (const each of [join(top, name), folder]) {
    writeFileSync(join(each, "cgroup.controllers"), `${controllers}\n`);
    writeFileSync(join(each, "cgroup.subtree_control"), "");
  }
  return folder;
}

describe("cgroups", () => {
  it("ask for the controllers that there are", () => {
    const folder = standIn("both", "cpuset cpu io memory pids");
    expect(new Cgroups(folder)).toMatchObject({ memory: false });
    // The kernel adds them up; a file keeps the last.
    expect(readFileSync(join(folder, "cgroup.subtree_control"), "utf8")).toBe("+memory");
    const none = new Cgroups(standIn("none", "hugetlb"));
    expect([none.memory, none.cores]).toEqual([false, false]);
  });

  it("leave the limits to be watched for, where they have not the controllers", () => {
    const cgroups = new Cgroups(standIn("watched", "hugetlb"));
    const path = cgroups.create("key", limits);
    expect(() => readFileSync(join(path, "memory.max"))).toThrow("ENOENT");
    expect(() => readFileSync(join(path, "cpu.max"))).toThrow("ENOENT");
  });

  it("set a limit for the whole job", () => {
    const cgroups = Object.assign(new Cgroups(standIn("set", "memory cpu")), { memory: true, cores: true });
    const path = cgroups.create("key", limits);
    const said = (file: string) => readFileSync(join(path, file), "utf8");
    expect(said("memory.max")).toBe("104857600");
    expect(said("memory.oom.group")).toBe("1");
    expect(said("cpu.max")).toBe("150000 100000");
  });

  it("tell what a job took", () => {
    const cgroups = new Cgroups(standIn("usage", ""));
    const path = cgroups.create("key", limits);
    expect(cgroups.usage(path)).toEqual({ memoryPeakMiB: null, cpuSeconds: null, isOverMemory: false });
    writeFileSync(join(path, "cpu.stat"), "usage_usec 2500000\nuser_usec 1\nsystem_usec 2\n");
    writeFileSync(join(path, "memory.peak"), "52428800\n");
    writeFileSync(join(path, "memory.events"), "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n");
    expect(cgroups.usage(path)).toEqual({ memoryPeakMiB: 50, cpuSeconds: 2.5, isOverMemory: true });
  });

  it("know whose a process is, in cgroups that a job has made too", () => {
    const cgroups = new Cgroups(standIn("whose", ""));
    const one = cgroups.create("one", limits);
    const other = cgroups.create("other", limits);
    mkdirSync(join(one, "inner"));
    writeFileSync(join(one, "cgroup.procs"), "10\n11\n");
    writeFileSync(join(one, "inner", "cgroup.procs"), "12\n");
    writeFileSync(join(other, "cgroup.procs"), "13\n");
    expect(cgroups.pids()).toEqual(
      new Map([
        [10, "one"],
        [11, "one"],
        [12, "one"],
        [13, "other"],
      ]),
    );
  });

  it("of attempts that are over are removed later where they could not be at once, and no others", () => {
    const folder = standIn("left", "memory");
    const cgroups = new Cgroups(folder);
    const key = (attempt: number): string => `5b7f0c9e-8a55-4a0e-9c7b-0f2f6a3f1d20.${attempt}`;
    for (const name of [key(1), key(2), key(3), "somebody-elses"]) mkdirSync(join(folder, name));
    // As one that has processes: it cannot be removed.
    writeFileSync(join(folder, key(3), "cgroup.procs"), "1\n");
    cgroups.tidy((each) => each !== key(2));
    const left = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
    expect(left.map(({ name }) => name).sort()).toEqual([key(2), key(3), "somebody-elses"]);
  });

  it("go with the service where we have chosen the place and no attempt is left, and not otherwise", () => {
    // The kernel's files are no hindrance to removing a cgroup; here they would be.
    const bare = (name: string): string => {
      const folder = standIn(name, "");
      for (const file of readdirSync(folder)) rmSync(join(folder, file));
      return folder;
    };
    const [ours, used, given] = [bare("ours"), bare("used"), bare("given")];
    mkdirSync(join(used, "attempt"));
    new Cgroups(ours, true).close();
    new Cgroups(used, true).close();
    new Cgroups(given).close();
    expect([ours, used, given].map((each) => existsSync(each))).toEqual([false, true, true]);
  });
});
