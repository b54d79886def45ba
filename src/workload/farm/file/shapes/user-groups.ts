import type { GroupRole } from "../../farm.ts";
import { converted, list, mapping, number, optional, text } from "../shape.ts";
import { MAX_USERS, projectPath } from "./parts.ts";

/** As in `POST /v1/tokens`. */
const userName = /^[A-Za-z_][A-Za-z0-9_.@-]{0,99}$/u;

const groupName = text(/^[A-Za-z0-9_.][A-Za-z0-9_.@$ \\-]{0,99}$/u, "the name of a Unix group");

export const userGroup = mapping({
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
