/** No machine, no job, no entry: handles and machine numbers start at 0. */
export const NONE = -1;
