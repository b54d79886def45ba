/** Values that a schema of the OpenAPI document allows, and that nobody would think of. */
import { sample, stringMatching } from "fast-check";

import type { Draws } from "../../src/live/service/draws.ts";

export interface Schema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** What a schema may say. Of what stands nowhere here no values would be made, and nobody would notice. */
const KEYWORDS = new Set(
  (
    "type anyOf enum const properties required additionalProperties minProperties maxProperties propertyNames items " +
    "prefixItems minItems maxItems pattern minLength maxLength minimum maximum exclusiveMinimum description x-form"
  ).split(" "),
);

/** @throws Error where there is one that the generator does not know */
export function checkKeywords(schema: Schema): void {
  for (const keyword of Object.keys(schema))
    if (!KEYWORDS.has(keyword)) throw new Error(`no odd values are made for ${keyword}: add it`);
  const {
    anyOf = [],
    properties = {},
    additionalProperties,
    propertyNames,
    items,
    prefixItems = [],
  } = schema;
  const inner = [
    ...anyOf,
    ...Object.values(properties),
    additionalProperties,
    propertyNames,
    items,
    ...prefixItems,
  ];
  for (const each of inner) if (typeof each === "object") checkKeywords(each);
}

/** Characters of which long texts are made: one byte, two, four, an escape, half of a pair, one that combines. */
const LETTERS = ["a", "é", "😀", "\u0001", "\ud800", "\u0301", " ", "\n", '"', "\\", "\u202e", "\ufeff", "0"];
const WORDS =
  "__proto__ constructor toString hasOwnProperty null undefined true NaN -0 0 1 -1 1e3 0x10 9007199254740993 00 1.5 " +
  "% %s%n %00 \\ \" ' / // /. . * ? [ ~ $HOME `id` $(id) ; | & < > # , : - -- --help -n a=b = a;b=2 not ( false " +
  "sh CROFT_JOB_INDEX CROFT_ATTEMPT PATH CROFT_SIMULATED_SECONDS LD_PRELOAD IFS 000 777 0027 all ok waiting " +
  "waiting,held end go cores>1 os=='linux' é ß ﬀ İ 😀";
const TEXTS = WORDS.split(" ").concat(
  ["", " ", "\t", "\n", "\r\n", "\0", "\u007f", "\u2028", "a b", "e\u0301", "\ud800", "\ufffd", "\u001b[2J"],
  ["\u202eabc", "\u{1f468}\u200d\u{1f469}", "A".repeat(255), "a".repeat(4095), "croft-start-1 1 1"],
);
const NUMBERS = [
  0,
  1,
  2,
  3,
  10,
  99,
  100,
  1000,
  0.001,
  0.0005,
  0.1,
  1 / 3,
  0.9999999999,
  5e-324,
  1e-9,
  1.5,
  1e9,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1e300,
];
/** Of a request: mostly small, sometimes as large as requests may be. */
const BUDGETS = [500, 500, 500, 2000, 2000, 2000, 8000, 30_000];
const RARE_BUDGETS = [200_000, 1_000_000, 4_000_000, 15_000_000];
/** One request in so many is a large one. */
const RARE = 400;
const MANY = 100_000;
/** Entries of a list that have values of their own. */
const DIFFERENT = 100;
const PATTERNS_KEPT = 20;

export class OddValues {
  private readonly draws: Draws;
  /** What the farm has answered, by the name of the field: numbers of jobs, names of pools. */
  private readonly seen = new Map<string, (string | number)[]>();
  private readonly matching = new Map<string, readonly string[]>();
  private left = 0;
  private isLarge = false;
  private lastNumber = 0;

  constructor(draws: Draws) {
    this.draws = draws;
  }

  /** Begins the values of a request. */
  begin(): void {
    this.isLarge = this.draws.below(RARE) === 0;
    this.left = this.of(this.isLarge ? RARE_BUDGETS : BUDGETS);
  }

  of<T>(list: readonly T[]): T {
    return list[this.draws.below(list.length)];
  }

  /** Whether it happens, in one of so many cases. */
  isOneIn(cases: number): boolean {
    return this.draws.below(cases) === 0;
  }

  /** Takes notice of values that mean something to the farm. */
  notice(answer: unknown, name = ""): void {
    if (typeof answer === "string" || typeof answer === "number") {
      const known = this.seen.get(name) ?? [];
      if (known.length < KEPT) known.push(answer);
      else known[this.draws.below(KEPT)] = answer;
      this.seen.set(name, known);
    } else if (Array.isArray(answer)) for (const each of answer.slice(0, 20)) this.notice(each, name);
    else if (answer !== null && typeof answer === "object")
      for (const [field, value] of Object.entries(answer)) this.notice(value, field);
  }

  /** @param name the field's own, by which values are found that mean something */
  value(schema: Schema, name: string): unknown {
    const { anyOf, enum: choices, type } = schema;
    this.left -= 8;
    if (anyOf !== undefined) return this.value(this.of(anyOf), name);
    if (choices !== undefined) return this.of(choices);
    if ("const" in schema) return schema.const;
    switch (type) {
      case "object":
        return this.object(schema);
      case "array":
        return this.array(schema, name);
      case "string":
        return this.text(schema, name);
      case "integer":
      case "number":
        return this.number(schema, name);
      case "boolean":
        return this.isOneIn(2);
      case "null":
        return null;
      default:
        throw new Error(`no odd values are made for a schema without type: ${JSON.stringify(schema)}`);
    }
  }

