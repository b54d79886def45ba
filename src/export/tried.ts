/** What each export was tried with: it stands in every one of its files. */
export const tried = {
  gridEngine:
    "against stand-ins for Grid Engine's side, by Croft's tests; once by hand with Son of Grid Engine 8.1.9 (Debian 12) " +
    "on one host, the exclusive policy. The preference among several hosts was not tried.",
  htcondor:
    "nothing: Croft's authors had no HTCondor to run this with. Written from the documentation of HTCondor 10 to 24; " +
    "go through the checks of README.md before you rely on it.",
  kubernetes:
    "the patches with kubectl kustomize, by Croft's tests; nothing on a cluster. Written from " +
    "the documentation of Kubernetes 1.30 and later.",
  lsf:
    "against stand-ins for LSF's side, by Croft's tests; on no real LSF. " +
    "Written from its documentation (7.06 to 10.1).",
  slurm:
    "with Slurm 22.05.8 (Debian 12): Croft's own tests start slurmctld and several slurmd with these files. " +
    "Other versions were not tried.",
};
