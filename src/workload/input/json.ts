/** Any object that JSON.parse returns. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value under these keys, each within the one before; undefined if one is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** NaN if it is not a number. */
export function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

/** Empty if it is not a text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Empty if it is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
