import { open, type FileHandle } from "node:fs/promises";
import { InputError } from "../errors.ts";
import { parseFooter, type Column, type Footer } from "./footer.ts";
import { decodeChunk, type PageValues } from "./pages.ts";

/** Bytes already in memory, with the name to call them by. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A larger footer is considered damage. */
const maxFooterBytes = 1 << 26;

/** The metadata at the end of the file. */
export async function readFooter(file: RandomAccess): Promise<Footer> {
  const { size } = file;
  if (size < 12) throw new Error("it is too short");
  const tail = await file.read(size - 8, 8);
  const view = new DataView(tail.buffer, tail.byteOffset);
  if (view.getUint32(4, true) !== 0x31524150) throw new Error("it does not end in PAR1");
  const footerBytes = view.getUint32(0, true) + 8;
  if (footerBytes > Math.min(size, maxFooterBytes)) throw new Error("its footer has an impossible size");
  return parseFooter(await file.read(size - footerBytes, footerBytes));
}

/** A file, or bytes, read at any position. */
export interface RandomAccess {
  readonly name: string;
  readonly size: number;
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

/** The columns of the open file, by name. */
export class FileColumns {
  readonly footer: Footer;
  private readonly file: RandomAccess;

  constructor(file: RandomAccess, footer: Footer) {
    const { rows, groups } = footer;
    // Checked before columns of that many rows are allocated.
    if (!groups.every((group) => group.rows >= 0)) throw new Error("a row group has no size");
    if (groups.reduce((sum, group) => sum + group.rows, 0) !== rows) {
      throw new Error("its row groups do not add up to its rows");
    }
    this.file = file;
    this.footer = footer;
  }

  find(name: string): Column | undefined {
    return this.footer.columns.find((column) => column.name === name);
  }

  /** Calls `onPage` with every page of the column, in the order of the rows. */
  async read(column: Column, onPage: (values: PageValues, firstRow: number) => void): Promise<void> {
    const { name } = column;
    if (column.type === undefined || column.repetition === "repeated") {
      throw this.error(`column "${name}" is nested; it must have one value a row`);
    }
    let groupStart = 0;
    for (const { rows, chunks } of this.footer.groups) {
      const chunk = chunks.find(({ path }) => path.length === 1 && path[0] === name);
      if (chunk === undefined) throw new Error(`a row group lacks column "${name}"`);
      const { offset, bytes: length } = chunk;
      if (!(offset >= 4 && length >= 0 && offset + length <= this.file.size)) {
        throw new Error(`column "${name}" lies outside the file`);
      }
      const bytes = await this.file.read(offset, length);
      const start = groupStart;
      decodeChunk(bytes, column, chunk, rows, (values, row) => onPage(values, start + row));
      groupStart += rows;
    }
  }

  error(message: string): InputError {
    return new InputError(message, { file: this.file.name });
  }
}
