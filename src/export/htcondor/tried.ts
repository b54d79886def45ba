/** What stands in every file of the export. */
export const TRIED =
  "nothing: Croft's authors had no HTCondor to run this with. Written from the documentation of HTCondor 10 to 24; " +
  "go through the checks of README.md before you rely on it.";
