/** What stands in every file of the export. */
export const TRIED =
  "against stand-ins for Grid Engine's side, by Croft's tests; not with a real Grid Engine. Written from the " +
  "documentation of Son of Grid Engine 8.1.9.";
