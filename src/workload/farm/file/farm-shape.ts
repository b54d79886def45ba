import { licenceName, MAX_LICENCES } from "../../licences.ts";
import { MAX_MACHINES } from "../../machines/machine-list.ts";
import { mebibytesPer, parseMemoryUnit } from "../../units.ts";
import {
  anything,
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
  type NumberLimits,
  type Shape,
} from "./shape.ts";
import type { GroupRole } from "../farm.ts";
import type { FileNode } from "../../input/yaml.ts";
import type { FarmTime } from "../farm.ts";

/**
 * The contents of a farm file: both the reader and the published JSON Schema are made from this. What must fit together
 * (names that exist, settings that go with one another) is checked in `resolve.ts`.
 */

const MAX_INT32 = 2 ** 31 - 1;
const MAX_SITES = 500;
const MAX_POOLS = 10_000;
const MAX_GROUPS = 100_000;
const MAX_USERS = 100_000;
const MAX_RESERVATIONS = 1000;
const MAX_CHANNELS = 100;
/** Thirty years. */
const MAX_SECONDS = 1e9;

/** A semicolon separates the names in a job's list of pools. */
const namePattern = /^[^;\s]([^;\p{Cc}]{0,98}[^;\s])?$/u;
const nameText = text(
  namePattern,
  "a name of at most 100 characters, without semicolons or blanks at its ends,",
);
const name = located(nameText);

const durationText = text(/^\d+(\.\d+)?[smhd]$/u, "a time such as 90s, 30m, 12h, 1.5d");
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** A time within limits. The schema can say them of numbers only. */
function secondsWithin(limits: NumberLimits): Shape<number> {
  return textOr(
    converted(durationText, (duration, at) => {
      const value = Number(duration.slice(0, -1)) * secondsOf[duration.at(-1)!]!;
      const { min, above, max } = limits;
      if (value > max) at.refuse(`${duration} is too long: ${max} s at most`);
      if (above === true && value <= min) at.refuse(`${duration} is too short: more than ${min} s`);
      return value >= min ? value : at.refuse(`${duration} is too short: ${min} s or more`);
    }),
    number(limits),
  );
}
const seconds = secondsWithin({ min: 0, max: MAX_SECONDS });
const someSeconds = secondsWithin({ min: 0, above: true, max: MAX_SECONDS });

/** A small b after a capital letter means bits, which `parseMemoryUnit` refuses too. */
const memoryText = text(/^\d+(\.\d+)? ?([KkMmGg][Ii]?B|[kmg][Ii]?b)$/u, "an amount such as 64 GiB");
const memoryMiB: Shape<number> = converted(
  textOr(
    converted(memoryText, (amount) => {
      const [, value, unit] = /^([\d.]+) ?(.*)$/.exec(amount)!;
      return Number(value) * mebibytesPer(parseMemoryUnit(unit!));
    }),
    number({ min: 0, max: MAX_INT32 }),
  ),
  (amount, at) =>
    amount <= MAX_INT32 ? Math.floor(amount) : at.refuse(`more than the ${MAX_INT32} MiB that are supported`),
);

const projectPath = /^[^\p{Cc}]{1,1000}$/u;

/** As in `POST /v1/tokens`. */
const userName = /^[A-Za-z_][A-Za-z0-9_.@-]{0,99}$/u;

const cores = number({ min: 0.001, max: MAX_INT32 / 1000 });
const speed = number({ min: 0.001, max: 1000 });

const attributeValue: Shape<string | number | boolean> = {
  schema: { type: ["string", "number", "boolean"] },
  read(node: FileNode) {
    const { scalar } = node;
    if (typeof scalar === "string" || typeof scalar === "boolean") return scalar;
    if (typeof scalar === "number" && Number.isFinite(scalar)) return scalar;
    return node.refuse(`text, a number, true or false should stand here, not ${node.found}`);
  },
};

