/**
 * The limits of what comes in, and of their products: limits that are harmless each can allow, multiplied, more than the
 * process can hold or do in a turn.
 */

const MIB = 1024 * 1024;

/** Of a request's body: a list of ten thousand jobs with their commands fits. */
export const MOST_BODY_BYTES = 16 * MIB;
/** Of a list, an array or an answer. */
export const MOST_JOBS = 10_000;
/** Of a command in all: Linux starts none that is longer, together with its variables. */
export const LONGEST_COMMAND_BYTES = MIB;
/** Jobs that one job waits for. */
export const MOST_AFTER = 1000;

/** Of names of machines in addresses, the longest there; Fastify counts what it has decoded in UTF-16, so up to twice. */
export const LONGEST_MACHINE_NAME = 300;

/** Of a choice of jobs to which something is done. */
export const MOST_CHOSEN = 1_000_000;
export const MOST_TAGS = 16;
export const LONGEST_TAG_KEY = 63;
export const LONGEST_TAG_VALUE = 255;
export const LONGEST_COMMENT = 1000;

/** From 0. */
export const PRIORITIES = 100;
export const DEFAULT_PRIORITY = 50;

/** What all jobs of a request are written with: each has a row of its own, with its command. */
export const MOST_REQUEST_BYTES = 64 * MIB;
/** Of all jobs of a request. */
export const MOST_DEPENDENCIES = 20_000;
/** What the requests of one turn may write, unless a single one is larger; and what it may write of jobs' rows. */
export const MOST_TURN_BYTES = 16 * MIB;
/** What waits for its turn. */
export const MOST_WAITING_BYTES = 256 * MIB;
/** Of the requests of the jobs in an answer. */
export const MOST_LIST_BYTES = 64 * MIB;
export const MOST_TOKENS = 100_000;
/** Made while the farm runs. */
export const MOST_RESERVATIONS = 1000;
/** After which a turn leaves what it has not come to for the next. */
export const TURN_SECONDS = 0.03;
/** After so many statements it does too. */
export const TURN_STATEMENTS = 2500;
/** Jobs of a submission that are taken in a turn. */
export const SUBMIT_STEP = 1000;
/** Of what they are described by, too, and of rows that an act on many jobs writes. */
export const STEP_BYTES = 2 * MIB;
/** Of a list, in one step of a turn. */
export const STEP_JOBS = 250;
/** Jobs that are deleted in a turn when their month has been moved into a file. */
export const ARCHIVE_BATCH = 500;

/** What can come of limits together, and the limit that holds it. */
export const products = [
  { of: "an array's commands", factors: [MOST_JOBS, LONGEST_COMMAND_BYTES], most: MOST_REQUEST_BYTES },
  { of: "an array's dependencies", factors: [MOST_JOBS, MOST_AFTER], most: MOST_DEPENDENCIES },
  { of: "a list's commands", factors: [MOST_JOBS, LONGEST_COMMAND_BYTES], most: MOST_LIST_BYTES },
  { of: "what requests of a turn write", factors: [MOST_JOBS, MOST_REQUEST_BYTES], most: MOST_TURN_BYTES },
  { of: "what waits for its turn", factors: [MOST_JOBS, MOST_REQUEST_BYTES], most: MOST_WAITING_BYTES },
] as const;

/** Of a file that a client sends for its jobs. */
export const MOST_FILE_BYTES = 1024 * MIB;
/** Of it in a request or an answer. */
export const MOST_PART_BYTES = 2 * MIB;
/** Of all files that were sent. */
export const MOST_FILES_BYTES = 8 * 1024 * MIB;
export const MOST_FILES = 10_000;
/** After which a file that nobody has sent or fetched goes. */
export const FILE_DAYS = 30;

/** Channels that a job names. */
export const MOST_CHANNELS = 10;
/** What channels are still to be told; more are dropped. */
export const MOST_NOTIFICATIONS = 100_000;
