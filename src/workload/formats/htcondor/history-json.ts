import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { addCondorJob, ATTRIBUTES } from "./job.ts";

export const htcondorJson: WorkloadFormat = {
  name: "htcondor-json",
  summary: "HTCondor's condor_history -json, as a list or an object a line",
  uses: ["jobShape"],
  matches(_fileName, firstBytes) {
    const text = decodeText(firstBytes, 0, firstBytes.length);
    return /^\s*\u{feff}?\s*[[{]/u.test(text) && /"(ClusterId|QDate)"\s*:\s*\d/.test(text);
  },
  read,
};

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  await jobs.readItems([], (item, line) => {
    const ad = new Map<string, number | string>();
    for (const [key, value] of Object.entries(item)) {
      const name = key.toLowerCase();
      const isValue = typeof value === "number" || (typeof value === "string" && !isExpression(value));
      if (isValue && ATTRIBUTES.has(name)) ad.set(name, value);
    }
    addCondorJob(jobs, ad, line);
  });
  return jobs.finish();
}

/** HTCondor writes values that JSON cannot express as `/Expr(…)/`. */
function isExpression(value: string): boolean {
  return value.startsWith("/Expr(") || value.startsWith("\\/Expr(");
}
