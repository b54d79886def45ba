import { execFile } from "node:child_process";

/** Programs that are run to their end, for what they print. */
export interface Commands {
  /** Never rejects: a program that cannot be run has the status null, and says why in `stderr`. */
  run(program: string, args: readonly string[], options: RunOptions): Promise<Ran>;
}

export interface RunOptions {
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** After this time it is killed, and has the status null. It may have done its work or not. */
  readonly timeoutSeconds: number;
  /** It changes something: it is not ended with those that only ask. Absent: it asks. */
  readonly acts?: true;
  /** Ends it, as `timeoutSeconds` does. */
  readonly signal?: AbortSignal;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than any listing of a cluster: 64 MiB are a million lines. */
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/** A timer may be so much early. */
const TIMER_MILLISECONDS = 2;

export const systemCommands: Commands = {
  run: (program, args, { environment, timeoutSeconds, signal }) =>
    new Promise((resolve) => {
      const begun = performance.now();
      const tookTooLong = `${program} took longer than ${timeoutSeconds} s`;
      execFile(
        program,
        args,
        {
          env: environment,
          cwd: "/",
          timeout: timeoutSeconds * 1000,
          killSignal: "SIGKILL",
          ...(signal === undefined ? {} : { signal }),
          maxBuffer: OUTPUT_LIMIT_BYTES,
          // Decoded once: a program that prints without end keeps nobody busy with text that nobody reads.
          encoding: "buffer",
        },
        (error, ...printed) => {
          const texts = (): Pick<Ran, "stdout" | "stderr"> => ({
            stdout: printed[0].toString("utf8"),
            stderr: printed[1].toString("utf8"),
          });
          // Where it ended just before it was to be killed, what it printed is lost, and Node tells of no error.
          const isLate = performance.now() - begun > timeoutSeconds * 1000 - TIMER_MILLISECONDS;
          if (error === null && isLate) resolve({ status: null, stdout: "", stderr: tookTooLong });
          else if (error === null) resolve({ status: 0, ...texts() });
          else if (typeof error.code === "number") resolve({ status: error.code, ...texts() });
          else if (error.killed === true) resolve({ status: null, stdout: "", stderr: tookTooLong });
          else resolve({ status: null, stdout: "", stderr: error.message });
        },
      );
    }),
};
