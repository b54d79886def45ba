/** Names an attempt everywhere: in the service's books, in file names, in an engine's own queue. */
export interface AttemptId {
  /** The job's UUID, in lower case. */
  readonly job: string;
  /** From 1. */
  readonly attempt: number;
}

const MAX_ATTEMPT = 999_999;
const PATTERN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9][0-9]{0,5})$/;

/**
 * An attempt's name: `UUID.NUMBER`. It has no characters with a meaning in a shell, a path or a list.
 *
 * @throws {RangeError} where the parts are not a UUID in lower case and a number from 1 to 999,999
 */
export function attemptKey({ job, attempt }: AttemptId): string {
  const key = `${job}.${attempt}`;
  if (!PATTERN.test(key))
    throw new RangeError(
      `no attempt can have the name ${JSON.stringify(key)}: a UUID in lower case and a number from 1 to ${MAX_ATTEMPT} make one`,
    );
  return key;
}

/** Null where it is none. */
export function parseAttemptKey(key: string): AttemptId | null {
  const match = PATTERN.exec(key);
  return match === null ? null : { job: match[1]!, attempt: Number(match[2]) };
}
