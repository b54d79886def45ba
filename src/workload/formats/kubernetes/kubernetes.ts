import type { ByteSource } from "../../input/bytes.ts";
import { at, isObject, textOf } from "../../input/json.ts";
import { decodeText } from "../../input/text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { addKueueWorkload, addPod } from "./objects.ts";

const KEYS = ["items"];

export const kubernetes: WorkloadFormat = {
  name: "kubernetes",
  summary: "kubectl get pods -o json, or Kueue's workloads",
  uses: ["jobShape"],
  matches(_fileName, firstBytes) {
    const text = decodeText(firstBytes, 0, firstBytes.length);
    return (
      /^\s*\u{feff}?\s*[[{]/u.test(text) &&
      /"kind"\s*:\s*"(Pod|Workload)(List)?"|"apiVersion"\s*:\s*"(v1|kueue\.[^"]*)"/.test(text)
    );
  },
  read,
};

/** Kubernetes has names only, so a job's number is its position in the list. */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const { builder } = jobs;
  const { row, notes } = builder;
  const seen = new Set<string>();
  let number = 0;
  let pods = 0;
  let workloads = 0;
  await jobs.readItems(KEYS, (item, line) => {
    row.jobNumber = ++number;
    row.arrayIndex = UNKNOWN;
    const isWorkload = Array.isArray(at(item, "spec", "podSets"));
    const isPod = Array.isArray(at(item, "spec", "containers"));
    const id = textOf(at(item, "metadata", "uid"));
    if (!isObject(item["status"]) || (!isWorkload && !isPod)) {
      notes.add("left out: objects that are neither pods nor Kueue's workloads", line);
    } else if (id !== "" && seen.has(id)) {
      notes.add("dropped: the log has the same object already", line);
    } else {
      // An object that had not ended may have in a later listing.
      const isAdded = isWorkload ? addKueueWorkload(jobs, item, line) : addPod(jobs, item, line);
      if (!isAdded) return;
      seen.add(id);
      if (isWorkload) workloads++;
      else pods++;
    }
  });
  if (pods > 0 && workloads > 0) {
    notes.add("kept: Kueue's workloads beside pods, which may be of the same jobs", null, workloads);
  }
  return jobs.finish();
}
