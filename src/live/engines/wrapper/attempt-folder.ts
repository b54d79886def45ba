import type { ExitCause } from "../engine.ts";
import type { Disk } from "../system/disk.ts";
import { isWholeLaunchFile, noteOf, outputsOf } from "./launch-file.ts";
import { FILES, parseExit, parseStart, type Claim, type ExitRecord, type Fence } from "./records.ts";

/** More than any record takes. */
const RECORD_LIMIT_BYTES = 64 * 1024;
/** More than a launch file can take. */
const LAUNCH_LIMIT_BYTES = 4 * 1024 * 1024;

/** Why an engine ends an attempt. */
export type EndCause = Extract<ExitCause, "asked" | "memory" | "cores" | "time" | "output">;
const END_CAUSES: readonly EndCause[] = ["asked", "memory", "cores", "time", "output"];

/** What is in an attempt's folder. */
export interface AttemptFolder {
  /** What the engine noted at the launch, as it was parsed; null where the launch file is not whole, or not there. */
  readonly note: unknown;
  /** The files that it names for what it prints; none where the launch file is not whole. */
  readonly outputs: readonly string[];
  readonly start: StartFile | null;
  readonly ending: EndCause | null;
}

export interface StartFile {
  /** Null: there is a record, but it is unreadable or incomplete. */
  readonly record: Claim | Fence | null;
  readonly unixSeconds: number;
}

/** Null where there is no launch file and no start record: then nothing was ever launched. */
export async function readAttemptFolder(disk: Disk, path: string): Promise<AttemptFolder | null> {
  const start = await readStart(disk, path);
  const launch = await text(disk, `${path}/${FILES.launch}`, LAUNCH_LIMIT_BYTES);
  if (launch === null && start === null) return null;
  const whole = launch !== null && isWholeLaunchFile(launch.text) ? launch.text : null;
  const note = whole === null ? null : parseJson(noteOf(whole));
  const outputs = whole === null ? [] : outputsOf(whole);
  const ending = (await text(disk, `${path}/${FILES.ending}`))?.text.trim();
  return { note, outputs, start, ending: END_CAUSES.find((cause) => cause === ending) ?? null };
}

/** Null where there is no start record. */
export async function readStart(disk: Disk, path: string): Promise<StartFile | null> {
  const content = await text(disk, `${path}/${FILES.start}`);
  return content === null ? null : { record: parseStart(content.text), unixSeconds: content.unixSeconds };
}

/** How it ended, as the wrapper recorded it. */
export interface ExitFile extends ExitRecord {
  readonly unixSeconds: number;
}

/** Null where there is no exit record, or only a piece of one. */
export async function readExit(disk: Disk, path: string): Promise<ExitFile | null> {
  const content = await text(disk, `${path}/${FILES.exit}`);
  const record = content === null ? null : parseExit(content.text);
  return record === null ? null : { ...record, unixSeconds: content!.unixSeconds };
}

/** An object or an array; null where it is neither, or no JSON. */
export function parseJson(json: string | null): unknown {
  try {
    const value: unknown = json === null ? null : JSON.parse(json);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

export async function text(disk: Disk, path: string, limitBytes = RECORD_LIMIT_BYTES): Promise<Text | null> {
  const content = await disk.read(path, 0, limitBytes);
  if (content === null) return null;
  return { text: new TextDecoder().decode(content.bytes), unixSeconds: content.modifiedUnixSeconds };
}

interface Text {
  readonly text: string;
  readonly unixSeconds: number;
}
