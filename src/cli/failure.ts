import { InputError } from "../workload/index.ts";

/** 2: bad usage or bad input; 1: anything else that went wrong. Of commands that ask a farm: `live/exit-status.ts`. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof InputError ? 2 : 1;
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EMFILE: "too many files are open",
  ENOMEM: "there is not enough memory",
};

/** The message for an error; with CROFT_DEBUG=1, its stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env["CROFT_DEBUG"] === "1") return error.stack ?? error.message;
  const { code } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : systemErrors[code];
  return known === undefined ? error.message : `${known} (${error.message})`;
}
