import { existsSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { InputError } from "../../workload/errors.ts";
import { makeFolder, writeFileAtomically } from "../../workload/index.ts";
import type { FileHashes } from "./send-files.ts";

/** A run to make. */
export interface Unit {
  /** Of all that its result depends on: its file's name. */
  readonly hash: string;
  /** The log that it replays, by the name under which its files are sent. */
  readonly log: string;
  /** What messages call it: `easy on cluster`. */
  readonly name: string;
}

/** What the tasks of an array read. */
export interface TaskPlan {
  /** Of the Croft that made it: another one makes other runs. */
  readonly version: string;
  /** What the command for one run finds the units in: plain data. */
  readonly work: unknown;
  /** By the task's index. */
  readonly units: readonly Unit[];
  /** What was sent to the farm, by log; absent: the tasks see the files where they are. */
  readonly files?: Readonly<Record<string, FileHashes>>;
}

/** What one array of a farm makes: a later call takes the array up by it. */
export interface Plan extends TaskPlan {
  /** The farm that it was sent to. */
  readonly server: string;
  /** What was submitted. Sent again with the same key, it is answered with the same jobs. */
  readonly request: object;
}

const SUFFIX = ".json";
/** With the hash of a plan after it: the place of a plan that was sent to the farm. */
export const SENT = "sha256:";

/** The plans whose arrays may not be over, a file each, named for the key of the array's submission. */
export class Plans {
  private readonly folder: string;

  constructor(out: string) {
    this.folder = join(out, "on-farm");
  }

  pathOf(key: string): string {
    return join(this.folder, `${key}${SUFFIX}`);
  }

  keys(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => !name.startsWith(".") && name.endsWith(SUFFIX))
      .sort()
      .map((name) => name.slice(0, -SUFFIX.length));
  }

  read(key: string): Promise<Plan> {
    return readPlan(this.pathOf(key));
  }

  async write(key: string, plan: Plan): Promise<void> {
    makeFolder(this.folder);
    await writeFileAtomically(this.pathOf(key), [JSON.stringify(plan), "\n"]);
  }

  /** The last one takes the folder with it. Another call may do the same. */
  remove(key: string): void {
    rmSync(this.pathOf(key), { force: true });
    if (existsSync(this.folder) && readdirSync(this.folder).length === 0)
      rmSync(this.folder, { recursive: true, force: true });
  }
}

/** @throws InputError where it cannot be read, or is none */
export async function readPlan(path: string): Promise<Plan> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === "ENOENT"
        ? "this machine has no such plan: the folder of --out has to be one that all machines of the farm see"
        : `the plan cannot be read: ${message}`,
      { file: path },
    );
  }
  return planIn(text, path) as Plan;
}

/** @throws InputError where the text is no plan */
export function planIn(text: string, file: string): TaskPlan {
  try {
    const plan = JSON.parse(text) as TaskPlan;
    if (Array.isArray(plan.units)) return plan;
  } catch {
    // Told below.
  }
  throw new InputError("this is no plan of runs", { file });
}
