/** Any object that JSON.parse makes. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands under these keys, one within the other; undefined where one is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** NaN where it is no number. */
export function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

/** Empty where it is no text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Empty where it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
