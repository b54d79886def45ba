/** What stands in every file of the export. */
export const TRIED =
  "with Slurm 22.05.8 (Debian 12): Croft's own tests start slurmctld and several slurmd with these files. " +
  "Other versions were not tried.";
