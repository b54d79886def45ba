import { lstatSync, readlinkSync, statSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * What of a path is another user's to change: with it he could put a folder or a socket of his own in its place. Each
 * folder and link on the way is looked at, as far as they are there.
 *
 * @returns in words; null: nothing
 */
export function strangerOnTheWay(path: string): string | null {
  if (process.getuid === undefined) return null;
  for (const step of stepsOf(path)) {
    if (typeof step === "string") return step;
    const { at, next, above, stat } = step;
    if ((above.mode & EVERYBODY_WRITES) === 0) continue;
    if ((above.mode & STICKY) === 0) return `everybody may write to the folder ${at}`;
    // There everybody may make something, under any name that is not taken yet.
    if (!isTrusted(stat)) return `${next} belongs to ${ownerOf(stat)}`;
  }
  return null;
}

/** What of a path another user can change. */
export interface Stranger {
  readonly found: string;
  /** The file or folder whose owner, or rights, let him. */
  readonly path: string;
  readonly isOwner: boolean;
}

/** Who, beside this user and root, can change a file: by its rights, or by those of a folder or link on the way to it. */
export function strangerAtProgram(path: string): Stranger | null {
  if (process.getuid === undefined) return null;
  for (const step of stepsOf(path)) {
    if (typeof step === "string") return { found: step, path, isOwner: false };
    const { at, next, above, stat } = step;
    if ((above.mode & EVERYBODY_WRITES) !== 0 && (above.mode & STICKY) === 0)
      return { found: `everybody may write to the folder ${at}`, path: at, isOwner: false };
    if (!isTrusted(stat))
      return { found: `${next} belongs to ${ownerOf(stat)}, who may change it`, path: next, isOwner: true };
    if (stat.isFile() && (stat.mode & OTHERS_WRITE) !== 0)
      return { found: `others may change ${next}`, path: next, isOwner: false };
  }
  return null;
}

interface Step {
  /** The folder, and what is in it. */
  readonly at: string;
  readonly next: string;
  readonly above: Stats;
  readonly stat: Stats;
}

/** The folders and links on the way to a path, and what is there, as far as they are; last a text where they go round. */
function* stepsOf(path: string): Generator<Step | string> {
  let left = partsOf(resolve(path));
  let at = "/";
  let links = 0;
  while (left.length > 0) {
    const [part, ...rest] = left as [string, ...string[]];
    const next = join(at, part);
    const above = statOf(at);
    const stat = statOf(next);
    if (stat === null || above === null) return;
    yield { at, next, above, stat };
    left = rest;
    if (!stat.isSymbolicLink()) at = next;
    else {
      if (++links > MAX_LINKS) {
        yield `the links of ${path} go round in a circle`;
        return;
      }
      const target = resolve(at, readlinkSync(next));
      left = [...partsOf(target), ...rest];
      at = "/";
    }
  }
}

/**
 * What of a data folder is open to others; null: nothing.
 *
 * To go through it is allowed: jobs of a cluster may have to.
 */
export function strangerInFolder(folder: string): string | null {
  const onTheWay = strangerOnTheWay(folder);
  if (onTheWay !== null || process.getuid === undefined) return onTheWay;
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid()) return `it belongs to ${ownerOf({ uid })}`;
  if ((mode & OTHERS_READ_OR_WRITE) === 0) return null;
  const what = (mode & OTHERS_WRITE) === 0 ? "read" : "write to";
  return `others may ${what} it, and it holds the environments and the output of jobs: chmod 700 ${folder}`;
}

/** What of a socket is another user's, or his to change; null: nothing, or there is no socket. */
export function strangerAtSocket(path: string): string | null {
  const onTheWay = strangerOnTheWay(path);
  if (onTheWay !== null || process.getuid === undefined) return onTheWay;
  const folder = statOf(dirname(path), statSync);
  if (folder === null) return null;
  if (!isTrusted(folder)) return `its folder belongs to ${ownerOf(folder)}`;
  if ((folder.mode & OTHERS_WRITE) !== 0 && (folder.mode & STICKY) === 0)
    return "others may write to its folder";
  const socket = statOf(path, statSync);
  return socket === null || isTrusted(socket) ? null : `it belongs to ${ownerOf(socket)}`;
}

const EVERYBODY_WRITES = 0o002;
const OTHERS_WRITE = 0o022;
const OTHERS_READ_OR_WRITE = 0o066;
const STICKY = 0o1000;
const MAX_LINKS = 40;

/** Root can do everything anyway. */
function isTrusted({ uid }: Stats): boolean {
  return uid === process.getuid?.() || uid === 0;
}

function ownerOf({ uid }: Pick<Stats, "uid">): string {
  return `another user (number ${uid})`;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

/** Null where nothing is there, or it may not be looked at. */
function statOf(path: string, stat: (path: string) => Stats = lstatSync): Stats | null {
  try {
    return stat(path);
  } catch {
    return null;
  }
}
