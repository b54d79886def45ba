import { effective, type ExportedFile, type Exporter, type ExportRequest } from "./exporter.ts";

export { packingPolicies, type ExportedFile, type Exporter, type ExportRequest } from "./exporter.ts";
export { familyKinds, parseExportedFamilies, type ExportedFamily } from "./exported-family.ts";
export { exporters } from "./registry.ts";
export { writeExport } from "./write.ts";

/**
 * What an administrator needs to install a packing policy.
 *
 * @throws {InputError} where the batch system does not support what is asked for
 */
export function exportPolicy(exporter: Exporter, request: ExportRequest): ExportedFile[] {
  return exporter.files(effective(request, exporter));
}
export { exportScheduling } from "./scheduling/files.ts";
export {
  schedulingPolicy,
  type FairShareRule,
  type Passing,
  type SchedulingPolicy,
} from "./scheduling/policy.ts";
export { schedulingExporters } from "./scheduling/registry.ts";
export { unlimitedText } from "./scheduling/unlimited.ts";
export { logFacts, type LogFacts } from "./scheduling/log-facts.ts";
export {
  propose,
  type Proposal,
  type ProposalBasis,
  type ProposedFile,
  type SiteFile,
} from "./scheduling/proposal.ts";
export type {
  Attainable,
  Change,
  Decision,
  SchedulingAdvice,
  SchedulingExporter,
  Setting,
  SettingsFile,
} from "./scheduling/advice.ts";