/** Names that requirement expressions can use, and that have no meaning of their own there. */
const attributeNames =
  /^(?!(cores|memory|gpus|speed|owner|[Aa]nd|AND|[Oo]r|OR|[Nn]ot|NOT|[Ii]n|IN|[Hh]as|HAS|[Tt]rue|TRUE|[Ff]alse|FALSE)$)[A-Za-z_][A-Za-z0-9_.-]{0,99}$/u;
const attributes = dictionary(attributeValue, {
  names: attributeNames,
  problem:
    "an attribute's name is letters, digits, _ . and -, and none of cores, memory, gpus, speed, owner, and, or, not, in, has, true, false",
  most: 100,
});

/** The settings of a group beside its size. */
const groupTraits = {
  speed: optional("how fast, 1 being what run times are told for: a job of 60 s takes 60 ÷ speed", speed, 1),
  owner: optional("the business group whose jobs come first here", nameText, null),
  attributes: optional("what requirement expressions can ask about", attributes, new Map<string, never>()),
};

const group = mapping(
  {
    count: required("how many machines", number({ min: 1, max: MAX_MACHINES, whole: true })),
    cores: required("cores of each, parts allowed", cores),
    memory: optional(
      "memory of each: MiB, or text such as 64 GiB; none: memory is not considered",
      memoryMiB,
      null,
    ),
    gpus: optional("GPUs of each, parts allowed", number({ min: 0, max: MAX_INT32 / 1000 }), null),
    ...groupTraits,
  },
  " (count, cores, memory, …), or text such as 100x8c64g",
);

const groupOfFile = mapping({
  file: required(
    "a list of machines, as --machines takes it; its path is seen from this file",
    text(/^.+$/u, "a path"),
  ),
  leaveOutDown: optional(
    "whether the machines that the list says are down or drained are left out",
    yesOrNo,
    false,
  ),
  ...groupTraits,
});

const groupText = String.raw`\d+[xX]\d+(\.\d+)?[cC](\d+(\.\d+)?[gG])?`;
const shorthand = located(
  text(
    new RegExp(String.raw`^\s*${groupText}(\s*\+\s*${groupText})*\s*$`, "u"),
    "machines such as 100x8c64g",
  ),
);

const machines = list(textOr(shorthand, byKey("file", groupOfFile, group)), 1, MAX_GROUPS);

const engineName = text(/^[a-z][a-z0-9-]{0,49}$/u, "the name of an engine, such as local");
const engine = converted(
  textOr(
    engineName,
    dictionary(anything, {
      names: /^[A-Za-z][A-Za-z0-9]{0,99}$/u,
      problem: "a setting's name is letters and digits",
      most: 100,
    }),
  ),
  (value, at) => {
    if (typeof value === "string") return { kind: value, settings: {} };
    const { kind, ...settings } = Object.fromEntries(value);
    if (typeof kind !== "string") return at.refuse("kind is missing: the name of the engine, such as local");
    return { kind, settings };
  },
);

const gpuKind = text(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/u, "the name of a kind of GPU, such as a100");
const deviceName = text(
  /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$/u,
  "a device as CUDA_VISIBLE_DEVICES names it, such as 0",
);
const device = located(
  textOr(
    deviceName,
    converted(number({ min: 0, max: 1023, whole: true }), (index) => String(index)),
  ),
);
const gpus = located(
  textOr(
    text(/^auto$/u, "auto"),
    mapping(
      {
        devices: optional(
          "as CUDA_VISIBLE_DEVICES takes them; found unless given",
          list(device, 1, 1024),
          null,
        ),
        kind: optional("what jobs ask for by name; of the device's model unless given", gpuKind, null),
        parts: optional("so many jobs share a device (1)", number({ min: 1, max: 100, whole: true }), 1),
      },
      " (devices, kind, parts), or auto",
    ),
  ),
);

const absolutePath = text(/^\/.{0,4000}$/u, "an absolute path");
const hooks = mapping({
  prolog: optional(
    "a program that is run before each job; if it fails the machine is drained",
    absolutePath,
    null,
  ),
  epilog: optional("a program that is run after each job", absolutePath, null),
  limit: optional("how long each may take (60s)", secondsWithin({ min: 1, max: 3600 }), null),
  scratch: optional("a folder in which each job has one of its own, by TMPDIR", absolutePath, null),
});

