/**
 * Why the engine ignored an event: every event may be late, repeated or wrong. An event that is ignored changes
 * nothing. 0: it was taken.
 */
export const TAKEN = 0;
export const NO_SUCH_JOB = 1;
/** The job is in a state to which the event does not fit: it is late, repeated, or about something never decided. */
export const NOT_IN_THAT_STATE = 2;
/** It tells of an attempt that is over. */
export const OTHER_ATTEMPT = 3;
export const NO_SUCH_MACHINE = 4;
/** The machine is already as the event says. */
export const NO_CHANGE = 5;
/** It answers another decision than the last about the job. */
export const OTHER_DECISION = 6;
/** A job with this number, or a higher one, was submitted before. */
export const NUMBER_USED = 7;
/** A field is missing, or its value is not in its range. */
export const NOT_AN_EVENT = 8;

/** No machine of this group may join the pool: there is no such group, or its owner owned no machine there from the start. */
export const NO_SUCH_GROUP = 9;

export type Ignored = number;

export const ignoredText = [
  "taken",
  "there is no such job",
  "the job is in a state to which it does not fit",
  "it tells of an attempt that is over",
  "there is no such machine",
  "the machine is so already",
  "it answers another decision than the last about the job",
  "the number of the job was used before",
  "a field is missing or not in its range",
  "there is no such group of machines, or its owner owned none there from the start",
] as const;
