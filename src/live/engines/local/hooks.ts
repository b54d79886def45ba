import { spawn } from "node:child_process";
import { access, lstat, readdir } from "node:fs/promises";

import { parseAttemptKey } from "../attempt-id.ts";
import type { Doing } from "../engine.ts";
import { MOST_PRINTED_MIB, Printed } from "../system/printed.ts";
import type { User } from "../users.ts";
import { gpuVariables } from "./gpus.ts";
import type { LocalAttempt } from "./attempt.ts";
import { isEmptied, makeOwn } from "./own-folder.ts";

export interface HookSettings {
  /** Programs that are run as the service's own user; null: none. */
  readonly prolog: string | null;
  readonly epilog: string | null;
  readonly limitSeconds: number;
  /** The folder in which each attempt has one of its own; null: none has. */
  readonly scratch: string | null;
}

/** Why an attempt cannot start. */
export interface Problem {
  readonly reason: string;
  /** Whether the same would happen to the next one. */
  readonly drains: boolean;
}

export interface HookWorld {
  readonly unixSeconds: () => number;
  /** Is told what is wrong and stops nothing. */
  readonly warn: (text: string) => void;
  /** Kills all processes of a hook of an attempt; resolves with those that are still there. */
  readonly end: (key: string, hook: string) => Promise<readonly number[]>;
}

/** So many run at a time: those of a thousand jobs that end together take turns. */
const AT_ONCE = 16;
/** To remove what a job has left in its folder. */
const REMOVAL_SECONDS = 600;
/** The variable by which their processes are recognised, with the attempt's mark: it says which of the two it is. */
export const HOOK = "CROFT_HOOK";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const FULL: readonly string[] = ["ENOSPC", "EDQUOT"];

/** The service ends: what was under way is done again by the next one. */
export const CLOSED = "the service ends" as const;

/**
 * What is done around each attempt: a folder of its own and the prolog before, the epilog after, and the folder away.
 * Nothing waits for them but the attempt itself. What they print goes nowhere, so that it cannot fill anything; one that
 * prints without end is ended. After a kill of the service they may be run again.
 */
export class Hooks {
  private readonly settings: HookSettings;
  private readonly place: string;
  private readonly world: HookWorld;
  private readonly running = new Set<number>();
  /** Those whose turn has not come, in order. */
  private readonly waiting = new Set<() => void>();
  /** What is done around attempts now, by their keys. */
  private readonly present = new Map<string, Doing>();
  private isClosed = false;

  /** @param place the engine's own name: others may have their folders beside its */
  constructor(settings: HookSettings, place: string, world: HookWorld) {
    this.settings = settings;
    this.place = place;
    this.world = world;
  }

  /** The variables that the attempt finds. */
  variables({ key }: Pick<LocalAttempt, "key">): Record<string, string> {
    const folder = this.folderOf(key);
    return folder === null ? {} : { TMPDIR: folder };
  }

  /** @returns why the attempt cannot start on this machine; `CLOSED`; null: it can */
  async before(attempt: LocalAttempt, user: User | null): Promise<Problem | typeof CLOSED | null> {
    const { prolog } = this.settings;
    const folder = this.folderOf(attempt.key);
    if (folder !== null) {
      const error = await makeOwn(folder, user);
      // Jobs that fill the disk leave it again.
      const isFull = error !== null && FULL.includes(error.code ?? "");
      if (error !== null)
        return { reason: `its scratch folder cannot be made: ${error.message}`, drains: !isFull };
    }
    if (prolog === null) return null;
    const problem = await this.hook("prolog", prolog, attempt);
    return problem === null || problem === CLOSED
      ? problem
      : { reason: `the prolog ${prolog} ${problem}`, drains: true };
  }

  /** @returns whether all of it was done, or will never be: false if the service ends */
  async after(attempt: LocalAttempt): Promise<boolean> {
    const { epilog } = this.settings;
    const folder = this.folderOf(attempt.key);
    if (epilog !== null && attempt.claim !== null) {
      const problem = await this.hook("epilog", epilog, attempt);
      if (problem === CLOSED) return false;
      if (problem !== null) this.world.warn(`the epilog ${epilog} of job ${attempt.about.job} ${problem}`);
    }
    if (folder === null) return true;
    this.tell(attempt.key, "what it left in its scratch folder is being removed");
    return this.remove(folder).finally(() => this.present.delete(attempt.key));
  }

  /** What is done around the attempt now; null: nothing. */
  doing(key: string): Doing | null {
    return this.present.get(key) ?? null;
  }

  /** Removes the folders of attempts that are over: a service that was killed had no time to. */
  async tidy(isOver: (key: string) => boolean): Promise<void> {
    const { scratch } = this.settings;
    if (scratch === null) return;
    const names = await readdir(scratch).catch((): string[] => []);
    for (const name of names) {
      const key = name.startsWith(`${this.place}.`) ? name.slice(this.place.length + 1) : "";
      if (parseAttemptKey(key) !== null && isOver(key)) await this.remove(`${scratch}/${name}`);
    }
  }

  private folderOf(key: string): string | null {
    const { scratch } = this.settings;
    return scratch === null ? null : `${scratch}/${this.place}.${key}`;
  }

