import { open, type FileHandle } from "node:fs/promises";
import { InputError } from "../errors.ts";
import type { NamedBytes } from "../input/bytes.ts";

/** A file, or bytes, read at any position. */
export interface RandomAccess {
  readonly name: string;
  readonly size: number;
  /** A copy of the bytes. @throws {Error} if the file ends before */
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** @throws {InputError} if the file cannot be opened */
export async function openFile(path: string): Promise<RandomAccess> {
  let handle: FileHandle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    throw new InputError(`cannot be opened: ${(error as Error).message}`, { file: path });
  }
  const { size } = await handle.stat();
  return {
    name: path,
    size,
    async read(position, length) {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
        if (bytesRead === 0) throw new Error("it ends too early");
        filled += bytesRead;
      }
      return bytes;
    },
    close: () => handle.close(),
  };
}

export function openBytes({ name, bytes }: NamedBytes): RandomAccess {
  return {
    name,
    size: bytes.length,
    read: async (position, length) => Uint8Array.from(bytes.subarray(position, position + length)),
    close: async () => {},
  };
}

/** Bytes that are read ahead: a page's header has no stated length, and most pages are smaller. */
const AHEAD_BYTES = 1 << 18;

/** Reads a part of a file from its start to its end. */
export class Forward {
  private readonly file: RandomAccess;
  private readonly end: number;
  private position: number;
  private window: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(file: RandomAccess, start: number, end: number) {
    this.file = file;
    this.position = start;
    this.end = end;
  }

  /** The next bytes, without going on: at least so many, or all that are left. Valid until the next call. */
  async peek(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const left = this.end - this.position;
    if (this.window.length < Math.min(length, left)) {
      this.window = await this.file.read(this.position, Math.min(Math.max(length, AHEAD_BYTES), left));
    }
    return this.window;
  }

  skip(length: number): void {
    this.position += length;
    this.window = this.window.subarray(length);
  }

  /** @throws {Error} if fewer are left */
  async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.peek(length);
    if (bytes.length < length) throw new Error("a page is cut short");
    this.skip(length);
    return bytes.subarray(0, length);
  }
}
