export * from "./errors.ts";
export { machinesOfQueue, onMachinesOfQueues, type QueuedWorkload } from "./machines-of-queues.ts";
export { durationName } from "./duration-name.ts";
export { nearest } from "./nearest.ts";
export { usualName } from "./other-names.ts";
export { wrap } from "./wrap.ts";
export * from "./workload.ts";
export { askedLicences } from "./licences.ts";
export { nodeParts, type NodePart } from "./node-list.ts";
export * from "./units.ts";
export * from "./shared-arrays.ts";
export * from "./input/bytes.ts";
export { readYaml, type FileNode } from "./input/yaml.ts";
export * from "./formats/format.ts";
export * from "./formats/registry.ts";
export * from "./farm/farm.ts";
export { machineNames, reservedMachines } from "./farm/file/reservations.ts";
export type { FarmChecks } from "./farm/file/checks.ts";
export { farmOfMachines } from "./farm/of-machines.ts";
export { machineListsOf, readFarm } from "./farm/read-farm.ts";
export { writeFarm } from "./farm/write-farm.ts";
export { farmDefaults } from "./farm/defaults.ts";
export { farmSchema } from "./farm/schema.ts";
export * from "./machines/machines.ts";
export * from "./machines/format.ts";
export * from "./machines/registry.ts";
export { machinesUsed, placelessShare, type MachinesUsed } from "./machines/use.ts";
export { submissions, type Submissions } from "./statistics/submissions.ts";
export { inferredMachines, type InferredMachines } from "./machines/inferred.ts";
export { folderFailure, makeFolder } from "./folder.ts";
export { AtomicFile, checkWritable, writeFileAtomically } from "./atomic-file.ts";
export { farmGenerator, farmGenerators, weeks, type FarmGenerator } from "./generators/farm-registry.ts";
export { normalWeek, type WeekModel } from "./generators/netbatch-week/models.ts";
export { Random } from "./random.ts";
export { netbatchParameters, type NetbatchModel } from "./generators/netbatch-model.ts";
export {
  addGenerators,
  generators,
  type GeneratorOptions,
  type WorkloadGenerator,
} from "./generators/registry.ts";
export { workloadWriters } from "./writers/registry.ts";
export type { WorkloadWriter } from "./writers/writer.ts";
export { characterise, type WorkloadStatistics } from "./statistics/characterise.ts";
export type { Demand } from "./statistics/demand.ts";
export type { MachineUse, NameUse, PlaceUse } from "./statistics/machine-use.ts";
export type { Summary } from "./statistics/quantiles.ts";
export { jobNumberOf, pickedRows, rowsOf } from "./rows.ts";
export { timeOnLog, workloadFrom, workloadTo } from "./workload-from.ts";
