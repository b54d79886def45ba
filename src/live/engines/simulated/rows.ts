import { parseAttemptKey } from "../attempt-id.ts";
import type { KnownAttempt, Outcome, Placement } from "../engine.ts";
import type { System } from "../engine-kind.ts";
import type { Reachability } from "../reachability.ts";

/** All about an attempt. */
export interface Row {
  readonly key: string;
  readonly state: KnownAttempt["state"];
  readonly placement: readonly Placement[];
  /** Simulated seconds that it runs in all, unless it is ended before. */
  readonly runSeconds: number;
  readonly limitSeconds: number | null;
  readonly status: number;
  readonly startedUnixSeconds: number;
  /** The same by the monotonic clock. */
  readonly startedAt: number;
  /** When the state was entered, by the monotonic clock. */
  readonly since: number;
  /** Simulated seconds that it had run by then. */
  readonly ranSeconds: number;
  readonly outcome: Outcome | null;
}

/** A text cannot be longer than half a gigabyte; rows of a million attempts take less. */
const FILE_LIMIT_BYTES = 400 * 1024 * 1024;
const PIECE_BYTES = 16 * 1024 * 1024;
/** The file is written anew once it has this many outdated lines, and at least as many as rows. */
const STALE_LINES = 10_000;

/**
 * Rows in a file, so that another engine finds them: a line for each change, the last one of a key
 * counts. What is written together goes to the disk in one piece. Where the disk fails it is tried
 * again, for as long as it takes.
 */
export class Rows {
  private readonly rows = new Map<string, Row>();
  private readonly path: string;
  private readonly system: System;
  private readonly reachability: Reachability;
  private lines = 0;
  private waiting: string[] = [];
  private writing: Promise<void> | null = null;
  /** Whether the last line may be incomplete, and has to be ended before the next. */
  private isBroken = false;

  constructor(system: System, reachability: Reachability) {
    this.system = system;
    this.path = `${system.folder}/attempts.jsonl`;
    this.reachability = reachability;
  }

  /** Reads what is there. What cannot be read is left out; it returns how many such lines there were. */
  async load(): Promise<number> {
    const { disk, clock, folder } = this.system;
    await disk.makeFolder(folder);
    const text = await this.text();
    this.isBroken = text !== "" && !text.endsWith("\n");
    let unread = 0;
    let boot: string | null = null;
    for (const line of text.split("\n").filter((each) => each !== "")) {
      this.lines++;
      const entry = parse(line);
      if (entry === null) unread++;
      else if ("boot" in entry) boot = entry.boot;
      else if ("gone" in entry) this.rows.delete(entry.gone);
      else this.rows.set(entry.key, entry);
    }
    if (boot !== clock.boot) {
      for (const row of this.rows.values()) this.rows.set(row.key, restarted(row));
      await this.rewrite();
    }
    return unread;
  }

  get(key: string): Row | undefined {
    return this.rows.get(key);
  }

  all(): IterableIterator<Row> {
    return this.rows.values();
  }

  /** The row holds at once, and the promise resolves when it is written. */
  put(row: Row): Promise<void> {
    this.rows.set(row.key, row);
    return this.write(JSON.stringify(row));
  }

  drop(key: string): Promise<void> {
    this.rows.delete(key);
    return this.write(JSON.stringify({ gone: key }));
  }

  /** When all is written that was put so far. */
  async written(): Promise<void> {
    await this.writing;
  }

  private write(line: string): Promise<void> {
    this.waiting.push(line);
    // Changes that come while a piece is written are written with the next.
    this.writing ??= this.writeAll().finally(() => (this.writing = null));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const lines = this.waiting;
      this.waiting = [];
      await this.reachability.insist(() => this.append(lines));
    }
  }

  private async append(lines: readonly string[]): Promise<void> {
    if (this.lines + lines.length > 2 * this.rows.size + STALE_LINES) return this.rewrite();
    const begin = this.isBroken ? "\n" : "";
    // A failure may leave a part of it.
    this.isBroken = true;
    await this.system.disk.append(this.path, `${begin}${lines.join("\n")}\n`);
    this.isBroken = false;
    this.lines += lines.length;
  }

  private async rewrite(): Promise<void> {
    const lines = [
      JSON.stringify({ boot: this.system.clock.boot }),
      ...Array.from(this.all(), (row) => JSON.stringify(row)),
    ];
    await this.system.disk.writeWhole(this.path, `${lines.join("\n")}\n`);
    this.lines = lines.length;
    this.isBroken = false;
  }

  private async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    for (let at = 0; at < FILE_LIMIT_BYTES;) {
      const piece = await this.system.disk.read(this.path, at, PIECE_BYTES);
      if (piece === null || piece.bytes.length === 0) break;
      text += decoder.decode(piece.bytes, { stream: true });
      at += piece.bytes.length;
    }
    return text;
  }
}

type Entry = Row | { readonly gone: string } | { readonly boot: string };

/** Null for a line that was broken off, or that is not ours. */
function parse(line: string): Entry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  if ("boot" in value || "gone" in value) return value as Entry;
  const row = value as Partial<Row>;
  const isRow =
    parseAttemptKey(row.key ?? "") !== null &&
    ["starting", "running", "suspended", "over"].includes(row.state ?? "") &&
    (row.state === "over") === (typeof row.outcome === "object" && row.outcome !== null) &&
    Array.isArray(row.placement) &&
    [row.runSeconds, row.since, row.ranSeconds, row.startedUnixSeconds, row.startedAt].every(Number.isFinite);
  return isRow ? (value as Row) : null;
}

function restarted(row: Row): Row {
  if (row.state === "over") return row;
  const id = parseAttemptKey(row.key)!;
  const reason = "the machine that simulates was restarted";
  const outcome: Outcome =
    row.state === "starting"
      ? { kind: "start-failed", id, fault: "transient", reason }
      : { kind: "lost", id, reason };
  return { ...row, state: "over", outcome };
}
