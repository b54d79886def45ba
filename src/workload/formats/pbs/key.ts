/** A job's index in its array and its number, as one number. */
const ARRAY_PLACES = 2 ** 22;

/** Tells jobs apart, also those of several servers. @param server 0: the log's first */
export function keyOf(server: number, number: number, index: number): number | string {
  return server === 0 ? number * ARRAY_PLACES + index + 1 : `${server} ${number} ${index}`;
}
