import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attributesOf, meets, unmetParts } from "./meets.ts";
import { attributeTypes, findMistake } from "./mistakes.ts";
import { MAX_REQUIREMENT_DEPTH, MAX_REQUIREMENT_LENGTH, parseRequirement } from "./parse.ts";
import { RequirementError } from "./requirement-error.ts";
import type { Attributes, AttributeValue, Condition } from "./requirement.ts";

const machine = {
  os: "linux",
  cores: 16,
  memory: 65536,
  speed: 1.25,
  gpu: true,
  retired: false,
  "rack.row": 7,
};

function isMet(text: string, attributes: Attributes = machine): boolean {
  return meets(parseRequirement(text), attributes);
}

function errorOf(text: string): string {
  try {
    parseRequirement(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RequirementError);
    return (error as RequirementError).message;
  }
  throw new Error(`${text} was read`);
}

describe("what a machine meets", () => {
  test.each([
    'os == "linux"',
    "os == 'linux'",
    'os != "windows"',
    "memory >= 64 GiB",
    "memory >= 64GB && memory < 65 gib",
    "memory == 65536 MiB and memory > 1e3",
    "memory >= 0.0625 TiB",
    "64 GiB <= memory",
    "cores > 4 && cores <= 16",
    "gpu",
    "has(gpu) && has(retired)",
    "!retired",
    "not retired",
    "NOT retired AND gpu",
    "gpu == true",
    'os in ["windows", "linux"]',
    'os not in ["windows"]',
    "cores in [8, 16]",
    "rack.row == 7",
    "cores > speed",
    '(os == "windows" || gpu) && cores >= 2',
    'os == "windows" && gpu || cores >= 2',
    'not (os == "windows" or retired)',
    "speed > -1.5",
  ])("%s", (text) => expect(isMet(text)).toBe(true));

  test.each([
    'os == "Linux"',
    "memory > 64 GiB",
    "retired",
    "cores in [8, 32]",
    'os == "windows" || retired',
    'gpu && os == "windows"',
    "os == 16",
    "cores == 'linux'",
    "os",
  ])("not %s", (text) => expect(isMet(text)).toBe(false));

  test.each(["disk > 5", "not disk > 5", "disk != 5", "!has(os) || disk == 5", "disk not in [5]", "disk"])(
    "what it does not say is unknown, not met either way: %s",
    (text) => expect(isMet(text)).toBe(false),
  );

  test("and, or and has may be known though a part is unknown", () => {
    expect(isMet("disk > 5 || gpu")).toBe(true);
    expect(isMet("not (disk > 5 && retired)")).toBe(true);
    expect(isMet("not has(disk) || disk > 5")).toBe(true);
  });

  test("properties that every object has are not attributes", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(isMet(`has(${name})`)).toBe(false);
      expect(isMet(`${name} != 1`)).toBe(false);
    }
  });

  test("a backslash takes the next character as it is", () => {
    expect(isMet(String.raw`model == "19\" \\ rack"`, { model: '19" \\ rack' })).toBe(true);
  });
});

describe("errors name the column", () => {
  test.each([
    ["", "column 1: the requirement is empty"],
    ["  ", "column 1: the requirement is empty"],
    ["os = 5", 'column 4: one "=" compares nothing: write "=="'],
    ["gpu & os", 'column 5: write "&&"'],
    ["cores >", "column 8: the requirement ends where an attribute or a value should be"],
    ["(gpu", 'column 5: the requirement ends where ")" should be'],
    ["gpu)", "column 4: there is ) where && or || should be"],
    ["gpu os", "column 5: there is os where && or || should be"],
    ["64", "column 3: the requirement ends where a comparison should be"],
    ["cores >= 4 >= 2", "column 12: compare two at a time, and join with &&"],
    ['os < "linux"', "column 6: < compares numbers only; use ==, != or in"],
    ["gpu >= true", "column 8: >= compares numbers only; use ==, != or in"],
    ['os == "linux', 'column 7: the string has no closing "'],
    ["memory > 64parsecs", 'column 12: "parsecs" is not a unit: use KiB, MiB, GiB or TiB'],
    ["memory > 1e999", "column 10: the number is too large"],
    ["os in []", "column 8: there is ] where a value should be"],
    ["os in [linux]", "column 8: there is linux where a value (strings in quotes) should be"],
    ["os in ['a' 'b']", `column 12: there is 'b' where "]" should be`],
    ["os not linux", 'column 8: there is linux where "in" should be'],
    ["has(5)", "column 5: there is 5 where an attribute's name should be"],
    ["process.exit(1)", "column 13: there is ( where && or || should be"],
    ["gpu; os", 'column 4: ";" has no meaning here'],
    ["gpu \u{1f600}", 'column 5: "\u{1f600}" has no meaning here'],
  ])("%j", (text, message) => expect(errorOf(text)).toBe(message));
});

