/**
 * The longest run time, and the farthest that any time may be from 0, in seconds: thirty thousand years. Up to here
 * whole seconds, and sums of them, are exact.
 */
export const MAX_SECONDS = 1e12;
