import { open, type FileHandle } from "node:fs/promises";
import { parquetMetadata, type FileMetaData, type SchemaElement } from "hyparquet";
import { InputError } from "../errors.ts";
import { decodeChunk, type PageValues } from "./pages.ts";

/** Bytes already in memory, with the name to call them by. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A footer of more bytes than this is taken for damage. */
const maxFooterBytes = 1 << 26;

/** What the end of the file says of the rest. */
export async function readFooter(file: RandomAccess): Promise<FileMetaData> {
  const { size } = file;
  if (size < 12) throw new Error("it is too short");
  const tail = await file.read(size - 8, 8);
  const view = new DataView(tail.buffer, tail.byteOffset);
  if (view.getUint32(4, true) !== 0x31524150) throw new Error("it does not end in PAR1");
  const footerBytes = view.getUint32(0, true) + 8;
  if (footerBytes > Math.min(size, maxFooterBytes)) throw new Error("its footer has an impossible size");
  return parquetMetadata(await file.read(size - footerBytes, footerBytes), { geoparquet: false });
}

/** A file, or bytes, read at any place. */
export interface RandomAccess {
  readonly name: string;
  readonly size: number;
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** @throws {InputError} where the file cannot be opened. */
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
  readonly rows: number;
  readonly #groupRows: readonly number[];
  readonly #file: RandomAccess;
  readonly #metadata: FileMetaData;
  readonly #elements = new Map<string, SchemaElement>();

  constructor(file: RandomAccess, metadata: FileMetaData, rows: number) {
    this.#file = file;
    this.rows = rows;
    this.#groupRows = metadata.row_groups.map(({ num_rows: n }) => Number(n));
    // Before columns of that many rows are allocated.
    if (this.#groupRows.some((n) => n < 0) || this.#groupRows.reduce((sum, n) => sum + n, 0) !== rows) {
      throw new Error("its row groups do not add up to its rows");
    }
    this.#metadata = metadata;
    // The schema is a tree in preorder; only leaves right under the root can be columns of ours.
    const depthLeft: number[] = [metadata.schema[0]?.num_children ?? 0];
    for (const element of metadata.schema.slice(1)) {
      if (depthLeft.length === 1) this.#elements.set(element.name, element);
      depthLeft[depthLeft.length - 1]!--;
      if ((element.num_children ?? 0) > 0) depthLeft.push(element.num_children!);
      while (depthLeft.length > 1 && depthLeft.at(-1)! <= 0) depthLeft.pop();
    }
  }

  element(name: string): SchemaElement | undefined {
    return this.#elements.get(name);
  }

  /** Calls `onPage` with every page of the column, in the order of the rows. */
  async readColumn(
    element: SchemaElement,
    onPage: (values: PageValues, firstRow: number) => void,
  ): Promise<void> {
    const { name } = element;
    if (element.type === undefined || element.repetition_type === "REPEATED") {
      throw this.error(`column "${name}" is nested; it must have one value a row`);
    }
    let groupStart = 0;
    for (const [i, group] of this.#metadata.row_groups.entries()) {
      const rows = this.#groupRows[i]!;
      const chunk = group.columns.find((c) => c.meta_data?.path_in_schema.join("\0") === name);
      const metadata = chunk?.meta_data;
      if (metadata === undefined || chunk?.file_path !== undefined) {
        throw new Error(`a row group lacks column "${name}"`);
      }
      const { dictionary_page_offset: dictionary, data_page_offset: data } = metadata;
      const from = Number(
        dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
      );
      const length = Number(metadata.total_compressed_size);
      if (!(from >= 4 && length >= 0 && from + length <= this.#file.size)) {
        throw new Error(`column "${name}" lies outside the file`);
      }
      const bytes = await this.#file.read(from, length);
      const start = groupStart;
      decodeChunk(bytes, { element, metadata }, rows, (values, row) => onPage(values, start + row));
      groupStart += rows;
    }
  }

  error(message: string): InputError {
    return new InputError(message, { file: this.#file.name });
  }
}