describe("limits", () => {
  const nested = (depth: number, open: string, close: string): string =>
    open.repeat(depth) + "gpu" + close.repeat(depth);

  test("the largest allowed depth is read, one level more is refused", () => {
    for (const [open, close] of [
      ["(", ")"],
      ["!", ""],
      ["not ", ""],
      ["!(", ")"],
    ] as const) {
      const deepest = Math.floor(MAX_REQUIREMENT_DEPTH / open.trim().replace("not", "!").length);
      expect(isMet(nested(deepest, open, close))).toBe(true);
      expect(errorOf(nested(deepest + 1, open, close))).toContain("levels deep");
    }
  });

  test("10,000 levels, or a megabyte, of anything are refused", () => {
    expect(errorOf(nested(10_000, "(", ")"))).toContain("characters");
    expect(errorOf(nested(9_000, "!", ""))).toContain("levels deep");
    expect(errorOf(nested(4_900, "(", ")"))).toContain("levels deep");
    for (const piece of ["(", "a", "a||", '"', "1", " ", "!", "1 && ", "\\"]) {
      expect(errorOf(piece.repeat(1_000_000 / piece.length))).toContain(`at most ${MAX_REQUIREMENT_LENGTH}`);
    }
  });

  test("the longest chain that is read is answered", () => {
    expect(isMet(`gpu${"&&gpu".repeat((MAX_REQUIREMENT_LENGTH - 3) / 5)}`)).toBe(true);
  });
});

test("the parts that a machine does not meet, with its own values", () => {
  const requirement = parseRequirement(
    'os == "linux" && memory >= 128 GiB && (cores > 64 || disk > 5) && gpu',
  );
  expect(unmetParts(requirement, machine)).toEqual([
    { part: "memory >= 128 GiB", column: 18, has: [{ attribute: "memory", value: 65536 }] },
    {
      part: "(cores > 64 || disk > 5)",
      column: 39,
      has: [
        { attribute: "cores", value: 16 },
        { attribute: "disk", value: null },
      ],
    },
  ]);
  expect(attributesOf(requirement)).toEqual(["os", "memory", "cores", "disk", "gpu"]);
});

describe("mistakes", () => {
  const types = attributeTypes([machine, { os: "linux", gpu: 2 }]);
  test.each([
    ["memroy > 5", { kind: "unknown", attribute: "memroy", column: 1 }],
    ["gpu && not has(dsk)", { kind: "unknown", attribute: "dsk", column: 12 }],
    ["gpu || os > 5", { kind: "type", attribute: "os", column: 8, is: ["string"], asked: "number" }],
    ["cores == 'many'", { kind: "type", attribute: "cores", column: 1, is: ["number"], asked: "string" }],
    ["os in [1, 2]", { kind: "type", attribute: "os", column: 1, is: ["string"], asked: "number" }],
    ["cores", { kind: "type", attribute: "cores", column: 1, is: ["number"], asked: "boolean" }],
  ])("%s", (text, mistake) => expect(findMistake(parseRequirement(text), types)).toEqual(mistake));

  test.each(["gpu > 1", "gpu", "os in [1, 'linux']", "cores > speed", "4 < cores", "not has(rack.row)"])(
    "none in %s",
    (text) => expect(findMistake(parseRequirement(text), types)).toBeNull(),
  );
});

/** Writes a condition with all its parentheses, to be read again. */
function written(condition: Condition): string {
  const operand = (each: Extract<Condition, { kind: "compare" }>["left"]): string =>
    each.kind === "value" ? literal(each.value) : each.attribute;
  switch (condition.kind) {
    case "and":
    case "or":
      return `(${condition.parts.map(written).join(condition.kind === "and" ? " && " : " || ")})`;
    case "not":
      return `!${written(condition.part)}`;
    case "has":
      return `has(${condition.attribute})`;
    case "flag":
      return condition.attribute;
    case "compare":
      return `${operand(condition.left)} ${condition.operator} ${operand(condition.right)}`;
    case "in":
      return `${operand(condition.operand)} in [${condition.values.map(literal).join(", ")}]`;
  }
}

function literal(value: AttributeValue): string {
  return typeof value === "string" ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : String(value);
}

