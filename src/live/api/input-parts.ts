import { Type } from "typebox";

import { LONGEST_TAG_KEY, LONGEST_TAG_VALUE, MOST_TAGS } from "../limits.ts";

/** Parts of the schemas of what comes in over the network: each field in its range, and no other field. */

export const most32 = 2 ** 31 - 1;

export const exact = { additionalProperties: false };

/** A pattern, and its form in words for those who miss it. */
export const form = (pattern: string, words: string) => ({ pattern, "x-form": words });

/**
 * No NUL: a C string ends there. Half a surrogate pair and the replacement character stand for what was no text in UTF-8:
 * the job would get something else than what was meant.
 */
export const noNul = form(
  "^[^\\u0000\\uFFFD\\uD800-\\uDFFF]*$",
  "text in UTF-8, without NUL and without \u{FFFD}, which stands for bytes that are no text",
);

export const text = (most: number, what: string) =>
  Type.String({ ...noNul, maxLength: most, description: what });

export const path = (what: string) =>
  Type.String({
    ...form(
      "^/[^\\u0000\\uFFFD\\uD800-\\uDFFF]*$",
      "a path that begins with /, in UTF-8, without NUL and without \u{FFFD}, which stands for bytes that are no text",
    ),
    maxLength: 4096,
    description: what,
  });

export const instant = (what: string) =>
  Type.String({
    ...form(
      String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$`,
      "a time such as 2026-10-01T22:00:00Z",
    ),
    description: what,
  });

const tagKey = form(
  `^[A-Za-z0-9_][A-Za-z0-9_.-]{0,${LONGEST_TAG_KEY - 1}}$`,
  `a tag's name: 1 to ${LONGEST_TAG_KEY} letters, digits and _ . -`,
);

/** Lines of a column: see `tagsText`. */
export const Tags = Type.Unsafe<Record<string, string>>({
  type: "object",
  propertyNames: { type: "string", ...tagKey },
  additionalProperties: Type.String({
    ...form(
      "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\uFFFD\\uD800-\\uDFFF]*$",
      "text in one line, without control characters",
    ),
    maxLength: LONGEST_TAG_VALUE,
  }),
  maxProperties: MOST_TAGS,
  description: "by which jobs can be found again",
});