const pool = mapping({
  name: required("unlike any other pool's", nameText),
  site: optional("where it is; may be left out where there is one site", name, null),
  machines: optional(
    "its machines, group by group; a live farm's engine may tell them, a simulation needs them",
    machines,
    null,
  ),
  engine: optional(
    "what runs its jobs in a live farm: local, simulated, or a mapping with kind (slurm, kubernetes) and settings",
    engine,
    null,
  ),
  gpus: optional(
    "the GPUs of its machine, of which the engine local gives each job its own: auto, or a mapping",
    gpus,
    null,
  ),
  hooks: optional(
    "of a live farm: what the engine local does before and after each job",
    located(hooks),
    null,
  ),
  policy: optional("what decides which job goes where: a name that croft policies lists", name, null),
  maxJobs: optional("the heuristics that max-jobs and its like try", list(name, 1, 100), null),
  interval: optional("between scheduling cycles; 0: at every event", seconds, null),
  reservations: optional(
    "all, none, or how many of a cycle's first jobs may reserve a machine",
    textOr(text(/^(all|none)$/u, "all, none or a number"), number({ min: 0, max: MAX_INT32, whole: true })),
    null,
  ),
  shares: optional(
    "fair share: the shares of projects, by path; what is not named has 1",
    dictionary(number({ min: 0, above: true, max: 1e9 }), {
      names: projectPath,
      problem: "this is no project's path",
      most: 100_000,
    }),
    null,
  ),
  fairShare: optional(
    "what shares count: running, the cores that projects use now; usage, what they have used, which decays (running)",
    located(text(/^(running|usage)$/u, "running or usage")),
    null,
  ),
  halfLife: optional(
    "fairShare usage: the time after which half of what was used counts (7d)",
    secondsWithin({ min: 1, max: MAX_SECONDS }),
    null,
  ),
  fairShareOf: optional(
    "fairShare usage: what is counted: cores; memory; dominant, the resource of which a job has the largest part of the pool (cores)",
    located(text(/^(cores|memory|dominant)$/u, "cores, memory or dominant")),
    null,
  ),
  licences: optional(
    "how many it has of each licence, or of what else jobs ask for by name and belongs to no machine",
    dictionary(number({ min: 0, max: MAX_LICENCES, whole: true }), {
      names: licenceName,
      problem:
        "a licence's name has no blanks, commas, semicolons, colons or equals signs, and at most 100 characters",
      most: 10_000,
    }),
    null,
  ),
});

const virtualPool = mapping({
  name: required("unlike any other virtual pool's", nameText),
  site: optional("where it takes jobs; may be left out where there is one site", name, null),
  pools: optional("the pools that it can send jobs to; all unless given", list(name, 1, MAX_POOLS), null),
  routing: optional("how it chooses among them: round-robin, utilization", name, null),
  viewAge: optional("how old its view of the pools is", seconds, 0),
  queue: optional(
    "whether jobs wait here while no candidate pool has room for them; otherwise they wait in a pool",
    yesOrNo,
    false,
  ),
});

const transfer = mapping({
  from: required("a site", name),
  to: required("another site", name),
  delay: required("what a job takes; the way back takes as long unless it is listed itself", seconds),
});

const preemption = mapping({
  victim: optional("the rule that chooses the job to suspend; none: no job is suspended", name, null),
  keepsMemory: optional("whether a suspended job keeps its memory and its GPUs", yesOrNo, null),
});

