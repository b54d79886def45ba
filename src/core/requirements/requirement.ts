/** The attributes of a machine: `{ os: "linux", cores: 16, memory: 65536, gpu: true }`. */
export type Attributes = Readonly<Record<string, AttributeValue>>;
export type AttributeValue = string | number | boolean;

/**
 * A parsed requirement of a job: a tree of conditions over a machine's attributes. Parse it once with
 * `parseRequirement`, then call `meets` for every kind of machine.
 */
export interface Requirement {
  /** The text as it was written. */
  readonly text: string;
  readonly condition: Condition;
}

/** A part of a requirement; `start` and `end` are its offsets in the text. */
export type Condition = Place &
  (
    | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
    | { readonly kind: "not"; readonly part: Condition }
    | { readonly kind: "has"; readonly attribute: string }
    /** An attribute by itself: met where it is `true`. */
    | { readonly kind: "flag"; readonly attribute: string }
    | {
        readonly kind: "compare";
        readonly operator: Operator;
        readonly left: Operand;
        readonly right: Operand;
      }
    | { readonly kind: "in"; readonly operand: Operand; readonly values: readonly AttributeValue[] }
  );

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Operand = Place &
  (
    | { readonly kind: "attribute"; readonly attribute: string }
    | { readonly kind: "value"; readonly value: AttributeValue }
  );

/** Offsets in the text, from 0; the end is exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}
