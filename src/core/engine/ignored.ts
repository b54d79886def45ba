/**
 * Why the engine ignored an event. Events may be late, repeated or wrong; one that is ignored changes nothing. 0 means
 * that the event was taken.
 */
export const TAKEN = 0;
export const NO_SUCH_JOB = 1;
/** The event does not fit the job's state: it is late, repeated, or about something that was never decided. */
export const NOT_IN_THAT_STATE = 2;
/** The event is about an attempt that is over. */
export const OTHER_ATTEMPT = 3;
export const NO_SUCH_MACHINE = 4;
/** The machine is already as the event says. */
export const NO_CHANGE = 5;
/** The event answers another decision than the last about the job. */
export const OTHER_DECISION = 6;
/** A job with this number, or a higher one, was submitted before. */
export const NUMBER_USED = 7;
/** The type is unknown, a field is missing, or its value is out of range. */
export const NOT_AN_EVENT = 8;

/**
 * No machine of this group may join the pool: the group does not exist, or its owner owned no machine there when the
 * engine was made.
 */
export const NO_SUCH_GROUP = 9;

/** No pool of those that the job is sent to could ever hold it. */
export const NO_POOL = 10;

/** A machine that joins has the number of one that was removed, or the next one. */
export const NOT_NEXT_MACHINE = 11;

/** No pool could ever hold a job that was submitted. */
export const REJECTED = 12;

/** A job that is found on machines asks for more than is free there, or of licences. */
export const NO_ROOM = 13;

export type Ignored = number;

export const ignoredText = [
  "taken",
  "there is no such job",
  "the event does not fit the state of the job",
  "the event is about an attempt that is over",
  "there is no such machine",
  "the machine is in that state already",
  "the event does not answer the last decision about the job",
  "the number of the job, or a higher one, was used before",
  "its type is unknown, or a field is missing or out of range",
  "there is no such group of machines, or its owner owned none in the pool at the start",
  "none of those pools could ever hold the job",
  "the number of the machine is in use, or is not the next one",
  "no pool could ever hold the job",
  "there is not so much free on its machines, or of its licences",
] as const;
