import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { addCondorJob, ATTRIBUTES } from "./job.ts";
import type { AdValue } from "./job.ts";

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
    const ad = new Map<string, AdValue>();
    for (const [key, value] of Object.entries(item)) {
      const name = key.toLowerCase();
      if (!ATTRIBUTES.has(name)) continue;
      if (typeof value === "number") ad.set(name, value);
      else if (typeof value === "string") ad.set(name, valueOf(value));
    }
    addCondorJob(jobs, ad, line);
  });
  return jobs.finish();
}

/** HTCondor writes values that JSON cannot express as `/Expr(…)/`. */
function valueOf(value: string): AdValue {
  const [, expression] = /^\\?\/Expr\((.*)/s.exec(value) ?? [];
  return expression === undefined ? value : { expression: expression.replace(/\)\\?\/$/, "") };
}
