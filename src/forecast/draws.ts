/**
 * A number in [0, 1) that depends on nothing but its arguments: the same member of an ensemble draws the same for a job
 * in every forecast, so that an answer moves only when something has happened (common random numbers).
 */
export function drawOf(seed: number, member: number, job: number, purpose: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  hash = mixed(hash ^ Math.imul(member + 1, 0xc2b2ae35));
  hash = mixed(hash ^ Math.imul(job + 1, 0x27d4eb2f));
  hash = mixed(hash ^ Math.imul(purpose + 1, 0x165667b1));
  return (hash >>> 0) / 2 ** 32;
}

/** The finalizer of MurmurHash3 (public domain). */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
