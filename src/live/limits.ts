/**
 * The limits of what comes in, and of their products: two limits that are harmless each can allow, multiplied, more than
 * the process can hold or do in a turn. `limits.test.ts` computes the products.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Of a request's body: a list of ten thousand jobs with their commands fits. */
export const MOST_BODY_BYTES = 16 * MIB;
/** Of all bodies that are being read or dealt with. */
export const MOST_BODIES_BYTES = 256 * MIB;

/** Of a list, an array, or an answer. */
export const MOST_JOBS = 10_000;
/** What Linux takes as one argument or one variable (MAX_ARG_STRLEN), with its final zero. */
export const LONGEST_WORD = 128 * KIB - 1;
export const MOST_WORDS = 100_000;
export const MOST_VARIABLES = 10_000;
/** Jobs that one job waits for. */
export const MOST_AFTER = 1000;

/** What all jobs of a request are written with: every job has its own row with its command. */
export const MOST_REQUEST_BYTES = 64 * MIB;
/** Dependencies of all jobs of a request. To write ten thousand takes some 30 ms. */
export const MOST_DEPENDENCIES = 100_000;

/** What one turn writes at most, in one transaction, unless a single request is larger. */
export const MOST_TURN_BYTES = MOST_REQUEST_BYTES;
/** What waits for its turn. */
export const MOST_WAITING_BYTES = 256 * MIB;

/** The requests of the jobs in an answer. */
export const MOST_LIST_BYTES = 64 * MIB;
/** Of a list of events; each has a text of a few hundred characters. */
export const MOST_EVENTS = 10_000;
/** Streams of events and requests that wait for the end of a job. */
export const MOST_FOLLOWERS = 10_000;
export const MOST_TOKENS = 100_000;