  /** Kills what runs. */
  close(): void {
    this.isClosed = true;
    for (const pid of this.running) killGroup(pid);
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  private tell(key: string, text: string): void {
    this.present.set(key, { text, sinceUnixSeconds: this.world.unixSeconds() });
  }

  /** @returns what went wrong; null: nothing */
  private async hook(
    hook: "prolog" | "epilog",
    program: string,
    attempt: LocalAttempt,
  ): Promise<string | null> {
    const { limitSeconds } = this.settings;
    const { key } = attempt;
    const about = hook === "prolog" ? `its prolog ${program}` : `it has ended, and its epilog ${program}`;
    const then =
      hook === "prolog" ? "the machine takes no more jobs, and this one waits again" : "the job is over";
    this.tell(key, `${about} waits for its turn: ${AT_ONCE} such programs run at a time`);
    const begun = (): void =>
      this.tell(key, `${about} runs; it is ended after ${spanText(limitSeconds)}, and then ${then}`);
    return this.run(program, [], this.environment(hook, attempt), limitSeconds, {}, begun).finally(() =>
      this.present.delete(key),
    );
  }

  private environment(hook: "prolog" | "epilog", attempt: LocalAttempt): Record<string, string> {
    const { key, gpus, about } = attempt;
    return {
      PATH,
      [HOOK]: hook,
      CROFT_ATTEMPT: key,
      CROFT_JOB_NUMBER: about.job,
      CROFT_USER: about.user,
      ...(gpus.length === 0 ? {} : gpuVariables(gpus)),
      ...this.variables(attempt),
    };
  }

  /** Its own user removes what is in it: one that replaces a folder by a link meanwhile gains nothing. */
  private async remove(path: string): Promise<boolean> {
    try {
      const { uid, gid } = await lstat(path);
      const own = process.getuid?.() === 0 ? { uid, gid } : {};
      // It may not remove the folder itself, and says so.
      const remove = ["rm", "-rf", "--", path] as const;
      // What is in a folder that may not be written to, as Go keeps its modules, is removed once it may.
      const open = ["chmod", "-R", "u+rwX", "--", path] as const;
      for (const [program, ...args] of [remove, open, remove]) {
        const problem = await this.run(program, args, { PATH }, REMOVAL_SECONDS, own);
        if (problem === CLOSED) return false;
        if (program === "rm" && (await isEmptied(path))) return true;
      }
      this.world.warn(`the scratch folder ${path} is left: something in it cannot be removed`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") this.world.warn(`the scratch folder ${path} is left: ${message}`);
    }
    return true;
  }

  /** What has left its group, too. A program that is no hook has none. */
  private async endAll(environment: Readonly<Record<string, string>>): Promise<readonly number[]> {
    const { [HOOK]: hook, CROFT_ATTEMPT: key } = environment;
    return hook === undefined || key === undefined ? [] : this.world.end(key, hook);
  }

  private next(): void {
    for (const go of this.waiting) {
      this.waiting.delete(go);
      return go();
    }
  }

  /** @returns what went wrong; null: nothing */
  private async run(
    program: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    limitSeconds: number,
    own: { uid?: number; gid?: number } = {},
    begun = (): void => undefined,
  ): Promise<string | null> {
    while (this.running.size >= AT_ONCE && !this.isClosed)
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    if (this.isClosed) return CLOSED;
    begun();
    return new Promise((resolve) => {
      // In a group of its own, with all that it starts.
      const child = spawn(program, args, {
        cwd: "/",
        detached: true,
        env: { ...environment },
        stdio: ["ignore", "pipe", "pipe"],
        ...own,
      });
      const { pid } = child;
      const kill = (): void => {
        if (pid !== undefined) killGroup(pid);
      };
      const printed = new Printed(child.stdout, child.stderr, kill);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        kill();
      }, limitSeconds * 1000);
      const done = (problem: string | null): void => {
        clearTimeout(timer);
        printed.close();
        if (pid !== undefined) this.running.delete(pid);
        this.next();
        resolve(this.isClosed ? CLOSED : problem);
      };
      const killed = async (problem: string): Promise<void> => {
        const left = await this.endAll(environment);
        done(left.length === 0 ? problem : `${problem}, and left the processes ${left.join(", ")}`);
      };
      child.on("error", (error) => void whyNotRun(error).then(done));
      child.on("exit", (status, signal) => {
        if (printed.isTooMuch) void killed(`has printed more than ${MOST_PRINTED_MIB} MiB`);
        else if (isLate) void killed(`took longer than ${limitSeconds} s`);
        else if (status === 0) done(null);
        else {
          const problem = status === null ? `was ended by ${signal}` : `has failed with status ${status}`;
          void printed.told(problem).then(done);
        }
      });
      if (pid !== undefined) this.running.add(pid);
    });
  }
}

/** The file may be there, and what its first line names not. */
async function whyNotRun({ code, path, message }: NodeJS.ErrnoException): Promise<string> {
  const isThere =
    code === "ENOENT" &&
    path !== undefined &&
    (await access(path).then(
      () => true,
      () => false,
    ));
  return `cannot be run: ${message}${isThere ? ": what its first line names (#!) is not there" : ""}`;
}

function spanText(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