  private object(schema: Schema): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    const { minProperties = 0, maxProperties = MANY } = schema;
    const made: Record<string, unknown> = {};
    const set = (name: string, value: unknown): void =>
      void Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    // Few fields, about half of them, nearly all, all: so that each combination of a few comes often.
    const likely = this.of([0, 10, 10, 20, 50, 90, 100]);
    const chosen = optional.filter(() => this.draws.below(100) < likely);
    while (chosen.length < minProperties && optional.length > 0) chosen.push(this.of(optional));
    for (const name of [...required, ...new Set(chosen)]) set(name, this.value(properties[name], name));
    if (typeof additionalProperties !== "object") return made;
    const names = propertyNames ?? { type: "string" };
    for (let more = this.count(0, maxProperties); more > 0; more--)
      set(this.text(names, "environment"), this.value(additionalProperties, ""));
    return made;
  }

  private array(schema: Schema, name: string): unknown[] {
    const { items = {}, prefixItems = [], minItems = 0, maxItems = MANY } = schema;
    const count = this.count(minItems, maxItems);
    const isSame = count > 1 && this.isOneIn(4);
    const made: unknown[] = [];
    let bytes = 0;
    while (made.length < count && (this.left > 0 || made.length < minItems)) {
      const before = this.left;
      // Of a large request most entries are equal: values of their own would take long.
      const isRepeated = made.length > 0 && (isSame || made.length > DIFFERENT || this.isOneIn(6));
      made.push(isRepeated ? made.at(-1) : this.value(prefixItems[made.length] ?? items, name));
      if (isRepeated) this.left -= bytes;
      else bytes = before - this.left;
    }
    return made;
  }

  private count(least: number, most: number): number {
    const usual = [least, least, least + 1, 2, 3, 5, 20];
    const count = this.of(
      this.isLarge ? [most, most, most - 1, 1000, 5] : [...usual, this.isOneIn(20) ? most : 2],
    );
    return Math.min(most, Math.max(least, count));
  }

  private number({ type, minimum, maximum, exclusiveMinimum }: Schema, name: string): number {
    const least = minimum ?? exclusiveMinimum ?? -1e300;
    const most = maximum ?? 1e300;
    const near = this.isLarge ? [9999, 10_000, 999] : [0, 1, 2, 5];
    const candidates = [
      least,
      least + 1,
      least + 0.001,
      most,
      most - 1,
      most - 0.001,
      ...NUMBERS,
      ...near.flatMap((more) => [this.lastNumber + more, this.lastNumber + more]),
      ...this.known(name).map(Number),
      ...this.known(name).map(Number),
    ].filter(
      (each) =>
        each >= least &&
        each <= most &&
        (exclusiveMinimum === undefined || each > exclusiveMinimum) &&
        (type === "number" || Number.isInteger(each)),
    );
    return (this.lastNumber = this.of(candidates));
  }

  private text(schema: Schema, name: string): string {
    const { pattern, minLength = 0, maxLength = 65_536 } = schema;
    const known = this.known(name).map(String);
    if (known.length > 0 && this.isOneIn(2)) return this.fitting([this.of(known)], schema);
    const long = this.isOneIn(this.isLarge ? 1 : 12) ? Math.min(maxLength, this.left) : 0;
    if (long > 0) {
      this.left -= long;
      const made = this.of(LETTERS).repeat(this.of([long, long, long - 1, long >> 1]));
      return this.fitting([(pattern ?? "").startsWith("^/") ? `/${made.slice(1)}` : made], schema);
    }
    const [one, other] = [this.of(TEXTS), this.of(TEXTS)];
    const candidates = [one, one + other, `/${one}`, `/${one}/${other}`].slice(this.draws.below(4));
    const made = this.fitting(candidates, schema);
    this.left -= made.length;
    return made.length >= minLength ? made : "a".repeat(minLength);
  }

  /** The first that the schema allows; else one that is made for its pattern. */
  private fitting(
    candidates: readonly string[],
    { pattern, minLength = 0, maxLength = MANY * 10 }: Schema,
  ): string {
    const allowed = pattern === undefined ? null : new RegExp(pattern, "u");
    // A text has at least as many units as characters.
    const fits = (text: string): boolean =>
      (text.length <= maxLength || Array.from(text).length <= maxLength) &&
      text.length >= minLength &&
      (allowed === null || allowed.test(text));
    return (
      candidates.find(fits) ??
      (pattern === undefined ? "a".repeat(minLength) : this.of(this.matches(pattern)))
    );
  }

  private matches(pattern: string): readonly string[] {
    let found = this.matching.get(pattern);
    if (found === undefined) {
      const seed = this.draws.below(2 ** 31);
      found = sample(stringMatching(new RegExp(pattern, "u")), { numRuns: PATTERNS_KEPT, seed });
      this.matching.set(pattern, found);
    }
    return found;
  }

  private known(name: string): readonly (string | number)[] {
    return [name, ...(ALSO[name] ?? [])].flatMap((each) => this.seen.get(each) ?? []);
  }
}

/** Of each field. */
const KEPT = 30;
/** Names of fields of answers whose values fit fields of requests with another name. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  job: ["number", "id"],
  jobs: ["number", "id"],
  above: ["number"],
  after: ["seq"],
  machine: ["name"],
  pool: ["name"],
  token: ["id"],
};
