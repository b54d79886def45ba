import { InputError, nearest } from "../../../../workload/index.ts";
import type { Chapter } from "./chapter.ts";
import { triedChapters } from "./tried.ts";
import { untriedChapters } from "./untried.ts";

/** What Zhang 2010 left for later. To add a chapter: an entry in one of the two lists. */
export const reschedulingChapters: readonly Chapter[] = [...triedChapters, ...untriedChapters];

/**
 * The chapters of these names, in the order of the list.
 *
 * @throws InputError where a name is unknown
 */
export function chaptersNamed(names: readonly string[]): Chapter[] {
  const known = reschedulingChapters.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new InputError(
      `there is no chapter "${unknown}"; did you mean ${nearest(unknown, known).join(", ")}?`,
    );
  }
  return reschedulingChapters.filter(({ name }) => names.includes(name));
}
