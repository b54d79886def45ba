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

/** A larger item is no job: without a limit, damaged brackets would hold the whole file in memory. */
const MAX_ITEM_BYTES = 1 << 25;
/** Enough for the key of any list of items. */
const MAX_KEY_BYTES = 64;
/** Deeper nesting is taken for damage. */
const MAX_DEPTH = 200;

/** What becomes of what is found on the way. */
export interface ItemHandlers {
  /** An item as JSON.parse makes it, and the line that it begins in, from 1. */
  readonly onItem: (item: unknown, line: number) => void;
  /** What was to be an item and is no JSON. */
  readonly onBad: (line: number) => void;
  /** The text ends before its brackets close; `inItem`: within an item. */
  readonly onCutShort: (line: number, inItem: boolean) => void;
}

/**
 * Reads a JSON text item by item, holding one of them at a time.
 *
 * Items are the elements of a list that is the text, or that stands under one of `keys` in the
 * object that is the text; an object without such a list is an item itself. Several
 * texts may follow each other, as in JSON Lines.
 *
 * @throws InputError where the source cannot be read, or an item is larger than 32 MiB
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
  /** Depth inside the list whose elements are items; 0: in none. */
  private listDepth = 0;
  /** The last string of an object that may have a list of items: the list's key, where one follows. */
  private key: number[] = [];
  private isKey = false;

  /** The part of the item at hand that stood in earlier chunks. */
  private taken = new Uint8Array(1 << 16);
  private length = 0;
  /** Where it goes on in this chunk; -1: no item is at hand. */
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
    // What stands here in no brackets of its own is an item: in a list of them, or in no text yet.
    const isPlace = this.depth === this.listDepth;
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.close(byte, chunk, at);
    } else if (byte === COMMA) {
      if (isPlace && this.from !== -1) this.endItem(chunk, at);
    } else if (byte === OPEN_LIST && isPlace && this.depth === 0) {
      if (this.from !== -1) this.endItem(chunk, at);
      this.listDepth = ++this.depth;
    } else if (byte === OPEN_LIST && this.depth === 1 && this.listDepth === 0 && this.isListOfItems()) {
      // The object that was held so far is only what the list stands in.
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