const rescheduling = mapping({
  strategy: optional("NoRes, ResSusUtil, ResSusRand, ResSusWaitUtil, ResSusWaitRand, …", name, null),
  waitThreshold: optional("a job that has waited longer in a pool may be moved (30m)", seconds, null),
  check: optional("how often waiting jobs are checked (1m)", someSeconds, null),
  maxRestarts: optional(
    "how often a job is restarted at most; no cap unless given",
    number({ min: 0, max: MAX_INT32, whole: true }),
    null,
  ),
  candidates: optional(
    "the pools where a job may be restarted that names none; where it may first be sent unless given",
    list(name, 1, MAX_POOLS),
    null,
  ),
  checkpoint: optional("a restart loses only what came after the last of these", someSeconds, null),
});

const groupName = text(/^[A-Za-z0-9_.][A-Za-z0-9_.@$ \\-]{0,99}$/u, "the name of a Unix group");

const userGroup = mapping({
  users: optional(
    "who belongs to it, by name",
    list(text(userName, "the name of a user"), 1, MAX_USERS),
    null,
  ),
  unixGroups: optional(
    "the Unix groups whose members belong to it; that of its own name, unless users or this is given",
    list(groupName, 1, MAX_USERS),
    null,
  ),
  maxPriority: optional(
    "the highest priority that their jobs may have (50)",
    number({ min: 0, max: 99, whole: true }),
    null,
  ),
  projects: optional(
    "the projects that their jobs may count against, each with those below it",
    list(text(projectPath, "a project's path"), 1, 100_000),
    null,
  ),
  role: optional(
    "what those of them may who come in by sockets of their own: user, operator or admin (user)",
    converted(text(/^(user|operator|admin)$/u, "user, operator or admin"), (role) => role as GroupRole),
    null,
  ),
});

const output = mapping({
  most: required(
    "the most of a job's output, and of its error output (10 GiB): a job that prints more is ended",
    memoryMiB,
  ),
});

/** A comma and a colon end it where jobs name it. */
const channelName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/u;
const channel = mapping({
  command: optional(
    "the program that is run, by its path, and its arguments; it reads what happened, as JSON, from its standard input",
    list(text(/^[^\0]{1,4000}$/u, "a text of at most 4000 characters"), 1, 100),
    null,
  ),
  webhook: optional(
    "the address that is sent what happened, as JSON, by POST",
    text(/^https?:\/\/\S{1,2000}$/u, "an address that begins with https:// or http://"),
    null,
  ),
});

const jobCount = number({ min: 0, max: MAX_INT32, whole: true });

const limit = mapping({
  runningJobs: optional("jobs that may run at a time", jobCount, null),
  runningCores: optional(
    "cores of the jobs that run at a time",
    number({ min: 0, max: MAX_INT32 / 1000 }),
    null,
  ),
  waitingJobs: optional("of a live farm: jobs that may wait", jobCount, null),
  jobsAtOnce: optional("of a live farm: jobs of one submission", jobCount, null),
  stored: optional(
    "of a live farm: what it may have to store of jobs that wait, with their commands and environments",
    memoryMiB,
    null,
  ),
});

const limitsOf = (whose: string, example: string) =>
  optional(
    `of ${whose}, by name; *: of each that is not named`,
    dictionary(located(limit), {
      names: projectPath,
      problem: `this is no name of ${example}`,
      most: 100_000,
    }),
    null,
  );

const limits = mapping({
  users: limitsOf("users", "a user"),
  groups: limitsOf("the groups that jobs name", "a group"),
  projects: limitsOf("projects, with those below them", "a project"),
});

