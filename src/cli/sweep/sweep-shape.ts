import { workloadFormats } from "../../workload/index.ts";
import {
  byKey,
  converted,
  dictionary,
  list,
  located,
  mapping,
  number,
  optional,
  required,
  text,
  textOr,
  yesOrNo,
  type JsonSchema,
  type Shape,
} from "../../workload/farm/file/shape.ts";

/** The contents of a sweep's file: the reader and the published JSON Schema are both made from this. */

const MAX_LOGS = 100;
const MAX_VALUES = 1000;
/** Thirty years. */
const MAX_SECONDS = 1e9;
const MAX_SEED = 2 ** 31 - 1;

const line = text(/^[^\p{Cc}]{1,1000}$/u, "a line of text");
const path = located(line);

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const duration: Shape<number> = textOr(
  converted(text(/^\d{1,9}(\.\d{1,9})?[smhd]$/u, "a time such as 90s, 30m, 12h, 1.5d"), (given, at) => {
    const seconds = Math.round(Number(given.slice(0, -1)) * secondsOf[given.at(-1)!]! * 1000) / 1000;
    return seconds <= MAX_SECONDS ? seconds : at.refuse(`${given} is too long`);
  }),
  number({ min: 0, max: MAX_SECONDS }),
);

/** As `--from` takes it: seconds on the log's clock, or a date. */
const time: Shape<string> = textOr(
  text(
    /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?)?$/u,
    'seconds on the log\'s clock, or a date such as "2013-11-05",',
  ),
  converted(number({ min: -1e12, max: 1e12 }), String),
);

function oneOf<const Names extends readonly string[]>(names: Names): Shape<Names[number]> {
  const pattern = new RegExp(`^(${names.join("|")})$`, "u");
  return text(pattern, `one of ${names.join(", ")}`);
}

/** Where the jobs of a log run, and which of them. */
const common = {
  name: optional("what tables call it; its file's or its generator's name unless given", path, null),
  machines: optional(
    "what its jobs run on: a list of machines seen from this file, a shorthand such as 64x8c32g, a known farm's name, or inferred from the log",
    path,
    null,
  ),
  farm: optional("a farm file, seen from this file, instead of machines", path, null),
  from: optional("leave out jobs submitted before: seconds on the log's clock, or a date", time, null),
  until: optional("leave out jobs submitted at this time or later", time, null),
  jobs: optional("only the first so many jobs", number({ min: 1, max: 1e9, whole: true }), null),
};

const columnName = { names: /^[A-Za-z_]{1,100}$/u, problem: "a field's name is letters and _", most: 50 };

const logFile = mapping({
  file: required("the log, seen from this file", path),
  ...common,
  format: optional("its format; guessed unless given", oneOf(workloadFormats.map(({ name }) => name)), null),
  jobShape: optional("as --job-shape", oneOf(["tasks", "machine"]), null),
  memoryUnit: optional("as --memory-unit", oneOf(["B", "KiB", "MiB", "GiB"]), null),
  memoryScope: optional("as --memory-scope", oneOf(["per-processor", "per-job"]), null),
  overrun: optional("as --overrun", oneOf(["keep", "cap"]), null),
  timeZone: optional("as --time-zone", line, null),
  columns: optional("as --columns: a column's name for each field", dictionary(line, columnName), null),
  strict: optional("as --strict", yesOrNo, false),
});

const generated = mapping({
  generate: required(
    "a generator, as croft workload generate takes it: a log of its own for each seed",
    path,
  ),
  ...common,
  load: optional("as --load of croft workload generate", number({ min: 0, above: true, max: 1000 }), null),
});

const load: Shape<number | null> = textOr(
  converted(oneOf(["log"]), () => null),
  number({ min: 0, above: true, max: 1000 }),
);

const estimates: Shape<"log" | "exact" | "predicted" | number> = textOr(
  oneOf(["log", "exact", "predicted"]),
  number({ min: 0, above: true, max: 1000 }),
);

export const sweepShape = mapping(
  {
    logs: required(
      "the logs, and what their jobs run on",
      list(byKey("generate", generated, logFile), 1, MAX_LOGS),
    ),
    policies: required("as --policy", list(path, 1, MAX_VALUES)),
    plugin: optional("as --plugin, seen from this file: policies, heuristics, … of your own", path, null),
    baseline: optional("the policy that the others are compared with; the first unless given", path, null),
    loads: optional(
      "offered loads as fractions of the machines, or log: the log's own pace",
      list(located(load), 1, MAX_VALUES),
      null,
    ),
    estimates: optional(
      "as --estimates: log, exact, predicted or a factor",
      list(located(estimates), 1, MAX_VALUES),
      null,
    ),
    seeds: optional(
      "of the random numbers that generators and farms draw: each is a replicate",
      list(located(number({ min: 0, max: MAX_SEED, whole: true })), 1, MAX_VALUES),
      null,
    ),
    interval: optional("between scheduling cycles, as --interval", duration, null),
    warmup: optional("as --warmup", duration, 0),
    cooldown: optional("as --cooldown", duration, 0),
  },
  " (logs, policies, loads, …)",
);

/** The sweep file's JSON Schema, published as `schemas/sweep.schema.json`. */
export const sweepSchema: JsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "A study of several logs, as croft sweep takes it",
  ...sweepShape.schema,
};
