import {
  type AttributeValue,
  type Attributes,
  type Condition,
  type Operand,
  type Operator,
  type Requirement,
} from "./requirement.ts";

/**
 * Whether a machine meets a requirement.
 *
 * An attribute that the machine does not have is unknown, and so is a comparison of a number with a text. `not` of
 * unknown is unknown; `and` and `or` are known if their other parts decide them (Kleene's logic, as in SQL). A
 * requirement is met only if it is known to be true, so `os != "linux"` and `not os == "linux"` both leave out a
 * machine that has no `os`.
 */
export function meets(requirement: Requirement, attributes: Attributes): boolean {
  return truthOf(requirement.condition, attributes) === true;
}

/** A part of a requirement that a machine does not meet. */
export interface Unmet {
  /** The part, as it was written. */
  readonly part: string;
  /** The column where it begins in the requirement, from 1. */
  readonly column: number;
  /** The machine's values of the attributes in the part; null if it has none. */
  readonly has: readonly { readonly attribute: string; readonly value: AttributeValue | null }[];
}

/**
 * The parts, joined by `and`, that a machine does not meet, in the requirement's order. Empty if the machine meets it.
 */
export function unmetParts(requirement: Requirement, attributes: Attributes): Unmet[] {
  const unmet: Unmet[] = [];
  const visit = (condition: Condition): void => {
    if (truthOf(condition, attributes) === true) return;
    if (condition.kind === "and") {
      condition.parts.forEach(visit);
      return;
    }
    const names = new Set<string>();
    addAttributes(condition, names);
    unmet.push({
      part: requirement.text.slice(condition.start, condition.end),
      column: condition.start + 1,
      has: [...names].map((attribute) => ({ attribute, value: valueOf(attribute, attributes) })),
    });
  };
  visit(requirement.condition);
  return unmet;
}

/** The attributes that a requirement names, each once, in order of appearance. */
export function attributesOf(requirement: Requirement): string[] {
  const names = new Set<string>();
  addAttributes(requirement.condition, names);
  return [...names];
}

/** Null stands for unknown. */
function truthOf(condition: Condition, attributes: Attributes): boolean | null {
  switch (condition.kind) {
    case "and":
    case "or": {
      const decides = condition.kind === "or";
      let unknown = false;
      for (const part of condition.parts) {
        const truth = truthOf(part, attributes);
        if (truth === decides) return decides;
        unknown ||= truth === null;
      }
      return unknown ? null : !decides;
    }
    case "not": {
      const truth = truthOf(condition.part, attributes);
      return truth === null ? null : !truth;
    }
    case "has":
      return valueOf(condition.attribute, attributes) !== null;
    case "flag": {
      const value = valueOf(condition.attribute, attributes);
      return typeof value === "boolean" ? value : null;
    }
    case "compare":
      return compared(
        operandValue(condition.left, attributes),
        condition.operator,
        operandValue(condition.right, attributes),
      );
    case "in": {
      const value = operandValue(condition.operand, attributes);
      const alike = condition.values.filter((each) => typeof each === typeof value);
      return value === null || alike.length === 0 ? null : alike.includes(value);
    }
  }
}

function compared(
  left: AttributeValue | null,
  operator: Operator,
  right: AttributeValue | null,
): boolean | null {
  if (left === null || right === null || typeof left !== typeof right) return null;
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (typeof left !== "number" || typeof right !== "number") return null;
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function operandValue(operand: Operand, attributes: Attributes): AttributeValue | null {
  return operand.kind === "value" ? operand.value : valueOf(operand.attribute, attributes);
}

/** Only own properties count: `constructor` and the like are not attributes. */
function valueOf(attribute: string, attributes: Attributes): AttributeValue | null {
  return Object.hasOwn(attributes, attribute) ? attributes[attribute] : null;
}

function addAttributes(condition: Condition, names: Set<string>): void {
  const add = (operand: Operand): void => {
    if (operand.kind === "attribute") names.add(operand.attribute);
  };
  switch (condition.kind) {
    case "and":
    case "or":
      for (const part of condition.parts) addAttributes(part, names);
      return;
    case "not":
      addAttributes(condition.part, names);
      return;
    case "has":
    case "flag":
      names.add(condition.attribute);
      return;
    case "compare":
      add(condition.left);
      add(condition.right);
      return;
    case "in":
      add(condition.operand);
  }
}