const date = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?`;
const time: Shape<FarmTime> = textOr(
  converted(
    text(
      new RegExp(String.raw`^(\d+(\.\d+)?[smhd]|${date})$`, "u"),
      "a date such as 2026-11-28T22:00Z, or a time since the log's first job such as 36h,",
    ),
    (value, at): FarmTime => {
      const [, amount, unit] = /^([\d.]+)([smhd])$/.exec(value) ?? [];
      if (amount !== undefined) return { since: "log", seconds: Number(amount) * secondsOf[unit!]! };
      const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(value.slice(10));
      const milliseconds = Date.parse(`${value.replace(" ", "T")}${hasZone ? "" : "Z"}`);
      if (Number.isNaN(milliseconds)) return at.refuse(`there is no ${value}`);
      return { since: "1970", seconds: milliseconds / 1000 };
    },
  ),
  converted(number({ min: 0, max: MAX_SECONDS }), (value): FarmTime => ({ since: "log", seconds: value })),
);

const reservation = mapping({
  name: required("unlike any other reservation's", name),
  pool: required("the pool of its machines", name),
  machines: optional(
    "the names of its machines; all of the pool unless this or count is given",
    list(name, 1, MAX_MACHINES),
    null,
  ),
  count: optional(
    "so many machines, the first of the pool",
    located(number({ min: 1, max: MAX_MACHINES, whole: true })),
    null,
  ),
  from: required(
    "when it begins: a date (UTC unless it says otherwise), or a time since the log's first job",
    located(time),
  ),
  until: optional("when it is over; this or for is given", located(time), null),
  for: optional("how long it is", located(seconds), null),
  users: optional(
    "the users whose jobs may start there; nobody's unless users, groups or projects are given",
    list(text(projectPath, "the name of a user"), 1, MAX_USERS),
    null,
  ),
  groups: optional(
    "the groups, which jobs name, whose jobs may",
    list(text(projectPath, "the name of a group"), 1, MAX_USERS),
    null,
  ),
  projects: optional(
    "the projects, each with those below it, whose jobs may",
    list(text(projectPath, "a project's path"), 1, 100_000),
    null,
  ),
  reason: optional("what it is for", text(/^[^\p{Cc}]{1,200}$/u, "a text of at most 200 characters"), null),
});

export const farmShape = mapping({
  $schema: optional("where this schema is, for editors", text(/^.*$/u, "a path or address"), null),
  name: optional("what people call the farm; the file's name unless given", nameText, null),
  sites: optional("the sites' names; one unless given", list(name, 1, MAX_SITES), null),
  transferDelay: optional("between any two sites that transfers does not name (0)", seconds, null),
  transfers: optional(
    "what moving a job from site to site takes",
    list(transfer, 1, MAX_SITES * MAX_SITES),
    null,
  ),
  pools: required("the physical pools: machines with a queue", list(pool, 1, MAX_POOLS)),
  virtualPools: optional(
    "where users submit jobs; one at each site, connected to all pools, unless given",
    list(virtualPool, 1, MAX_POOLS),
    null,
  ),
  preemption: optional("who is suspended for more urgent jobs, and what it keeps", preemption, null),
  rescheduling: optional("when suspended and waiting jobs are restarted elsewhere", rescheduling, null),
  limits: optional("what the jobs of users, groups and projects may have at a time", limits, null),
  reservations: optional(
    "machines that are kept for some people for a time",
    list(reservation, 1, MAX_RESERVATIONS),
    null,
  ),
  groups: optional(
    "of a live farm: the groups of users, and what they may ask for beyond the default",
    dictionary(userGroup, { names: namePattern, problem: "this is no group's name", most: 10_000 }),
    null,
  ),
  notify: optional(
    "of a live farm: channels, by which users have themselves told what becomes of their jobs",
    dictionary(located(channel), {
      names: channelName,
      problem: "this is no channel's name",
      most: MAX_CHANNELS,
    }),
    null,
  ),
  output: optional("of a live farm: what it keeps of what jobs print", output, null),
  retention: optional(
    "of a live farm: how long after its month a job stays in the database, with what it printed (7d)",
    seconds,
    null,
  ),
});

/** A parsed farm file: shapes have been checked, names not yet looked up. */
export type FarmFile = ReturnType<typeof farmShape.read>;
export type PoolEntry = ReturnType<typeof pool.read>;
export type GroupEntry = ReturnType<typeof userGroup.read>;
export type ReservationEntry = ReturnType<typeof reservation.read>;
export type ChannelEntries = NonNullable<FarmFile["notify"]>;
export type LimitsEntry = ReturnType<typeof limits.read>;
export type MachinesEntry = NonNullable<PoolEntry["machines"]>[number];
export type Name = ReturnType<typeof name.read>;