/** The value of a condition by the definition of Kleene's logic: 0 false, 1 unknown, 2 true. */
function kleene(condition: Condition, attributes: Attributes): 0 | 1 | 2 {
  const value = (each: Extract<Condition, { kind: "compare" }>["left"]): AttributeValue | undefined =>
    each.kind === "value" ? each.value : attributes[each.attribute];
  const truth = (holds: boolean): 0 | 2 => (holds ? 2 : 0);
  switch (condition.kind) {
    case "and":
      return Math.min(...condition.parts.map((part) => kleene(part, attributes))) as 0 | 1 | 2;
    case "or":
      return Math.max(...condition.parts.map((part) => kleene(part, attributes))) as 0 | 1 | 2;
    case "not":
      return (2 - kleene(condition.part, attributes)) as 0 | 1 | 2;
    case "has":
      return truth(attributes[condition.attribute] !== undefined);
    case "flag": {
      const flag = attributes[condition.attribute];
      return typeof flag === "boolean" ? truth(flag) : 1;
    }
    case "compare": {
      const [left, right] = [value(condition.left), value(condition.right)];
      if (left === undefined || right === undefined || typeof left !== typeof right) return 1;
      if (condition.operator === "==") return truth(left === right);
      if (condition.operator === "!=") return truth(left !== right);
      if (typeof left !== "number" || typeof right !== "number") return 1;
      return truth(
        condition.operator === "<"
          ? left < right
          : condition.operator === "<="
            ? left <= right
            : condition.operator === ">"
              ? left > right
              : left >= right,
      );
    }
    case "in": {
      const left = value(condition.operand);
      if (left === undefined || !condition.values.some((each) => typeof each === typeof left)) return 1;
      return truth(condition.values.includes(left));
    }
  }
}

const place = { start: 0, end: 0 };
const attribute = fc.constantFrom("a", "b", "c", "os-version", "x.y");
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.constantFrom("", "linux", 'say "hi" \\', "true", "and"),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const operand = fc.oneof(
  attribute.map((attribute) => ({ kind: "attribute" as const, attribute, ...place })),
  value.map((value) => ({ kind: "value" as const, value, ...place })),
);
const conditions = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    attribute.map((attribute) => ({ kind: "flag" as const, attribute, ...place })),
    attribute.map((attribute) => ({ kind: "has" as const, attribute, ...place })),
    fc
      .record({
        left: operand,
        right: operand,
        operator: fc.constantFrom("==", "!=", "<", "<=", ">", ">=" as const),
      })
      .filter(
        ({ left, right, operator }) =>
          operator === "==" ||
          operator === "!=" ||
          [left, right].every((each) => each.kind === "attribute" || typeof each.value === "number"),
      )
      .map((comparison) => ({ kind: "compare" as const, ...comparison, ...place })),
    fc
      .record({ operand, values: fc.array(value, { minLength: 1, maxLength: 3 }) })
      .map((list) => ({ kind: "in" as const, ...list, ...place })),
    tie("condition").map((part) => ({ kind: "not" as const, part, ...place })),
    fc
      .record({
        kind: fc.constantFrom("and" as const, "or" as const),
        parts: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
      })
      .map((joined) => ({ ...joined, ...place })),
  ),
})).condition;

test("a condition that is written and read again means the same", () => {
  fc.assert(
    fc.property(
      conditions,
      fc.dictionary(attribute, value, { noNullPrototype: true }),
      (condition, attributes) => {
        const requirement = parseRequirement(written(condition));
        const met = kleene(condition, attributes) === 2;
        expect(meets(requirement, attributes)).toBe(met);
        expect(unmetParts(requirement, attributes).length === 0).toBe(met);
      },
    ),
    { numRuns: 500 },
  );
});

test("any text is read or refused with a RequirementError", () => {
  const scrap = fc.constantFrom(
    "(",
    ")",
    "[",
    "]",
    "!",
    "&&",
    "||",
    "==",
    "<",
    "in",
    "not",
    "has",
    ",",
    "a",
    "1",
    '"',
    "'",
    "5 GiB",
    "\\",
    " ",
    "true",
    ".",
    "-",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(scrap).map((parts) => parts.join(" ")),
      ),
      (text) => {
        try {
          meets(parseRequirement(text), machine);
        } catch (error) {
          if (!(error instanceof RequirementError)) throw error;
          expect(error.column).toBeGreaterThanOrEqual(1);
          expect(error.column).toBeLessThanOrEqual(text.length + 1);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
