/** Stands for no machine, job or entry, whose numbers start at 0. */
export const NONE = -1;
