import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { addCondorJob, ATTRIBUTES } from "./job.ts";
import type { AdValue } from "./job.ts";

const BLANK = 32;
const STAR = 42;
const EQUALS = 61;

export const htcondor: WorkloadFormat = {
  name: "htcondor",
  summary: "HTCondor's condor_history -long, and its history file",
  uses: ["jobShape"],
  matches: (_fileName, firstBytes) =>
    /^(ClusterId|ProcId|QDate) = \d|^\*\*\* .*ClusterId = \d/m.test(
      decodeText(firstBytes, 0, firstBytes.length),
    ),
  read,
};

/**
 * Ads with one attribute on a line. Each ends at a blank line, or in the history file at a line that begins with `***`.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const ad = new Map<string, AdValue>();
  let adLine = 0;
  let attributes = 0;
  let badLine = 0;
  const endAd = (): void => {
    if (badLine > 0) jobs.builder.bad("an ad with a line that is no attribute, or two in one", badLine);
    else if (attributes > 0) addCondorJob(jobs, ad, adLine);
    ad.clear();
    attributes = badLine = 0;
  };

  await jobs.readLines({
    read: (bytes, start, end, line) => {
      while (start < end && bytes[start]! <= BLANK) start++;
      if (start === end || (bytes[start] === STAR && bytes[start + 1] === STAR)) {
        endAd();
        return;
      }
      let nameEnd = start;
      while (nameEnd < end && bytes[nameEnd]! > BLANK && bytes[nameEnd] !== EQUALS) nameEnd++;
      let at = nameEnd;
      while (at < end && bytes[at]! <= BLANK) at++;
      if (attributes === 0 && badLine === 0) adLine = line;
      if (bytes[at] !== EQUALS || nameEnd === start) {
        if (badLine === 0) badLine = line;
        return;
      }
      attributes++;
      const name = decodeText(bytes, start, nameEnd).toLowerCase();
      if (!ATTRIBUTES.has(name)) return;
      // Otherwise two ads that ran into each other would be taken for one job.
      if (name === "clusterid" && ad.has(name) && badLine === 0) badLine = line;
      const value = valueOf(decodeText(bytes, at + 1, end).trim());
      // Of an attribute that is there twice, an expression does not take the place of a value.
      if (value !== undefined && (typeof value !== "object" || !ad.has(name))) ad.set(name, value);
    },
    readsBlankLines: true,
  });
  endAd();
  return jobs.finish();
}

/** Undefined if the attribute says that it is. */
function valueOf(text: string): AdValue | undefined {
  if (/^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const [, string] = /^"((?:[^"\\]|\\.)*)"$/.exec(text) ?? [];
  if (string !== undefined) return string.replace(/\\(.)/g, "$1");
  return text === "" || /^undefined$/i.test(text) ? undefined : { expression: text };
}
