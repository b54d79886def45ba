import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { header, lines } from "../text.ts";
import { loadIndexes } from "./indexes.ts";
import { tried } from "../tried.ts";

/** Seconds between two reports: the interval in lsf.shared, and the elim's. */
export const INTERVAL_SECONDS = 15;

export function lsfShared(request: ExportRequest): ExportedFile {
  const rows = loadIndexes(request).map(
    ({ name, description }) =>
      `${name.padEnd(39)} Numeric ${INTERVAL_SECONDS}       Y          (${description})`,
  );
  const text = `
${header("#", {
  what: "the external load indexes.",
  where: "the rows between Begin Resource and End Resource in that section of LSF_CONFDIR/lsf.shared.",
  check: `lsinfo -l | grep -A 3 pk`,
  request,
  tried: tried.lsf,
})}

Begin Resource
${"RESOURCENAME".padEnd(39)} TYPE    INTERVAL INCREASING DESCRIPTION
${rows.join("\n")}
End Resource
`;
  return { name: "lsf.shared.croft", text: lines(text), isExecutable: false };
}

export function lsfCluster(request: ExportRequest): ExportedFile {
  const rows = loadIndexes(request).map(({ name }) => `${name.padEnd(39)} [default]`);
  const text = `
${header("#", {
  what: "where the indexes are: on every host, each with its own value.",
  where:
    "the rows between Begin ResourceMap and End ResourceMap in that section of LSF_CONFDIR/lsf.cluster.NAME. " +
    "For some hosts only, write their names instead: ([hostA] [hostB]).",
  check: "lsload -l; every host shows values, not dashes.",
  request,
  tried: tried.lsf,
})}

Begin ResourceMap
${"RESOURCENAME".padEnd(39)} LOCATION
${rows.join("\n")}
End ResourceMap
`;
  return { name: "lsf.cluster.croft", text: lines(text), isExecutable: false };
}

export function lsfConf(request: ExportRequest): ExportedFile {
  const text = `
${header("#", {
  what: "has LSF run the esub for every job.",
  where: "LSF_CONFDIR/lsf.conf. Where LSB_ESUB_METHOD is set already, add croft as its last word.",
  check: "bsub of a job, then bjobs -l: its resource requirement is that of README.md.",
  request,
  tried: tried.lsf,
})}
LSB_ESUB_METHOD="croft"
`;
  return { name: "lsf.conf.croft", text: lines(text), isExecutable: false };
}
