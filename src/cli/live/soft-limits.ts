import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

import { softLimitNames, softLimits, type SoftLimits } from "../../live/engines/soft-limits.ts";

/** What Linux sets. A limit that is at it is not sent: most are, and each job's request would have a line more of them. */
const usual: SoftLimits = {
  coreBytes: 0,
  cpuSeconds: null,
  dataBytes: null,
  fileBytes: null,
  stackBytes: 8 * 1024 * 1024,
  addressBytes: null,
};

const MOST_ANCESTORS = 8;

/**
 * The soft limits of whoever started this program, but for those at what is usual; undefined where the system does not
 * tell. Node.js raises its own limit of open files, so the first ancestor that is another program is asked for that.
 */
export function submittersLimits(): SoftLimits | undefined {
  try {
    const { openFiles: _, ...own } = readLimits(readFileSync("/proc/self/limits", "utf8"));
    const { openFiles } = readLimits(readFileSync(`/proc/${notNode()}/limits`, "utf8"));
    return openFiles === undefined ? own : { ...own, openFiles };
  } catch {
    return undefined;
  }
}

/** The process number of the nearest ancestor that is not Node.js. */
function notNode(): number {
  let pid = process.ppid;
  for (let up = 0; up < MOST_ANCESTORS && isNode(pid); up++)
    pid = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
  return pid;
}

function isNode(pid: number): boolean {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("node");
  } catch {
    // Of another user, as sudo is.
    return false;
  }
}

/** From the text of /proc/PID/limits. */
export function readLimits(text: string): SoftLimits {
  const limits = softLimitNames.flatMap((name) => {
    const soft = new RegExp(`^${softLimits[name].title} +(\\S+)`, "m").exec(text)?.[1];
    if (soft === undefined) return [];
    const value = soft === "unlimited" ? null : Number(soft);
    return value === usual[name] || Number.isNaN(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(limits);
}
