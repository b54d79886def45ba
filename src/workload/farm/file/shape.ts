import { nearest } from "../../nearest.ts";
import type { FileNode } from "../../input/yaml.ts";

/**
 * What a place in a file may hold. A shape both reads a value and describes itself as JSON Schema, so that the
 * published schema and the reader cannot differ.
 */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /** @throws InputError naming file, line and path if the place holds anything else */
  readonly read: (node: FileNode) => T;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An entry of a mapping. */
export interface Field<T> {
  readonly shape: Shape<T>;
  /** A description for people, shown in the schema. */
  readonly summary: string;
  /** The value if the file has none. Without it the file must have one. */
  readonly fallback?: { readonly value: T };
}

export function required<T>(summary: string, shape: Shape<T>): Field<T> {
  return { shape, summary };
}

export function optional<T, F>(summary: string, shape: Shape<T>, fallback: F): Field<T | F> {
  return { shape, summary, fallback: { value: fallback } };
}

type Fields = Readonly<Record<string, Field<unknown>>>;
/** What a mapping is read into: its fields, and the places of the mapping and of each field. */
type MappingOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
} & { readonly at: FileNode; readonly places: ReadonlyMap<string, FileNode> };

/** A mapping with these keys and no others. */
export function mapping<F extends Fields>(fields: F, example = ""): Shape<MappingOf<F>> {
  const known = Object.keys(fields);
  const needed = known.filter((key) => fields[key]!.fallback === undefined);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(
        known.map((key) => [key, { description: fields[key]!.summary, ...fields[key]!.shape.schema }]),
      ),
      ...(needed.length === 0 ? {} : { required: needed }),
      additionalProperties: false,
    },
    read(node) {
      const places = node.entries;
      if (places === null) return node.refuse(`a mapping should stand here${example}, not ${node.found}`);
      for (const [key, place] of places) {
        if (!known.includes(key)) {
          place.refuse(`there is no such setting; did you mean ${nearest(key, known).join(", ")}?`);
        }
      }
      const read: Record<string, unknown> = { at: node, places };
      for (const key of known) {
        const { shape, fallback } = fields[key]!;
        const place = places.get(key);
        if (place !== undefined) read[key] = shape.read(place);
        else if (fallback !== undefined) read[key] = fallback.value;
        else node.refuse(`${key} is missing`);
      }
      return read as MappingOf<F>;
    },
  };
}

/** A list of `least` to `most` entries. */
export function list<T>(item: Shape<T>, least: number, most: number): Shape<readonly T[]> {
  return {
    schema: { type: "array", items: item.schema, minItems: least, maxItems: most },
    read(node) {
      const items = node.items;
      if (items === null) return node.refuse(`a list should stand here, not ${node.found}`);
      if (items.length < least) node.refuse("the list is empty");
      if (items.length > most) node.refuse(`the list has ${items.length} entries; at most ${most} are read`);
      return items.map((each) => item.read(each));
    },
  };
}

/** A mapping whose keys are names chosen by the user. */
export function dictionary<T>(
  value: Shape<T>,
  { names, problem, most }: { readonly names: RegExp; readonly problem: string; readonly most: number },
): Shape<ReadonlyMap<string, T>> {
  return {
    schema: {
      type: "object",
      propertyNames: { pattern: names.source },
      additionalProperties: value.schema,
      maxProperties: most,
    },
    read(node) {
      const entries = node.entries;
      if (entries === null) return node.refuse(`a mapping should stand here, not ${node.found}`);
      if (entries.size > most) node.refuse(`it has ${entries.size} entries; at most ${most} are read`);
      return new Map(
        Array.from(entries, ([name, place]) => {
          if (!names.test(name)) place.refuse(problem);
          return [name, value.read(place)];
        }),
      );
    },
  };
}

export interface NumberLimits {
  readonly min: number;
  /** Whether the minimum itself is not allowed. */
  readonly above?: true;
  readonly max: number;
  readonly whole?: true;
}

export function number({ min, above, max, whole }: NumberLimits): Shape<number> {
  const kind = whole === true ? "a whole number" : "a number";
  const range = above === true ? `above ${min} and at most ${max}` : `from ${min} to ${max}`;
  return {
    schema: {
      type: whole === true ? "integer" : "number",
      ...(above === true ? { exclusiveMinimum: min } : { minimum: min }),
      maximum: max,
    },
    read(node) {
      const { scalar } = node;
      const fits =
        typeof scalar === "number" &&
        (above === true ? scalar > min : scalar >= min) &&
        scalar <= max &&
        (whole !== true || Number.isInteger(scalar));
      return fits ? scalar : node.refuse(`${kind} ${range} should stand here, not ${node.found}`);
    },
  };
}

/** Text that a pattern matches as a whole. */
export function text(pattern: RegExp, what: string): Shape<string> {
  return {
    schema: { type: "string", pattern: pattern.source },
    read(node) {
      const { scalar } = node;
      if (typeof scalar === "string" && pattern.test(scalar)) return scalar;
      return node.refuse(`${what} should stand here, not ${node.found}`);
    },
  };
}

export const yesOrNo: Shape<boolean> = {
  schema: { type: "boolean" },
  read: (node) =>
    typeof node.scalar === "boolean"
      ? node.scalar
      : node.refuse(`true or false should stand here, not ${node.found}`),
};

/** Any value, as plain data that is checked elsewhere. */
export const anything: Shape<unknown> = {
  schema: {},
  read(node) {
    if (node.entries !== null)
      return Object.fromEntries(Array.from(node.entries, ([key, place]) => [key, anything.read(place)]));
    return node.items === null ? node.scalar : node.items.map((item) => anything.read(item));
  },
};

/** One of two shapes, of which one is text: their schemas must differ in type. */
export function textOr<T, U>(textual: Shape<T>, other: Shape<U>): Shape<T | U> {
  return {
    schema: { anyOf: [textual.schema, other.schema] },
    read: (node) => (typeof node.scalar === "string" ? textual.read(node) : other.read(node)),
  };
}

/** One of two mappings: the first if the key is present. */
export function byKey<T, U>(key: string, has: Shape<T>, hasNot: Shape<U>): Shape<T | U> {
  return {
    schema: { anyOf: [has.schema, hasNot.schema] },
    read: (node) => (node.entries?.has(key) === true ? has.read(node) : hasNot.read(node)),
  };
}

/** Converts what `read` returns. `convert` may refuse it. */
export function converted<T, U>(shape: Shape<T>, convert: (value: T, node: FileNode) => U): Shape<U> {
  return { schema: shape.schema, read: (node) => convert(shape.read(node), node) };
}

/** The value together with its place. */
export function located<T>(shape: Shape<T>): Shape<{ readonly value: T; readonly at: FileNode }> {
  return converted(shape, (value, at) => ({ value, at }));
}
