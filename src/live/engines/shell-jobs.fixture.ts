import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

import { attemptKey, type AttemptId } from "./attempt-id.ts";
import type { StartRequest } from "./engine.ts";
import type { Process } from "./local/processes.ts";
import { systemProcesses } from "./local/processes.ts";
import type { JobKind } from "./world.fixture.ts";

/** Jobs as `sh` runs them, for engines that really run something on this machine. */
export class ShellJobs {
  private readonly folder: string;
  private readonly user: string | null;

  constructor(folder: string, user: string | null) {
    this.folder = folder;
    this.user = user;
    mkdirSync(folder, { recursive: true, mode: 0o777 });
  }

  request(id: AttemptId, kind: JobKind, machine: string): StartRequest {
    return {
      ...this.script(id, SCRIPTS[kind], machine),
    };
  }

  /** A script, which finds its count in $1 and what releases it in $2. */
  script(id: AttemptId, script: string, machine: string): StartRequest {
    return {
      id,
      placement: [{ machine, coresMilli: 1000, memoryMiB: 16, gpuMilli: 0 }],
      command: ["sh", "-c", `echo x >>"$1"\n${script}`, "job", this.path("ran", id), this.path("go", id)],
      directory: "/",
      environment: {},
      user: this.user,
      stdoutPath: null,
      stderrPath: null,
      limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 5 },
    };
  }

  release(id: AttemptId): void {
    writeFileSync(this.path("go", id), "");
  }

  runs(id: AttemptId): number {
    const path = this.path("ran", id);
    return existsSync(path) ? readFileSync(path, "utf8").length / 2 : 0;
  }

  /** The processes of an attempt by its mark, the wrapper among them; found as a stranger would. */
  processes(id: AttemptId): Process[] {
    return systemProcesses.all().filter(({ pid }) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`CROFT_ATTEMPT=${attemptKey(id)}\0`);
      } catch {
        return false;
      }
    });
  }

  private path(what: string, id: AttemptId): string {
    return `${this.folder}/${what}-${attemptKey(id)}`;
  }
}

const SCRIPTS: Record<JobKind, string> = {
  short: "echo out; echo err >&2; exit 3",
  waiting: 'while ! [ -e "$2" ]; do sleep 0.02; done',
  busy: "while :; do :; done",
};
