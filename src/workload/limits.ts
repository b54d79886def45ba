/**
 * The longest run time, and how far from 0 a time may be, in seconds: thirty thousand years. Whole seconds, and sums of
 * them, stay exact.
 */
export const MAX_SECONDS = 1e12;
