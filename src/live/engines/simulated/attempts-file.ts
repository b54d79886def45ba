import type { System } from "../engine-kind.ts";
import type { Reachability } from "../reachability.ts";
import type { SimulatedAttempt } from "./attempt.ts";
import { lostByRestart, readEntry } from "./recover.ts";

/** A text cannot be longer than half a gigabyte; a million attempts take less. */
const FILE_LIMIT_BYTES = 400 * 1024 * 1024;
const PIECE_BYTES = 16 * 1024 * 1024;
/** The file is written anew once it has this many outdated lines, and at least as many as attempts. */
const STALE_LINES = 10_000;

/**
 * Keeps attempts in a file, so that another engine finds them: a line for each change, the last one of a key
 * counts. What is written together goes to the disk in one piece. Where the disk fails it is tried
 * again, for as long as it takes.
 */
export class AttemptsFile {
  private readonly attempts = new Map<string, SimulatedAttempt>();
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
      const entry = readEntry(line);
      if (entry === null) unread++;
      else if ("boot" in entry) boot = entry.boot;
      else if ("gone" in entry) this.attempts.delete(entry.gone);
      else this.attempts.set(entry.key, entry);
    }
    if (boot !== clock.boot) {
      for (const attempt of this.attempts.values()) this.attempts.set(attempt.key, lostByRestart(attempt));
      await this.rewrite();
    }
    return unread;
  }

  get(key: string): SimulatedAttempt | undefined {
    return this.attempts.get(key);
  }

  all(): IterableIterator<SimulatedAttempt> {
    return this.attempts.values();
  }

  /** The attempt holds at once, and the promise resolves when it is written. */
  put(attempt: SimulatedAttempt): Promise<void> {
    this.attempts.set(attempt.key, attempt);
    return this.write(JSON.stringify(attempt));
  }

  drop(key: string): Promise<void> {
    this.attempts.delete(key);
    return this.write(JSON.stringify({ gone: key }));
  }

  /** Resolves when all is written that was put so far. */
  async whenWritten(): Promise<void> {
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
    if (this.lines + lines.length > 2 * this.attempts.size + STALE_LINES) return this.rewrite();
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
      ...Array.from(this.all(), (attempt) => JSON.stringify(attempt)),
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
