import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
} from "yaml";

import { InputError } from "../errors.ts";
import { readChunks, sourceName, type ByteSource } from "./bytes.ts";

/** A farm of ten thousand machine groups, each written out, takes half of this. */
export const MAX_YAML_BYTES = 1 << 22;
/** Aliases let a short file stand for a long one, so nodes count each time they are reached. */
const MAX_NODES = 400_000;

/** A parsed YAML or JSON file, whose nodes know their positions. */
class YamlDocument {
  readonly file: string;
  private readonly lines: LineCounter;
  private readonly targets: ReadonlyMap<Alias, Node>;
  private visited = 0;

  constructor(file: string, document: Document, lines: LineCounter) {
    this.file = file;
    this.lines = lines;
    this.targets = aliasTargets(document);
  }

  /** @param offset the position in the text; unknown positions are the file's beginning */
  refuse(problem: string, offset: number | undefined): never {
    const { line, col } = this.lines.linePos(offset ?? 0);
    throw new InputError(problem, { file: this.file, line: Math.max(1, line), column: Math.max(1, col) });
  }

  /** The node that an alias stands for. The library's `resolve` would walk the whole file each time. */
  resolve(alias: Alias): Node | null {
    return this.targets.get(alias) ?? null;
  }

  count(offset: number | undefined): void {
    if (++this.visited > MAX_NODES)
      this.refuse(`more than ${MAX_NODES} values, aliases counted each time`, offset);
  }
}

/** The node that each alias stands for: the last one before it with its anchor. */
function aliasTargets(document: Document): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** A value in the file, with its path and its position. */
export class FileNode {
  /** The path, such as `pools[3].machines`; empty for the whole file. */
  readonly path: string;
  private readonly of: YamlDocument;
  /** Null if there is no value. */
  private readonly node: Node | null;
  private readonly offset: number | undefined;

  constructor(of: YamlDocument, node: Node | null, path: string, offset: number | undefined) {
    of.count(offset);
    let found = node;
    if (isAlias(node)) {
      found = of.resolve(node);
      if (found === null)
        of.refuse(`${path}: there is no anchor &${node.source} before this`, node.range?.[0] ?? offset);
    }
    this.of = of;
    this.node = found;
    this.path = path;
    // For an alias, errors name the place where it is used.
    this.offset = node?.range?.[0] ?? offset;
  }

  /** A text, number, true, false or null; undefined for a list or a mapping. */
  get scalar(): unknown {
    if (this.node === null) return null;
    return isScalar(this.node) ? this.node.value : undefined;
  }

  /** The items of a list; null if it is not a list. */
  get items(): FileNode[] | null {
    if (!isSeq(this.node)) return null;
    return this.node.items.map((item, at) =>
      this.child(item as Node | null, `${this.path}[${at}]`, undefined),
    );
  }

  /**
   * The entries of a mapping, by key; null if it is not a mapping.
   *
   * @throws InputError if a key is not a text, or is there twice
   */
  get entries(): Map<string, FileNode> | null {
    if (!isMap(this.node)) return null;
    const entries = new Map<string, FileNode>();
    for (const { key, value } of this.node.items) {
      const keyNode = key as Node;
      const name = isScalar(keyNode) ? String(keyNode.value) : null;
      const offset = keyNode.range?.[0];
      if (name === null) this.of.refuse(`${this.here}a key must be a name`, offset ?? this.offset);
      const path = this.path === "" ? name : `${this.path}.${name}`;
      if (entries.has(name)) this.of.refuse(`${path} stands here twice`, offset);
      entries.set(name, this.child(value as Node | null, path, offset));
    }
    return entries;
  }

  /** What the file has here, in a few words. */
  get found(): string {
    const { scalar } = this;
    if (scalar === undefined) return isSeq(this.node) ? "a list" : "a mapping";
    if (scalar === null) return "nothing";
    const text = JSON.stringify(scalar);
    return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
  }

  /** Throws an InputError that names file, line, column and path. */
  refuse(problem: string): never {
    this.of.refuse(this.here + problem, this.offset);
  }

  private get here(): string {
    return this.path === "" ? "" : `${this.path}: `;
  }

  private child(node: Node | null, path: string, offset: number | undefined): FileNode {
    return new FileNode(this.of, node, path, offset ?? this.offset);
  }
}

/**
 * Parses a YAML or JSON file; every JSON file is a YAML file too.
 *
 * @throws InputError if it is missing, too large, or not YAML
 */
export async function readYaml(source: ByteSource): Promise<FileNode> {
  const file = sourceName(source);
  const text = await readText(source, file);
  try {
    const lines = new LineCounter();
    // Keys that are there twice are found in `entries`, which takes linear time.
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
    const of = new YamlDocument(file, document, lines);
    for (const { message, pos } of [...document.errors, ...document.warnings]) {
      if (isTooDeep(message)) throw new RangeError(message);
      of.refuse(`not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`, pos[0]);
    }
    if (document.contents === null) throw new InputError("the file is empty", { file });
    return new FileNode(of, document.contents, "", 0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError("lists or mappings are too deep within one another", { file });
  }
}

/** The parser recurses once for every level. */
function isTooDeep(message: string): boolean {
  return /call stack/i.test(message);
}

async function readText(source: ByteSource, file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(source)) {
    bytes += chunk.length;
    if (bytes > MAX_YAML_BYTES)
      throw new InputError(`a YAML file has at most ${MAX_YAML_BYTES} bytes`, { file });
    chunks.push(Uint8Array.from(chunk));
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
