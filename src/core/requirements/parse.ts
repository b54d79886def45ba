import { shown, tokensOf, type Token } from "./lexer.ts";
import { RequirementError } from "./requirement-error.ts";
import type { AttributeValue, Condition, Operand, Operator, Requirement } from "./requirement.ts";

/** Longer texts are refused. Requirements that people write have a tenth of this. */
export const MAX_REQUIREMENT_LENGTH = 10_000;
/** The largest depth of parentheses and negations, since the parser and `meets` recurse. */
export const MAX_REQUIREMENT_DEPTH = 100;

const OPERATORS: readonly string[] = ["==", "!=", "<", "<=", ">", ">="] satisfies Operator[];

/**
 * Reads a requirement such as `os == "linux" && memory >= 64 GiB && arch in ["x86_64", "arm64"]`.
 *
 * ```
 * any        = all { ("||" | "or") all }
 * all        = condition { ("&&" | "and") condition }
 * condition  = ("!" | "not") condition | "(" any ")" | "has" "(" NAME ")" | NAME
 *            | operand ("==" | "!=" | "<" | "<=" | ">" | ">=") operand
 *            | operand ["!" | "not"] "in" "[" value { "," value } "]"
 * operand    = NAME | value
 * value      = STRING | NUMBER ["KiB" | "MiB" | "GiB" | "TiB"] | "true" | "false"
 * ```
 *
 * The language has no arithmetic, calls or loops: a requirement can only compare.
 *
 * @throws RequirementError if the text is not a requirement, is too long or is nested too deep
 */
export function parseRequirement(text: string): Requirement {
  if (text.length > MAX_REQUIREMENT_LENGTH) {
    throw new RequirementError(
      `the requirement has ${text.length} characters; at most ${MAX_REQUIREMENT_LENGTH} are read`,
      MAX_REQUIREMENT_LENGTH + 1,
    );
  }
  const parser = new Parser(text);
  return { text, condition: parser.whole() };
}

class Parser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokensOf(text);
  }

  whole(): Condition {
    if (this.tokens.length === 1) throw new RequirementError("the requirement is empty", 1);
    const condition = this.list("||", "or");
    if (this.next.kind !== "end") this.refuse("&& or ||");
    return condition;
  }

  private get next(): Token {
    return this.tokens[this.at];
  }

  private is(symbol: string): boolean {
    return this.next.kind === "symbol" && this.next.symbol === symbol;
  }

  private take(symbol: string): boolean {
    if (!this.is(symbol)) return false;
    this.at++;
    return true;
  }

  private expect(symbol: string): void {
    if (!this.take(symbol)) this.refuse(`"${symbol}"`);
  }

  /** Conditions joined by `||` or by `&&`, which binds closer. */
  private list(symbol: "||" | "&&", kind: "or" | "and"): Condition {
    const part = (): Condition => (kind === "or" ? this.list("&&", "and") : this.condition());
    const first = part();
    if (!this.is(symbol)) return first;
    const parts = [first];
    while (this.take(symbol)) parts.push(part());
    return { kind, parts, start: first.start, end: this.lastEnd };
  }

  private condition(): Condition {
    const { start } = this.next;
    if (this.take("!")) {
      const part = this.deeper(() => this.condition(), start);
      return { kind: "not", part, start, end: this.lastEnd };
    }
    if (this.take("(")) {
      const condition = this.deeper(() => this.list("||", "or"), start);
      this.expect(")");
      return { ...condition, start, end: this.lastEnd };
    }
    if (this.take("has")) {
      this.expect("(");
      const { next } = this;
      if (next.kind !== "name") this.refuse("an attribute's name");
      this.at++;
      this.expect(")");
      return { kind: "has", attribute: next.name, start, end: this.lastEnd };
    }
    return this.comparison();
  }

  private comparison(): Condition {
    const left = this.operand();
    const { start } = left;
    const { next } = this;
    if (next.kind === "symbol" && OPERATORS.includes(next.symbol)) {
      this.at++;
      const operator = next.symbol as Operator;
      const right = this.operand();
      if (operator !== "==" && operator !== "!=") {
        for (const operand of [left, right]) refuseOrderOf(operand, operator);
      }
      const after = this.next;
      if (after.kind === "symbol" && OPERATORS.includes(after.symbol)) {
        throw new RequirementError("compare two at a time, and join with &&", after.start + 1);
      }
      return { kind: "compare", operator, left, right, start, end: right.end };
    }
    const negated = this.is("!") && this.take("!");
    if (negated && !this.is("in")) this.refuse('"in"');
    if (this.take("in")) {
      const within: Condition = {
        kind: "in",
        operand: left,
        values: this.values(),
        start,
        end: this.lastEnd,
      };
      return negated ? { kind: "not", part: within, start, end: this.lastEnd } : within;
    }
    if (left.kind === "value") this.refuse("a comparison");
    return { kind: "flag", attribute: left.attribute, start, end: left.end };
  }

  private operand(): Operand {
    const { next } = this;
    if (next.kind !== "name" && next.kind !== "value") this.refuse("an attribute or a value");
    this.at++;
    const { start, end } = next;
    return next.kind === "name"
      ? { kind: "attribute", attribute: next.name, start, end }
      : { kind: "value", value: next.value, start, end };
  }

  private values(): AttributeValue[] {
    const values: AttributeValue[] = [];
    this.expect("[");
    do {
      const { next } = this;
      if (next.kind !== "value")
        this.refuse(next.kind === "name" ? "a value (strings in quotes)" : "a value");
      this.at++;
      values.push(next.value);
    } while (this.take(","));
    this.expect("]");
    return values;
  }

  private deeper<T>(read: () => T, start: number): T {
    if (++this.depth > MAX_REQUIREMENT_DEPTH) {
      throw new RequirementError(
        `the requirement is more than ${MAX_REQUIREMENT_DEPTH} levels deep`,
        start + 1,
      );
    }
    const result = read();
    this.depth--;
    return result;
  }

  private get lastEnd(): number {
    return this.tokens[this.at - 1].end;
  }

  private refuse(expected: string): never {
    const { start, end, kind } = this.next;
    const found = kind === "end" ? "the requirement ends" : `there is ${shown(this.text.slice(start, end))}`;
    throw new RequirementError(`${found} where ${expected} should be`, start + 1);
  }
}

/** Texts have no order here: "10" comes before "9" as text, and after it as a number. */
function refuseOrderOf(operand: Operand, operator: Operator): void {
  if (operand.kind === "attribute" || typeof operand.value === "number") return;
  throw new RequirementError(`${operator} compares numbers only; use ==, != or in`, operand.start + 1);
}
