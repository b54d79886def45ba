/** What stands in every file of the export. */
export const TRIED =
  "the patches with kubectl kustomize, by Croft's tests; nothing on a cluster. Written from " +
  "the documentation of Kubernetes 1.30 and later.";
