import { InputError } from "../errors.ts";
import { sourceName, wholeOf, type ByteSource } from "../input/bytes.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws InputError if the source is not JSON */
export async function readJson(source: ByteSource): Promise<unknown> {
  const { name, bytes } = await wholeOf(source);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new InputError(`this is not JSON: ${(error as Error).message}`, { file: name });
  }
}

/** The first key, by which a format of JSON is recognised; "" if the text begins otherwise. */
export function beginningOfJson(firstBytes: Uint8Array): string {
  const text = new TextDecoder().decode(firstBytes).trimStart();
  return text.startsWith("{") || text.startsWith("[") ? text : "";
}

/** @throws InputError that the file holds no `what` */
export function refuseJson(source: ByteSource, what: string): never {
  throw new InputError(`this JSON has no ${what}`, { file: sourceName(source) });
}

/** Empty if the value is not an object, so that everything below it is missing too. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Empty if the value is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or a number or flag as text; empty if the value is anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** A number, a text that is one, or Slurm's `{ set, number }`; null if the value is anything else. */
export function numberOf(value: unknown): number | null {
  const { set, number: wrapped } = objectOf(value);
  if (wrapped !== undefined) return set === false ? null : numberOf(textOf(wrapped));
  if (typeof value === "string" ? value.trim() === "" : typeof value !== "number") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
