import type { AttributeValue, Attributes, Condition, Operand, Requirement } from "./requirement.ts";

/** The types of the values that an attribute has on the machines of a farm. */
export type AttributeTypes = ReadonlyMap<string, ReadonlySet<ValueType>>;
export type ValueType = "string" | "number" | "boolean";

/** Why no machine of a farm could ever meet a requirement as it is written, as data. */
export type Mistake =
  | { readonly kind: "unknown"; readonly attribute: string; readonly column: number }
  | {
      readonly kind: "type";
      readonly attribute: string;
      readonly column: number;
      readonly is: readonly ValueType[];
      readonly asked: ValueType;
    };

/** The types of values by attribute, over machines with these attributes. */
export function attributeTypes(machines: Iterable<Attributes>): AttributeTypes {
  const types = new Map<string, Set<ValueType>>();
  for (const attributes of machines) {
    for (const [name, value] of Object.entries(attributes)) {
      const known = types.get(name);
      if (known === undefined) types.set(name, new Set([typeOf(value)]));
      else known.add(typeOf(value));
    }
  }
  return types;
}

/**
 * The first mistake in a requirement, or null: an attribute that no machine has, or whose values are of another type
 * everywhere.
 */
export function findMistake(requirement: Requirement, types: AttributeTypes): Mistake | null {
  return mistakeIn(requirement.condition, types);
}

function mistakeIn(condition: Condition, types: AttributeTypes): Mistake | null {
  const of = (attribute: string, start: number, asked: ValueType | null): Mistake | null => {
    const is = types.get(attribute);
    const column = start + 1;
    if (is === undefined) return { kind: "unknown", attribute, column };
    return asked === null || is.has(asked) ? null : { kind: "type", attribute, column, is: [...is], asked };
  };
  const ofOperand = (operand: Operand, asked: ValueType | null): Mistake | null =>
    operand.kind === "value" ? null : of(operand.attribute, operand.start, asked);
  const literalType = (operand: Operand): ValueType | null =>
    operand.kind === "value" ? typeOf(operand.value) : null;

  switch (condition.kind) {
    case "and":
    case "or":
      for (const part of condition.parts) {
        const mistake = mistakeIn(part, types);
        if (mistake !== null) return mistake;
      }
      return null;
    case "not":
      return mistakeIn(condition.part, types);
    case "has":
      return of(condition.attribute, condition.start, null);
    case "flag":
      return of(condition.attribute, condition.start, "boolean");
    case "compare": {
      const { left, right, operator } = condition;
      const ordered = operator === "==" || operator === "!=" ? null : "number";
      return ofOperand(left, ordered ?? literalType(right)) ?? ofOperand(right, ordered ?? literalType(left));
    }
    case "in": {
      const { operand, values } = condition;
      const first = ofOperand(operand, null);
      if (first !== null || operand.kind === "value") return first;
      const asked = values.map(typeOf);
      const known = types.get(operand.attribute)!;
      return asked.some((each) => known.has(each)) ? null : ofOperand(operand, asked[0]);
    }
  }
}

function typeOf(value: AttributeValue): ValueType {
  return typeof value as ValueType;
}
