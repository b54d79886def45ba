import { parseDate } from "../../../dates.ts";
import { MAX_MACHINES } from "../../../machines/machine-list.ts";
import type { FarmTime } from "../../farm.ts";
import {
  converted,
  list,
  located,
  mapping,
  number,
  optional,
  required,
  text,
  textOr,
  type Shape,
} from "../shape.ts";
import { MAX_USERS, MAX_SECONDS, name, secondsOf, seconds, projectPath } from "./parts.ts";

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
      const milliseconds = parseDate(`${value.replace(" ", "T")}${hasZone ? "" : "Z"}`);
      if (Number.isNaN(milliseconds)) return at.refuse(`there is no ${value}`);
      return { since: "1970", seconds: milliseconds / 1000 };
    },
  ),
  converted(number({ min: 0, max: MAX_SECONDS }), (value): FarmTime => ({ since: "log", seconds: value })),
);

export const reservation = mapping({
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
