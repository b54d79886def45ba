/** What stands in every file of the export. */
export const TRIED =
  "against stand-ins for Grid Engine's side, by Croft's tests; once by hand with Son of Grid Engine 8.1.9 (Debian 12) " +
  "on one host, the exclusive policy. The preference among several hosts was not tried.";
