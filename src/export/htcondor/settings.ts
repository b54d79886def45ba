import type { ExportedFile, ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";
import { header, lines } from "../text.ts";
import { tried } from "../tried.ts";

/** How a ClassAd says that a job is of the family; `is` never comes out undefined. */
export function membership({ kind, name }: ExportedFamily): string {
  switch (kind) {
    case "queue":
      return `Queue is "${name}"`;
    case "user":
      return `Owner is "${name}"`;
    case "group":
    case "project":
      return `AcctGroup is "${name}"`;
  }
}

/** The access point: writes the family into each job. */
export function schedd(request: ExportRequest): ExportedFile {
  const family = request.families.reduceRight(
    (otherwise, each) => `ifThenElse(${membership(each)}, "${each.id}", ${otherwise})`,
    '"none"',
  );
  const text = `
${header("#", {
  what: "writes a job's family into the job (CroftFamily) when it is submitted; none: of no family.",
  where:
    "on every access point (condor_schedd), as /etc/condor/config.d/90-croft-schedd.conf; then condor_reconfig.",
  check: "condor_submit a job; condor_q -af CroftFamily",
  request,
  tried: tried.htcondor,
})}

JOB_TRANSFORM_NAMES = $(JOB_TRANSFORM_NAMES) CroftPacking
JOB_TRANSFORM_CroftPacking @=end
  EVALSET CroftFamily ${family}
@end
# Nobody changes it afterwards (condor_qedit).
IMMUTABLE_JOB_ATTRS = $(IMMUTABLE_JOB_ATTRS) CroftFamily
`;
  return { name: "90-croft-schedd.conf", text: lines(text), isExecutable: false };
}

/** The execution point: says whose jobs run there, and under the exclusive policy who may come. */
export function startd(request: ExportRequest): ExportedFile {
  const { policy, families } = request;
  const clauses = families.map(
    ({ id }) => `(TARGET.CroftFamily is "${id}" || !member("${id}", $(CROFT_FAMILIES_HERE)))`,
  );
  const text = `
${header("#", {
  what: `has a machine say which families' jobs run there${policy === "exclusive" ? ", and keep all other jobs out" : ""}.`,
  where:
    "on every execution point (condor_startd), as /etc/condor/config.d/91-croft-startd.conf, read after what sets " +
    "START; then condor_reconfig. For partitionable slots.",
  check: "condor_status -af Name ChildCroftFamily START",
  request,
  tried: tried.htcondor,
})}

# From the job into its slot, and from there into the list ChildCroftFamily of the partitionable slot.
STARTD_JOB_ATTRS = $(STARTD_JOB_ATTRS) CroftFamily
STARTD_PARTITIONABLE_SLOT_ATTRS = $(STARTD_PARTITIONABLE_SLOT_ATTRS) CroftFamily
${
  policy === "exclusive"
    ? `
CROFT_FAMILIES_HERE = (MY.ChildCroftFamily ?: {})
# Where jobs of a family run, only that family's may start. The startd decides, when it is asked to start a
# job: there is no moment at which its knowledge is old.
CROFT_MAY_START = ${clauses.join(" && \\\n  ")}
START = ($(START)) && ($(CROFT_MAY_START))
# A slot that is handed from job to job would not ask again: each job asks for a slot of its own.
CLAIM_WORKLIFE = 0
`
    : ""
}`;
  return { name: "91-croft-startd.conf", text: lines(text), isExecutable: false };
}

/** The central manager: prefers, or avoids, machines with jobs of the family. */
export function negotiator(request: ExportRequest): ExportedFile {
  const sign = request.policy === "none" ? "-" : "";
  const text = `
${header("#", {
  what: "has the negotiator prefer machines for the families' jobs, before everything else that it prefers.",
  where:
    "on the central manager (condor_negotiator), as /etc/condor/config.d/92-croft-negotiator.conf, read after what " +
    "sets NEGOTIATOR_PRE_JOB_RANK; then condor_reconfig.",
  check: "condor_config_val -negotiator NEGOTIATOR_PRE_JOB_RANK",
  request,
  tried: tried.htcondor,
})}

CROFT_FAMILY_IS_HERE = (TARGET.CroftFamily isnt "none" && member(TARGET.CroftFamily, MY.ChildCroftFamily ?: {}))
NEGOTIATOR_PRE_JOB_RANK = (${sign}1000000000.0 * ifThenElse($(CROFT_FAMILY_IS_HERE), 1, 0)) + ($(NEGOTIATOR_PRE_JOB_RANK))
`;
  return { name: "92-croft-negotiator.conf", text: lines(text), isExecutable: false };
}
