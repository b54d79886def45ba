/** What stands in every file of the export. */
export const TRIED =
  "against stand-ins for LSF's side, by Croft's tests; on no real LSF. " +
  "Written from its documentation (7.06 to 10.1).";
