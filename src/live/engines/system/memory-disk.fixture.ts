import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";

/** A disk in memory. Its content outlives the engines that use it. */
export class MemoryDisk implements Disk {
  /** A code, such as ENOSPC: every write fails with it until it is null again. */
  writesFailWith: string | null = null;
  /** Content as a character a byte: texts are quick to add to. */
  private readonly files = new Map<string, { content: string; modified: number }>();
  private readonly folders = new Set<string>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async makeFolder(path: string): Promise<void> {
    if (!this.folders.has(path)) this.check();
    for (let at = path; at !== ""; at = parent(at)) this.folders.add(at);
  }

  async list(path: string): Promise<string[]> {
    return [...this.files.keys(), ...this.folders]
      .filter((each) => parent(each) === path)
      .map((each) => each.slice(path.length + 1))
      .sort();
  }

  async read(path: string, fromByte: number, limitBytes: number) {
    const file = this.files.get(path);
    if (file === undefined) return null;
    const bytes = new Uint8Array(Buffer.from(file.content.slice(fromByte, fromByte + limitBytes), "latin1"));
    return { bytes, modifiedUnixSeconds: file.modified };
  }

  async writeWhole(path: string, text: string): Promise<void> {
    this.check();
    this.put(path, text);
  }

  async create(path: string, text: string): Promise<boolean> {
    this.check();
    return this.createNow(path, text);
  }

  async createIn(folder: string, name: string, text: string): Promise<boolean> {
    await this.makeFolder(folder);
    return this.create(`${folder}/${name}`, text);
  }

  /** As `create`, at once: for what stands in for another process. */
  createNow(path: string, text: string): boolean {
    if (this.files.has(path)) return false;
    this.put(path, text);
    return true;
  }

  async append(path: string, content: string | Uint8Array): Promise<void> {
    this.check();
    this.put(path, content, this.files.get(path)?.content);
  }

  async remove(path: string): Promise<void> {
    this.check();
    for (const each of [...this.files.keys(), ...this.folders])
      if (each === path || each.startsWith(`${path}/`)) {
        this.files.delete(each);
        this.folders.delete(each);
      }
  }

  async give(): Promise<void> {}

  /** A file's content; empty where there is none. */
  written(path: string): string {
    return Buffer.from(this.files.get(path)?.content ?? "", "latin1").toString();
  }

  hasFolder(path: string): boolean {
    return this.folders.has(path);
  }

  private put(path: string, added: string | Uint8Array, before = ""): void {
    if (!this.folders.has(parent(path))) throw failure("ENOENT", path);
    const content = before + Buffer.from(added).toString("latin1");
    this.files.set(path, { content, modified: this.clock.unixSeconds() });
  }

  private check(): void {
    if (this.writesFailWith !== null) throw failure(this.writesFailWith, "write");
  }
}

function parent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function failure(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
