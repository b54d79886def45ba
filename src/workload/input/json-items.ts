import { InputError } from "../errors.ts";
import { readChunks, sourceName } from "./bytes.ts";
import type { ByteSource } from "./bytes.ts";
import { hasByteOrderMark } from "./lines.ts";
import { decodeText } from "./text.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const NEWLINE = 10;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const COMMA = 44;
const BLANK = 32;

/** A larger item is not a job. Without a limit, damaged brackets would hold the whole file in memory. */
const MAX_ITEM_BYTES = 1 << 25;
/** Long enough for the key of any list of items. */
const MAX_KEY_BYTES = 64;
/** Deeper nesting is considered damage. */
const MAX_DEPTH = 200;

/** Receives what is found in the text. */
interface ItemHandlers {
  /** An item as JSON.parse returns it, and the line at which it begins, from 1. */
  readonly onItem: (item: unknown, line: number) => void;
  /** An item that is not valid JSON. */
  readonly onBad: (line: number) => void;
  /** The text ends before its brackets close. `inItem`: within an item. */
  readonly onCutShort: (line: number, inItem: boolean) => void;
}

/**
 * Reads a JSON text item by item, holding one of them at a time.
 *
 * The text may be a list, whose elements are the items, or an object with a list of items under one of `keys`. An
 * object without such a list is an item itself. Several texts may follow each other, as in JSON Lines.
 *
 * @throws InputError if the source cannot be read, or an item is larger than 32 MiB
 */
export async function readJsonItems(
  source: ByteSource,
  keys: readonly string[],
  handlers: ItemHandlers,
): Promise<void> {
  const scanner = new Scanner(sourceName(source), keys, handlers);
  let isFirst = true;
  for await (const chunk of readChunks(source)) {
    scanner.take(isFirst && hasByteOrderMark(chunk) ? chunk.subarray(3) : chunk);
    isFirst = false;
  }
  scanner.end();
}

/** Follows brackets and strings through the bytes. */
class Scanner {
  private readonly file: string;
  private readonly keys: readonly string[];
  private readonly handlers: ItemHandlers;

  private line = 1;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  /** The depth inside the list whose elements are items; 0 outside of such a list. */
  private listDepth = 0;
  /** The last string in an object that may have a list of items: its key, if a list follows. */
  private key: number[] = [];
  private isKey = false;

  /** The part of the current item that was in earlier chunks. */
  private taken = new Uint8Array(1 << 16);
  private length = 0;
  /** Where the current item continues in this chunk; -1 if there is none. */
  private from = -1;
  private itemLine = 0;

  constructor(file: string, keys: readonly string[], handlers: ItemHandlers) {
    this.file = file;
    this.keys = keys;
    this.handlers = handlers;
  }

  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) this.line++;
      if (this.inString) this.inText(byte);
      else if (byte > BLANK) this.outsideText(byte, chunk, at);
    }
    if (this.from !== -1) {
      this.keep(chunk, chunk.length);
      this.from = 0;
    }
  }

  end(): void {
    const nothing = new Uint8Array(0);
    if (this.depth > 0) {
      const inItem = this.from !== -1;
      this.handlers.onCutShort(inItem ? this.itemLine : this.line, inItem);
    } else if (this.from !== -1) this.endItem(nothing, 0);
  }

  private outsideText(byte: number, chunk: Uint8Array, at: number): void {
    // An element that is not in brackets of its own is an item in a list of items, or outside any text.
    const isPlace = this.depth === this.listDepth;
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.close(byte, chunk, at);
    } else if (byte === COMMA) {
      if (isPlace && this.from !== -1) this.endItem(chunk, at);
    } else if (byte === OPEN_LIST && isPlace && this.depth === 0) {
      if (this.from !== -1) this.endItem(chunk, at);
      this.listDepth = ++this.depth;
    } else if (byte === OPEN_LIST && this.depth === 1 && this.listDepth === 0 && this.isListOfItems()) {
      // The object that was kept so far is only the one around the list.
      this.from = -1;
      this.listDepth = ++this.depth;
    } else {
      if (isPlace && this.from === -1) this.startItem(at);
      if (byte === QUOTE) this.openString();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.depth++;
      if (this.depth > MAX_DEPTH) this.refuse(`brackets within more than ${MAX_DEPTH} others`);
    }
  }

  private close(byte: number, chunk: Uint8Array, at: number): void {
    if (this.depth === 0) {
      if (this.from === -1) this.startItem(at);
      return;
    }
    const endsList = byte === CLOSE_LIST && this.depth === this.listDepth;
    if (endsList && this.from !== -1) this.endItem(chunk, at);
    this.depth--;
    if (endsList) this.listDepth = 0;
    else if (this.from !== -1 && this.depth === this.listDepth) this.endItem(chunk, at + 1);
  }

  private openString(): void {
    this.inString = true;
    this.isKey = this.depth === 1 && this.listDepth === 0;
    if (this.isKey) this.key = [];
  }

  private inText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.inString = false;
    if (this.isKey && this.inString && this.key.length < MAX_KEY_BYTES) this.key.push(byte);
  }

  private isListOfItems(): boolean {
    return this.keys.includes(String.fromCharCode(...this.key));
  }

  private startItem(at: number): void {
    this.from = at;
    this.itemLine = this.line;
    this.length = 0;
  }

  private endItem(chunk: Uint8Array, end: number): void {
    this.keep(chunk, end);
    this.from = -1;
    let item: unknown;
    try {
      item = JSON.parse(decodeText(this.taken, 0, this.length));
    } catch {
      this.handlers.onBad(this.itemLine);
      return;
    }
    this.handlers.onItem(item, this.itemLine);
  }

  /** Keeps the item's bytes in this chunk, up to `end`. */
  private keep(chunk: Uint8Array, end: number): void {
    const total = this.length + end - this.from;
    if (total > MAX_ITEM_BYTES) this.refuse("an item of more than 32 MiB");
    if (total > this.taken.length) {
      const larger = new Uint8Array(2 * total);
      larger.set(this.taken.subarray(0, this.length));
      this.taken = larger;
    }
    this.taken.set(chunk.subarray(this.from, end), this.length);
    this.length = total;
  }

  private refuse(what: string): never {
    throw new InputError(`${what}: this JSON is damaged, or no list of jobs`, {
      file: this.file,
      line: this.from === -1 ? this.line : this.itemLine,
    });
  }
}
